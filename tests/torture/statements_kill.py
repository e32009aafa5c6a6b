#!/usr/bin/env python3
"""Kills the command (SIGKILL, at random moments) during very different statements. Each case has a
model of what may be there afterwards.

The cases: temporary tables; drop_chunks and expiry; REPAIR of damaged layouts; PREALLOCATE; CREATE
TABLE … AS with partitions; DELETE of ranges of time, and TRUNCATE; columns that are added, dropped
and changed; COPY of events into several layouts; REFRESH; two writers, of which one goes on. On a
server, REPAIR TABLE comes before CHECK TABLE.

    statements_kill.py [KILLS [SERVER [SERVER_KILLS]]]    as for maintain_kill.py

ONLY=case,… runs only these cases.
"""
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from kills import HANG_S, MTSQL, in_layouts, mtsql, no_faults, rows, seeded, still, writer_killed


class Case:
    """A script to be killed in. A line after each statement acknowledges it."""
    TABLES, GENERATION = (), 8  # the tables that are checked, and after how many kills they are made anew
    REPAIRS = False  # whether CHECK TABLE needs a REPAIR TABLE before it, also in process

    def __init__(self, at):
        self.at, self.rng, self.kills = at, at.rng, 0

    def sql(self, sql):
        return mtsql(self.at.target, sql)

    def fail(self, when, what):
        sys.exit(f"{when}: {what}")

    def begin(self):
        """Makes the tables of the case anew."""

    def script(self):
        raise NotImplementedError

    def companion(self):
        """Returns the script of another writer, which begins earlier and goes on to the end. None:
        there is no such writer.
        """

    def over(self):
        """Returns whether nothing is left to do. Then the tables are made anew."""
        return self.kills % self.GENERATION == 0

    def look(self, acknowledged, companion, when):
        """Ends the program if something is there that can't be. It gets the numbers of what was
        acknowledged, and the other writer's end.
        """
        raise NotImplementedError


def lines(statements):
    return "".join(f"{sql}\n\\echo done {n}\n" for n, sql in enumerate(statements, 1))


class Temporary(Case):
    """Rows of temporary tables end with the process. Rows that it wrote to other tables are whole,
    or not there.
    """
    TABLES = ("kept",)

    def begin(self):
        self.sql("DROP TABLE IF EXISTS kept, made; CREATE TABLE kept (n bigint, rows bigint);")
        self.there = 0

    def script(self):
        w = "CREATE TEMP TABLE w (ts timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, v bigint MEASURE NOT NULL) USING rows; ALTER TABLE w ADD LAYOUT n USING nested WITH (cluster_by = 'k');"
        add = "INSERT INTO w SELECT '2020-01-01'::timestamptz + i * interval '1 s', 'k' || i % 3, i FROM generate_series (1, 3000) i;"
        made = "CREATE TABLE made AS SELECT * FROM w;"
        out = f"{w}\n{add}\n{made}\n"
        for n in range(self.there + 1, self.there + 40):
            out += f"UPDATE w SET v = v + 1 WHERE k = 'k{n % 3}';\nINSERT INTO kept SELECT {n}, count(*) FROM w;\n\\echo done {n}\n"
            out += f"DELETE FROM w WHERE k = 'k2'; DROP TABLE made; {made}\n{add}\n" if n % 5 == 0 else ""
        return out

    def look(self, acknowledged, companion, when):
        if os.listdir(self.at.temporary):
            self.fail(when, f"files are left: {os.listdir(self.at.temporary)}")
        found = [int(r[0]) for r in rows(self.at.target, "SELECT n FROM kept ORDER BY n;")]
        last = acknowledged[-1] if acknowledged else self.there
        if found not in (list(range(1, last + 1)), list(range(1, last + 2))):
            self.fail(when, f"up to {last} was acknowledged, {found} is there")
        if mtsql(self.at.target, "SELECT * FROM w;", check=False).returncode == 0 or self.at.collections("pg_temp."):
            self.fail(when, f"a temporary table is left: {self.at.collections('pg_temp.')}")
        made = mtsql(self.at.target, "SELECT count(*) FROM made;", check=False)
        if made.returncode == 0 and (int(made.stdout) % 1000 or not (int(made.stdout) or self.at.remote)):  # on a server DROP TABLE is not one commit
            self.fail(when, f"half a table was made: {made.stdout}")
        self.sql("SET intent_timeout = 0; DROP TABLE IF EXISTS made; CREATE TABLE made (n bigint); DROP TABLE made;")
        self.there = len(found)


