"""The jobs in their database."""

import sqlite3

import pytest

from hypar_opt.util.errors import InputError
from hypar_opt.web.store import CANCELLED, DONE, QUEUED, RUNNING, JobStore


@pytest.fixture
def store(tmp_path):
    found = JobStore(tmp_path / "jobs.sqlite3")
    yield found
    found.close()


def add(store, label="x"):
    return store.add(label, lambda _: None, lambda _: None).id


def test_jobs_are_taken_in_the_order_in_which_they_came(store):
    first, second = add(store), add(store)
    assert (store.position(first), store.position(second), store.position("none")) == (1, 2, 0)
    assert store.next().id == first
    store.begin(first)
    assert (store.next().id, store.position(first), store.position(second)) == (second, 0, 1)
    assert (store.count(QUEUED), store.count(RUNNING)) == (1, 1)
    assert [job.id for job in store.all()] == [second, first]


def test_the_first_end_is_the_end(store):
    job = add(store, "before it is read")
    store.begin(job)
    store.end(job, CANCELLED)
    store.end(job, DONE, headline="too late", label="too late")
    found = store.get(job)
    assert (found.state, found.headline, found.label) == (CANCELLED, "", "before it is read")


def test_a_job_that_cannot_be_prepared_is_none_and_leaves_nothing(store):
    prepared, discarded = [], []

    def prepare(token):
        prepared.append(token)
        raise OSError("full")

    with pytest.raises(OSError, match="full"):
        store.add("x", prepare, discarded.append)
    assert store.all() == []
    assert prepared == discarded != []


def test_tokens_cannot_be_guessed(store):
    tokens = {add(store) for _ in range(100)}
    assert len(tokens) == 100 and all(len(token) == 24 for token in tokens)


def test_only_ended_jobs_are_forgotten(store):
    jobs = [add(store) for _ in range(4)]
    for job in jobs[:3]:
        store.end(job, DONE)
    assert store.remove_oldest(1) == [jobs[1], jobs[0]]
    assert [job.id for job in store.all()] == [jobs[3], jobs[2]]


def test_what_is_no_database_is_refused(tmp_path):
    path = tmp_path / "jobs.sqlite3"
    path.write_text("something else, and long enough to be looked at" * 100)
    with pytest.raises(InputError) as error:
        JobStore(path)
    assert str(error.value) == f"{path}: not a database of this program, or a damaged one: file is not a database"


def test_another_program_s_table_is_refused(tmp_path):
    path = tmp_path / "jobs.sqlite3"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE jobs (salary)")
    other.close()
    with pytest.raises(InputError, match="no such column: id"):
        JobStore(path)
