"""A report's folder: nothing of others is replaced or removed, and the first page comes last."""

import json

import pytest

from hypar_opt.report.pages.write import MANIFEST, prepare, write_report_files
from hypar_opt.util.errors import InputError

FILES = {"index.html": b"first", "a.html": b"a", "assets/report.css": b"looks", "plans/a/x.json": b"{}"}


def test_assets_come_first_and_the_first_page_last(tmp_path):
    written = write_report_files(tmp_path, FILES)
    assert [path.relative_to(tmp_path).as_posix() for path in written] == [
        "assets/report.css", "a.html", "plans/a/x.json", "index.html",
    ]  # fmt: skip
    assert {name: (tmp_path / name).read_bytes() for name in FILES} == FILES


def test_what_the_report_before_wrote_and_this_one_lacks_goes(tmp_path):
    write_report_files(tmp_path, FILES)
    (tmp_path / "plans" / "mine.txt").write_text("mine")
    (tmp_path / "mine.html").write_text("mine")
    write_report_files(tmp_path, {"index.html": b"second"})
    left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert left == {"index.html", MANIFEST, "mine.html", "plans/mine.txt"}
    assert not (tmp_path / "plans" / "a").exists()


@pytest.mark.parametrize("name", ["../outside.txt", "/etc/hosts-of-a-test", "link/outside.txt", "", "."])
def test_a_manifest_removes_nothing_outside(tmp_path, name):
    outside = tmp_path / "outside.txt"
    outside.write_text("stays")
    folder = tmp_path / "report"
    write_report_files(folder, FILES)
    (folder / "link").symlink_to(tmp_path)
    document = json.loads((folder / MANIFEST).read_text())
    (folder / MANIFEST).write_text(json.dumps(document | {"files": [*document["files"], name]}))
    write_report_files(folder, {"index.html": b"second"})
    assert outside.read_text() == "stays"


@pytest.mark.parametrize("name", ["index.html", "vgg-a.html"])
def test_a_page_that_no_report_wrote_is_not_replaced(tmp_path, name):
    (tmp_path / name).write_text("mine")
    with pytest.raises(InputError) as error:
        prepare(tmp_path)
    assert str(error.value) == (
        f"{tmp_path}: has a page '{name}' that is of no report; expected an empty folder or a report's"
    )
    assert (tmp_path / name).read_text() == "mine"


@pytest.mark.parametrize("name", ["assets", "data", "figures", "plans"])
def test_a_folder_that_no_report_wrote_is_not_written_into(tmp_path, name):
    (tmp_path / name).mkdir()
    with pytest.raises(InputError, match=f"has a folder '{name}' that is of no report"):
        prepare(tmp_path)


def test_files_of_other_names_may_stand_there(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    prepare(tmp_path)
    write_report_files(tmp_path, FILES)
    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert (tmp_path / "a.html").read_bytes() == b"a"


def test_a_report_is_replaced(tmp_path):
    write_report_files(tmp_path, FILES)
    prepare(tmp_path)
    write_report_files(tmp_path, FILES | {"a.html": b"b"})
    assert (tmp_path / "a.html").read_bytes() == b"b"


def test_what_was_cut_short_is_known_to_be_a_reports(tmp_path, monkeypatch):
    from hypar_opt.report.pages import write as folder

    whole = folder._write

    def failing(place, name, content):
        if name == "index.html":
            raise InputError("the disk is full", file=place / name)
        whole(place, name, content)

    monkeypatch.setattr(folder, "_write", failing)
    with pytest.raises(InputError, match="the disk is full"):
        write_report_files(tmp_path, FILES)
    monkeypatch.undo()
    (tmp_path / "index.html").write_text("half")
    prepare(tmp_path)
    write_report_files(tmp_path, {"index.html": b"second"})
    assert not (tmp_path / "a.html").exists()