class Retention(Case):
    """drop_chunks and expire_after remove ever later days. Rows of acknowledged days must be gone.
    Rows that no statement named must be there.
    """
    TABLES, LAYOUTS, DAYS, GENERATION = ("h",), ("rows", "day", "host", "one"), 60, 6

    def begin(self):
        self.a_day, self.made = 8 if self.at.remote else 48, int(time.time()) // 86400 * 86400
        self.sql(f"""DROP TABLE IF EXISTS h;
CREATE TABLE h (ts timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, v bigint MEASURE NOT NULL) USING rows WITH (partition_by = 'month');
ALTER TABLE h ADD LAYOUT day USING per_day WITH (time_encoding = 'date');
ALTER TABLE h ADD LAYOUT host USING nested WITH (cluster_by = 'host', levels = 'ts', presum = 'ts');
ALTER TABLE h ADD LAYOUT one USING rows;
INSERT INTO h SELECT date_trunc('day', now(), 'UTC') - interval '{self.DAYS} days' + i * interval '1 day' / {self.a_day}, 'h' || i % 3, 1 FROM generate_series (0, {self.DAYS * self.a_day - 1}) i;""")
        self.gone = 0

    def statement(self, day):
        """Returns a statement after which no row before this day is visible. Some rows stay, out of
        sight: those of a month's partition, and of packed documents with rows on both sides.
        """
        ago = self.DAYS - day
        if self.rng.random() < 0.5:
            return f"CALL drop_chunks ('h', older_than => date_trunc('day', now(), 'UTC') - interval '{ago} days');"
        sweep = self.rng.choice(["VACUUM h;", "CALL drop_chunks ('h');", "SET sweep_interval = '1ms'; CREATE TABLE IF NOT EXISTS nothing (i int); INSERT INTO nothing VALUES (1);"])
        after = self.rng.choice(["ALTER TABLE h RESET (expire_after);", "ALTER TABLE h SET (expire_after = '400 days');", ""])
        return f"ALTER TABLE h SET (expire_after = '{ago} days');\n{sweep}\n{after}"

    def script(self):
        self.days = []
        while (self.days or [self.gone])[-1] < self.DAYS - 2:
            self.days.append(min((self.days or [self.gone])[-1] + self.rng.randrange(1, 5), self.DAYS - 2))
        return lines(self.statement(d) for d in self.days)

    def look(self, acknowledged, companion, when):
        today = int(time.time()) // 86400 * 86400
        if today != self.made:  # a day ended meanwhile, so rows of one more day have expired
            self.gone = self.DAYS
            return
        # partitions of months make the unit a month: rows stay up to that much longer
        answers = set(in_layouts(self.at.target, self.LAYOUTS, "SELECT count(*), sum(v), extract(epoch FROM min(ts))::bigint FROM h"))
        if len(answers) != 1:
            self.fail(when, f"the layouts differ: {answers}")
        count, _, first = answers.pop().split("|")
        seen = (today - int(first)) / 86400
        asked = self.days[min(len(acknowledged), len(self.days) - 1)] if self.days else self.gone
        if seen * self.a_day != int(count) or seen > self.DAYS or seen < self.DAYS - asked:
            self.fail(when, f"{count} rows are seen, from {seen} days ago; {asked} of {self.DAYS} days were to go at most")
        last = self.days[len(acknowledged) - 1] if acknowledged else self.gone
        if seen > self.DAYS - self.floor(last, today):
            self.fail(when, f"rows from {seen} days ago are seen; {last} of {self.DAYS} days are gone, it was acknowledged")
        self.gone = last

    def over(self):
        return super().over() or self.gone > self.DAYS - 10

    def floor(self, day, today):
        """Returns the days that are gone if all rows before this day are removed, in whole months.
        """
        at = time.gmtime(today - (self.DAYS - day) * 86400)
        return max(0, day - (at.tm_mday - 1))


