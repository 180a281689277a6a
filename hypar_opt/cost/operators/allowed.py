"""Words that sizes allow, and why there is none."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Final

from hypar_opt.cost.operators.placements import NONE
from hypar_opt.instance.operators.words import divisors_text
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from hypar_opt.cost.operators.model import OperatorModel
    from hypar_opt.cost.operators.placements import Word
    from hypar_opt.instance.operators import Operator, OperatorGraph

MOST_WORDS: Final = 4096
"""Of one operator, or placements of one tensor."""


def words_over(
    letters: Sequence[str],
    sizes: Mapping[str, int],
    divided: Collection[str],
    model: OperatorModel,
    name: str,
) -> Iterator[Word]:
    """Yield the words over letters that sizes allow, in the letters' order.

    Raises
    ------
    Refusal
        If there are more than are compiled; those that sizes rule out are never made.
    """
    open_ = model.fix.get(name) or (None,) * len(model.axes)
    alphabets = [letters if one is None else tuple(x for x in letters if x == one) for one in open_]
    for count, word in enumerate(_begun(alphabets, sizes, divided, model.axes, ()), start=1):
        if count > MOST_WORDS:
            raise Refusal(
                f"'{name}' has more than {MOST_WORDS:,} words over {', '.join(letters)} on {len(model.axes)} axes, "
                "the most that are compiled; try fewer axes, or fewer --choices"
            )
        yield word


def _begun(
    alphabets: Sequence[Sequence[str]],
    sizes: Mapping[str, int],
    divided: Collection[str],
    axes: Sequence[int],
    word: Word,
) -> Iterator[Word]:
    """Yield the words that begin so: where a beginning splits into too many parts, so does every word of it."""
    if len(word) == len(alphabets):
        yield word
        return
    for letter in alphabets[len(word)]:
        longer = (*word, letter)
        if letter not in sizes or _fits(sizes[letter], _parts(longer, letter, axes), letter in divided):
            yield from _begun(alphabets, sizes, divided, axes, longer)


def _parts(word: Word, letter: str, axes: Sequence[int]) -> int:
    """Return into how many parts a word, or the beginning of one, splits along a letter."""
    return prod(size for one, size in zip(word, axes, strict=False) if one == letter)


def _fits(size: int, parts: int, divisible: bool) -> bool:
    return size % parts == 0 if divisible else parts <= size


def none_left(operator: Operator, letters: Sequence[str], graph: OperatorGraph, model: OperatorModel) -> str:
    """Return why an operator has no word, in words."""
    sizes = ", ".join(f"{name} {operator.sizes[name]:,}" for name in letters if name != NONE)
    axes = " x ".join(map(str, model.axes))
    rule = "divide into" if model.divisible else "have as many elements as"
    given = model.fix.get(operator.name)
    if given is not None:
        return f"'{operator.name}' is given {' '.join(one or '.' for one in given)}, and no such word is allowed"
    said = f"'{operator.name}' ({sizes}) has no word on axes {axes}: what is split has to {rule} its parts"
    return f"{said}; {_ways_out(operator, letters, graph, model)}"


def _ways_out(operator: Operator, letters: Sequence[str], graph: OperatorGraph, model: OperatorModel) -> str:
    """Return into which parts each dimension divides, and what to change."""
    devices = prod(model.axes)
    parts = [f"{name} into {divisors_text(operator.sizes[name], devices)}" for name in letters if name != NONE]
    divides = f"it divides {', '.join(parts)}; " if model.divisible and parts else ""
    others = [name for name in operator.splits if name not in letters]
    splits = {"padded": graph.factors(operator), "any": ()} if model.divisible else {}
    less = [
        name for name, asked in splits.items() if any(words_over(letters, operator.sizes, asked, model, operator.name))
    ]
    ways = ["axes of such sizes", *([f"--splits {' or '.join(less)}, which asks less"] if less else [])]
    ways += [f"--choices with {' or '.join(others)}"] if others else []
    ways += [f"--choices with {NONE}, which leaves it whole"] if NONE not in letters else []
    return f"{divides}try {', or '.join(ways)}"
