"""The checks of the pages can fail."""

import pytest

pytestmark = pytest.mark.browser


def test_an_unlabelled_picture_is_not_accessible(open_page, accessible, tmp_path):
    page = tmp_path / "page.html"
    page.write_text(
        '<html lang="en"><title>x</title><main><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw="></main>'
    )
    with pytest.raises(AssertionError, match="image-alt"):
        accessible(open_page(page.as_uri()))


def test_a_good_page_is_accessible(open_page, accessible, screenshot, tmp_path):
    page = tmp_path / "page.html"
    page.write_text('<html lang="en"><title>x</title><main><h1>Hello</h1></main>')
    opened = open_page(page.as_uri())
    accessible(opened)
    assert screenshot(opened).stat().st_size > 0