class Repair(Case):
    """REPAIR mends a damaged layout and a damaged document. Records stay, and a second REPAIR mends
    the rest.
    """
    TABLES, LAYOUTS, GENERATION, REPAIRS = ("e",), ("rows", "packed", "sums"), 1, True

    def begin(self):
        self.rows = 600 if self.at.remote else 6000
        self.sql(f"""DROP TABLE IF EXISTS e; DROP TABLE IF EXISTS tops;
CREATE TABLE e (ts timestamptz TIME PERIOD '1 s' NOT NULL, k text DIMENSION NOT NULL, id bigint MEASURE NOT NULL) USING rows;
ALTER TABLE e ADD LAYOUT packed USING nested WITH (cluster_by = 'k', levels = 'ts', presum = 'ts', flush_levels = 100);
ALTER TABLE e ADD LAYOUT sums USING nested WITH (levels = 'k, ts', presum = 'k, ts', raw_values = false);
INSERT INTO e SELECT '2020-01-01'::timestamptz + i * interval '1 s', 'k' || i % 5, i FROM generate_series (1, {self.rows}) i;
CREATE TABLE tops (k text, records bigint FIELD 'count') USING rows WITH (collection = 'e_packed');
UPDATE tops SET records = records + 1;
{self.rng.choice(["DELETE FROM tops WHERE k = 'k1';", ""])}
DROP TABLE tops;""")

    def script(self):
        repair = self.rng.choice(["REPAIR TABLE e;", "REPAIR TABLE e;", "REPAIR LAYOUT packed OF e;", "REPAIR TABLE e FROM rows;"])
        return lines(["SET intent_timeout = 0;", repair, "REPAIR TABLE e FROM packed;", "REPAIR TABLE e FROM rows;"])

    def look(self, acknowledged, companion, when):
        answers = set(in_layouts(self.at.target, self.LAYOUTS, "SELECT count(*), sum(id) FROM e"))
        if answers != {f"{self.rows}|{self.rows * (self.rows + 1) // 2}"}:
            self.fail(when, f"after REPAIR the layouts say {answers}")


