"""Fixtures of models that are imported."""

from __future__ import annotations

import pytest

from tests.importers.onnx_models import model


@pytest.fixture
def onnx_of(tmp_path):
    """Return a function that writes an ONNX model and reads it as an instance."""
    pytest.importorskip("onnx", reason="ONNX files are read by the package onnx, of the extra of that name")
    from hypar_opt.importers.sources import SOURCES
    from hypar_opt.importers.wishes import Wishes

    def read(nodes, inputs, *, wishes=None, **others):
        path = model(tmp_path / "model.onnx", nodes, inputs, **others)
        return SOURCES["onnx"].read(str(path), wishes or Wishes())

    return read
