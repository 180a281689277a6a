"""sbatch, squeue and scancel that run jobs on this machine, at once."""

from __future__ import annotations

import os

SBATCH = """#!/bin/sh
# a job is a session of its own; its script is gone once this has returned
cd {folder}
number=$$
cp "$1" job-$number
output() {{ sed -n "s/^#SBATCH -$1 //p" job-$number | sed "s/%J/$number/"; }}
setsid sh -c "{run} job-$number; touch done-$number" >"$(output o)" 2>"$(output e)" </dev/null &
echo $! >pid-$number
echo "Submitted batch job $number"
"""
SQUEUE = """#!/bin/sh
cd {folder}
for pid in pid-*; do
    test -e "done-${{pid#pid-}}" || echo "${{pid#pid-}} RUNNING None"
done
true
"""
SCANCEL = """#!/bin/sh
cd {folder}
echo "$1" >>cancelled
kill -TERM -- -"$(cat pid-$1)" 2>/dev/null
true
"""


def install(folder, run="sh"):
    """Write the programs into a folder, and return the PATH on which they are.

    Parameters
    ----------
    folder
        Where jobs, their processes and what was cancelled are noted, too.
    run
        What runs a job's script.
    """
    for name, text in {"sbatch": SBATCH, "squeue": SQUEUE, "scancel": SCANCEL}.items():
        (folder / name).write_text(text.format(folder=folder, run=run), encoding="utf-8")
        (folder / name).chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"
