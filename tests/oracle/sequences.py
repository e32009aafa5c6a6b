"""Random sequences of statements: transactions with savepoints, cursors, prepared statements,
changes of rows, definitions, and the catalogs that show them.

A sequence is a list of steps over the tables of `SETUP`, which run in one session. A step may name
a cursor or a table that is missing, because a transaction failed, or because earlier steps were
left out to make the sequence smaller. PostgreSQL then gives the same error.
"""
import copy

from schemas import CASTS, POOLS, SENSORS
from tree import Expr, Node, Query
from typed import CONSTANTS, Scope, Typed

TABLES = {
    "stock": [("id", "int"), ("name", "text"), ("qty", "int"), ("price", "num"), ("at", "tstz"), ("tags", "ta")],
    "moves": [("id", "int"), ("item", "int"), ("n", "int"), ("note", "text"), ("day", "date"), ("took", "ival")],
    "pairs": [("a", "int"), ("b", "text"), ("v", "num"), ("w", "json")],
    "feed": SENSORS[:3] + [("n", "int")],
}
KEYS = {"stock": ["id"], "pairs": ["a", "b"]}
ROWS = {"stock": 7, "moves": 14, "pairs": 6, "feed": 20}
DEFINED = {"stock": "id integer PRIMARY KEY, name text NOT NULL DEFAULT 'new', qty integer DEFAULT 0, price numeric(12,2), at timestamptz, tags text[]",
           "moves": "id integer, item integer, n integer NOT NULL DEFAULT 1, note text, day date, took interval",
           "pairs": "a integer, b text, v numeric(12,2), w jsonb, PRIMARY KEY (a, b)"}
FEED_THERE = "CREATE TABLE feed (ts timestamptz NOT NULL, sensor text NOT NULL, room text NOT NULL, n integer NOT NULL)"
FEED_HERE = ["CREATE TABLE feed (ts timestamptz TIME PERIOD '60 s' NOT NULL, sensor text DIMENSION NOT NULL, room text DIMENSION NOT NULL, n integer MEASURE NOT NULL) USING per_day",
             "ALTER TABLE feed ADD LAYOUT f_tree USING nested WITH (cluster_by = 'sensor', levels = 'ts, room', presum = 'ts, room')",
             "ALTER TABLE feed ADD LAYOUT f_newest USING latest WITH (key = 'sensor')"]
SETUP = [f"CREATE TABLE {name} ({columns})" for name, columns in DEFINED.items()]
PLAIN_COLUMNS = ["int", "text", "num", "date", "ta"]
NEVER_PARAMETERS = {"field", "dfield", "tfield", "ifield"}
PARAMETER_TYPES = {"keys": "text[]", "at": "text[]", "pos": "int"}

