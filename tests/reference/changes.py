"""Random UPDATE and DELETE over a model. Each has its SQL, and a Python function that changes rows.
"""
from queries import any_filter, literal


class Change:
    """sql, and apply (rows), which returns (the rows after it, the number of changed rows)."""

    def __init__(self, sql, apply):
        self.sql, self.apply = sql, apply


def assignment(rng, m):
    """Returns an assignment: (SQL, column, function of a row)."""
    r = rng.random()
    if r < 0.2 and not m.unique:
        ms = (m.period_ms or 1000) * rng.choice([1, -1, 7, 1000])
        return f"ts = ts + interval '{ms} ms'", "ts", lambda row: row["ts"] + ms
    if r < 0.45 and m.dims and not m.unique:
        d = rng.choice(m.dims)
        v = rng.choice(d.pool)
        return f"{d.name} = {literal(d, v)}", d.name, lambda row: v
    c = rng.choice(m.measures)
    form = rng.choice(["constant", "plus", "plus", "case"])
    if form == "constant":
        return f"{c.name} = 3", c.name, lambda row: 3
    if form == "plus":
        return f"{c.name} = {c.name} + 2", c.name, lambda row: None if row[c.name] is None else row[c.name] + 2
    return (f"{c.name} = CASE WHEN {c.name} > 5 THEN 5 ELSE {c.name} END", c.name, lambda row: 5 if row[c.name] is not None and row[c.name] > 5 else row[c.name])


def make_change(rng, m):
    filters = [any_filter(rng, m, 0.3) for _ in range(rng.choice([0, 1, 1, 1, 2]))]
    where = " WHERE " + " AND ".join(f"({s})" for s, _ in filters) if filters else ""
    meets = lambda row: all(test(row) for _, test in filters)
    if filters and rng.random() < 0.4:
        return Change(f"DELETE FROM t{where} RETURNING 1", lambda rows: ([r for r in rows if not meets(r)], sum(1 for r in rows if meets(r))))
    first = assignment(rng, m)
    chosen = [first] + [a for a in [assignment(rng, m)] if a[1] != first[1] and rng.random() < 0.4]

    def update(rows):
        out = [{**r, **{column: value(r) for _, column, value in chosen}} if meets(r) else r for r in rows]
        return out, sum(1 for r in rows if meets(r))

    return Change("UPDATE t SET " + ", ".join(s for s, _, _ in chosen) + where + " RETURNING 1", update)
