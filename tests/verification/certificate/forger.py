"""A forger: takes a valid certificate and a legal plan, and tries all that might lift the bound to the plan's cost.

Digests are made right again, so that a forged certificate stands or falls by what it proves. The same random numbers
give the same forgeries.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from itertools import permutations

from second_checker import GRAPH, PROOF

AMOUNTS = (1, 5, 1000, 10**6, 10**12, 10**18, 2**61, 2**62, 2**62 + 2**61, 2**63 - 1, 2**63)
VALUES = (None, True, -1, 0, 1, 2, 3, 7, 2**31, 2**62, 2**63, 2**127, 1.0, "", "d", "dm", "1", "1/3", "0", [], [0], {})
HELD = range(-(2**63), 2**63)
"""What 64 bits hold."""


def amount(rng):
    """Something to add: mostly small, or at the ends of 64 bits."""
    size = rng.choice(AMOUNTS) if rng.random() < 0.5 else rng.randint(0, 40)
    return rng.choice([-1, 1]) * size + rng.choice([0, 0, -1, 1])


# --- networks: a header, and messages [from, to, variables, entries]


def words_of(header, x):
    """How many words a layer has."""
    problem, layer = header["problem"], header["problem"]["layers"][x]
    is_even = layer["join"] or layer["groups"] > 1
    return len([a for a in problem["choices"] if a != "o" or not is_even]) ** problem["levels"]


def shape_of(header, variables):
    """How many entries a message has."""
    found = 1
    for x in variables:
        found *= words_of(header, x)
    return found


def cluster_of(header, variables):
    """Add a cluster that is charged nothing; return its number."""
    header["clusters"].append({"kind": "edge", "variables": [*variables], "unary": [], "edges": []})
    return len(header["clusters"]) - 1


def add_cluster(rng, header, messages):
    count = len(header["problem"]["layers"])
    cluster_of(header, rng.sample(range(count), rng.randint(1, min(2, count))))
    add_message(rng, header, messages)


def split_cluster(rng, header, _):
    old = rng.choice(header["clusters"])
    new = header["clusters"][cluster_of(header, old["variables"])]
    for kind in ("unary", "edges"):
        for one in [*old[kind]]:
            if rng.random() < 0.5:
                old[kind].remove(one)
                new[kind].append(one)


def duplicate_cluster(rng, header, messages):
    at = rng.randrange(len(header["clusters"]))
    old, copy = header["clusters"][at], cluster_of(header, header["clusters"][at]["variables"])
    if rng.random() < 0.3:
        header["clusters"][copy] |= {"unary": [*old["unary"]], "edges": [*old["edges"]]}
    messages += [[copy, one[1], one[2], [*one[3]]] for one in messages if one[0] == at]


def reorder_clusters(rng, header, messages):
    order = rng.sample(range(len(header["clusters"])), len(header["clusters"]))
    header["clusters"] = [header["clusters"][at] for at in order]
    for one in messages:
        one[:2] = [order.index(end) if end < len(order) else end for end in one[:2]]


def drop_cluster(rng, header, _):
    header["clusters"].pop(rng.randrange(len(header["clusters"])))


def add_message(rng, header, messages):
    first, second = rng.choices(range(len(header["clusters"])), k=2)
    shared = [x for x in header["clusters"][first]["variables"] if x in header["clusters"][second]["variables"]]
    scope = rng.sample(shared, rng.randint(0, len(shared)))
    same = amount(rng)
    given = [same if rng.random() < 0.6 else amount(rng) for _ in range(shape_of(header, scope))]
    messages += [[first, second, scope, [*given]] for _ in range(rng.choice([1, 1, 2, 3]))]


def change_message(rng, header, messages):
    if not messages:
        return add_message(rng, header, messages)
    at = rng.randrange(len(messages))
    one, kind = messages[at], rng.randrange(7)
    if kind == 0:
        messages.append([*one[:3], [*one[3]]])
    elif kind == 1:
        messages.pop(at)
    elif kind == 2:
        one[:2] = one[1::-1]
    elif kind == 3:
        one[rng.randrange(2)] = rng.randrange(len(header["clusters"]) + 1)
    elif kind == 4:
        one[2] = rng.choice([*permutations(one[2])])
    elif kind == 5:
        one[2], one[3] = one[2][1:], one[3][: shape_of(header, one[2][1:])]
    else:
        one[2] = [*one[2], rng.randrange(len(header["problem"]["layers"]) + 1)]
    return None


def change_entries(rng, _, messages):
    for one in rng.sample(messages, min(len(messages), rng.randint(1, 3))):
        change = amount(rng)
        places = range(len(one[3])) if rng.random() < 0.5 else [rng.randrange(len(one[3]))]
        for at in places:
            one[3][at] += change


def scale_messages(rng, _, messages):
    factor = rng.choice([-1, 0, 2, 3, 2**20, 2**40])
    for one in messages if rng.random() < 0.5 else messages[:1]:
        one[3] = [factor * entry for entry in one[3]]


def wrap_around(rng, header, messages):
    """Messages whose sum leaves 64 bits: one cluster pays what others are given."""
    scope = [rng.randrange(len(header["problem"]["layers"]))]
    lift(header, messages, 2 ** rng.randint(0, 63), scope if rng.random() < 0.5 else [], rng.choice([1, -1]))


def lift(header, messages, gain, scope=(), sign=1):
    """Add clusters that lift the bound by so many units if 64 bits wrap around, and else lower it."""
    layer, half = [0, *scope][-1], 2**62 + 2**61
    payer, *receivers = (cluster_of(header, [layer]) for _ in range(3))
    messages += [
        [payer, one, [*scope], [sign * half] * shape_of(header, scope)] for one in receivers
    ]  # which is 2^64 more than it was
    left = 2**64 - gain
    while left and words_of(header, layer) > 1:  # what a message gives and takes lowers the bound by how it differs
        some = min(left, 2**62)
        first, second = (cluster_of(header, [layer]) for _ in range(2))
        messages.append([first, second, [layer], [some, *([0] * (words_of(header, layer) - 1))]])
        left -= some


def change_units(rng, header, messages):
    more = rng.choice([-2, -1, 1, 2, 3, 30, 62, 64, 1000])
    header["scale"] += more
    if rng.random() < 0.5 and more > 0:
        for one in messages:
            one[3] = [entry << more for entry in one[3]]


def change_weights(rng, header, _):
    some = ["0", "1", "2", "1/3", "0.5", "7/1024", str(2**62), str(2**64), "-1"]
    levels = header["problem"]["levels"]
    many = [rng.choice(some) for _ in range(max(0, levels + rng.choice([0, 0, 0, 1, -1])))]
    header["problem"]["objective"]["communication"] = rng.choice(some) if rng.random() < 0.4 else many


def change_layer(rng, header, _):
    layer = rng.choice(header["problem"]["layers"])
    name = rng.choice(["feature_in", "weight", "feature_out", "groups", "join", "in_sizes", "out_sizes"])
    sizes = [0, 1, 3, 2**20, 2**62, 2**63, 2**64, 2**126]
    value = {"groups": rng.choice([1, 2, 3, 4, 6]), "join": rng.random() < 0.5}.get(name, rng.choice(sizes))
    layer[name] = [rng.choice([1, 2, 6, 8])] if name.endswith("sizes") else value


def change_problem(rng, header, _):
    problem, name = header["problem"], rng.choice(["batch", "bytes_per_element", "splits", "accounting", "fix"])
    names = [one["name"] for one in problem["layers"]]
    problem[name] = {
        "batch": rng.choice([1, 2, 6, 256, 2**62]),
        "bytes_per_element": rng.choice([1, 2, 4, 2**60]),
        "splits": rng.choice(["any", "divisible"]),
        "accounting": rng.choice(["published", "as-evaluated", "receiver", "leaf-exact", "collective"]),
        "fix": {rng.choice(names): "".join(rng.choices("dm.", k=problem["levels"]))},
    }[name]


def change_field(rng, header, _):
    """Put anything into any field, but for what would make the problem large."""
    place, name = header, rng.choice([*header])
    for _ in range(4):
        inner = place[name]
        if not isinstance(inner, dict | list) or not inner or rng.random() < 0.2:
            break
        place, name = inner, rng.choice([*inner] if isinstance(inner, dict) else range(len(inner)))
    if name not in ("levels", "problem", "layers"):
        place[name] = rng.choice(VALUES)


def claim_more(rng, header, _):
    header["claim"]["bound"] = str(abs(amount(rng)))


def add_multipliers(rng, header, _):
    header["multipliers"] = [str(amount(rng))]


LIFTING = (
    add_cluster, split_cluster, duplicate_cluster, reorder_clusters, add_message, add_message, change_message,
    change_entries, change_entries, scale_messages, wrap_around, wrap_around, change_units,
)  # fmt: skip
"""What leaves the problem as it is."""
OTHERS = (change_weights, change_layer, change_problem, change_field, claim_more, add_multipliers, drop_cluster)


def forge_network(rng, header, messages, plan, cost):
    """Return a forged certificate of a network, which claims that a plan of this cost is optimal."""
    header = json.loads(json.dumps(header))
    messages = [[*one[:2], [*one[2]], [int(entry) for entry in one[3].reshape(-1)]] for one in messages]
    header["claim"] = {"bound": str(cost), "plan": plan}
    moves = rng.choices(LIFTING, k=rng.randint(1, 3)) + rng.choices(OTHERS, k=rng.random() < 0.3)
    for move in moves:
        if type(header.get("clusters")) is list and type(header.get("scale")) is int and header["clusters"]:
            move(rng, header, messages)
    if rng.random() < 0.95:
        messages.sort(key=lambda one: min(one[:2]))
    return sealed(rng, header, messages)


def sealed(rng, header, messages):
    """Write a network's certificate, in a width in which its entries mostly fit."""
    ends = ({"from": one[0], "to": one[1], "variables": [*one[2]]} for one in messages)
    if type(header.get("messages")) is list and header["messages"] not in VALUES:
        header["messages"] = [*ends]
    numbers = [entry for one in messages for entry in one[3]]
    fits = all(entry in HELD for entry in numbers)
    width = 8 if fits and rng.random() < 0.9 else max(8, 1 + max((x.bit_length() for x in numbers), default=0) // 8)
    width = width if rng.random() < 0.97 else rng.choice([1, 2, 7, width + 1])
    raw = b"".join((entry % 256**width).to_bytes(width, "little") for entry in numbers)
    rows = width != 8 or rng.random() < 0.1
    header.setdefault("arrays_sha256", hashlib.sha256(raw).hexdigest())
    return packed(rng, header, {"messages": (len(numbers), width if rows else None, raw)})


# --- strategy graphs: a header, and arrays as lists of integers


def change_array(rng, _, arrays):
    """Change one number of an array, or how many it has."""
    name = rng.choice([*PROOF, *PROOF, *GRAPH])
    values, kind = arrays[name], rng.randrange(6)
    if not values or kind == 0:
        values += [rng.choice([0, 1, 2, amount(rng)]) for _ in range(rng.choice([1, 2]))]
    elif kind == 1:
        del values[-rng.choice([1, 2]) :]
    elif kind == 2:
        values += values[: rng.choice([1, 2, len(values)])]
    else:
        at = rng.randrange(len(values))
        values[at] = rng.choice([values[at] + 1, values[at] - 1, -values[at], values[at] + amount(rng), amount(rng)])


def lift_messages(rng, _, arrays):
    """Add as much to some messages, or to all."""
    change, messages = amount(rng), arrays["messages"]
    start = rng.randrange(len(messages) + 1)
    for at in range(start, min(len(messages), start + rng.choice([1, 2, 3, len(messages)]))):
        messages[at] = messages[at] + change if rng.random() < 0.9 else change


def link_all(rng, header, arrays):
    """Give messages to pairs that had none."""
    links = pairs_of(arrays)
    link(arrays, rng.sample(links, rng.randint(0, len(links))), lambda _: amount(rng))
    if rng.random() < 0.3:
        arrays["ties"] = []


def wrap_node(rng, header, arrays):
    """Let the sum of what edges give a node leave 64 bits."""
    links = pairs_of(arrays)
    often = [end for one in links for end in one]
    node = max(often, key=often.count, default=0)
    change = rng.choice([-1, -1, 1]) * (2**62 + 2**61)
    link(arrays, [one for one in links if node in one], lambda end: change if end == node else rng.randint(0, 9))
    arrays["ties"] = [] if rng.random() < 0.7 else arrays["ties"]


def pairs_of(arrays):
    """Nodes that an edge joins, the lower one first."""
    ends = arrays["ends"]
    links = {tuple(sorted(ends[at : at + 2])) for at in range(0, len(ends) - 1, 2)}
    return sorted(one for one in links if 0 <= one[0] < one[1] < len(arrays["sizes"]))


def link(arrays, links, given):
    """Give these pairs messages, and no others."""
    arrays["links"] = [end for one in links for end in one]
    arrays["messages"] = [given(end) for one in links for end in one for _ in range(arrays["sizes"][end])]


def price(rng, _, arrays):
    """Give memory other prices: many, huge, none, negative, unsorted, at one time twice."""
    times = sorted({rng.randint(-1, 7) for _ in range(rng.randint(0, 4))})
    prices = [[time, abs(amount(rng)) or 1] for time in times]
    if prices and rng.random() < 0.2:
        rng.choice(prices)[1] *= rng.choice([-1, 0])
    if prices and rng.random() < 0.2:
        prices.append(rng.choice(prices))
    if rng.random() < 0.1:
        rng.shuffle(prices)
    arrays["prices"] = [number for one in prices for number in one]


def tie(rng, _, arrays):
    """Tie some to others: to one another, in a ring, to nobody."""
    count, kind = len(arrays["sizes"]), rng.randrange(3)
    ties = arrays["ends"] if kind == 0 else [rng.randint(-1, count) for _ in range(2 * rng.randint(1, 3))]
    arrays["ties"] = [*ties[: 2 * rng.randint(1, 3)]] if kind < 2 else arrays["ties"] + arrays["ties"][::-1]


def change_limit(rng, header, _):
    header["problem"]["usage_limit"] = rng.choice([0, 1, 5, 2**62, 2**63 - 1, 2**63])


def change_scale(rng, header, arrays):
    more = rng.choice([-3, -1, 1, 2, 30, 62, 900, 1024])
    header["scale"] += more
    if more in (1, 2, 30):
        arrays["messages"] = [one << more for one in arrays["messages"]]


def change_plan(rng, _, arrays):
    arrays["plan"] = [rng.randrange(size) if size > 0 else 0 for size in arrays["sizes"]]


def enlarge(rng, _, arrays):
    """Make costs, usages or pairs huge."""
    name, factor = rng.choice(["costs", "tables", "usages"]), rng.choice([-1, 2**40, 10**16, 2**57])
    arrays[name] = [one * factor if rng.random() < 0.5 else one for one in arrays[name]]


def claim_bound(rng, header, _):
    header["claim"] |= {"proves": "bound", "bound": str(amount(rng))}


LIFTING_GRAPHS = (lift_messages, lift_messages, link_all, wrap_node, price, price, tie, change_scale, change_plan)
OTHERS_OF_GRAPHS = (change_array, change_array, change_limit, enlarge, change_field, claim_bound)


def forge_graph(rng, header, arrays, plan, cost):
    """Return a forged certificate of a strategy graph, which claims that a plan of this cost is optimal."""
    header = json.loads(json.dumps(header))
    arrays = {name: [*values] for name, values in arrays.items()} | {"plan": [*plan]}
    header["claim"] = {"proves": "optimality", "bound": str(cost), "cost": str(cost), "rests_on": ""}
    for move in rng.choices(LIFTING_GRAPHS, k=rng.randint(1, 3)) + rng.choices(OTHERS_OF_GRAPHS, k=rng.random() < 0.4):
        if type(header.get("scale")) is int and type(header["problem"]) is dict and type(header["claim"]) is dict:
            move(rng, header, arrays)
    members = {
        name: (len(arrays[name]), None, b"".join((x % 2**64).to_bytes(8, "little") for x in arrays[name]))
        for name in (*GRAPH, *PROOF)
    }
    if type(header["problem"]) is dict and rng.random() < 0.99:
        header["problem"]["arrays_sha256"] = digest_of(members, GRAPH)
        header["arrays_sha256"] = digest_of(members, PROOF)
    return packed(rng, header, members)


def digest_of(members, names):
    """The digest of some of a graph's arrays."""
    found = hashlib.sha256()
    for name in names:
        count, _, raw = members[name]
        found.update(f"{name} {count}\n".encode() + raw)
    return found.hexdigest()


# --- files


def npy(count, width, raw, descr=None, order="False", version=1):
    """An array as NumPy writes it, of rows of so many bytes or of 64-bit integers."""
    shape = f"({count},)" if width is None else f"({count}, {width})"
    text = (
        f"{{'descr': '{descr or ('<i8' if width is None else '|u1')}', 'fortran_order': {order}, 'shape': {shape}, }}"
    )
    text = text.encode() + b" " * (-(len(text) + 11) % 64) + b"\n"
    return b"\x93NUMPY" + bytes([version, 0]) + len(text).to_bytes(2 if version == 1 else 4, "little") + text + raw


def packed(rng, header, members):
    """Put a certificate into an archive, mostly as it should be."""
    contents = {f"{name}.npy": npy(*one) for name, one in members.items()}
    contents = {"header.json": json.dumps(header).encode()} | contents
    if rng.random() < 0.95:
        return io.BytesIO(archive(contents))
    name, kind = rng.choice([*members]), rng.randrange(12)
    count, width, raw = members[name]
    if kind == 0:
        contents[f"{name}.npy"] = npy(count, width, raw, descr=rng.choice([">i8", "<u8", "<i4", "<f8", "|O", "|i1"]))
    elif kind == 1:
        contents[f"{name}.npy"] = npy(count + rng.choice([-1, 1]), width, raw)
    elif kind == 2:
        contents[f"{name}.npy"] = npy(count, width, raw, version=rng.choice([2, 3]))
    elif kind == 3:
        contents[f"{name}.npy"] = npy(count, width, raw, order="True")
    elif kind == 4:
        contents[f"{name}.npy"] += b"\0" * rng.choice([1, 8])
    elif kind == 5:
        contents["other.npy"] = npy(0, None, b"")
    elif kind == 6:
        del contents[rng.choice([*contents])]
    elif kind == 7:
        return io.BytesIO(archive(contents, zipfile.ZIP_DEFLATED))
    elif kind == 8:
        return io.BytesIO(archive(contents, comment=b"proven"))
    elif kind == 9:
        twice = archive(contents | {"xxxxxx.json": contents["header.json"]})
        return io.BytesIO(twice.replace(b"xxxxxx.json", b"header.json"))
    file = archive(contents)
    at = rng.randrange(len(file))
    if kind == 10:
        at = file.index(b"PK\x01\x02") + 8  # a flag: encrypted
    return io.BytesIO(file[:at] + bytes([file[at] ^ 1]) + file[at + 1 :])


def archive(contents, method=zipfile.ZIP_STORED, comment=b""):
    """The bytes of an archive."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as found:
        found.comment = comment
        for name, content in contents.items():
            found.writestr(zipfile.ZipInfo(name), content, compress_type=method)
    return file.getvalue()
