"""The process that checks text as one types: `python -m hypar_opt.web.checker`, a JSON line in, one out."""

from __future__ import annotations

import json
import resource
import sys

from hypar_opt.web.settings import GIB


def main() -> int:
    """Answer until the standard input ends; too much memory is an answer too."""
    for kind, amount in ((resource.RLIMIT_DATA, GIB), (resource.RLIMIT_CORE, 0)):
        resource.setrlimit(kind, (amount, amount))
    from hypar_opt.web.text_check import check_text, unchecked

    for line in sys.stdin.buffer:
        asked = json.loads(line)
        try:
            answer = check_text(asked["text"], asked["overrides"], asked["edit"])
        except MemoryError:
            answer = unchecked(asked["text"], "too large to be checked as you type")
        sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n")
        sys.stdout.buffer.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
