"""Tables of every type, tables to be joined, and a packed table of sensors: the same rows for PostgreSQL and mtsql, from a seed."""
import random

# The values of a column of each kind. None is NULL. Doubles add up exactly in every order.
POOLS = {
    "bool": ["true", "false"],
    "small": ["0", "1", "-1", "2", "7", "100", "-32768", "32767"],
    "int": ["0", "1", "2", "3", "-1", "5", "10", "-7", "42", "99"],
    "int extreme": ["0", "2147483647", "-2147483648", "2147483646", "65536", "-1"],
    "big": ["0", "1", "-1", "1000000", "4294967296", "-4294967297", "123456789"],
    "big extreme": ["0", "9223372036854775807", "-9223372036854775808", "9007199254740993", "-9007199254740993", "1"],
    "num": ["0.00", "1.00", "-1.50", "0.01", "99.99", "2.25", "-0.05", "1000.10", "12345678.91"],
    "num any": ["0", "1.0", "1.00", "-0.5", "123456789012345678901.5", "0.0000000001", "NaN", "1e10", "3.14159265358979", "-99999999999.999"],
    "dbl": ["0", "-0", "1", "-1.5", "0.25", "1000000", "-0.125", "42"],
    "dbl extreme": ["NaN", "Infinity", "-Infinity", "0", "1e300", "-1e-300", "4.9e-324", "1.7976931348623157e308", "0.1"],
    "real": ["0", "1.5", "-2.25", "0.1", "1e10", "NaN"],
    "text": ["", " ", "a", "A", "ab", "b", "a b", "aab", "it''s", "a\\b", "100%", "_x", "NULL", "1", "01", "-1.5", "äöü", "ÄÖ", "日本", "x\ty", "x\ny", "😀", "zz", "{1,2}", "\"q\"", "a,b", "$a", "a.b"],
    "vc": ["", "a", "abc", "xyz  ", "Ab", "ßs", "10", "9"],
    "bytea": ["\\x", "\\x00", "\\x00ff", "\\xff", "\\x616263", "\\xe697a5"],
    "date": ["2015-03-29", "2015-03-28", "2015-10-25", "2015-04-05", "2000-02-29", "1999-12-31", "1970-01-01", "2016-01-03", "1944-01-01", "9999-12-31", "2014-12-29"],
    "time": ["00:00:00", "23:59:59.999", "12:34:56", "02:30:00", "12:00:00"],
    "ts": ["2015-03-29 02:30:00", "2015-03-29 01:59:59.999", "2015-10-25 02:30:00", "2000-02-29 12:00:00", "1970-01-01 00:00:00", "1969-12-31 23:59:59.5", "2015-03-31 00:00:00", "2016-12-31 23:00:00"],
    "tstz": ["2015-03-29 00:59:59.999+00", "2015-03-29 01:00:00+00", "2015-10-25 00:30:00+00", "2015-10-25 01:30:00+00", "2015-04-04 15:15:00+00", "2000-02-29 12:00:00+00", "1970-01-01 00:00:00+00", "2015-03-08 07:00:00+00",
             "2015-11-01 06:30:00+00", "2015-12-31 23:30:00+00"],
    "ival": ["1 day", "24 hours", "1 mon", "30 days", "-1 day +02:03:04", "00:00:00.5", "1 year 2 mons", "0", "-3 hours", "36 hours"],
    "json": ["null", "true", "0", "12", "-1.50", "1e3", "\"a\"", "\"x y\"", "\"\"", "[]", "{ }", "[1,2]", "[\"a\",null,{\"b\":1}]", "[[1],[2,3]]", "{\"a\":1}", "{\"a\":null}", "{\"b\":{\"a\":\"x\",\"c\":[1,2,\"a\"]},\"a\":2.50}",
             "{\"a\":{\"a\":{\"a\":true}}}", "{\"a\":[{\"b\":1},{\"b\":\"ö\"}]}", "{\"a.b\":1,\"$c\":2,\"\":3}", "{\"aa\":1,\"b\":2}", "[1,[],{ }]"],
    "ia": ["{}", "{1,2,3}", "{NULL,2}", "{5}", "{1,2}", "{-1,0,99}", "{2,2}"],
    "ta": ["{}", "{a,b}", "{\"a b\",NULL}", "{\"\"}", "{b}", "{a,ab,1}"],
    "uuid": ["a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a12"],
}
TYPES = {"bool": "boolean", "small": "smallint", "int": "integer", "big": "bigint", "num": "numeric(12,2)", "dbl": "double precision", "real": "real", "text": "text", "vc": "varchar(10)", "bytea": "bytea", "date": "date",
         "time": "time", "ts": "timestamp", "tstz": "timestamptz", "ival": "interval", "uuid": "uuid", "ia": "integer[]", "ta": "text[]", "json": "jsonb"}
CASTS = {**TYPES, "num": "numeric", "vc": "varchar"}

