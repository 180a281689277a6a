"""What `import hypar_opt` offers."""

from __future__ import annotations

import subprocess
import sys

import pytest

import hypar_opt


@pytest.mark.parametrize("name", hypar_opt.__all__)
def test_every_public_name_is_there(name):
    assert getattr(hypar_opt, name).__name__ == name


def test_names_are_listed_once_and_in_order():
    assert list(hypar_opt.__all__) == sorted(set(hypar_opt.__all__))


def test_names_that_are_not_imported_yet_are_completed():
    code = "import hypar_opt; print(sorted({*hypar_opt.__all__} - {*dir(hypar_opt)}), '__name__' in dir(hypar_opt))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=True)
    assert done.stdout == "[] True\n"


def test_any_other_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'hypar_opt' has no attribute 'solvers'"):
        _ = hypar_opt.solvers


def test_from_an_instance_to_a_plan():
    plan = hypar_opt.solve(hypar_opt.load("lenet-c"), limits=hypar_opt.Limits(seed=1))
    assert (plan.status, plan.communication_bytes) == (hypar_opt.Status.OPTIMAL, 17_603_040)


def test_importing_the_package_imports_nothing_else_that_it_could_do_without():
    code = "import sys, hypar_opt; print([name for name in sys.modules if name.startswith('hypar_opt.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=True)
    assert done.stdout == "['hypar_opt.util', 'hypar_opt.util.lazy', 'hypar_opt.util.moved']\n"


def test_problems_of_every_kind_wait_for_no_package_that_only_some_searches_need():
    code = "import sys, hypar_opt.solver.kinds; print([name for name in ('scipy', 'pandas') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=True)
    assert done.stdout.strip() == "[]"
