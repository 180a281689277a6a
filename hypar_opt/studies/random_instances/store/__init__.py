"""What keeps a campaign's rows: an SQLite file, or a folder of Parquet files."""

from hypar_opt.studies.random_instances.store.identity import FORMAT, CampaignIdentity
from hypar_opt.studies.random_instances.store.kinds import check_store, check_there, open_recorded, open_store
from hypar_opt.studies.random_instances.store.parquet import ParquetStore
from hypar_opt.studies.random_instances.store.protocol import RowStore
from hypar_opt.studies.random_instances.store.sqlite import CampaignStore

__all__ = [
    "FORMAT",
    "CampaignIdentity",
    "CampaignStore",
    "ParquetStore",
    "RowStore",
    "check_store",
    "check_there",
    "open_recorded",
    "open_store",
]
