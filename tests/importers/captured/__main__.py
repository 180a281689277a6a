"""Write graphs anew: `python -m tests.importers.captured gpt2 llama`, where their packages are installed."""

from __future__ import annotations

import sys

from hypar_opt.importers.torch import read_torch
from tests.importers.captured import write

for one in sys.argv[1:]:
    write(read_torch(f"tests.importers.captured.models:{one}"))
