"""Random SELECT statements over `calls`, as trees that can be made smaller."""
import copy
import re

ZONES = ["UTC", "Asia/Kolkata", "Asia/Tokyo", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"]
UNITS = ["second", "minute", "hour", "day", "week", "month", "quarter", "year"]
WIDTHS = ["2 minutes", "5 minutes", "15 minutes", "1 hour", "90 minutes", "6 hours", "1 day", "3 days", "7 days"]
FIELDS = ["hour", "minute", "day", "dow", "isodow", "doy", "week", "month", "year", "quarter", "epoch", "second"]
FIRST, DAYS = 1427481120, 12  # 2015-03-27 18:32 UTC: the clocks of Berlin and Lord Howe change within these days


class E:
    """An expression: its text, its kind, and smaller expressions of the same kind that can replace
    it.
    """

    def __init__(self, sql, kind, subs=()):
        self.sql, self.kind, self.subs = sql, kind, list(subs)


class S:
    """A SELECT. It is grouped if keys or aggs are not empty (aggs None: not grouped)."""

    def __init__(self):
        self.items, self.keys, self.aggs, self.where, self.having = [], [], None, [], []
        self.distinct, self.order, self.limit, self.offset, self.zone, self.source, self.union, self.op, self.on = False, [], None, None, None, None, None, "UNION ALL", 0
        self.ties, self.origin = False, None
        self.sets = None  # "ROLLUP", "CUBE", or lists of keys' numbers
        self.join = None  # (kind, another S, condition, the prefix of its columns)
        self.reads = 0  # more reads of the table, within conditions

    def outputs(self):
        return self.items if self.aggs is None else self.keys + self.aggs

    def body(self):
        if self.source:
            aliases = ", ".join(f"{e.sql} AS c{i}" for i, e in enumerate(self.source.outputs()))
            origin = f"({self.source.select(aliases)}) s"
        else:
            origin = self.origin or "calls"
        if self.join:
            kind, other, condition, prefix = self.join
            aliases = ", ".join(f"{e.sql} AS {prefix}{i}" for i, e in enumerate(other.outputs()))
            origin += f" {kind} JOIN ({other.select(aliases)}) {prefix}{f' ON {condition}' if condition else ''}"
        return origin

    def select(self, columns=None):
        columns = columns or ", ".join(e.sql for e in self.outputs())
        on = f"DISTINCT ON ({', '.join(str(i + 1) for i, _ in self.order[:self.on])}) " if self.on else ""
        sql = f"SELECT {'DISTINCT ' if self.distinct else on}{columns} FROM {self.body()}"
        if self.where:
            sql += " WHERE " + " AND ".join(f"({e.sql})" for e in self.where)
        if self.aggs is not None and self.keys:
            sql += " GROUP BY " + self.grouping()
        if self.having:
            sql += " HAVING " + " AND ".join(f"({e.sql})" for e in self.having)
        if self.union:
            sql += f" {self.op} {self.union.select()}"
        if self.order:
            sql += " ORDER BY " + ", ".join(f"{i + 1}{how}" for i, how in self.order)
        if self.limit is not None:
            sql += f" FETCH FIRST {self.limit} ROWS WITH TIES" if self.ties and self.order else f" LIMIT {self.limit}"
        if self.offset is not None:
            sql += f" OFFSET {self.offset}"
        return sql

    def grouping(self):
        keys = ", ".join(e.sql for e in self.keys)
        if isinstance(self.sets, list):
            sets = ["(" + ", ".join(self.keys[k].sql for k in one if k < len(self.keys)) + ")" for one in self.sets]
            return f"GROUPING SETS ({', '.join(sets)})"
        return f"{self.sets} ({keys})" if self.sets else keys

    def tables(self):
        arms = 2 if self.sets else 1
        return (self.source.tables() if self.source else 1) * arms + (self.union.tables() if self.union else 0) + (self.join[1].tables() if self.join else 0) + self.reads

    def in_order(self):
        return bool(self.order) and self.total_order()

    def picks(self):
        return False

    def total_order(self):
        return len({i for i, _ in self.order}) == len(self.outputs())

    # ---- smaller forms ----

    def smaller(self):
        """Returns statements with one part less."""
        if self.source and not self.union:
            yield self.source
        if self.union and self.union.union:
            yield self.changed(union=self.union.changed(union=None))
            yield self.changed(union=self.union.union, op=self.union.op)
        for name in ("union", "limit", "offset", "zone", "sets"):
            if getattr(self, name) is not None:
                yield self.changed(**{name: None})
        if self.distinct or self.on:
            yield self.changed(distinct=False, on=0)
        if self.ties and self.total_order():
            yield self.changed(ties=False)
        if self.order and self.limit is None and self.offset is None:
            yield self.changed(order=[])
        for name in ("where", "having"):
            for i in range(len(getattr(self, name))):
                yield self.without(name, i)
        for name in ("items", "keys", "aggs"):
            found = getattr(self, name) or []
            if not self.union and len(found) > (0 if name == "keys" or (name == "aggs" and self.keys) else 1):
                for i in range(len(found)):
                    yield self.without(name, i).renumbered()
        for name in ("where", "having", "items", "keys", "aggs"):
            for i, e in enumerate(getattr(self, name) or []):
                for sub in e.subs:
                    s = copy.copy(self)
                    replaced = list(getattr(self, name))
                    replaced[i] = sub
                    setattr(s, name, replaced)
                    yield s
        if self.join:
            kind, other, condition, prefix = self.join
            for smaller in other.smaller():
                if len(smaller.outputs()) == len(other.outputs()):
                    yield self.changed(join=(kind, smaller, condition, prefix))
        if self.source:
            for smaller in self.source.smaller():
                if len(smaller.outputs()) == len(self.source.outputs()):
                    yield self.changed(source=smaller)

    def changed(self, **kw):
        s = copy.copy(self)
        for k, v in kw.items():
            setattr(s, k, v)
        return s

    def without(self, name, i):
        rest = list(getattr(self, name))
        del rest[i]
        return self.changed(**{name: rest})

    def renumbered(self):
        return self.changed(order=[(i, "") for i in range(len(self.outputs()))] if self.order else [])


def q(s):
    return "'" + s.replace("'", "''") + "'"


class Generator:
    """env: {kind: [column, …]}; values: {column: [text of values that occur]}."""

    def __init__(self, rng, values, functions=False):
        self.rng, self.values, self.within, self.functions = rng, values, False, functions  # with the functions of oracle.FUNCTIONS
        self.base = {"text": ["iResult", "vCmdid", "vAppid"], "int": ["totalCount"], "float": ["dProcessTime"], "ts": ["ts"], "num": [], "tsn": [], "date": [], "bool": [], "arr": [], "iarr": []}

    def pick(self, *options):
        return self.rng.choice(options)

    def chance(self, p):
        return self.rng.random() < p

    # ---- constants ----

    def text_constant(self, column=None):
        pool = self.values.get(column) or self.values["vCmdid"]
        return q(self.rng.choice(pool))

    def instant(self, fine=0.15):
        """Returns a time, sometimes between two milliseconds. Such a time is only compared with
        values, which have no microseconds.
        """
        import datetime
        grid = self.pick(60, 60, 300, 3600, 3600, 86400, 1)
        t = (FIRST + self.rng.randrange(DAYS * 86400)) // grid * grid
        d = datetime.datetime.fromtimestamp(t, datetime.timezone.utc)
        if self.chance(fine):
            d += datetime.timedelta(microseconds=self.pick(-1, 1, -500, 500, 999, 1000001, -1000000 + 1))
        if self.chance(0.2):
            d = d.astimezone(datetime.timezone(datetime.timedelta(hours=5, minutes=30)))
        text = f"'{d.isoformat(' ')}'"
        return self.pick("", "", "TIMESTAMPTZ ") + text

    def zone(self):
        return q(self.rng.choice(ZONES))

    # ---- scalar expressions by kind ----

    def column(self, env, kind):
        return E(self.rng.choice(env[kind]), kind) if env.get(kind) else None

    def text(self, env, depth):
        c = self.column(env, "text")
        if c is None or depth <= 0 or self.chance(0.5):
            return c or E(self.text_constant(), "text")
        a, n = self.text(env, depth - 1), self.rng.randint(0, 6)
        b = self.boolean(env, depth - 1)
        if self.functions and self.chance(0.08):
            return E(self.pick(f"ends({a.sql})", f"ends({a.sql}, {n})", f"ends(n => {n}, t => {a.sql})", f"ends({self.integer(env, 0).sql})"), "text", [a])
        form = self.pick(
            f"upper({a.sql})", f"lower({a.sql})", f"substr({a.sql}, {n + 1}, {n})", f"substring({a.sql} from {n + 1} for 3)", f"left({a.sql}, {n})", f"right({a.sql}, {n})",
            f"{a.sql} || '-x'", f"coalesce({a.sql}, 'none')", f"nullif({a.sql}, {self.text_constant()})", f"replace({a.sql}, '0', 'oo')", f"trim({a.sql})", f"ltrim({a.sql}, 'w')",
            f"CASE WHEN {b.sql} THEN {a.sql} ELSE 'other' END", f"CASE {a.sql} WHEN '16' THEN 'sixteen' WHEN '18' THEN NULL ELSE {a.sql} END",
            f"concat({a.sql}, '/', NULL, {n})", f"lpad({a.sql}, {n + 2}, '*')", f"greatest({a.sql}, '10000')", f"CAST({a.sql} AS varchar({n + 1}))",
            f"regexp_replace({a.sql}, '{self.pick('[0-9]+', '(.)(.)', 'a|ab|w.', 'x*?.')}', '<\\1>', 'g')", f"regexp_substr({a.sql}, '[a-z]+|[0-9]{{2}}')", f"substring({a.sql} from '[0-9](.*)')",
            f"format('%s/%5s/%L', {a.sql}, {n}, {a.sql})", f"quote_ident({a.sql})", f"to_char({self.integer(env, 0).sql}, '{self.pick('FM990', 'S9,999', '0009PR', '99.9', 'RN')}')", self.time_text(env, a))
        return E(form, "text", [a])

    def array(self, env, depth):
        """Returns an array of texts; sometimes NULL, empty, or with NULL elements."""
        c = self.column(env, "arr")
        if c and self.chance(0.4):
            return c
        t, u, n = self.text(env, 0), self.text(env, depth - 1), self.rng.randint(0, 4)
        made = self.pick(f"string_to_array({t.sql}, '{self.pick('0', '1', '00')}')", f"string_to_array({t.sql}, NULL, '{self.pick('0', '1')}')", f"ARRAY[{t.sql}, {u.sql}]",
                         f"regexp_split_to_array({t.sql}, '[0-3]')", f"regexp_match({t.sql}, '(1)(.)?')", f"nullif(ARRAY[{t.sql}, NULL], ARRAY[{self.text_constant()}, NULL])")
        form = self.pick(made, made, made, f"({made})[{n}:]", f"({made})[:{n}]", f"(({made}) || {u.sql})", f"({self.text_constant()}::text || ({made}))", f"(({made}) || ARRAY[{u.sql}])",
                         f"array_remove({made}, {self.text_constant()})", f"array_replace({made}, '1', {u.sql})", f"coalesce({made}, '{{}}')", f"array_append({made}, NULL)")
        return E(form, "arr")

    def array_condition(self, env, depth):
        a, b, t = self.array(env, 1), self.array(env, 1), self.text(env, 0)
        return self.pick(f"{t.sql} = ANY ({a.sql})", f"{t.sql} {self.pick('<>', '<', '>=')} {self.pick('ANY', 'ALL')} ({a.sql})", f"{a.sql} @> {b.sql}", f"{a.sql} && {b.sql}",
                         f"{a.sql} {self.pick('=', '<', '>=', '<>', 'IS DISTINCT FROM')} {b.sql}", f"{a.sql} <@ ARRAY['1', '0', {t.sql}]", f"cardinality({a.sql}) > {self.rng.randint(0, 2)}",
                         f"EXISTS (SELECT FROM unnest({a.sql}) x WHERE x < {t.sql})", f"{t.sql} = ANY (ARRAY[{self.text_constant()}, {self.text_constant()}])")

    def array_of_rows(self, env):
        """Returns an aggregate whose result is an array."""
        t, i = self.text(env, self.pick(0, 1)), self.integer(env, self.pick(0, 1))
        return self.pick(E(f"array_agg({t.sql} ORDER BY {t.sql}{self.pick('', ' DESC', ' NULLS FIRST')})", "arr"), E(f"array_agg(DISTINCT {t.sql})", "arr"),
                         E(f"array_agg(({i.sql})::int ORDER BY {i.sql}){self.pick('', '[1:3]')}", "iarr"), E(f"{self.pick('min', 'max')}({self.array(env, 1).sql})", "arr"),
                         E(f"percentile_disc(ARRAY[0, 0.{self.rng.randint(1, 9)}, 1]) WITHIN GROUP (ORDER BY ({i.sql})::int)", "iarr"))

    def rows_of(self, env):
        """Returns a set-returning call in the select list."""
        return self.pick(E(f"unnest({self.array(env, 1).sql})", "text"), E(f"generate_series(1, ({self.integer(env, 0).sql})::int % 4)", "int"), E(f"unnest({self.array(env, 1).sql}) || '!'", "text"),
                         E(f"ARRAY(SELECT x FROM unnest({self.array(env, 1).sql}) x WHERE x > '1' ORDER BY x DESC)", "arr"))

    def sets(self):
        """Returns a SELECT from calls and from sets made of its columns."""
        a, k = self.array(self.base, 1), self.rng.randint(2, 4)
        env = {kind: list(names) for kind, names in self.base.items()}
        env["text"] = env["text"] + ["el"]
        form = self.pick(f"calls, unnest({a.sql}) AS u (el)", f"calls CROSS JOIN LATERAL unnest({a.sql}) WITH ORDINALITY AS u (el, nr)", f"calls LEFT JOIN unnest({a.sql}) WITH ORDINALITY AS u (el, nr) ON true",
                         f"calls, unnest({a.sql}, ARRAY['p', NULL]) AS u (el, el2)", f"calls, generate_series(1, (totalCount % {k})::int) nr, string_to_table(vCmdid, '0') el",
                         f"calls JOIN regexp_matches(vCmdid, '(.)(1)?', 'g') AS m (el3) ON el3[1] > '0', unnest(el3) AS u (el)")
        env["text"] += ["el2"] if "el2" in form else []
        env["int"] = env["int"] + (["nr"] if " nr" in form else [])
        return form, env

    def time_text(self, env, otherwise):
        c = self.column(env, "ts")
        return f"to_char({c.sql}, '{self.pick('YYYY-MM-DD HH24:MI', 'FMDay DDth FMMonth IYYY-IW', 'HH12:MI AM TZ', 'J Q WW')}')" if c else otherwise.sql

    def integer(self, env, depth):
        c = self.column(env, "int")
        if depth <= 0 or self.chance(0.4):
            return c or E(str(self.rng.randint(-3, 50)), "int")
        a, k, t = self.integer(env, depth - 1), self.rng.randint(1, 9), self.text(env, depth - 1)
        b = self.boolean(env, depth - 1)
        if self.functions and self.chance(0.08):
            return E(self.pick(f"doubled({a.sql})", f"clamped({a.sql})", f"clamped({a.sql}, {k})", f"clamped({a.sql}, high => {k + 5})", f"clamped(low => {k}, x => {a.sql})"), "int", [a])
        form = self.pick(f"{a.sql} + {k}", f"({a.sql} - {k}) * {k}", f"{a.sql} / {k}", f"{a.sql} % {k}", f"-{a.sql}" if not a.sql.startswith("-") else a.sql, f"abs({a.sql} - 20)", f"length({t.sql})",
                         f"CASE WHEN {b.sql} THEN {a.sql} ELSE 0 END", f"coalesce(nullif({a.sql}, {k}), -1)", f"greatest({a.sql}, {k})", f"least({a.sql}, {k})", f"sign({a.sql} - 3)::int",
                         f"strpos({t.sql}, '0')", f"mod({a.sql}, {k})", f"regexp_count({t.sql}, '[a-z0-9]|0+')", f"num_nulls({t.sql}, NULL, {a.sql})", f"width_bucket({a.sql}, 0, 40, {k})",
                         f"regexp_instr({t.sql}, '[0-9]', 1, {k})")
        return E(f"({form})", "int", [a])

    def floating(self, env, depth):
        c = self.column(env, "float")
        if depth <= 0 or self.chance(0.5):
            return c or E(f"{self.rng.randint(0, 40)}.5::double precision", "float")
        a, i, k = self.floating(env, depth - 1), self.integer(env, depth - 1), self.rng.randint(1, 9)
        form = self.pick(f"{a.sql} + {i.sql}", f"{a.sql} * {k}", f"{a.sql} / 4", f"floor({a.sql} / 10)", f"ceil({a.sql} / 8)", f"round({a.sql} / 16)", f"abs({a.sql} - 100)",
                         f"coalesce({a.sql}, 0)", f"nullif({a.sql}, 0)", f"CASE WHEN {a.sql} > {k} THEN {a.sql} END", f"CAST({i.sql} AS double precision)")
        return E(f"({form})", "float", [a])

    def number(self, env, depth):
        return self.integer(env, depth) if self.chance(0.6) else self.floating(env, depth)

    def time(self, env, depth):
        c = self.column(env, "ts")
        if c is None or self.chance(0.15):
            return c or E(self.instant(0).replace("TIMESTAMPTZ ", "") + "::timestamptz", "ts")
        form = self.pick(f"date_trunc('{self.rng.choice(UNITS)}', {c.sql})", f"date_trunc('{self.rng.choice(UNITS)}', {c.sql}, {self.zone()})",
                         f"time_bucket('{self.rng.choice(WIDTHS)}', {c.sql})", f"time_bucket('{self.rng.choice(WIDTHS)}', {c.sql})", f"{c.sql} + interval '{self.pick('1 day', '90 minutes', '1 month', '-2 days')}'")
        return E(form, "ts", [c])

    def other_time(self, env):
        c = self.column(env, "ts")
        if c is None:
            return self.time(env, 0)
        return self.rng.choice([
            E(f"extract({self.rng.choice(FIELDS)} FROM {c.sql})", "num"), E(f"extract({self.rng.choice(FIELDS)} FROM {c.sql} AT TIME ZONE {self.zone()})", "num"),
            E(f"{c.sql}::date", "date"), E(f"({c.sql} AT TIME ZONE {self.zone()})::date", "date"), E(f"{c.sql} AT TIME ZONE {self.zone()}", "tsn"),
            E(f"date_trunc('{self.rng.choice(UNITS)}', {c.sql} AT TIME ZONE {self.zone()})", "tsn"), E(f"date_part('{self.rng.choice(FIELDS)}', {c.sql})", "float")])

    # ---- conditions ----

    def like_pattern(self, column):
        v = self.rng.choice(self.values.get(column) or self.values["vAppid"])[:12]
        v = v.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        return q(self.pick(v[:4] + "%", "%" + v[-3:], "%" + v[2:5] + "%", v, "_" + v[1:], "%\\%%")) if not v.endswith("\\") or len(v) % 2 == 0 else q("wx%")

    def text_condition(self, env, depth):
        a = self.text(env, depth)
        col = a.sql
        c = self.text_constant(col)
        return self.pick(f"{a.sql} = {c}", f"{a.sql} = {c}", f"{a.sql} <> ''", f"{a.sql} <> {c}", f"{a.sql} IN ({c}, {self.text_constant(col)}, '16')", f"{a.sql} NOT IN ({c}, {self.text_constant(col)})",
                         f"{a.sql} LIKE {self.like_pattern(col)}", f"{a.sql} NOT LIKE {self.like_pattern(col)}", f"{a.sql} ILIKE {self.like_pattern(col)}", f"{a.sql} < {c}", f"{a.sql} BETWEEN {c} AND 'wx8'",
                         f"{a.sql} IS NOT NULL", f"{a.sql} NOT IN ({c}, NULL)", f"length({a.sql}) > {self.rng.randint(0, 20)}", f"{a.sql} IS DISTINCT FROM {c}", f"{a.sql} ~ '{self.pick('^w', '[0-9]{2}', '1|x$', '^(a|w)+')}'", f"{a.sql} !~* 'WX|1'", f"{a.sql} SIMILAR TO '(w|1)%[0-9]'")

    def number_condition(self, env, depth):
        a, k = self.number(env, depth), self.rng.randint(-2, 120)
        return self.pick(f"{a.sql} > {k}", f"{a.sql} <= {k}", f"{a.sql} = {k}", f"{a.sql} <> {k}", f"{a.sql} BETWEEN {k} AND {k + 30}", f"{a.sql} NOT BETWEEN {k} AND {k + 5}", f"{a.sql} IN (1, 2, {k})",
                         f"{a.sql} IS NULL", f"{a.sql} IS NOT NULL", f"{a.sql} IN ({k}, NULL)", f"{a.sql} IS DISTINCT FROM 1")

    def time_condition(self, env):
        c, quote = self.column(env, "ts"), "'"
        if c is None:
            return "1 = 1"
        a = c.sql if self.chance(0.8) else self.time(env, 0).sql
        if self.chance(0.1):
            a = f"{a} {self.pick('+', '-')} interval '{self.pick('1 microsecond', '500 microseconds', '999 us', '1 day 1 us', '-1000001 us')}'"
        return self.pick(f"{a} >= {self.instant()}", f"{a} < {self.instant()}", f"{a} >= {self.instant()} AND {a} < {self.instant()}", f"{a} BETWEEN {self.instant()} AND {self.instant()}", f"{a} > {self.instant()}",
                         f"{a} <= {self.instant()}", f"{a} = {self.instant()}", f"extract(hour FROM {c.sql}) IN (18, 20)", f"extract(dow FROM {c.sql} AT TIME ZONE {self.zone()}) = {self.rng.randint(0, 6)}",
                         f"{c.sql}::date = '2015-03-{self.rng.randint(27, 31)}'", f"date_trunc('day', {c.sql}) = {self.instant()}",
                         f"{a} <> {self.instant()}", f"{a} IN ({self.instant(0.5)}, {self.instant(0.5)})", f"{a} = ANY ('{{{self.instant(0.5).split(quote)[1]},{self.instant(0).split(quote)[1]}}}')",
                         f"{a} IS DISTINCT FROM {self.instant(0.5)}", f"{self.instant(0.5)} > {a}", f"{a} NOT BETWEEN {self.instant(0.5)} AND {self.instant(0.5)}",
                         f"{a} >= {self.instant()} AND {a} < {self.instant().replace('TIMESTAMPTZ ', '')}::timestamptz + interval '{self.pick('1 hour', '1 day', '7 days')}'")

    def sub_condition(self, env):
        """Returns a condition on a sub-select that does not refer to the query around it."""
        self.within = True
        inner = self.boolean(self.base, 1).sql
        self.within = False
        t, i, c = self.column(env, "text"), self.column(env, "int"), self.column(env, "ts")
        forms = [f"EXISTS (SELECT 1 FROM calls WHERE {inner})", f"(SELECT count(*) FROM calls WHERE {inner}) > {self.rng.randint(0, 900)}"]
        if t:
            of = t.sql if t.sql in self.base["text"] else "vCmdid"
            forms += [f"{t.sql} {self.pick('IN', 'NOT IN')} (SELECT {of} FROM calls WHERE {inner})"] * 2
        if i:
            forms += [f"{i.sql} {self.pick('>', '<', '>=')} (SELECT {self.pick('avg', 'min', 'max')}(totalCount) FROM calls WHERE {inner})",
                      f"{i.sql} {self.pick('= ANY', '> ANY', '<> ALL', '>= ALL')} (SELECT totalCount FROM calls WHERE {inner})"]
        if c:
            forms += [f"{c.sql} {self.pick('>=', '<', '=')} (SELECT {self.pick('min', 'max')}(date_trunc('hour', ts)) FROM calls WHERE {inner})"]
        return E(self.rng.choice(forms), "bool")

    def boolean(self, env, depth):
        if depth > 1 and not self.within and self.chance(0.08):
            return self.sub_condition(env)
        if depth > 0 and self.chance(0.25):
            a, b = self.boolean(env, depth - 1), self.boolean(env, depth - 1)
            return E(self.pick(f"({a.sql} AND {b.sql})", f"({a.sql} OR {b.sql})", f"(NOT ({a.sql}))", f"({a.sql} OR {b.sql})"), "bool", [a, b])
        if env.get("text") and self.chance(0.06):
            return E(self.array_condition(env, depth - 1), "bool")
        kind = self.pick("text", "text", "time", "time", "number")
        if kind == "text" and env.get("text"):
            return E(self.text_condition(env, depth - 1), "bool")
        if kind == "number" and (env.get("int") or env.get("float")):
            return E(self.number_condition(env, depth - 1), "bool")
        return E(self.time_condition(env), "bool") if env.get("ts") else E(self.number_condition(env, depth - 1), "bool")

    # ---- statements ----

    def scalar(self, env, depth):
        if env.get("text") and self.chance(0.07):
            return self.pick(self.array(env, depth), self.array(env, depth), E(f"cardinality({self.array(env, 1).sql})", "int"), E(f"array_to_string({self.array(env, 1).sql}, '+', '*')", "text"),
                             E(f"({self.array(env, 1).sql})[{self.rng.randint(0, 3)}]", "text"), E(f"array_position({self.array(env, 1).sql}, {self.text(env, 0).sql})", "int"))
        return self.pick(self.text, self.text, self.integer, self.floating, self.time)(env, depth) if self.chance(0.9) else self.other_time(env)

    def key(self, env):
        r = self.rng.random()
        if r < 0.4 and env.get("text"):
            return self.column(env, "text")
        if r < 0.75 and env.get("ts"):
            return self.time(env, 1)
        if r < 0.9 and env.get("ts"):
            return self.other_time(env)
        return self.scalar(env, 2)

    def aggregate(self, env):
        r = self.rng.random()
        if env.get("text") and self.chance(0.06):
            e = self.array_of_rows(env)
        elif r < 0.2:
            e = E("count(*)", "int")
        elif r < 0.32:
            e = self.further_aggregate(env)
        elif r < 0.45:
            a = self.number(env, self.pick(0, 0, 1))
            e = E(f"sum({a.sql})", "float" if a.kind == "float" else "num", [E(f"sum({s.sql})", "num") for s in a.subs])
        elif r < 0.6:
            a = self.number(env, self.pick(0, 0, 1))
            e = E(f"avg({a.sql})", "float" if a.kind == "float" else "num")
        elif r < 0.8:
            a = self.pick(self.number, self.text, self.time)(env, self.pick(0, 0, 1))
            e = E(f"{self.pick('min', 'max')}({a.sql})", a.kind)
        elif r < 0.9:
            a = self.scalar(env, 1)
            e = E(f"count({a.sql})", "int")
        else:
            a = self.pick(self.text, self.time, self.integer)(env, self.pick(0, 1))
            e = self.pick(E(f"count(DISTINCT {a.sql})", "int"), E(f"count(DISTINCT ({f'CAST({a.sql} AS text)' if a.kind == 'text' else a.sql}, {self.integer(env, 0).sql}))", "int"), E(f"max(DISTINCT {a.sql})", a.kind))
        if self.chance(0.18):
            e = E(f"{e.sql} FILTER (WHERE {self.boolean(env, 1).sql})", e.kind, [e])
        if self.chance(0.06) and e.kind in ("int", "num"):
            e = E(f"{e.sql} + 1", e.kind, [e])
        return e

    def further_aggregate(self, env):
        """Returns an aggregate that no stored sum answers."""
        n, i, f = self.number(env, self.pick(0, 0, 1)), self.integer(env, self.pick(0, 1)), self.floating(env, 0)
        t, b, o = self.text(env, self.pick(0, 1)), self.boolean(env, 1), self.scalar(env, 1)
        spread, share, desc = self.pick("var_pop", "var_samp", "variance", "stddev", "stddev_pop", "stddev_samp"), self.pick("0", "0.25", "0.5", "0.9", "1"), self.pick("", " DESC")
        once = self.pick("", "", "DISTINCT ")
        return self.rng.choice([
            E(f"{spread}({once}{i.sql})", "num"), E(f"{spread}({once}{i.sql})", "num"), E(f"{spread}(({i.sql})::numeric(12, 2))", "num"), E(f"round({spread}({f.sql})::numeric, 4)", "num"),
            E(f"round({self.pick('corr', 'regr_r2', 'regr_slope', 'covar_pop', 'covar_samp', 'regr_intercept')}({n.sql}, {i.sql})::numeric, 3)", "num"),
            E(f"{self.pick('bool_and', 'bool_or', 'every')}({b.sql})", "bool"), E(f"{self.pick('bit_and', 'bit_or', 'bit_xor')}(({i.sql})::bigint)", "int"),
            E(f"{self.pick('regr_count', 'regr_count', 'regr_avgx', 'regr_avgy')}({n.sql}, {i.sql})", "float"),
            E(f"percentile_cont({share}) WITHIN GROUP (ORDER BY {n.sql}{desc})", "float"), E(f"percentile_disc({share}) WITHIN GROUP (ORDER BY {o.sql}{desc})", o.kind),
            E(f"mode() WITHIN GROUP (ORDER BY {o.sql}{desc})", o.kind), E(f"string_agg({t.sql}, ',' ORDER BY {t.sql}{desc})", "text"), E(f"string_agg(DISTINCT {t.sql}, '; ')", "text"),
            E(f"string_agg({t.sql}, '' ORDER BY {i.sql}{desc}, {t.sql})", "text"), E(f"{self.pick('rank', 'dense_rank')}({share}) WITHIN GROUP (ORDER BY {self.directed(n.sql)})", "int"),
            E(f"{self.pick('percent_rank', 'cume_dist')}({self.rng.randint(0, 30)}, {q('1')}) WITHIN GROUP (ORDER BY {self.directed(i.sql)}, {self.directed(t.sql)})", "float")])

    # ---- windows ----

    def directed(self, sql):
        return sql + self.pick("", "", " DESC", " NULLS FIRST", " DESC NULLS LAST", " ASC")

    def total_window_order(self, env):
        """Returns an order by all columns. Rows that are equal in all of them are interchangeable.
        """
        columns = ["ts", "vAppid", "vCmdid", "iResult", "totalCount", "dProcessTime"]
        self.rng.shuffle(columns)
        return ", ".join(self.directed(c) for c in columns)

    def range_frame(self, env):
        """Returns an order by one expression, and a frame by offsets from it."""
        kind = self.pick(*[k for k in ("ts", "ts", "date", "int", "float") if env.get("ts" if k == "date" else k)] or ["int"])
        if kind == "date":
            by, offsets = f"{env['ts'][0]}::date", ["'1 day'", "interval '2 days'", "'1 month'", "'36 hours'"]
        elif kind == "ts":
            by, offsets = self.rng.choice(env["ts"]), ["'1 hour'", "interval '90 minutes'", "'1 day'", "'0'", "interval '3 days 2 hours'"]
        elif kind == "float":
            by, offsets = self.floating(env, 0).sql, ["0", "1", "10.5", "100"]
        else:
            by, offsets = self.integer(env, self.pick(0, 1)).sql, ["0", "1", "3", "20::bigint", "2::smallint"]
        before, after = [f"{o} PRECEDING" for o in offsets], [f"{o} FOLLOWING" for o in offsets]
        start, end = self.pick("UNBOUNDED PRECEDING", self.rng.choice(before), "CURRENT ROW"), self.pick("CURRENT ROW", self.rng.choice(after), "UNBOUNDED FOLLOWING")
        if self.chance(0.2):
            start, end = self.rng.sample(before, 2)
        elif self.chance(0.15):
            start, end = self.rng.choice(after), self.pick("UNBOUNDED FOLLOWING", self.rng.choice(after))
        return self.directed(by), f" RANGE BETWEEN {start} AND {end}"

    def counted_frame(self, mode):
        a, b = self.rng.randint(0, 4), self.rng.randint(0, 4)
        return f" {mode} BETWEEN " + self.pick("UNBOUNDED PRECEDING AND CURRENT ROW", f"{a} PRECEDING AND CURRENT ROW", f"{a} PRECEDING AND {b} FOLLOWING", f"{a} PRECEDING AND {b} PRECEDING",
                                               f"{a} FOLLOWING AND {b} FOLLOWING", f"{a} FOLLOWING AND UNBOUNDED FOLLOWING", f"UNBOUNDED PRECEDING AND {b} FOLLOWING", "CURRENT ROW AND UNBOUNDED FOLLOWING",
                                               f"UNBOUNDED PRECEDING AND {b} PRECEDING", "UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING", "CURRENT ROW AND CURRENT ROW")

    def over_frame(self, env, total, inner):
        """Returns an aggregate over the frame, or a row's value if the order is total. total: a
        total order, or None. inner (env): returns an argument.
        """
        mode = self.pick("RANGE", "GROUPS", "ROWS", "ROWS", "") if total else self.pick("RANGE", "GROUPS", "")
        order = total if mode == "ROWS" or (total and self.chance(0.5)) else ", ".join(self.directed(self.scalar(env, 1).sql) for _ in range(self.pick(1, 1, 2)))
        frame = "" if not mode else self.counted_frame(mode) if mode != "RANGE" else " RANGE BETWEEN UNBOUNDED PRECEDING AND " + self.pick("CURRENT ROW", "UNBOUNDED FOLLOWING")
        if mode == "RANGE" and self.chance(0.7):
            order, frame = self.range_frame(env)
        if frame and self.chance(0.25):
            frame += " EXCLUDE " + self.pick("CURRENT ROW", "GROUP", "TIES", "NO OTHERS")
        arg = inner(env)
        call = self.pick("count(*)", f"count({arg.sql})", f"min({arg.sql})", f"max({arg.sql})", *([f"sum({arg.sql})", f"sum({arg.sql})", f"avg({arg.sql})", f"var_pop({arg.sql})"] if arg.kind == "int" else []))
        kind = "int" if call.startswith("count") else "num" if call.startswith(("sum", "avg", "var")) else arg.kind
        if total and order == total and self.chance(0.35):
            call, kind = self.pick(f"first_value({arg.sql})", f"last_value({arg.sql})", f"nth_value({arg.sql}, {self.rng.randint(1, 4)})"), arg.kind
        elif self.chance(0.15):
            call += f" FILTER (WHERE {self.boolean(env, 1).sql})"
        return call, order, frame, kind

    def unframed(self, env, total, inner):
        arg, n = inner(env), self.rng.randint(0, 4)
        if total and self.chance(0.7):
            call, kind = self.rng.choice([("row_number()", "int"), (f"ntile({n + 1})", "int"), (f"lag({arg.sql})", arg.kind), (f"lead({arg.sql}, {n})", arg.kind), (f"lag({arg.sql}, {n}, {arg.sql})", arg.kind), (f"lead({arg.sql}, {-n})", arg.kind)])
            return call, total, "", kind
        call, kind = self.rng.choice([("rank()", "int"), ("dense_rank()", "int"), ("percent_rank()", "float"), ("cume_dist()", "float")])
        return call, ", ".join(self.directed(self.scalar(env, 1).sql) for _ in range(self.pick(1, 2))), "", kind

    def window(self, env, total, inner, parts):
        """Returns a window. parts: expressions for PARTITION BY. It takes a narrow one for frames
        over which PostgreSQL adds up anew for every row.
        """
        call, order, frame, kind = (self.over_frame if self.chance(0.6) else self.unframed) (env, total, inner)
        frame = frame if parts else ""
        partition = [p for p in parts if self.chance(0.3)]
        if frame and parts and not frame.endswith("UNBOUNDED PRECEDING AND CURRENT ROW"):
            partition = [parts[0]] + [p for p in partition if p != parts[0]]
        over = (f"PARTITION BY {', '.join(partition)} " if partition else "") + f"ORDER BY {order}"
        return E(f"{call} OVER ({over}{frame})", kind, [E(f"{call} OVER ({x})", kind) for x in (over, f"ORDER BY {order}{frame}") if x != over + frame])

    def add_windows(self, s, env):
        """Adds window calls over the rows of calls, or over groups."""
        for _ in range(1 if s.aggs is None else self.pick(1, 1, 2)):  # among rows that are equal in all columns, two orders may take different ones first
            if s.aggs is None:
                total = self.total_window_order(env) if env is self.base else None
                s.items.append(self.window(env, total, lambda e: self.pick(self.integer, self.text, self.time)(e, self.pick(0, 0, 1)), (env.get("text") or [])[-2:] if env is self.base else []))
            elif s.keys and not s.sets:
                keys = [k.sql for k in s.keys]
                over = {k: [] for k in self.base}
                for k in s.keys:
                    over[k.kind].append(k.sql)
                if "int" not in over or not over["int"]:
                    over["int"] = ["count(*)"]
                total = ", ".join(self.directed(k) for k in keys)
                s.aggs.append(self.window(over, total, lambda e: self.pick(E("count(*)", "int"), E("max(totalCount)" if env is self.base else "count(*)", "int"), s.keys[0]), keys[:1]))

    def export(self, s):
        """Returns the environment that a sub-select gives: c0, c1, …"""
        env = {k: [] for k in self.base}
        for i, e in enumerate(s.outputs()):
            if not e.sql.startswith(("avg(", "var", "stddev", "regr", "percentile_cont")):  # sums of such doubles depend on their order
                env[e.kind].append(f"c{i}")
        return env

    def fill(self, s, env, grouped):
        if self.chance(0.7):
            s.where = [self.boolean(env, 2) for _ in range(self.pick(1, 1, 1, 2, 3))]
        if grouped:
            s.keys = [self.key(env) for _ in range(self.pick(0, 1, 1, 1, 2, 2, 3))]
            s.aggs = [self.aggregate(env) for _ in range(self.rng.randint(1, 3))]
            if s.keys and self.chance(0.08):
                self.several_sets(s)
            if self.chance(0.15):
                s.having = [E(f"count(*) > {self.rng.randint(0, 40)}", "bool") if self.chance(0.6) else E(f"max({self.number(env, 0).sql}) {self.pick('>', '<', 'IS NOT NULL OR 1 >')} {self.rng.randint(0, 200)}", "bool")]
        else:
            s.items = [self.scalar(env, 2) for _ in range(self.rng.randint(1, 4))]
            if env.get("text") and self.chance(0.08):
                s.items += [self.rows_of(env) for _ in range(self.pick(1, 1, 2))]
            s.distinct = self.chance(0.25)

    def recursion(self):
        """Returns a recursive query in FROM: a number, a text and its depth."""
        inner = {k: [] for k in self.base} | {"int": ["a"], "text": ["b"]}
        base = f"SELECT ({self.integer(self.base, 1).sql})::bigint, {self.text(self.base, 1).sql}, 0 FROM calls WHERE {self.boolean(self.base, 1).sql}"
        step = f"SELECT {self.pick('', '', 'DISTINCT ')}({self.integer(inner, 2).sql})::bigint, {self.text(inner, 1).sql}, d + 1 FROM w WHERE d < {self.rng.randint(0, 3)}"
        if self.chance(0.5):
            step += f" AND {self.boolean(inner, 1).sql}"
        sql = f"(WITH RECURSIVE w (a, b, d) AS ({base} UNION {self.pick('ALL ', '')}{step}) SELECT a AS c0, b AS c1, d AS c2 FROM w) s"
        return sql, {k: [] for k in self.base} | {"int": ["c0", "c2"], "text": ["c1"]}

    def several_sets(self, s):
        """Adds grouping sets, unless a key is a constant. PostgreSQL leaves constants out of ORDER BY,
        although they are NULL in some sets.
        """
        if not all(re.search(r"\b(ts|iResult|vCmdid|vAppid|totalCount|dProcessTime|c\d+)\b", k.sql) for k in s.keys):
            return
        numbers = range(len(s.keys))
        s.sets = self.pick("ROLLUP", "ROLLUP", "CUBE", [[k for k in numbers if self.chance(0.5)] for _ in range(self.rng.randint(1, 4))])
        if self.chance(0.5):
            s.aggs.append(E(f"GROUPING ({', '.join(s.keys[k].sql for k in self.rng.sample(numbers, self.rng.randint(1, len(s.keys))))})", "int"))

    def finish(self, s):
        n = len(s.outputs())
        if self.chance(0.4):
            places = list(range(n))
            self.rng.shuffle(places)
            s.order = [(i, self.pick("", "", " DESC", " NULLS FIRST", " DESC NULLS LAST", " ASC")) for i in places]
            if not s.distinct and not s.union and self.chance(0.15):
                s.on = self.rng.randint(1, n)
            if self.chance(0.5):
                s.limit = self.rng.randint(0, 30)
            if self.chance(0.25):
                s.offset = self.rng.randint(0, 20)
            elif s.limit is not None and not s.on and self.chance(0.2):
                s.ties, s.order = True, s.order[:self.rng.randint(1, n)]
        if self.chance(0.3):
            s.zone = self.rng.choice(ZONES)

    def combine(self, s):
        """Returns set operations with one or two more arms, which have different conditions."""
        for _ in range(self.pick(1, 1, 2)):
            s.union, s.op = copy.copy(s), self.pick("UNION ALL", "UNION ALL", "UNION", "INTERSECT", "INTERSECT ALL", "EXCEPT", "EXCEPT ALL")
            if self.chance(0.7):
                s.union.where = [self.boolean(self.base, 1)]

    def correlated(self, env):
        """Returns a condition on a sub-select that refers to columns of the query around it, or
        None if there are none.
        """
        self.within = True
        inner = f" AND {self.boolean(self.base, 0).sql}" if self.chance(0.6) else ""
        self.within = False
        links = [(a, b) for k in ("text", "ts", "int") for a in env[k] for b in self.base[k]]
        if not links:
            return None
        a, b = self.rng.choice(links)
        n = self.rng.randint(0, 9)
        forms = [f"{self.pick('', 'NOT ')}EXISTS (SELECT 1 FROM calls WHERE {b} = {a}{inner})", f"(SELECT count(*) FROM calls WHERE {b} = {a}{inner}) {self.pick('>', '<', '=')} {n}",
                 f"(SELECT {self.pick('max', 'min')}(totalCount) FROM calls WHERE {b} = {a}{inner}) {self.pick('> ', '< ', '<= ')}{n * 10}",
                 f"(SELECT vCmdid FROM calls WHERE {b} = {a}{inner} ORDER BY vCmdid DESC LIMIT 1) {self.pick('>', '<', '=')} {self.text_constant()}",
                 f"EXISTS (SELECT 1 FROM calls WHERE {b} = {a}{inner}) = (totals.c0 IS NOT NULL)".replace("totals.", "")]
        if env["int"]:
            c = self.rng.choice(env["int"])
            forms += [f"{c} {self.pick('IN', 'NOT IN', '> ANY', '<= ALL', '= ANY')} (SELECT totalCount FROM calls WHERE {b} = {a}{inner})"] * 2
        return E(self.rng.choice(forms), "bool")

    def grouped_source(self):
        s = S()
        self.fill(s, self.base, True)
        s.keys, s.having = s.keys or [self.key(self.base)], []
        return s

    def joined(self, s):
        """Returns calls, or groups of it, joined with groups of it."""
        if self.chance(0.5):
            s.source = self.grouped_source()
        other = self.grouped_source()
        mine, theirs = self.export(s.source) if s.source else self.base, {k: [c.replace("c", "d") for c in v] for k, v in self.export(other).items()}
        shared = [(a, b) for k in mine for a in mine[k] for b in theirs[k]]
        kind = self.pick("", "", "LEFT", "LEFT", "RIGHT", "FULL")
        parts = [f"{a} = {b}" for a, b in self.rng.sample(shared, min(len(shared), self.pick(1, 1, 2)))]
        both = {k: mine[k] + theirs[k] for k in mine}
        if self.chance(0.3):
            parts.append(self.boolean(both, 1).sql)
        if shared and kind != "FULL" and self.chance(0.15):
            condition = self.correlated(self.rng.choice((both, theirs)))
            parts += [condition.sql] if condition else []
        if not shared:
            kind = "CROSS"
        if not shared and not s.source:
            s.source = self.grouped_source()
            mine = self.export(s.source)
            both = {k: mine[k] + theirs[k] for k in mine}
        s.join = (kind, other, " AND ".join(parts) if shared else None, "d")
        self.fill(s, both, self.chance(0.8))
        if self.chance(0.1):
            self.add_windows(s, both)

    def statement(self):
        s = S()
        r = self.rng.random()
        if 0.12 <= r < 0.22:
            self.joined(s)
        elif 0.22 <= r < 0.27:
            s.origin, env = self.sets()
            self.fill(s, env, self.chance(0.6))
        elif r < 0.03:
            s.origin, env = self.recursion()
            self.fill(s, env, self.chance(0.6))
        elif r < 0.12:
            s.source = S()
            self.fill(s.source, self.base, self.chance(0.7))
            s.source.distinct = False
            if len(s.source.outputs()) < 2:
                s.source.items += [E("iResult", "text")] if s.source.aggs is None else []
            if self.chance(0.15):
                self.add_windows(s.source, self.base)
            self.fill(s, self.export(s.source), self.chance(0.6))
            condition = self.correlated(self.export(s.source)) if s.source.aggs is not None and self.chance(0.25) else None
            if condition:
                s.where, s.reads = s.where + [condition], 1
        else:
            self.fill(s, self.base, self.chance(0.8))
            if self.chance(0.12):
                self.add_windows(s, self.base)
            if r > 0.93:
                self.combine(s)
        self.finish(s)
        return s
