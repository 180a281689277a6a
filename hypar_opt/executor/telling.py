"""What a call tells on the way, where its engine passes that on to whoever submitted it."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_WAY: ContextVar[Callable[[bytes], None] | None] = ContextVar("hypar_opt_way", default=None)


def tell(message: bytes) -> None:
    """Tell whoever submitted the call that runs here; nothing happens where nobody hears."""
    way = _WAY.get()
    if way is not None:
        way(message)


@contextmanager
def telling(way: Callable[[bytes], None]) -> Iterator[None]:
    """Have what is told in the block sent in some way; for engines, around a call."""
    token = _WAY.set(way)
    try:
        yield
    finally:
        _WAY.reset(token)