class Preallocation(Case):
    """PREALLOCATE makes documents of coming days, with hits between. All acknowledged hits must be
    there, and no others, whether or not their documents are.
    """
    TABLES = ("hits",)

    def begin(self):
        self.metrics, self.day, self.spoilt = 5 if self.at.remote else 100, 0, False
        parts = self.rng.choice(["", " WITH (partition_by = 'month')"])
        self.sql(f"DROP TABLE IF EXISTS hits; CREATE TABLE hits (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, n bigint MEASURE COUNTER NOT NULL) "
                 f"USING daily_metrics{parts}; {self.hit(0)}")

    def hit(self, day):
        return f"INSERT INTO hits SELECT '2020-01-25 12:00+00'::timestamptz + {day} * interval '1 day' + i * interval '1 min', 'm' || i, 1 FROM generate_series (1, {self.metrics}) i;"

    def ahead(self, day):
        return time.strftime("PREALLOCATE hits FOR '3 days' FROM '%Y-%m-%d 12:00+00';", time.gmtime(1579953600 + day * 86400))

    def script(self):
        return lines(s for day in range(self.day, self.day + 40) for s in (self.ahead(day), self.hit(day + 1)))

    def look(self, acknowledged, companion, when):
        self.day += len(acknowledged) // 2
        least = (self.day + 1) * self.metrics
        most = least + len(acknowledged) % 2 * self.metrics
        answers = {mtsql(self.at.target, f"SET cut = '{cut}'; SELECT sum(n), count(DISTINCT day) FROM (SELECT date_trunc('{unit}', ts, 'UTC') AS day, sum(n) AS n FROM hits GROUP BY 1) d;").stdout
                   for cut, unit in (("daily", "day"),)}
        answers |= {mtsql(self.at.target, f"SET cut = '{cut}'; SELECT sum(n), count(DISTINCT date_trunc('day', ts, 'UTC')) FROM hits;").stdout for cut in ("hour", "minute")}
        hits, days = map(int, answers.copy().pop().split("|"))
        if len(answers) != 1 or not least <= hits <= most or days != -(-hits // self.metrics):
            self.fail(when, f"from {least} to {most} hits of {self.metrics} series were to be there: {answers}")
        self.spoilt = hits > least  # the one under way was done, wholly or in part
        again = self.sql(f"{self.ahead(self.day)}\n\\set QUIET off\n{self.ahead(self.day)}\n").stdout.split("\n")
        if "PREALLOCATE 0" not in again:
            self.fail(when, f"not all documents were made: {again}")

    def over(self):
        return super().over() or self.spoilt


class Partitions(Case):
    """CREATE TABLE … AS into partitions, another layout, DROP TABLE. The table is there or not. The
    next table of its name has only its own rows.
    """
    LAYOUTS = ("rows", "day")

    def begin(self):
        self.days, self.a_day = (6, 10) if self.at.remote else (30, 100)
        self.sql("SET intent_timeout = 0; DROP TABLE IF EXISTS p;")

    def create(self, n):
        return f"""CREATE TABLE p USING rows WITH (partition_by = 'day') AS SELECT '2020-01-{n % 5 + 1:02} 00:00+00'::timestamptz + i * interval '1 day' / {self.a_day} AS ts, 'k' || i % 3 AS k, {n}::bigint AS v
   FROM generate_series (0, {self.days * self.a_day - 1}) i;"""

    def script(self):
        self.first = self.rng.randrange(5)
        return lines(s for n in range(self.first, self.first + 40) for s in (self.create(n), "ALTER TABLE p ADD LAYOUT day USING per_day WITH (partition_by = 'month');", "DROP TABLE p;"))

    def look(self, acknowledged, companion, when):
        done, n = len(acknowledged), self.first + len(acknowledged) // 3
        seen = mtsql(self.at.target, "SELECT count(*), min(v), max(v) FROM p;", check=False)
        if seen.returncode and done % 3 == 1:
            self.fail(when, f"the table isn't there: {seen.stderr}")
        if not seen.returncode and seen.stdout.strip() != f"{self.days * self.a_day}|{n}|{n}":
            self.fail(when, f"table {n} has {seen.stdout}")
        if not seen.returncode:
            no_faults(self.at.target, ["p"], when)
        self.sql("SET intent_timeout = 0; DROP TABLE IF EXISTS p;")
        self.at.settle()
        for n in (n + 1, n + 7):
            self.sql(f"SET intent_timeout = 0; {self.create(n)} ALTER TABLE p ADD LAYOUT day USING per_day WITH (partition_by = 'month');")
            answers = set(in_layouts(self.at.target, self.LAYOUTS, "SELECT count(*), min(v), max(v) FROM p"))
            if answers != {f"{self.days * self.a_day}|{n}|{n}"}:
                self.fail(when, f"of the next table the layouts say {answers}")
            self.sql("DROP TABLE p;")
        if self.at.collections("p"):
            self.fail(when, f"collections are left: {self.at.collections('p')}")


class Ranges(Case):
    """Days are added, ranges of time are deleted (whole partitions, and documents at the edges,
    which are made anew), times are changed, all rows are removed, and an index is made.
    """
    TABLES, LAYOUTS = ("days",), ("rows", "packed", "month")

    def begin(self):
        self.a_day, self.there, self.next = 6 if self.at.remote else 40, frozenset(), 0
        self.sql("""DROP TABLE IF EXISTS days;
CREATE TABLE days (ts timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, id bigint MEASURE NOT NULL) USING rows WITH (partition_by = 'day');
ALTER TABLE days ADD LAYOUT packed USING nested WITH (cluster_by = 'k', levels = 'ts', presum = 'ts', flush_levels = 50);
ALTER TABLE days ADD LAYOUT month USING per_day WITH (bucket = '1 month', partition_by = 'month');""")

    def at_id(self, i):
        return f"'2020-01-25 00:00+00'::timestamptz + {i} * interval '1 day' / {self.a_day}"

    def change(self, there):
        """Returns a statement, and what is there after it. Ids grow with the time."""
        kind = self.rng.choice(["load"] * 4 + ["delete"] * 4 + ["edge", "truncate", "index"])
        if kind == "load" or not there:
            first, self.next = self.next, self.next + self.rng.randrange(1, 4 * self.a_day)
            return (f"INSERT INTO days SELECT {self.at_id('i')}, 'k' || i % 3, i FROM generate_series ({first}, {self.next - 1}) i;", there | set(range(first, self.next)))
        if kind == "truncate":
            return "TRUNCATE days;", frozenset()
        if kind == "index":
            return "DROP INDEX IF EXISTS days_by_k; CREATE INDEX days_by_k ON days (k);", there
        low = self.rng.randrange(min(there), max(there) + 1)
        high = min(low + self.rng.randrange(3 * self.a_day), max(there))
        more = " AND k <> 'k1'" if kind == "edge" else ""
        return (f"DELETE FROM days WHERE ts >= {self.at_id(low)} AND ts <= {self.at_id(high)}{more};", frozenset(i for i in there if not low <= i <= high or (more and i % 3 == 1)))

    def script(self):
        self.states, statements = [self.there], []
        for _ in range(40):
            sql, there = self.change(self.states[-1])
            statements.append(sql)
            self.states.append(frozenset(there))
        return lines(statements)

    def look(self, acknowledged, companion, when):
        ids = [int(r[0]) for r in rows(self.at.target, "SET layout = 'rows'; SELECT id FROM days;")]
        before, after = self.states[len(acknowledged)], self.states[min(len(acknowledged) + 1, len(self.states) - 1)]
        found = frozenset(ids)
        whole = found in (before, after) or (self.at.remote and before & after <= found <= before | after)
        if len(ids) != len(found) or not whole:
            self.fail(when, f"{len(ids) - len(found)} rows are there twice, {sorted((before & after) - found)[:9]} are gone, of others {sorted(found - (before | after))[:9]} are there; of {len(before)} and {len(after)} {len(found)}")
        answers = set(in_layouts(self.at.target, self.LAYOUTS, "SELECT count(*), coalesce(sum(id), 0) FROM days"))
        if answers != {f"{len(ids)}|{sum(ids)}"}:
            self.fail(when, f"the layouts say {answers}")
        self.there, self.next = found, max([self.next, *found, -1]) + 1


class Columns(Case):
    """Columns are added, dropped, renamed and get other types, in several layouts and with an
    index. Rows are written between.
    """
    TABLES, LAYOUTS, GENERATION = ("c",), ("rows", "packed", "day"), 6

    def begin(self):
        rows_there = 60 if self.at.remote else 1500
        self.sql(f"""DROP TABLE IF EXISTS c;
CREATE TABLE c (ts timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, v bigint MEASURE NOT NULL) USING rows WITH (partition_by = 'month');
ALTER TABLE c ADD LAYOUT packed USING nested WITH (cluster_by = 'k', flush_levels = 200);
ALTER TABLE c ADD LAYOUT day USING per_day WITH (partition_by = 'month');
CREATE INDEX by_k ON c (k);
INSERT INTO c SELECT '2020-01-25 00:00+00'::timestamptz + i * interval '20 days' / {rows_there}, 'k' || i % 3, i FROM generate_series (1, {rows_there}) i;""")
        self.state = ("v", "bigint", False, rows_there)

    def change(self, name, kind, more, count):
        """Returns a statement, and what is there after it: name and type of the third column,
        whether there is a fourth, and the number of rows, which are numbered from 1.
        """
        step = self.rng.choice(["name", "type", "more", "row"])
        if step == "name":
            other = "w" if name == "v" else "v"
            return f"ALTER TABLE c RENAME COLUMN {name} TO {other};", (other, kind, more, count)
        if step == "type":
            other = "integer" if kind == "bigint" else "bigint"
            return f"ALTER TABLE c ALTER COLUMN {name} TYPE {other};", (name, other, more, count)
        if step == "more":
            return "ALTER TABLE c DROP COLUMN more;" if more else "ALTER TABLE c ADD COLUMN more integer DEFAULT 7;", (name, kind, not more, count)
        return f"INSERT INTO c (ts, k, {name}) VALUES ('2020-02-28 00:00+00'::timestamptz + {count} * interval '1 s', 'k1', {count + 1});", (name, kind, more, count + 1)

    def script(self):
        self.states, statements = [self.state], []
        for _ in range(20):
            sql, state = self.change(*self.states[-1])
            statements.append(sql)
            self.states.append(state)
        return lines(statements)

    def look(self, acknowledged, companion, when):
        columns = rows(self.at.target, "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 'c' ORDER BY ordinal_position;")
        (name, kind), more = columns[2], len(columns) > 3
        answers = set(in_layouts(self.at.target, self.LAYOUTS, f"SELECT count(*), sum({name}), {'count(more), min(more), max(more)' if more else 0} FROM c"))
        self.state = (name, kind, more, int(next(iter(answers)).split("|")[0]))
        before, after = self.states[len(acknowledged)], self.states[min(len(acknowledged) + 1, len(self.states) - 1)]
        if self.state not in (before, after):
            self.fail(when, f"{self.state} is there, not {before} or {after}")
        n = self.state[3]
        if answers != {f"{n}|{n * (n + 1) // 2}|{f'{n}|7|7' if more else 0}"}:
            self.fail(when, f"of {n} rows the layouts say {answers}")


class Events(Case):
    """COPY adds files of events to counters of several layouts. One of them keeps an event in three
    documents.
    """
    TABLES, LAYOUTS = ("ev",), ("rows", "flat", "deep", "months")

    def begin(self):
        self.there = self.files = 0
        self.sql("""DROP TABLE IF EXISTS ev;
CREATE TABLE ev (ts timestamptz TIME PERIOD '1 min' NOT NULL, item text DIMENSION NOT NULL, grp text DIMENSION NOT NULL, host text DIMENSION NOT NULL, v bigint MEASURE COUNTER NOT NULL) USING rows;
ALTER TABLE ev ADD LAYOUT flat USING daily_metrics;
ALTER TABLE ev ADD LAYOUT deep USING daily_metrics WITH (style = 'hierarchical', partition_by = 'month');
ALTER TABLE ev ADD LAYOUT months USING mms WITH (months = true, partition_by = 'month');""")

    def copy(self, n):
        self.files += 1
        path = self.at.folder / f"events{self.files}.csv"
        path.write_text("".join(f"2020-{1 + i % 2:02}-{1 + i * 7 % 29:02} {i % 24:02}:{i * 13 % 60:02}+00,i{i % 3},g{i % 2},h{i % 5},1\n" for i in range(n)))
        return f"COPY ev FROM '{path}' WITH (FORMAT csv);"

    def script(self):
        self.sizes = [self.rng.choice([1, 40, 400] if self.at.remote else [1, 100, 3000]) for _ in range(20)]
        return lines(self.copy(n) for n in self.sizes)

    def look(self, acknowledged, companion, when):
        answers = set(in_layouts(self.at.target, self.LAYOUTS, "SELECT coalesce(sum(v), 0) FROM ev"))
        if len(answers) != 1:
            self.fail(when, f"the layouts say {answers}")
        found, must = int(answers.pop()), self.there + sum(self.sizes[:len(acknowledged)])
        more = sum(self.sizes[len(acknowledged):len(acknowledged) + 1])
        if found not in (must, must + more) and not (self.at.remote and must < found < must + more):
            self.fail(when, f"{found} events are there, of {must} that were acknowledged and {more} on their way")
        self.there = found


class Views(Case):
    """REFRESH fills materialized views anew. Each view has all rows of one REFRESH or of the one
    before it, also on a server.
    """
    TABLES, LAYOUTS = ("source", "sums", "copies"), ("rows", "packed")

    def begin(self):
        self.state = (150 if self.at.remote else 3000, 0, 0)
        self.sql(f"""DROP MATERIALIZED VIEW IF EXISTS sums, copies; DROP TABLE IF EXISTS source;
CREATE TABLE source (ts timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, v bigint MEASURE NOT NULL) USING rows;
CREATE MATERIALIZED VIEW sums AS SELECT k, sum(v) AS s FROM source GROUP BY k;
CREATE MATERIALIZED VIEW copies USING per_day WITH (partition_by = 'month') AS SELECT ts, k, v FROM source;
ALTER TABLE copies ADD LAYOUT packed USING nested WITH (cluster_by = 'k');
INSERT INTO source SELECT '2019-01-01 00:00+00'::timestamptz + i * interval '1 hour' / 8, 'k' || i % 300, 1 FROM generate_series (1, {self.state[0]}) i;""")

    def script(self):
        self.states, statements = [self.state], []
        for _ in range(24):
            n, sums, copies = self.states[-1]
            kind = self.rng.choice(["sums", "copies", "row"])
            statements.append(f"INSERT INTO source VALUES ('2020-01-01 00:00+00'::timestamptz + {n} * interval '1 hour', 'k{n % 300}', 1);" if kind == "row" else f"REFRESH MATERIALIZED VIEW {kind};")
            self.states.append({"row": (n + 1, sums, copies), "sums": (n, n, copies), "copies": (n, sums, n)}[kind])
        return lines(statements)

    def look(self, acknowledged, companion, when):
        found = tuple(int(r[0]) for r in rows(self.at.target, "SELECT count(*) FROM source; SELECT coalesce(sum(s), 0) FROM sums; SELECT count(*) FROM copies;"))
        before, after = self.states[len(acknowledged)], self.states[min(len(acknowledged) + 1, len(self.states) - 1)]
        if found not in (before, after):
            self.fail(when, f"{found} rows are in the table and its views, not {before} or {after}")
        self.state = found


class Writers(Case):
    """Two processes write one table in several layouts. One is killed and the other goes on. All
    that either acknowledged must be there.
    """
    TABLES, LAYOUTS, FAR = ("twice",), ("rows", "packed", "sums"), 1000000

    def begin(self):
        self.there = set()
        self.sql("""DROP TABLE IF EXISTS twice;
CREATE TABLE twice (ts timestamptz TIME PERIOD '1 s' NOT NULL, k text DIMENSION NOT NULL, id bigint MEASURE NOT NULL) USING rows;
ALTER TABLE twice ADD LAYOUT packed USING nested WITH (cluster_by = 'k', levels = 'ts', presum = 'ts', flush_levels = 100);
ALTER TABLE twice ADD LAYOUT sums USING nested WITH (levels = 'k, ts', presum = 'k, ts', raw_values = false);""")
        self.next = 0

    def of_one(self, first, count):
        """Returns batches of `count` statements, and their script."""
        batches, at = [], first
        for _ in range(count):
            n = self.rng.choice([1, 1, 5, 60])
            batches.append(range(at, at + n))
            at += n
        insert = "INSERT INTO twice SELECT '2020-01-01'::timestamptz + (i % {far}) * interval '1 s', 'k' || i % 3, i FROM generate_series ({first}, {last}) i;"
        return batches, "SET lock_timeout = '50s';\n" + lines(insert.format(far=self.FAR, first=b[0], last=b[-1]) for b in batches)

    def script(self):
        self.dying, script = self.of_one(self.next, 80)
        return script

    def companion(self):
        self.living, script = self.of_one(self.next + self.FAR, 12 if self.at.remote else 40)
        return script

    def look(self, acknowledged, companion, when):
        if not companion:
            self.living = []
        elif companion.returncode or "ERROR" in companion.stderr:
            self.fail(when, f"the other writer failed: {companion.stderr}")
        done = len(acknowledged)
        must = self.there | {i for b in self.dying[:done] + self.living for i in b}
        ids = [int(i) for i in mtsql(self.at.target, "SET layout = 'rows'; SELECT id FROM twice;").stdout.split()]
        more = set(ids) - must
        if len(ids) != len(set(ids)) or not must <= set(ids) or not more <= set(self.dying[done] if done < len(self.dying) else ()):
            self.fail(when, f"{len(ids) - len(set(ids))} rows are there twice, {sorted(must - set(ids))[:9]} are gone, of others {sorted(more)[:9]} are there")
        if more and not self.at.remote and len(more) != len(self.dying[done]):
            self.fail(when, f"{len(more)} rows of a statement are there")
        answers = set(in_layouts(self.at.target, self.LAYOUTS, "SELECT count(*), sum(id) FROM twice"))
        if answers != {f"{len(ids)}|{sum(ids)}"}:
            self.fail(when, f"the layouts say {answers}")
        # the writer that goes on may have written more than the other was to write
        self.there, self.next = set(ids), max([self.dying[-1][-1]] + [b[-1] - self.FAR for b in self.living]) + 1


CASES = {c.__name__.lower(): c for c in (Temporary, Retention, Repair, Preallocation, Partitions, Ranges, Columns, Events, Views, Writers)}


class At:
    """The place of the cases: a store in a folder, or a database of a server, which may be killed,
    too.
    """

    def __init__(self, target, folder, rng, server=None):
        self.target, self.folder, self.rng, self.remote, self.server = target, folder, rng, "://" in target, server
        self.temporary = folder / "temporary"
        self.temporary.mkdir()

    def database(self):
        import bson.raw_bson
        import pymongo
        return pymongo.MongoClient(self.target, document_class=bson.raw_bson.RawBSONDocument).get_default_database()

    def collections(self, prefix):
        """Returns the names of a server's collections."""
        return sorted(n for n in self.database().list_collection_names() if re.match(rf"{re.escape(prefix)}(_|$)", n)) if self.remote else []

    def settle(self):
        if self.remote:
            db = self.database()
            still(lambda: {n: [d.raw for d in db[n].find()] for n in db.list_collection_names()})

    def kill_server(self, p):
        there = self.server.processes()
        for pid in self.rng.choice([there] + [[pid] for pid in there]):
            os.kill(pid, 9)
        time.sleep(0.2)
        p.kill()

    def start_server(self):
        self.target = self.server.restart().rstrip("/") + "/" + self.target.rsplit("/", 1)[1]


class Companion:
    """A writer beside the one that is killed."""

    def __init__(self, at, script):
        self.problems = open(at.folder / "companion.err", "w+")
        (at.folder / "companion.sql").write_text(script)
        self.process = subprocess.Popen([MTSQL, "-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", str(at.folder / "companion.sql"), at.target], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.problems)

    def end(self):
        self.returncode = self.process.wait(HANG_S)
        self.problems.seek(0)
        self.stderr = self.problems.read()
        self.problems.close()
        return self


def kill_once(case, at, name, n, of_server):
    when = f"kill {n}, {name}{' of the server' if of_server else ''}"
    if case.over():
        case.begin()
        case.kills = 0
    case.kills += 1
    script, beside = case.script(), case.companion()
    companion = Companion(at, beside) if beside and not of_server else None
    writer = writer_killed(at.target, script, at.folder, at.rng, (0, 0.4 if at.remote else 0.08), at.rng.randrange(5), at.kill_server if of_server else lambda p: p.kill(),
                           ["-v", "ON_ERROR_STOP=1"], {"TMPDIR": str(at.temporary)})
    if of_server:
        time.sleep(0.2)
        at.start_server()
    elif "ERROR" in writer.problems:
        case.fail(when, writer.problems)
    companion = companion and companion.end()
    at.settle()
    if at.remote and case.TABLES:
        case.sql("SET intent_timeout = 0; " + "".join(f"REPAIR TABLE {t};" for t in case.TABLES))
    elif case.REPAIRS:
        case.sql("".join(f"REPAIR TABLE {t};" for t in case.TABLES))
    no_faults(at.target, case.TABLES, when)
    done = [int(line.split()[1]) for line in writer.acknowledged if line.startswith("done ")]
    case.look(done, companion, when)
    return len(done)


def run(at, kills, server_kills):
    names = (os.environ.get("ONLY") or ",".join(CASES)).split(",")
    cases = {name: CASES[name](at) for name in names}
    done, statements = collections.Counter(), 0
    for n in range(kills + server_kills):
        of_server, name = n >= kills, names[n % len(names)]
        statements += kill_once(cases[name], at, name, n, of_server)
        done[name + " (server)" * of_server] += 1
    print(f"{kills + server_kills} kills amidst {statements} acknowledged statements: {', '.join(f'{n} {name}' for name, n in done.items())}; nothing is there by halves")
    if statements < kills + server_kills:
        sys.exit("hardly anything was done: the test says nothing")


def main():
    kills, name, server_kills = int((sys.argv[1:] or [30])[0]), (sys.argv[2:] or [None])[0], int((sys.argv[3:] or [0])[0])
    with tempfile.TemporaryDirectory(prefix="mtsql-kill-") as folder:
        if not name:
            return run(At(f"{folder}/store", pathlib.Path(folder), seeded()), kills, 0)
        from server import Server, drop, with_database
        if server_kills:  # otherwise it loses what it acknowledged when its process ends
            os.environ["SECANTUS_OPTIONS"] = "--sync-on-commit"
        server = Server(name, own=True)
        with server as uri:
            at = At(with_database(uri, f"kill_{os.getpid()}") + ("&" if "?" in uri else "?") + "journal=true", pathlib.Path(folder), seeded(), server)
            run(at, kills, server_kills if server.processes() else 0)
            drop(at.target)


if __name__ == "__main__":
    main()