# name: [(column, kind, pool)]; the first column is the key. Kinds "vc" are text to the generator.
EVERY = [("b1", "bool", "bool"), ("b2", "bool", "bool"), ("s1", "small", "small"), ("i1", "int", "int"), ("i2", "int", "int"), ("i3", "int", "int extreme"), ("l1", "big", "big"), ("l2", "big", "big extreme"),
         ("n1", "num", "num"), ("n2", "num", "num any"), ("f1", "dbl", "dbl"), ("f2", "dbl", "dbl extreme"), ("r1", "real", "real"), ("t1", "text", "text"), ("t2", "text", "text"), ("v1", "vc", "vc"),
         ("y1", "bytea", "bytea"), ("d1", "date", "date"), ("d2", "date", "date"), ("m1", "time", "time"), ("p1", "ts", "ts"), ("z1", "tstz", "tstz"), ("z2", "tstz", "tstz"), ("v2", "ival", "ival"), ("u1", "uuid", "uuid"), ("a1", "ia", "ia"), ("a2", "ta", "ta"), ("j1", "json", "json"), ("j2", "json", "json")]
TABLES = {
    "every": (40, EVERY),
    "people": (12, [("name", "text", "text"), ("boss", "int", "int"), ("pay", "num", "num"), ("born", "date", "date"), ("ok", "bool", "bool")]),
    "orders": (30, [("person", "int", "int"), ("item", "int", "int"), ("qty", "small", "small"), ("price", "num", "num"), ("at", "tstz", "tstz"), ("note", "text", "vc")]),
    "items": (9, [("name", "text", "vc"), ("weight", "dbl", "dbl"), ("made", "ts", "ts"), ("code", "uuid", "uuid")]),
}
NUMERIC_ANY = {"n2"}


def type_of(column, kind):
    return "numeric" if column in NUMERIC_ANY else TYPES[kind]


def literal(value):
    return "NULL" if value is None else f"'{value}'"


def create():
    """Returns statements that both programs understand."""
    out = []
    for name, (count, columns) in TABLES.items():
        rng = random.Random(f"oracle/{name}")
        out.append(f"CREATE TABLE {name} (id integer, " + ", ".join(f"{c} {type_of(c, k)}" for c, k, _ in columns) + ")")
        rows = [[None if rng.random() < 0.2 else rng.choice(POOLS[pool]) for _, _, pool in columns] for _ in range(count)]
        # a row equal to its neighbour except for the key; a row of NULLs; a row whose fields are
        # missing
        rows[3], rows[4] = rows[2], [None] * len(columns)
        out.append(f"INSERT INTO {name} VALUES " + ", ".join("(" + ", ".join([str(i + 1)] + [literal(v) for v in row]) + ")" for i, row in enumerate(rows)))
        out.append(f"INSERT INTO {name} (id) VALUES ({count + 1})")
    return out


SENSORS = [("ts", "tstz"), ("sensor", "text"), ("room", "text"), ("value", "dbl"), ("n", "int")]
SENSORS_THERE = "CREATE TABLE sensors (ts timestamptz NOT NULL, sensor text NOT NULL, room text NOT NULL, value double precision, n integer NOT NULL)"
SENSORS_HERE = ("CREATE TABLE sensors (ts timestamptz TIME PERIOD '60 s' NOT NULL, sensor text DIMENSION NOT NULL, room text DIMENSION NOT NULL, value double precision MEASURE, n integer MEASURE NOT NULL) USING per_day",
                "ALTER TABLE sensors ADD LAYOUT s_tree USING nested WITH (cluster_by = 'sensor', levels = 'ts, room', presum = 'ts, room')",
                "ALTER TABLE sensors ADD LAYOUT s_room USING nested WITH (cluster_by = 'room', levels = 'sensor, ts', presum = 'sensor')",
                "ALTER TABLE sensors ADD LAYOUT s_newest USING latest WITH (key = 'sensor')",
                "ALTER TABLE sensors ADD LAYOUT s_pairs USING latest WITH (tie = 'n')",
                "ALTER TABLE sensors ADD LAYOUT s_months USING rows WITH (partition_by = 'month')")


def sensor_rows():
    rng, out = random.Random("oracle/sensors"), []
    days = ["2015-03-28", "2015-03-29", "2015-03-30", "2015-10-25"]
    for i in range(160):
        at = f"{days[i % 4]} {rng.randrange(24):02}:{rng.choice([0, 0, 15, 30, 59]):02}:00+00"
        value = rng.choice([None, "NaN", "Infinity"]) if rng.random() < 0.04 else rng.choice([0, 0.25, 20.5, 21, -3.75, 1000])
        out.append(f"('{at}', 's{rng.randrange(5)}', '{rng.choice(['hall', 'attic', 'öst'])}', {literal(value)}, {rng.randrange(6)})")
    return ["INSERT INTO sensors VALUES " + ", ".join(out)]
