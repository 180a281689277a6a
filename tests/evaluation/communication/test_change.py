"""One layer's word changed: what is recounted is what the whole plan gives."""

from __future__ import annotations

from random import Random

from bank.random_networks import random_document
from helpers import each, problem_of

from hypar_opt.evaluation.legality import allowed_words


@each("seed", range(6000, 6040))
def test_a_changed_word_costs_what_the_whole_plan_gives(seed):
    rng, problem = Random(seed), problem_of(random_document(seed, most_layers=5))
    words = {layer.name: list(allowed_words(layer, problem.rules)) for layer in problem.work.layers}
    if not all(words.values()):
        return
    plan = {name: rng.choice(known) for name, known in words.items()}
    breakdown = problem.bytes_of(plan)
    for name, known in words.items():
        word = rng.choice(known)
        assert problem.with_word(breakdown, name, word) == problem.bytes_of({**plan, name: word})
