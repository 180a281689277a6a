"""What a worker may use, each limit shown by a process that breaks it."""

import signal
import subprocess
import sys

import pytest

from hypar_opt.web.child import _end_of
from hypar_opt.web.settings import GIB

BEGIN = "from hypar_opt.web.worker import confine; import signal\n"
BROKEN = [
    ("alarm", f"confine({GIB}, 0.3, 1)\nwhile True: pass", -signal.SIGALRM),
    ("alarm in native code", f"confine({GIB}, 0.3, 1)\nimport ctypes; ctypes.PyDLL(None).sleep(60)", -signal.SIGALRM),
    ("processor",
     f"confine({GIB}, 0.5, 1)\nsignal.setitimer(signal.ITIMER_REAL, 0)\nwhile True: pass", -signal.SIGXCPU),
    ("memory", f"confine({GIB}, 60, 1)\ntry: bytearray({2 * GIB})\nexcept MemoryError: raise SystemExit(7)", 7),
    ("file", f"confine({GIB}, 60, 1)\nf = open('f', 'wb'); f.truncate({GIB})\n"
     f"try: f.truncate({GIB} + 1)\nexcept OSError: raise SystemExit(7)", 7),
    ("server", "from hypar_opt.web.worker import end_with_server; end_with_server()\nwhile True: pass",
     -signal.SIGKILL),
]  # fmt: skip


@pytest.mark.parametrize(("code", "ends"), [one[1:] for one in BROKEN], ids=[one[0] for one in BROKEN])
def test_a_limit_holds(code, ends, tmp_path):
    if ends == -signal.SIGXCPU:
        ends = (-signal.SIGXCPU, -signal.SIGKILL)  # soft and hard limit are one
    ran = subprocess.run(
        [sys.executable, "-c", BEGIN + code], stdin=subprocess.DEVNULL, cwd=tmp_path, start_new_session=True,
        timeout=600, check=False,
    )  # fmt: skip
    assert ran.returncode in (ends if isinstance(ends, tuple) else (ends,))


def test_threads_that_solvers_reserve_are_no_memory(tmp_path):
    code = (
        BEGIN
        + f"confine({GIB}, 60, 1)\nimport threading, time\n"
        + ("for _ in range(64): threading.Thread(target=time.sleep, args=(1,)).start()")
    )
    assert (
        subprocess.run([sys.executable, "-c", code], stdin=subprocess.DEVNULL, timeout=600, check=False).returncode == 0
    )


CRASHES = [
    (-signal.SIGALRM, "", "stopped: a job may take 3 s, and did not end within 15 s after them"),
    (-signal.SIGXCPU, "", "stopped: it used more processor time than a job may"),
    (-signal.SIGKILL, "", "its process ended by SIGKILL"),
    (1, "a\nb", "its process ended with code 1; it said last: a\nb"),
    (-signal.SIGABRT, "terminate called after throwing an instance of 'std::bad_alloc'",
     "out of memory; its process ended by SIGABRT"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "said", "shown"), CRASHES)
def test_how_a_worker_ended_is_said(code, said, shown, tmp_path):
    (tmp_path / "errors.txt").write_text(said)
    assert _end_of(code, tmp_path / "errors.txt", 3) == shown