# Templates with parameters, beside those that trees make. {t}: a number's constant.
PREPARED = [
    ("int", "SELECT id, qty FROM stock ORDER BY id LIMIT $1", ["2", "0", "NULL"]), ("int, int", "SELECT id FROM stock ORDER BY 1 OFFSET $1 FETCH FIRST $2 ROWS ONLY", ["1, 3", "NULL, 2", "0, -1", "9, 1"]),
    ("int", "SELECT id, sum(qty) OVER (ORDER BY id ROWS BETWEEN $1 PRECEDING AND CURRENT ROW) FROM stock ORDER BY 1, 2", ["0", "2", "-1"]),
    ("interval", "SELECT id, day, count(*) OVER (ORDER BY day RANGE BETWEEN $1 PRECEDING AND $1 FOLLOWING) FROM moves ORDER BY 1, 2, 3", ["'1 day'", "'1 month'", "NULL"]),
    ("int, text", "INSERT INTO moves (item, note) VALUES ($1, $2), ($1 + 1, upper($2)), (DEFAULT, DEFAULT) RETURNING item, n, note", ["3, 'x'", "NULL, NULL", "4, 5"]),
    ("int, int", "UPDATE stock SET qty = qty + $2, at = NULL WHERE id = $1 OR $1 IS NULL RETURNING id, qty, $2 * 2", ["1, 5", "NULL, 1", "2, 2147483647"]),
    ("int[]", "DELETE FROM moves WHERE item = ANY ($1) RETURNING id, item", ["'{1,2}'", "ARRAY[3]", "NULL", "'{}'"]),
    ("numeric, text", "INSERT INTO pairs (a, b, v) VALUES ($1, $2, $1) ON CONFLICT (a, b) DO UPDATE SET v = excluded.v + $1 WHERE pairs.v < $1 RETURNING *", ["1, 'a'", "2.6, 'b'", "1, NULL"]),
    ("text", "SELECT $1, length($1), $1 || name FROM stock WHERE name LIKE $1 || '%' ORDER BY 1, 2, 3", ["'a'", "''", "NULL", "1"]), ("", "SELECT $1 + 1, $2 || 'x'", ["1, 'a'", "'7', 7", "NULL, NULL", "'x', 'y'", "1"]),
    ("", "SELECT id FROM stock WHERE qty > $1 AND name <> $2 ORDER BY id", ["0, 'a'", "'1', ''", "1.5, 'b'"]), ("", "SELECT 1 UNION SELECT $1 ORDER BY 1", ["2", "'3'"]), ("", "VALUES ($1), (2), ($1) ORDER BY 1", ["1", "NULL"]),
    ("", "SELECT CASE WHEN $1 THEN qty ELSE $2 END FROM stock ORDER BY 1", ["true, 5", "false, -1", "NULL, NULL"]), ("", "SELECT coalesce($1, qty), nullif($2, id), greatest($1, 3) FROM stock ORDER BY 1, 2, 3", ["1, 2", "NULL, NULL"]),
    ("", "SELECT $1 IN (1, 2), $2 BETWEEN 'a' AND 'c', ARRAY[$3, 5], $4::date + 1", ["1, 'b', 2, '2020-01-01'", "NULL, NULL, NULL, NULL"]), ("", "SELECT s.id, m.n FROM stock s JOIN moves m ON m.item = s.id AND m.n > $1 ORDER BY 1, 2", ["0", "NULL"]),
    ("", "SELECT item, count(*) FROM moves GROUP BY item HAVING count(*) > $1 ORDER BY 1", ["0", "2"]), ("", "SELECT n + $1, count(*) FROM moves GROUP BY 1 ORDER BY 1, 2", ["1", "NULL"]), ("", "SELECT $1", ["1", "'x'", "NULL"]),
    ("", "SELECT id FROM stock WHERE tags[$1] = $2 ORDER BY 1", ["1, 'a'", "2, NULL"]), ("", "SELECT w -> $1, w ->> 'a' = $2 FROM pairs ORDER BY 1, 2", ["'a', 'x'"]), ("", "SELECT g FROM generate_series($1, $2) g ORDER BY 1", ["1, 3", "2, 1"]),
    ("", "WITH x AS (SELECT id + $1 AS k FROM stock) SELECT k FROM x WHERE k > $2 ORDER BY 1", ["1, 2"]), ("", "SELECT id, (SELECT count(*) FROM moves WHERE item = stock.id AND n > $1) FROM stock WHERE EXISTS (SELECT FROM moves WHERE item = id + $2) ORDER BY 1, 2", ["0, 0", "1, 1"]),
    ("", "SELECT date_trunc($1, day), at - $2 FROM moves, stock WHERE stock.id = item AND day > $3 ORDER BY 1, 2", ["'month', '1 day', '2000-01-01'"]), ("", "DELETE FROM feed WHERE ts >= $1 AND sensor = $2 RETURNING *", ["'2015-03-29', 's1'", "'2015-10-25', 's2'"]),
]
CATALOG = [
    "SELECT table_name, column_name, is_nullable, data_type, udt_name, numeric_precision, numeric_scale, datetime_precision FROM information_schema.columns WHERE table_schema = 'public'",
    "SELECT table_name, table_type, is_typed FROM information_schema.tables WHERE table_schema = 'public'", "SELECT constraint_name, table_name FROM information_schema.table_constraints WHERE constraint_type = 'PRIMARY KEY' AND table_schema = 'public'",
    "SELECT table_name, column_name, ordinal_position FROM information_schema.key_column_usage WHERE table_schema = 'public'", "SELECT table_name FROM information_schema.views WHERE table_schema = 'public'",
    "SELECT relname, relkind, relpersistence, relispopulated FROM pg_class WHERE relnamespace = 'public'::regnamespace",
    "SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.atthasdef, t.typname, t.typcategory FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid JOIN pg_type t ON t.oid = a.atttypid WHERE c.relnamespace = 'public'::regnamespace AND a.attnum > 0 AND NOT a.attisdropped AND c.relkind <> 'i'",
    "SELECT i.indrelid::regclass, c.relname, i.indisunique, i.indisprimary, i.indnatts, pg_get_indexdef(i.indexrelid) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relnamespace = 'public'::regnamespace",
    "SELECT conname, contype, conrelid::regclass, pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace", "SELECT schemaname, tablename, tableowner IS NULL FROM pg_tables WHERE schemaname = 'public'",
    "SELECT viewname FROM pg_views WHERE schemaname = 'public'", "SELECT matviewname, ispopulated FROM pg_matviews", "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'",
    "SELECT c.relname, d.objsubid, d.description FROM pg_description d JOIN pg_class c ON c.oid = d.objoid WHERE c.relnamespace = 'public'::regnamespace", "SELECT obj_description('stock'::regclass, 'pg_class'), col_description('stock'::regclass, 2)",
    "SELECT to_regclass('stock') IS NULL, to_regclass('made1')", "SELECT name, parameter_types, from_sql FROM pg_prepared_statements", "SELECT name, is_holdable, is_binary FROM pg_cursors", "SELECT current_setting('transaction_isolation'), current_setting('timezone')",
    "SELECT relname FROM pg_class WHERE relkind IN ('r', 'v', 'm') AND pg_table_is_visible(oid) AND relname !~ '^pg_' AND relnamespace = 'public'::regnamespace",
    "SELECT column_name, column_default FROM information_schema.columns WHERE table_name = 'stock'", "SHOW transaction_isolation", "SHOW timezone",
]


