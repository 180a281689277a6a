"""One job in a process of its own: `python -m hypar_opt.web.worker`, in the job's folder.

The server gives it nothing but that folder and a standard input that it holds open. Limits are set before anything
heavy is imported and before the instance is read.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path


def main() -> int:
    """Do the job of the folder that this runs in."""
    from hypar_opt.web.sandbox import confine, end_with_server
    from hypar_opt.web.settings import GRACE_S

    end_with_server()
    folder = Path.cwd()
    job = json.loads((folder / "job.json").read_text())
    confine(job["memory"], job["time_s"] + GRACE_S, job["asked"]["limits"]["workers"])
    from hypar_opt.web.job import work

    work(folder, job)
    return 0


if __name__ == "__main__":
    sys.exit(main())
