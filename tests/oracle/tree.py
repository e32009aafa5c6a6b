"""Statements as trees, and the smaller trees in each of them.

A tree that was made smaller may be invalid SQL, for example if a column's table is gone. Then
PostgreSQL gives an error, and the next tree is tried.
"""
import copy
import re


class Node:
    kind = None

    def sql(self):
        raise NotImplementedError

    def children(self):
        """Returns [(a function that replaces the child, child)]."""
        return []

    def own(self):
        """Returns smaller forms of this node."""
        return ()

    def smaller(self):
        yield from self.own()
        for put, child in self.children():
            for form in child.smaller():
                yield put(form)

    def with_(self, **kw):
        other = copy.copy(self)
        other.__dict__.update(kw)
        return other


def replaced(values, i, value):
    return [*values[:i], value, *values[i + 1:]]


class Expr(Node):
    """A template, with `{}` in the places of its arguments."""

    def __init__(self, kind, template, args=(), null=None):
        self.kind, self.template, self.args, self.null = kind, template, list(args), null

    def sql(self):
        if not self.args:
            return self.template
        parts = self.template.split("{}")
        assert len(parts) == len(self.args) + 1, self.template
        return "".join(a + b for a, b in zip(parts, [x.sql() for x in self.args] + [""]))

    def children(self):
        return [(lambda form, i=i: self.with_(args=replaced(self.args, i, form)), a) for i, a in enumerate(self.args)]

    def own(self):
        yield from (a for a in self.args if a.kind == self.kind)
        if self.args and self.null:
            yield Expr(self.kind, self.null)


class From(Node):
    """Joined tables. parts: (how, Node of a table, condition or None). The template of a table may
    hold a query.
    """

    def __init__(self, parts):
        self.parts = parts

    def sql(self):
        out = ""
        for i, (how, table, on) in enumerate(self.parts):
            on = None if how.startswith("CROSS") else on
            out += (f" {how} " if i else "") + table.sql() + (f" ON {on.sql()}" if i and on and on.kind == "bool" else f" USING ({on.sql()})" if i and on else "")
        return out

    def children(self):
        part = lambda i, **kw: self.with_(parts=replaced(self.parts, i, tuple(kw.get(k, v) for k, v in zip(("how", "table", "on"), self.parts[i]))))
        for i, (_, table, on) in enumerate(self.parts):
            yield lambda form, i=i: part(i, table=form), table
            if on:
                yield lambda form, i=i: part(i, on=form), on

    def own(self):
        if len(self.parts) > 1:
            for i in range(len(self.parts)):
                rest = self.parts[:i] + self.parts[i + 1:]
                yield self.with_(parts=rest)


class Query(Node):
    """A SELECT: lists of expressions, and clauses that stand once."""

    LISTS = ("items", "where", "keys", "having")

    def __init__(self, items, source=None):
        self.kind, self.items, self.source = "query", items, source
        self.ctes, self.where, self.keys, self.having, self.windows = [], [], [], [], ""
        self.grouped, self.sets, self.distinct, self.on = False, None, False, 0
        self.union, self.order, self.limit, self.lateral = None, None, "", None

    def core(self):
        names = ", ".join(e.sql() + (f" AS c{i}" if self.lateral is not None else "") for i, e in enumerate(self.items))
        on = f"ON ({', '.join(str(i + 1) for i in self.places()[:self.on])}) " if self.on and self.order is not None else ""
        out = f"SELECT {'DISTINCT ' if self.distinct or on else ''}{on}{names}"
        if self.source:
            out += f" FROM {self.source.sql()}"
        if self.where:
            out += " WHERE " + " AND ".join(e.sql() for e in self.where)
        if self.keys:
            keys = ", ".join(e.sql() for e in self.keys)
            out += f" GROUP BY {self.sets.format(keys) if self.sets else keys}"
        if self.having:
            out += " HAVING " + " AND ".join(e.sql() for e in self.having)
        return out

    def places(self):
        return [i for i in (self.order[0] if self.order else []) if i < len(self.items)]

    def sql(self):
        out = ""
        if self.ctes:
            out = f"WITH {'RECURSIVE ' if any(r for _, _, r in self.ctes) else ''}" + ", ".join(f"{name} AS {q.sql() if r else '(' + q.sql() + ')'}" for name, q, r in self.ctes) + " "
        out += self.core()
        if self.union:
            out += f" {self.union[0]} {self.union[1].sql()}"
        if self.places():
            out += " ORDER BY " + ", ".join(f"{i + 1}{self.order[1][i]}" for i in self.places())
        return out + (self.limit if self.places() else "")

    def ordered(self):
        return len(self.places()) == len(self.items) and bool(self.items)

    def children(self):
        if self.source:
            yield lambda form: self.with_(source=form), self.source
        for name in self.LISTS:
            values = getattr(self, name)
            for i, e in enumerate(values):
                yield lambda form, name=name, i=i: self.with_(**{name: replaced(getattr(self, name), i, form)}), e
        if self.union:
            yield lambda form: self.with_(union=(self.union[0], form)), self.union[1]
        for i, (name, q, recursive) in enumerate(self.ctes):
            yield lambda form, i=i, name=name, r=recursive: self.with_(ctes=replaced(self.ctes, i, (name, form, r))), q

    def own(self):
        if self.union:
            yield self.union[1].with_(order=self.order, limit=self.limit)
            yield self.with_(union=None)
        for name, nothing in (("ctes", []), ("limit", ""), ("sets", None), ("distinct", False), ("on", 0)):
            if getattr(self, name) != nothing:
                yield self.with_(**{name: nothing})
        if self.order and not self.limit:
            yield self.with_(order=None)
        if len(self.where) + len(self.having) > 2:
            yield self.with_(where=[], having=[])
        for name in self.LISTS:
            values = getattr(self, name)
            if name != "items" or (len(values) > 1 and not self.union):
                for i in range(len(values)):
                    yield self.with_(**{name: values[:i] + values[i + 1:]}, **({"order": self.order and ([p for p in range(len(values))], [""] * len(values))} if name == "items" else {}))


PICKS = re.compile(r"\b(?:GROUP BY|DISTINCT|UNION|INTERSECT|EXCEPT|OVER|min|max|sum|avg|mode|percentile_disc|USING|TIES|greatest|least)\b", re.I)


class Statement:
    """A statement as the driver uses it: its text, whether its order is total, and smaller ones."""

    def __init__(self, query, zone=None):
        self.query, self.zone = query, zone

    def select(self):
        return self.query.sql()

    def in_order(self):
        return self.query.ordered()

    def tables(self):
        return 2

    def picks(self):
        """Returns whether the statement may give any of several values that are equal but written
        differently (1.0 and 1.00, 0 and -0, a day and 24 hours).
        """
        return bool(PICKS.search(self.select()))

    def smaller(self):
        if self.zone:
            yield Statement(self.query)
        for form in self.query.smaller():
            yield Statement(form, self.zone)