class Text(Node):
    """A statement made of templates, with `{}` in the places of their parts."""

    kind = "statement"

    def __init__(self, template, parts=(), ordered=False):
        self.template, self.parts, self.is_ordered = template, list(parts), ordered

    def sql(self):
        pieces = self.template.split("{}") if self.parts else [self.template]
        return "".join(a + b for a, b in zip(pieces, [x.sql() for x in self.parts] + [""]))

    def children(self):
        return [(lambda form, i=i: self.with_(parts=[*self.parts[:i], form, *self.parts[i + 1:]]), p) for i, p in enumerate(self.parts)]

    def ordered(self):
        return self.is_ordered


class Rows(Node):
    """The rows of VALUES."""

    kind = "rows"

    def __init__(self, rows):
        self.rows = rows

    def sql(self):
        return ", ".join(self.rows)

    def own(self):
        if len(self.rows) > 1:
            yield from (Rows(self.rows[:i] + self.rows[i + 1:]) for i in range(len(self.rows)))


class Sequences(Typed):
    edges = 0  # constants become values of rows, too, where infinite times are refused

    def __init__(self, rng):
        super().__init__(rng)
        self.live, self.keys, self.saved, self.params = copy.deepcopy(TABLES), dict(KEYS), [], None
        self.cursors, self.prepared, self.made, self.views, self.inside, self.points = {}, {}, 0, {}, False, []

    # ---- values, tables and parameters ----

    def constant(self, kind):
        if self.params is None or kind in NEVER_PARAMETERS or self.chance(0.4):
            return super().constant(kind)
        base = kind[1:] if kind in ("fdbl", "fnum") else kind
        self.params.append(kind)
        return Expr(base, f"${len(self.params)}")

    def table(self, scope, name=None):
        name, alias = name or self.rng.choice([t for t in list(self.live) + list(self.views) if t]), self.name("t")
        for c, k in self.live.get(name) or self.views[name]:
            scope.add(k, f"{alias}.{c}", True)
        keys = self.keys.get(name)
        scope.keys = scope.keys + [f"{alias}.{k}" for k in keys] if scope.keys is not None and keys else None
        return Expr("table", f"{name} {self.pick('', 'AS ')}{alias}")

    def own(self, name):
        """Returns the scope of the table that a statement changes."""
        scope = Scope()
        for c, k in self.live[name]:
            scope.add(k, f"{name}.{c}")
        return scope

    def simple(self, kinds=None):
        """Returns a short query of those kinds."""
        self.depth = 1
        q = self.query(kinds or [self.pick(*PLAIN_COLUMNS) for _ in range(self.rng.randint(1, 3))], bare=self.chance(0.5))
        self.depth = 0
        return q

    def in_order(self, kinds=None):
        q = self.simple(kinds)
        q.order = (list(range(len(q.items))), [self.pick("", "", " DESC", " NULLS FIRST") for _ in q.items])
        return q

    def changed_table(self):
        return self.rng.choice([t for t in self.live if t != "feed"] * 2 + ["feed"]) if "feed" in self.live else self.rng.choice(list(self.live))

    def row_list(self, name):
        """Returns the rows of VALUES. A key is seldom left to its default, which is NULL."""
        rare = lambda c: 0.005 if c in self.keys.get(name, ()) or name == "feed" else 0.08
        rows = [", ".join("DEFAULT" if self.chance(rare(c)) else self.fresh(name, c, k) for c, k in self.live[name]) for _ in range(self.pick(1, 1, 2, 4))]
        return Rows([f"({r})" for r in rows])

    def fresh(self, name, column, kind):
        """Returns a value that may stand in that column."""
        if name == "feed":
            return {"ts": f"'{self.pick('2015-03-28', '2015-03-29', '2015-10-25')} {self.rng.randrange(24):02}:{self.pick('00', '15', '59')}+00'", "sensor": f"'s{self.rng.randrange(4)}'", "room": self.pick("'hall'", "'attic'"),
                    "n": str(self.rng.randint(0, 9))}.get(column, "NULL")
        if column in self.keys.get(name, ()):
            return str(self.rng.randint(1, 12)) if kind == "int" else self.pick("'a'", "'b'", "'c'")
        if column == "name" or (name, column) == ("moves", "n"):
            return ("NULL" if self.chance(0.02) else super().constant(kind).sql()).replace("NULL::", "1::") if kind == "int" else self.pick("'a'", "'ab'", "'b c'", "'ö'")
        if column == "item":
            return str(self.rng.randint(1, 9))
        return "NULL" if self.chance(0.12) else self.constant(kind).sql()

    # ---- steps ----

    def returning(self, name, beside=False):
        if self.chance(0.3):
            return Text("")
        scope = self.own(name)
        if self.chance(0.4):
            return Text(f" RETURNING {name}.*" if beside else " RETURNING *")
        return Text(" RETURNING {}, {}", [self.value(self.pick(*[k for _, k in self.live[name]]), scope, self.pick(1, 2)), self.value("int", scope, 1)])

    def insert(self):
        name = self.changed_table()
        columns = self.live[name]
        if self.chance(0.35):
            kinds = [k for _, k in columns]
            source = self.simple(kinds)
            if name in self.keys:  # keys that seldom conflict
                source = Query([Expr(k, self.fresh(name, c, k) if c in self.keys[name] and self.chance(0.5) else e.sql()) for (c, k), e in zip(columns, source.items)], source.source)
                source.where = [self.condition(None, 1)]
            return Text(f"INSERT INTO {name} ({', '.join(c for c, _ in columns)}) {{}}{{}}", [source, self.returning(name)])
        if self.chance(0.06):
            return Text(f"INSERT INTO {name} DEFAULT VALUES{{}}", [self.returning(name)])
        return Text(f"INSERT INTO {name} VALUES {{}}{{}}", [self.row_list(name), self.returning(name)])

    def conflict(self):
        name = self.pick(*[t for t in self.live if t in self.keys] or ["stock"])
        keys, columns = self.keys.get(name, ["id"]), self.live.get(name, TABLES["stock"])
        target = self.pick(f" ({', '.join(keys)})", f" ON CONSTRAINT {name}_pkey", f" ({', '.join(reversed(keys))})")
        if self.chance(0.35):
            return Text(f"INSERT INTO {name} VALUES {{}} ON CONFLICT{self.pick('', target)} DO NOTHING{{}}", [self.row_list(name), self.returning(name)])
        scope = self.own(name)
        for c, k in columns:
            scope.add(k, f"excluded.{c}")
        rest = [(c, k) for c, k in columns if c not in keys] or columns
        sets = self.rng.sample(rest, self.rng.randint(1, min(2, len(rest))))
        parts = [self.value(k, scope, self.pick(1, 1, 2)) for _, k in sets]
        text, parts = f"INSERT INTO {name} VALUES {{}} ON CONFLICT{target} DO UPDATE SET " + ", ".join(f"{c} = {{}}" for c, _ in sets), [self.row_list(name)] + parts
        if self.chance(0.4):
            text, parts = text + " WHERE {}", parts + [self.condition(scope, 2)]
        return Text(text + "{}", parts + [self.returning(name)])

    def assignments(self, name, scope):
        """Returns SET's list and its values. Times keep their grid and keys stay different, so
        templates change them.
        """
        out, parts = [], []
        for c, k in self.rng.sample(self.live[name], self.rng.randint(1, min(2, len(self.live[name])))):
            if name == "feed" and c != "n":
                out.append(f"{c} = " + (f"ts + interval '{self.pick('1 hour', '-1 day', '60 s')}'" if c == "ts" else self.fresh(name, c, k)))
            elif c in self.keys.get(name, ()):
                out.append(f"{c} = {self.rng.randint(1, 12)}" if k == "int" else f"{c} = '{self.pick('a', 'b', 'd')}'")
            elif name == "feed":
                out.append("n = (feed.n + 1) % 50")
            elif self.chance(0.1):
                out.append(f"{c} = DEFAULT")
            else:
                out.append(f"{c} = {{}}")
                parts.append(self.value(k, scope, self.pick(1, 2)))
        return ", ".join(out), parts

    def beside(self, *args):
        """Returns UPDATE's FROM, with one row for each key, so the choice among rows does not
        matter. With arguments, it returns a FROM's LATERAL.
        """
        if args:
            return super().beside(*args)
        alias = self.name("s")
        source = self.pick("(SELECT item AS k, count(*) AS c, max(n) AS m FROM moves GROUP BY 1)", "(SELECT id AS k, 1::bigint AS c, qty AS m FROM stock)", "(VALUES (1, 2::bigint, 3), (2, 3, NULL), (5, 0, 1))")
        return alias, f"{source} AS {alias} (k, c, m)"

    def update(self):
        name = self.changed_table()
        scope = self.own(name)
        number = next((c for c, k in self.live[name] if k == "int"), None)
        if self.chance(0.35) and number:
            alias, source = self.beside()
            scope.add("int", f"{alias}.m")
            scope.add("big", f"{alias}.c")
            sets, parts = self.assignments(name, scope)
            tail = f" RETURNING {name}.*, {alias}.m" if self.chance(0.03) else "{}"
            return Text(f"UPDATE {name} SET {sets} FROM {source} WHERE {name}.{number} = {alias}.k AND {{}}{tail}", parts + [self.condition(scope, 1)] + ([self.returning(name, beside=True)] if tail == "{}" else []))
        sets, parts = self.assignments(name, scope)
        return Text(f"UPDATE {name} SET {sets} WHERE {{}}{{}}", parts + [self.condition(scope, 2), self.returning(name)])

    def delete(self):
        name = self.changed_table()
        scope = self.own(name)
        number = next((c for c, k in self.live[name] if k == "int"), None)
        if self.chance(0.3) and number:
            alias, source = self.beside()
            scope.add("int", f"{alias}.m")
            return Text(f"DELETE FROM {name} USING {source} WHERE {name}.{number} = {alias}.k AND {{}} AND {{}}{{}}", [self.condition(scope, 1), self.condition(scope, 1), self.returning(name, beside=True)])
        return Text(f"DELETE FROM {name} WHERE {{}} AND {{}}{{}}", [self.condition(scope, 1), self.condition(scope, 2), self.returning(name)])

    def transaction(self):
        if self.inside and self.chance(0.65):
            point = self.pick(*(self.points or ["a"])) if self.chance(0.9) else "b"
            if not self.points or self.chance(0.35):
                self.points.append(self.pick("a", "a", "b"))
                return Text(f"SAVEPOINT {self.points[-1]}")
            if self.chance(0.7):
                return Text(f"ROLLBACK TO {self.pick('', 'SAVEPOINT ')}{point}")
            self.points = []
            return Text(f"RELEASE {point}")
        if self.inside:
            return self.end()
        self.inside, self.points, self.saved = True, [], copy.deepcopy((self.live, self.keys, self.views))
        return Text(self.pick(*["BEGIN"] * 5, "START TRANSACTION", "BEGIN ISOLATION LEVEL REPEATABLE READ", "BEGIN TRANSACTION ISOLATION LEVEL SERIALIZABLE, READ WRITE", "BEGIN READ ONLY"))

    def end(self):
        self.inside, self.points = self.chance(0.15), []
        self.cursors = {name: how for name, how in self.cursors.items() if how[1]}
        words = self.pick("COMMIT", "COMMIT", "END", "ROLLBACK", "ROLLBACK", "ABORT")
        if not words.startswith(("COMMIT", "END")):
            self.live, self.keys, self.views = self.saved
            self.saved = copy.deepcopy(self.saved)
        return Text(words + (" AND CHAIN" if self.inside else ""))

    def cursor(self):
        if self.cursors and self.chance(0.8):
            name = self.rng.choice(list(self.cursors))
            back = self.cursors[name][0]
            if self.chance(0.1):
                del self.cursors[name]
                return Text(f"CLOSE {self.pick(name, name, 'ALL')}")
            n = self.rng.randint(0, 4)
            how = self.pick("", "NEXT", "ALL", str(n), f"FORWARD {n}", "FORWARD ALL", "FORWARD")
            if back:
                how = self.pick(how, "PRIOR", "FIRST", "LAST", f"ABSOLUTE {n}", f"ABSOLUTE -{n}", f"RELATIVE {n}", f"RELATIVE -{n}", f"BACKWARD {n}", "BACKWARD ALL", f"-{n}", "BACKWARD")
            return Text(f"{self.pick('FETCH', 'FETCH', 'MOVE')} {how}{self.pick(' FROM', ' IN') if how else ''} {name}".replace("  ", " "), ordered=True)
        name = f"c{self.rng.randint(1, 3)}"
        kind = self.pick("", "SCROLL ", "SCROLL ", "NO SCROLL ")
        hold = self.pick("", "", " WITH HOLD", " WITHOUT HOLD") if self.inside or self.chance(0.05) else " WITH HOLD"
        if name in self.cursors and self.chance(0.9):
            return Text(f"FETCH ALL FROM {name}", ordered=True)
        self.cursors[name] = (kind == "SCROLL ", hold == " WITH HOLD")
        return Text(f"DECLARE {name} {kind}CURSOR{hold} FOR {{}}", [self.in_order()])

    def prepare(self):
        if self.prepared and self.chance(0.7):
            name = self.rng.choice(list(self.prepared))
            if self.chance(0.06):
                del self.prepared[name]
                return Text(f"DEALLOCATE {self.pick('', 'PREPARE ')}{self.pick(name, name, 'ALL')}")
            arguments = self.prepared[name]()
            return Text(f"EXECUTE {name}{f' ({arguments})' if arguments else ''}", ordered=False)
        name = f"p{self.rng.randint(1, 5)}"
        if name in self.prepared and self.chance(0.9):
            del self.prepared[name]
            return Text(f"DEALLOCATE {name}")
        if self.chance(0.4):
            types, text, arguments = self.rng.choice(PREPARED)
            self.prepared[name] = lambda: self.rng.choice(arguments)
            return Text(f"PREPARE {name}{f' ({types})' if types else ''} AS {text}")
        self.params = []
        body = self.pick(self.simple, self.in_order, self.in_order, self.update, self.delete, self.conflict, self.insert)()
        kinds, self.params = self.params, None
        base = [k[1:] if k in ("fdbl", "fnum") else k for k in kinds]
        types = ", ".join(PARAMETER_TYPES.get(k) or CASTS.get(k, "text") for k in base)
        self.prepared[name] = lambda: ", ".join(self.constant(k).sql() for k in kinds)
        return Text(f"PREPARE {name}{f' ({types})' if kinds and self.chance(0.8) else ''} AS {{}}", [body])

    def define(self):
        self.made += 1
        name = f"made{self.rng.randint(1, 4)}"
        known = [t for t in list(self.live) + list(self.views) if t.startswith("made")]
        r = self.rng.random()
        if r < 0.3 or not known:
            q = self.simple()
            q.lateral = name  # columns get names
            columns = [(f"c{i}", e.kind) for i, e in enumerate(q.items)]
            what = self.pick("TABLE", "TABLE", "TEMP TABLE", "TEMPORARY TABLE", "VIEW", "OR REPLACE VIEW", "MATERIALIZED VIEW")
            if what.endswith("TABLE"):
                self.live[name] = columns
            else:
                self.views[name] = columns
            if what == "VIEW" or what.startswith("OR"):
                for c in range(len(q.items)):  # a literal's type is known
                    q.items[c] = Expr(q.items[c].kind, "({})::" + CASTS[q.items[c].kind], [q.items[c]])
            tail = self.pick("", "", " WITH NO DATA", " WITH DATA") if "VIEW" not in what or what.startswith("M") else ""
            exists = self.pick("", " IF NOT EXISTS") if what != "VIEW" and not what.startswith("OR") else ""
            ends = self.pick("", "", " ON COMMIT DROP", " ON COMMIT DELETE ROWS", " ON COMMIT PRESERVE ROWS") if what.startswith("TEMP") else ""
            return Text(f"CREATE {what}{exists} {name}{ends} AS {{}}{tail}", [q])
        table, made = self.pick(*self.live), self.rng.choice(known)
        column = self.pick(*[c for c, _ in self.live.get(table) or [("c0", "int")]])
        forms = [f"CREATE INDEX {self.pick('', f'{table}_{column} ')}ON {table} ({column})", f"COMMENT ON TABLE {table} IS {self.pick('NULL', chr(39) + 'of ' + table + chr(39))}", f"COMMENT ON COLUMN {table}.{column} IS 'a column'", f"TRUNCATE {table}",
                 f"REFRESH MATERIALIZED VIEW {made}", f"DROP TABLE {self.pick('', 'IF EXISTS ')}{made}", f"DROP VIEW {self.pick('', 'IF EXISTS ')}{made}", f"DROP MATERIALIZED VIEW {made}", f"DROP INDEX {table}_{column}_idx"]
        if made in self.live:
            forms += [f"ALTER TABLE {made} RENAME TO made{self.rng.randint(1, 4)}", f"ALTER TABLE {made} ADD COLUMN more{self.made} {self.pick('int', 'text DEFAULT ' + chr(39) + 'x' + chr(39), 'numeric(8,3)')}", f"ALTER TABLE {made} DROP COLUMN {self.pick('c0', 'c1')}",
                      f"ALTER TABLE {made} RENAME c0 TO c9", f"ALTER TABLE {made} ALTER c0 SET NOT NULL", f"ALTER TABLE {made} ALTER c1 TYPE text", f"ALTER TABLE {made} ALTER c0 SET DEFAULT NULL"]
        return Text(self.pick(*forms))

    def look(self):
        r = self.rng.random()
        if r < 0.35:
            return Text(self.rng.choice(CATALOG))
        if r < 0.45:
            return Text(self.pick("SET timezone = 'Asia/Tokyo'", "SET LOCAL timezone = 'Europe/Berlin'", "RESET timezone", "SHOW timezone", "SET TRANSACTION READ ONLY", "SELECT now() = transaction_timestamp()", "SET LOCAL extra_float_digits = 0"))
        if r < 0.75:
            return Text(f"SELECT * FROM {self.pick(*self.live, *self.views)}")
        return self.in_order() if self.chance(0.5) else self.simple()

    def step(self):
        self.names = 0
        if self.inside and self.chance(0.12):
            return self.end()
        return self.pick(self.insert, self.conflict, self.update, self.delete, self.transaction, self.transaction, self.transaction, self.cursor, self.cursor, self.cursor, self.prepare, self.prepare, self.prepare, self.define, self.look, self.look)()

    def rows(self):
        """Returns the rows of the tables at the start."""
        out = []
        for name, count in ROWS.items():
            seen, rows = set(), []
            for _ in range(count):
                values = [self.fresh(name, c, k) for c, k in TABLES[name]]
                key = tuple(values[i] for i, (c, _) in enumerate(TABLES[name]) if c in KEYS.get(name, ()))
                if key and key in seen:
                    continue
                seen.add(key)
                if name == "stock":
                    values[1] = self.pick("'a'", "'ab'", "'b c'", "'ö'")
                if name == "moves":
                    values[2] = str(self.rng.randint(0, 5))
                rows.append(f"({', '.join(values)})")
            out.append(f"INSERT INTO {name} VALUES {', '.join(rows)}")
        return out

    def sequence(self, count):
        first = self.rows()
        return first, [self.step() for _ in range(count)] + [Text("COMMIT")] + [Text(f"SELECT * FROM {t}") for t in TABLES]
