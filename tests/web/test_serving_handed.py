"""Jobs handed to workers: what these tell and bring back is input, and what becomes of it."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from concurrent.futures import CancelledError, Future

import pytest
from click.testing import CliRunner

from hypar_opt.cli.serve_command import command
from hypar_opt.executor.telling import telling
from hypar_opt.executor.workers import KilledWorkers, Workers
from hypar_opt.formulation.run import Limits
from hypar_opt.util.errors import InputError
from hypar_opt.web import delivery, elsewhere, parcel
from hypar_opt.web.delivery import Delivery
from hypar_opt.web.elsewhere import do_job
from hypar_opt.web.handed import HandedJobs
from hypar_opt.web.parcel import JobParcel, ToldHead, message, read_message
from hypar_opt.web.settings import Settings
from hypar_opt.web.store import JobStore

LINES = b'{"event": "phase", "time_s": 1.0, "source": "job", "text": "one"}\n' * 2


class Prepared(Workers):
    """Workers of a test: what they tell and bring back is given."""

    count, text = 3, "three that are prepared"

    def __init__(self, answer, *told):
        self.answer, self.told, self.cancelled, self.parcels = answer, told, [], []

    def submit(self, fn, /, *args, **kwargs):
        raise AssertionError("jobs are heard")

    def submit_heard(self, hear, fn, /, *args):
        self.parcels.append(args[1][0])
        for one in self.told:
            hear(one)
        future = Future()
        if isinstance(self.answer, BaseException):
            future.set_exception(self.answer)
        elif self.answer is not None:
            future.set_result(([self.answer], 1.0))
        return future

    def stop(self):
        raise AssertionError("jobs are cancelled one by one")

    def cancel(self, future):
        self.cancelled.append(future)
        future.set_exception(CancelledError())


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "instance.yaml").write_bytes(b"an instance")
    (tmp_path / "job.json").write_bytes(b"{}")
    return tmp_path


def told(name="events.jsonl", content=LINES, at=0, attempt="aaaaaaaa"):
    return message(ToldHead(attempt=attempt, name=name, at=at), content)


def answer(attempt="aaaaaaaa", said="its process ended with code 0", **files):
    named = {name.replace("__", "/").replace("_", "."): content for name, content in files.items()}
    return {"attempt": attempt, "said": said, "files": named}


def run(workers, folder):
    jobs = HandedJobs(workers, Settings(folder, job_time_s=60), Limits())
    return asyncio.run(jobs.run("job", folder))


def events(folder):
    return [json.loads(line)["text"] for line in (folder / "events.jsonl").read_text().splitlines()]


def test_a_job_is_handed_out_and_what_it_leaves_stands_in_its_folder(folder):
    workers = Prepared(answer(outcome_json=b"{}", plan_json=b"[]", events_jsonl=LINES, report__index_html=b"<p>"))
    assert run(workers, folder) == "its process ended with code 0"
    assert workers.parcels == [JobParcel(60, {"instance.yaml": b"an instance", "job.json": b"{}"})]
    assert (folder / "report" / "index.html").read_bytes() == b"<p>"
    assert (folder / "plan.json").read_bytes() == b"[]"
    assert events(folder) == ["handed to three that are prepared", "one", "one"]


def test_the_outcome_is_written_last(folder, monkeypatch):
    written = []
    monkeypatch.setattr(Delivery, "_put", lambda _, name, __: written.append(name))
    run(Prepared(answer(outcome_json=b"", plan_json=b"", report__z_html=b"", errors_txt=b"")), folder)
    assert len(written) == 4 and written[-1] == "outcome.json"


def test_what_was_heard_is_not_written_again(folder):
    half = len(LINES) // 2
    run(Prepared(answer(events_jsonl=LINES), told(content=LINES[:half])), folder)
    assert events(folder) == ["handed to three that are prepared", "one", "one"]


def test_what_was_not_heard_comes_at_the_end(folder):
    half = len(LINES) // 2
    run(Prepared(answer(events_jsonl=LINES), told(content=LINES[half:], at=half)), folder)
    assert events(folder) == ["handed to three that are prepared", "one", "one"]


def test_a_job_that_is_run_again_says_so(folder):
    run(Prepared(answer(attempt="bbbbbbbb", events_jsonl=LINES), told()), folder)
    assert events(folder)[1:] == ["one", "one", "its worker was lost: it is run again", "one", "one"]


def test_what_a_lost_run_had_told_is_not_mixed_with_what_comes_of_the_next(folder):
    told_before = [told(name, b"{}") for name in ("plan.json", "plan.cert", "outcome.json")]
    run(Prepared(answer(attempt="bbbbbbbb", plan_json=b"[]"), *told_before), folder)
    assert (folder / "plan.json").read_bytes() == b"[]"
    assert not (folder / "plan.cert").exists() and not (folder / "outcome.json").exists()


def test_what_cannot_be_written_is_said_and_is_no_outcome(folder):
    both = answer(outcome_json=b"{}", report__a=b"", report__a__b=b"")  # a file, and one inside of it
    said = run(Prepared(both, told("outcome.json", b"{}")), folder)
    assert said == "what its worker brought back cannot be written: File exists"
    assert not (folder / "outcome.json").exists()


def test_a_plan_is_shown_before_the_end(folder):
    jobs = Delivery(folder, "somebody")
    for name in ("plan.json", "outcome.json"):
        jobs.take(told(name, b"{}"))
        assert (folder / name).read_bytes() == b"{}"
    jobs.take(told("errors.txt", b"not before the end"))
    assert not (folder / "errors.txt").exists()


@pytest.mark.parametrize(
    "name",
    [
        "../outcome.json", "/etc/passwd", "instance.yaml", "job.json", "plan-0.json", "report", "report/", "report/..",
        "report/../outcome.json", "report/.hidden", "report//x", "report/a/b/c/d/e", "report/x\n", "outcome.json\n", "",
        "report/" + 201 * "x", "report\\x", "report/a\\b", "events.jsonl/x", "jobs.sqlite3",
    ],
)  # fmt: skip
def test_a_name_that_no_job_leaves_is_refused(folder, name):
    before = sorted(folder.rglob("*"))
    said = run(Prepared({**answer(), "files": {"plan.json": b"", name: b""}}), folder)
    assert said.startswith("what its worker brought back is refused: ")
    assert "expected a file that a job leaves, got" in said
    assert sorted(folder.rglob("*")) == sorted([*before, folder / "events.jsonl"])


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (None, "expected a mapping"),
        ([], "expected a mapping"),
        ({}, "attempt: missing"),
        ({**answer(), "more": 1}, "more: unknown field"),
        ({**answer(), "attempt": "../../.."}, "attempt: "),
        ({**answer(), "said": "x" * 10_001}, "said: "),
        ({**answer(), "files": {"plan.json": "a text"}}, "files"),
        ({**answer(), "files": 3}, "files: "),
    ],
)
def test_an_answer_of_another_shape_is_refused(folder, found, said):
    with pytest.raises(InputError) as error:
        Delivery(folder, "somebody").end(found)
    assert said in str(error.value)


def test_too_much_is_refused(folder, monkeypatch):
    monkeypatch.setattr(parcel, "MOST_RETURNED", 10)
    said = run(Prepared(answer(plan_json=b"123456", errors_txt=b"12345")), folder)
    assert said.startswith("what its worker brought back is refused: files: expected at most")
    many = {f"report/{number}.html": b"" for number in range(parcel.MOST_FILES + 1)}
    assert "10,000" in run(Prepared({**answer(), "files": many}), folder)
    assert not (folder / "report").exists()
    monkeypatch.setattr(parcel, "MOST_STORED", 3)
    assert "of outcome.json" in run(Prepared(answer(outcome_json=b"1234")), folder)


def test_an_outcome_that_was_told_falls_with_its_answer(folder):
    jobs = Delivery(folder, "somebody")
    jobs.take(told("outcome.json", b"{}"))
    with pytest.raises(InputError):
        jobs.end({})
    assert not (folder / "outcome.json").exists()


@pytest.mark.parametrize(
    "damaged",
    [b"", b"{}\n", b"no JSON\n", "a text", None, told()[:-1].replace(b"aaaaaaaa", b"a"), b"x" * 2000 + b"\n",
     told(content=b"x" * (2**20 + 1)), told().replace(b"events.jsonl", b"../x.jsonl")],
)  # fmt: skip
def test_what_is_told_damaged_is_no_longer_heard(folder, damaged):
    jobs = Delivery(folder, "somebody")
    for one in (damaged, told()):
        jobs.take(one)
    assert len(events(folder)) == 2
    assert events(folder)[1].startswith("what its worker tells is damaged, and no longer heard: ")
    assert jobs.end(answer(events_jsonl=LINES)) and events(folder)[2:] == ["one", "one"]


def test_a_log_does_not_grow_without_end(folder, monkeypatch):
    monkeypatch.setattr(delivery, "MOST_STORED", 400)
    jobs = Delivery(folder, "somebody")
    for number in range(10):
        jobs.take(told(at=number * len(LINES)))
    assert (folder / "events.jsonl").stat().st_size <= 400


def test_what_comes_too_late_is_not_written(folder):
    jobs = Delivery(folder, "somebody")
    jobs.end(answer(outcome_json=b"right"))
    jobs.take(told("outcome.json", b"wrong"))
    assert (folder / "outcome.json").read_bytes() == b"right"


@pytest.mark.parametrize(
    ("raised", "said"),
    [
        (KilledWorkers("3 processes died while they ran it"), "its workers were killed: 3 processes died while they"),
        (InputError("x has other versions"), "x has other versions"),
        (ModuleNotFoundError("No module"), "its worker failed: ModuleNotFoundError: No module"),
        (CancelledError(), "it was ended before it was begun"),
    ],
)
def test_how_a_call_may_end(folder, raised, said):
    assert run(Prepared(raised), folder).startswith(said)


def test_one_job_is_cancelled(folder):
    async def ended():
        jobs = HandedJobs(workers, Settings(folder), Limits())
        running = asyncio.create_task(jobs.run("job", folder))
        await asyncio.sleep(0)
        jobs.cancel("another")
        assert workers.cancelled == []
        jobs.cancel("job")
        return await running

    workers = Prepared(None)
    assert asyncio.run(ended()).startswith("it was ended before it was begun")
    assert len(workers.cancelled) == 1


def test_nobody_waits_for_a_worker_that_does_not_end(folder, monkeypatch):
    async def ended():
        jobs = HandedJobs(workers, Settings(folder), Limits())
        running = asyncio.create_task(jobs.run("job", folder))
        await asyncio.sleep(0)
        jobs.cancel("job")
        return await running

    workers = Prepared(None)
    workers.cancel = workers.cancelled.append
    monkeypatch.setattr("hypar_opt.web.handed.PATIENCE_S", 0)
    assert "did not say that it has ended" in asyncio.run(ended())


class Ready:
    """A process of a test that has done its job."""

    def __init__(self, folder, time_s, *options):
        assert options == ("temporary",)
        (folder / "events.jsonl").write_bytes(LINES + b'{"half')
        (folder / "outcome.json").write_bytes(b"{}")
        (folder / "plan.json").write_bytes(b"123456")
        (folder / "report").mkdir()
        (folder / "report" / "index.html").write_bytes(b"<p>")
        (folder / "report" / ".hypar-opt.half").write_bytes(b"")
        (folder / "foreign").write_bytes(b"")
        self.looks, self.folder = 2, folder

    def is_running(self, patience_s):
        self.looks -= 1
        return self.looks >= 0

    def kill(self):
        pass

    def wait(self):
        return "its process ended with code 0"


def test_a_job_elsewhere_leaves_what_is_asked_for_and_no_folder(monkeypatch):
    folders, heard = [], []
    monkeypatch.setattr(elsewhere, "JobProcess", lambda *given: folders.append(given[0]) or Ready(*given))
    with telling(heard.append):
        found = do_job(JobParcel(1, {"job.json": b"{}"}), Limits())
    assert sorted(found["files"]) == ["events.jsonl", "outcome.json", "plan.json", "report/index.html"]
    assert not found["lost"] and not folders[0].exists()
    first, *shown = [(head.name, content) for head, content in map(read_message, heard)]
    assert first == ("events.jsonl", LINES)  # whole lines, and once
    assert shown == [("plan.json", b"123456"), ("outcome.json", b"{}")]


def test_what_is_too_much_is_left_there(monkeypatch):
    monkeypatch.setattr(elsewhere, "JobProcess", Ready)
    monkeypatch.setattr(elsewhere, "MOST_RETURNED", len(LINES) + 10)
    found = do_job(JobParcel(1, {}), Limits())
    assert sorted(found["files"]) == ["events.jsonl", "outcome.json"] and found["lost"]


def test_too_many_files_of_a_report_are_left_there(monkeypatch):
    monkeypatch.setattr(elsewhere, "JobProcess", Ready)
    monkeypatch.setattr(elsewhere, "MOST_FILES", 3)
    found = do_job(JobParcel(1, {}), Limits())
    assert sorted(found["files"]) == ["events.jsonl", "outcome.json", "plan.json"] and found["lost"]


def test_nothing_is_heard_once_what_is_left_is_written(folder, monkeypatch):
    heard = []
    monkeypatch.setattr(Delivery, "end", lambda jobs, _: heard.append(jobs.take(told())) or "done")
    assert run(Prepared(answer()), folder) == "done"
    assert events(folder) == ["handed to three that are prepared"]


def test_what_was_lost_is_told(folder):
    Delivery(folder, "somebody").end({**answer(), "lost": True})
    assert events(folder)[1:] == ["some of its files were too many or too large to be brought back"]


def test_a_database_from_before_jobs_ran_elsewhere_is_taken(tmp_path):
    path = tmp_path / "jobs.sqlite3"
    store = JobStore(path)
    job = store.add("x", lambda _: None, lambda _: None)
    store.begin(job.id, "2 local processes")
    assert store.get(job.id).place == "2 local processes"
    store.close()
    with sqlite3.connect(path) as database:
        database.execute("ALTER TABLE jobs DROP COLUMN place")
    database.close()
    store = JobStore(path)
    assert (store.get(job.id).state, store.get(job.id).place) == ("running", "")
    store.close()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--on", "local:2", "--jobs", "3"), "--on says how many jobs run at once, as local:4 does; leave out --jobs"),
        (("--on", "locla"), "did you mean 'local'"),
    ],
)
def test_an_engine_that_cannot_be_had_ends_the_start(tmp_path, options, said):
    ended = CliRunner().invoke(command, [str(tmp_path / "state"), *options])
    assert ended.exit_code != 0 and not (tmp_path / "state").exists()
    assert said in ended.output + str(ended.exception)
