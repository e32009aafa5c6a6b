"""Random statements over the tables of schemas.py. Rows of templates are arranged by the kind of
their value.
"""
import random
import re

from schemas import CASTS, EVERY, POOLS, SENSORS, TABLES
from statements import ZONES
from tree import Expr, From, Query, Statement

KINDS = ["bool", "small", "int", "big", "num", "dbl", "real", "text", "bytea", "date", "time", "ts", "tstz", "ival", "uuid", "json", "ia", "ta"]
COMMON = ["bool", "int", "int", "num", "text", "text", "date", "tstz", "dbl", "big", "ts", "ival", "json", "ia", "ta"]
SUMMABLE = {"int": "big", "small": "big", "big": "num", "num": "num"}

# {kind} stands for an expression of that kind, {=kind} for a constant, {%kind} for a column (or a constant), {1} for the first once more.
FORMS = {
    "bool": ["{ts} < {=uts}", "{ts} >= {=uts}", "{tstz} > {=utstz}", "{tstz} <= {=utstz}", "{ts} = {=uts}", "{tstz} <> {=utstz}", "{ts} NOT IN ({=uts}, {=ts})", "{tstz} BETWEEN {=utstz} AND {=utstz}", "{ts} IS DISTINCT FROM {=uts}",
             "{%ts} - {=uival} >= {ts}", "{%tstz} + {=uival} < {tstz}", "{=uts} = ANY (ARRAY[{ts}, {=uts}])", "{date} < {=uts}", "{int} = ANY ({ia})", "{int} <> ALL ({ia})", "{int} >= ANY ({ia})", "{ia} @> {ia}", "{ta} && {ta}", "{ia} <@ {=ia}", "{text} = ANY ({ta})", "({int}, {text}) = ({int}, {text})", "({int}, {date}) < ({=int}, {date})",
             "({int}, {text}) IN (({=int}, {=text}), ({int}, {text}))", "({text}, {num}) IS DISTINCT FROM ({text}, {num})", "ROW({int}, {text}) IS NULL", "({num}, {tstz}, {int}) >= ({num}, {tstz}, {int})", "{bool} AND {bool}", "{bool} OR {bool}", "NOT {bool}", "{bool} IS TRUE", "{bool} IS NOT FALSE", "{bool} IS UNKNOWN", "{text} LIKE {=like}", "{text} NOT LIKE {=like}", "{text} ILIKE {=like}", "{text} ~ {=regex}",
             "{text} !~* {=regex}", "starts_with({text}, {=text})", "({ts}, {ival}) OVERLAPS ({=ts}, {=ival})", "isfinite({date})", "{int} IN ({=int}, {=int}, NULL)", "{text} IN ({=text}, {=text})",
             "{num} NOT IN ({=num}, {=num})", "{int} BETWEEN {int} AND {int}", "{date} BETWEEN {=date} AND {date}", "{int} BETWEEN SYMMETRIC {int} AND {int}", "{text} SIMILAR TO '(a|b)%'", "{big} NOT BETWEEN {int} AND {num}",
             "{num} <= {int}", "{small} = {int}", "{big} > {dbl}", "{real} < {dbl}", "{ts} >= {date}", "{date} < {ts}", "{json} @> {json}", "{%json} @> {=json}", "{json} <@ {%json}", "{json} ? {=key}", "{json} ?| {=keys}", "{json} ?& {=keys}", "{%json} ->> {=key} = {=text}", "{%json} -> {=key} = {=json}",
             "{%json} #>> {=keys} IN ({=text}, {=text})"],
    "small": ["abs({small} / 2::smallint)", "{int}::smallint", "{small} % 7::smallint", "- ({small} / 2::smallint)", "{bool}::int::smallint"],
    "int": ["({ia})[{=pos}]", "cardinality({ia})", "array_length({ta}, 1)", "array_position({ta}, {=text}::text)", "array_upper({ia}, 1)", "{int} + {%int}", "{int} - {%int}", "{%int} * {%int}", "{int} / {=int}", "{int} % 7", "- {%int}", "abs({int})", "length({text})", "octet_length({text})", "strpos({text}, {=text})", "ascii({text})",
            "{date} - {date}", "({%fnum} % 100000)::int", "round({%fnum})::int", "{int} & {%int}", "{int} | 5", "{int} # 3", "{%int} << 2", "{int} >> 1", "bit_length({text})", "num_nulls({int}, {text}, {bool})", "{bool}::int",
            "width_bucket({num}, 0, 100, 7)", "length({bytea})", "gcd({int}, 12)", "sign({int})::int", "mod({int}, 5)", "extract(year FROM {tstz})::int", "char_length({text})", "position({=text} IN {text})", "{small} + {%int}",
            "regexp_count({text}, {=regex})", "scale({num})", "CASE jsonb_typeof({%json}) WHEN 'array' THEN jsonb_array_length({1}) END", "get_byte('\\x0a0b'::bytea, abs({int}) % 2)", "~ {int}"],
    "big": ["{big} + {int}", "{big} - {%int}", "{%big} * {=int}", "{big} / 7", "{big} % 1000", "{int}::bigint", "abs({big})", "{%big} & 255", "count_of({big})"],
    "num": ["{num} + {%num}", "{num} - {num}", "{%num} * {%num}", "{%num} / 3", "{num} % 7", "- {num}", "abs({num})", "round({num}, 1)", "round({num})", "trunc({num}, 1)", "ceil({num})", "floor({num})", "{int}::numeric", "{num} * {%int}",
            "extract(epoch FROM {%ts})", "extract({=field} FROM {tstz})", "extract({=dfield} FROM {date})", "extract({=tfield} FROM {time})", "extract({=ifield} FROM {ival})", "sign({num})", "{num}::numeric(20,1)", "mod({num}, 3)", "div({num}, 7)", "{num} + {big}", "trim_scale({num})", "{%int} / 4.0",
            "round({%num} / 7, 4)", "{bool}::int / 2.0", "(CASE WHEN {bool} THEN {num}::numeric(20,1) ELSE {num}::numeric(20,1) END)::numeric(20,1)", "coalesce({num}::numeric(20,1), {num})::numeric(20,1)",
            "nullif({num}::numeric(20,1), {num})::numeric(20,1)", "greatest({num}::numeric(20,1), {num}::numeric(20,2))::numeric(20,1)", "nullif({int}, {num}) / 2", "nullif({big}, {num}) / 7"],
    "dbl": ["{dbl} + {%dbl}", "{dbl} - {%dbl}", "{%dbl} * {%dbl}", "{dbl} / 4", "- {dbl}", "abs({dbl})", "floor({dbl})", "ceil({dbl})", "round({dbl})", "trunc({dbl})", "{int}::double precision", "{num}::double precision", "sign({dbl})",
            "{%big} * 0.5::double precision", "date_part({=field}, {tstz})", "sqrt(abs({%dbl}))", "{dbl} * {int}", "{dbl} + {num}", "power({%dbl}, 2)", "{real}::double precision"],
    "real": ["{real} + {%real}", "{%real} * 2::real", "{int}::real", "- {real}", "abs({real})"],
    "text": ["({ta})[1]", "array_to_string({ia}, ',', '*')", "array_to_string({ta}, {=text})", "{ta}::text", "{ia}::text", "{text} || {text}", "upper({text})", "lower({text})", "initcap({text})", "substr({text}, {=pos}, 3)", "substring({text} FROM {=pos} FOR 2)", "left({text}, {=pos})", "right({text}, {=pos})", "reverse({text})", "repeat({text}, 2)",
             "replace({text}, {=text}, '<>')", "translate({text}, 'ab1', 'xy')", "lpad({text}, 5, '*')", "rpad({text}, 5)", "trim({text})", "btrim({text}, 'ab ')", "split_part({text}, ' ', 1)", "overlay({text} PLACING '--' FROM 2 FOR 1)",
             "concat({text}, {int}, {bool}, {num})", "concat_ws('|', {text}, {text}, {date})", "{int}::text", "{num}::text", "{dbl}::text", "{date}::text", "{tstz}::text", "{ival}::text", "{bool}::text", "{bytea}::text", "{uuid}::text", "{time}::text", "{ts}::text",
             "{real}::text", "{big}::text", "to_char({num}, {=nfmt})", "to_char({tstz}, {=tfmt})", "to_char({ts}, {=tfmt})", "to_char({int}, 'FM00999')", "to_char({ival}, 'HH24:MI:SS')", "md5({text})", "quote_literal({text})", "quote_nullable({text})",
             "regexp_replace({text}, {=regex}, '<\\&>', 'g')", "substring({text} FROM {=regex})", "encode({bytea}, 'hex')", "encode({bytea}, 'base64')", "{text}::varchar(3)", "chr(65 + abs({int}) % 26)", "format('%s-%I-%L', {int}, {text}, {text})",
             "to_hex({int})", "(CASE WHEN {bool} THEN {text}::varchar(2) ELSE {text} END)::varchar(2)", "coalesce({text}::varchar(2), {text}::varchar(2))::varchar(2)", "nullif({text}::varchar(2), {text})::varchar(1)",
             "concat({date}, {ival})", "{json} ->> {=key}", "{json} ->> {=pos}", "{json} #>> {=keys}", "{json}::text", "jsonb_typeof({json})", "jsonb_pretty({json})", "jsonb_extract_path_text({json}, {=key}, {=key})"],
    "bytea": ["{bytea} || {bytea}", "substring({bytea} FROM 1 FOR 2)", "{text}::bytea", "decode(md5({text}), 'hex')", "convert_to({text}, 'UTF8')"],
    "date": ["{=uts}::date", "({%ts} - {=uival})::date", "{date} + {=int}", "{date} - 1", "{ts}::date", "{tstz}::date", "make_date(2015, 1 + abs({int}) % 12, 5)", "to_date('2015-03-29', 'YYYY-MM-DD')", "({date} + interval '1 month')::date", "greatest({date}, {date})"],
    "time": ["{time} + {=ival}", "{ts}::time", "{tstz}::time", "{time} - interval '90 minutes'", "make_time(abs({int}) % 24, 5, 6.5)"],
    "ts": ["{ts} + {=ival}", "{ts} - {=ival}", "coalesce({ts}::timestamp(0), {ts})::timestamp(0)", "{date}::timestamp", "{tstz} AT TIME ZONE {=zone}", "date_trunc({=unit}, {ts})", "{date} + {time}", "{tstz}::timestamp", "make_timestamp(2015, 3, 29, abs({int}) % 24, 30, 1.5)", "date_bin('15 minutes', {ts}, '2001-01-01')",
           "{date} + {=ival}", "to_timestamp('2015-10-25 02', 'YYYY-MM-DD HH24')::timestamp"],
    "tstz": ["{tstz} + {=ival}", "{tstz} - {=ival}", "{date}::timestamptz", "{ts} AT TIME ZONE {=zone}", "date_trunc({=unit}, {tstz})", "date_trunc({=unit}, {tstz}, {=zone})", "{ts}::timestamptz", "to_timestamp({%int} * 86400)",
             "date_bin('1 hour', {tstz}, '2001-01-01')", "make_timestamptz(2015, 3, 29, abs({int}) % 24, 30, 0)"],
    "ival": ["{ival} + {ival}", "{ival} - {ival}", "- {ival}", "{ival} * 2", "{ival} / 4", "{tstz} - {tstz}", "{ts} - {ts}", "age({ts}, {ts})", "justify_hours({ival})", "justify_days({ival})", "justify_interval({ival})", "{time}::interval", "{time} - {time}",
             "make_interval(days => {%int}, hours => 3)", "{int} * interval '1 hour'", "age({tstz}, {tstz})", "date_trunc('hour', {ival})"],
    "ia": ["{ia} || {%int}", "{%int} || {ia}", "{ia} || {ia}", "array_append({ia}, {%int})", "array_remove({ia}, {=int})", "({ia})[2:]", "({ia})[:{=pos}]", "ARRAY[{%int}, {%int}]", "array_replace({ia}, {=int}, {%int})"],
    "ta": ["ARRAY[{text}, {text}]", "string_to_array({text}, ' ')", "{ta} || {text}", "regexp_split_to_array({text}, '[ab]')", "array_remove({ta}, {=text})", "string_to_array({text}, 'a', 'b')", "{ia}::text[]"],
    "json": ["{json} -> {=key}", "{json} -> {=pos}", "{json} #> {=keys}", "{json} || {json}", "jsonb_build_array({json}) - {=pos}", "jsonb_build_array({text}, {int}) - {=key}", "jsonb_build_array({json}, {json}) #- {=keys}", "({json})[{=pos}]", "({json})[{=key}]",
             "jsonb_build_array({int}, {text}, {bool}, {num}, {json})", "jsonb_build_object({=key}, {text}, {=key}, {json})", "jsonb_build_object(coalesce({int}, 0), {date}, 'k', {ts})", "to_jsonb({num})", "to_jsonb({tstz})", "to_jsonb({bool})", "to_jsonb({ival})",
             "jsonb_strip_nulls({json})", "jsonb_set(jsonb_build_object('a', {json}), {=keys}, {json})", "jsonb_set(jsonb_build_array({json}, {int}), {=at}, {json}, {bool})", "jsonb_insert(jsonb_build_array({json}, {int}), {=at}, {json})", "jsonb_extract_path({json}, {=key})",
             "to_jsonb(ARRAY[{int}, {int}])", "jsonb_object(ARRAY[{=key}, {text}])"],
    "uuid": ["{=uuid}", "md5({text})::uuid"],
}
FORMS["big"].remove("count_of({big})")

CONSTANTS = {
    "key": ["'a'", "'b'", "'aa'", "''", "'a.b'", "'$c'", "'0'"], "keys": ["'{a}'::text[]", "'{a,a}'::text[]", "'{b,c,-1}'::text[]", "'{0}'::text[]", "ARRAY[]::text[]", "'{a,0,b}'::text[]", "ARRAY['b', 'a']"], "at": ["'{0}'::text[]", "'{-1}'::text[]", "'{7}'::text[]", "'{0,a}'::text[]"],
    "like": ["'a%'", "'%b'", "'_'", "'%a%'", "'%\\%'", "'\\_x'", "''", "'%ö%'"], "regex": ["'^a'", "'[0-9]+'", "'(a|b)+'", "'b$'", "'.'", "'a*?b'", "'\\s'", "'[[:upper:]]'"], "pos": ["1", "2", "0", "-1", "5"],
    "field": ["'year'", "'month'", "'day'", "'hour'", "'dow'", "'isodow'", "'doy'", "'week'", "'isoyear'", "'quarter'", "'decade'", "'century'", "'millennium'", "'epoch'", "'minute'", "'second'", "'milliseconds'"],
    "dfield": ["'year'", "'isoyear'", "'day'", "'dow'", "'week'", "'quarter'", "'epoch'", "'millennium'"], "tfield": ["'hour'", "'second'", "'epoch'", "'microseconds'"], "ifield": ["'year'", "'month'", "'day'", "'hour'", "'minute'", "'second'", "'epoch'"],
    "unit": ["'second'", "'minute'", "'hour'", "'day'", "'week'", "'month'", "'quarter'", "'year'", "'decade'"], "zone": [f"'{z}'" for z in ZONES], "nfmt": ["'999,999.99'", "'FM9990.0'", "'S0000'", "'9.99PR'", "'RN'"],
    # times between two milliseconds, for comparisons
    "uts": [f"'{t}'::timestamp" for t in ("2015-03-29 01:59:59.999999", "2015-10-25 00:00:00.0005", "1969-12-31 23:59:59.9999", "2015-03-29 01:30:00.000001")],
    "utstz": [f"'{t}'::timestamptz" for t in ("2015-03-29 00:59:59.999999+00", "2015-10-25 00:00:00.0005+00", "1969-12-31 23:59:59.9999+00")],
    "uival": ["'1 us'::interval", "'1 day -1 us'::interval", "'999 us'::interval", "'-1000500 us'::interval"],
    "tfmt": ["'YYYY-MM-DD HH24:MI:SS.MS'", "'Day, DD Mon IYYY'", "'FMMonth FMDDth'", "'Q WW IW J'", "'HH12:MI am'"],
}

# Constants that no table holds: infinite times, years before Christ, the ends of whole numbers.
EDGES = {
    "date": ["infinity", "-infinity", "0044-03-15 BC", "0001-12-31 BC", "4713-01-01 BC", "0001-01-01"], "ts": ["infinity", "-infinity", "0044-03-15 23:59:59.5 BC", "0001-12-31 12:00 BC", "4713-01-01 BC"],
    "tstz": ["infinity", "-infinity"], "int": ["2147483647", "-2147483648"], "small": ["32767", "-32768"], "big": ["9223372036854775807", "-9223372036854775808", "-9223372036854774784"],
}

# (the kind of the value, or "=" for its argument's kind; the template).
AGGREGATES = [("big", "count(*)"), ("big", "count({text})"), ("big", "count(DISTINCT {K})"), ("=", "min({K})"), ("=", "max({K})"), ("big", "sum({int})"), ("num", "sum({num})"), ("num", "sum({big})"), ("dbl", "sum({%fdbl})"),
              ("num", "avg({int})"), ("num", "avg({num})"), ("dbl", "avg({%fdbl})"), ("ival", "sum({ival})"), ("ival", "avg({%ival})"), ("bool", "bool_and({bool})"), ("bool", "bool_or({bool})"), ("bool", "every({bool})"), ("text", "string_agg({text}, ',' ORDER BY {1})"),
              ("text", "string_agg(DISTINCT {text}, '')"), ("int", "bit_and({int})"), ("int", "bit_or({int})"), ("int", "bit_xor({int})"), ("num", "var_pop({%int})"), ("num", "stddev_samp({int})"), ("num", "variance({%fnum})"),
              ("num", "round(corr({%fdbl}, {%int})::numeric, 3)"), ("dbl", "percentile_cont(0.5) WITHIN GROUP (ORDER BY {%fdbl})"), ("=", "percentile_disc(0.25) WITHIN GROUP (ORDER BY {K})"), ("=", "mode() WITHIN GROUP (ORDER BY {K})"),
              ("ival", "percentile_cont(0.5) WITHIN GROUP (ORDER BY {%ival})"), ("big", "sum(DISTINCT {int})"), ("big", "regr_count({%fdbl}, {int})"), ("big", "count({int}) FILTER (WHERE {bool})"), ("big", "sum({int}) FILTER (WHERE {bool})"),
              ("=", "max({K}) FILTER (WHERE {bool})"), ("ia", "array_agg({int} ORDER BY {1})"), ("ta", "array_agg(DISTINCT {text}::text)"), ("json", "jsonb_agg({int} ORDER BY {1})"), ("json", "jsonb_agg({json} ORDER BY {1} DESC)"), ("json", "jsonb_agg(DISTINCT {text}::text)"), ("json", "jsonb_object_agg(coalesce({text}, ''), 1)")]
MINMAX = ["small", "int", "big", "num", "dbl", "real", "text", "date", "time", "ts", "tstz", "ival"]

WINDOWS = [("big", "rank() OVER ({P}ORDER BY {K}{d})"), ("big", "dense_rank() OVER ({P}ORDER BY {K}{d})"), ("big", "row_number() OVER ({P}ORDER BY {K}{d}, {key})"), ("int", "ntile(3) OVER ({P}ORDER BY {key})"), ("=", "lag({K}) OVER ({P}ORDER BY {key})"),
           ("=", "lead({K}, 2) OVER ({P}ORDER BY {key} DESC)"), ("=", "first_value({K}) OVER ({P}ORDER BY {key})"), ("=", "last_value({K}) OVER ({P}ORDER BY {key} ROWS BETWEEN CURRENT ROW AND 2 FOLLOWING)"),
           ("=", "nth_value({K}, 2) OVER ({P}ORDER BY {key} GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING)"), ("big", "sum({int}) OVER ({P}ORDER BY {K}{d})"), ("num", "avg({int}) OVER ({P}ORDER BY {key} ROWS 3 PRECEDING)"),
           ("big", "count(*) OVER ({P})"), ("=", "max({K}) OVER ({P}ORDER BY {key} ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING)"), ("num", "sum({num}) OVER ({P}ORDER BY {K}{d} GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW EXCLUDE TIES)"),
           ("big", "count({text}) OVER ({P}ORDER BY {date} RANGE BETWEEN '1 month' PRECEDING AND '3 days' FOLLOWING)"), ("big", "count(*) OVER ({P}ORDER BY {%int} RANGE BETWEEN 2 PRECEDING AND 3 FOLLOWING EXCLUDE CURRENT ROW)"),
           ("dbl", "percent_rank() OVER ({P}ORDER BY {K}{d})"), ("dbl", "cume_dist() OVER ({P}ORDER BY {K}{d})"), ("big", "count(*) FILTER (WHERE {bool}) OVER ({P}ORDER BY {K}{d})"),
           ("big", "count(*) OVER ({P}ORDER BY {tstz} RANGE BETWEEN '1 day' PRECEDING AND CURRENT ROW)"), ("bool", "bool_or({bool}) OVER ({P}ORDER BY {key} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)")]


# calls that make rows of a jsonb value j, and their columns
OBJECT, ARRAY = ("CASE jsonb_typeof(j) WHEN '%s' THEN j END" % kind for kind in ("object", "array"))
EXPANSIONS = [(f"jsonb_each({OBJECT})", [("k", "text"), ("v", "json")]), (f"jsonb_each_text({OBJECT})", [("k", "text"), ("v", "text")]), (f"jsonb_object_keys({OBJECT})", [("k", "text")]),
              (f"jsonb_array_elements({ARRAY})", [("v", "json")]), (f"jsonb_array_elements_text({ARRAY})", [("v", "text")]), ("jsonb_path_query(j, '$.*')", [("v", "json")])]


class Scope:
    """Columns by kind, the columns that make the order of rows total, and the scope around it."""

    def __init__(self, outer=None):
        self.columns, self.keys, self.outer, self.lenient = {}, [], outer, False

    def add(self, kind, sql, exact=True):
        self.columns.setdefault(kind, []).append(sql)
        if exact and kind in ("dbl", "num"):
            self.columns.setdefault("f" + kind, []).append(sql)


class Typed:
    edges = 0.1  # the share of constants that are EDGES

    def __init__(self, rng, tables=None):
        self.rng, self.names, self.depth, self.typed = rng, 0, 0, False
        self.tables = tables or ["every", "every", "people", "orders", "items", "sensors"]

    def chance(self, p):
        return self.rng.random() < p

    def pick(self, *options):
        return self.rng.choice(options)

    def name(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    # ---- values ----

    def constant(self, kind):
        if kind in CONSTANTS:
            return Expr(kind, self.rng.choice(CONSTANTS[kind]))
        kind = kind[1:] if kind in ("fdbl", "fnum") else kind
        if self.chance(0.03):
            return Expr(kind, f"NULL::{CASTS[kind]}")
        value = self.rng.choice(EDGES[kind] if kind in EDGES and self.chance(self.edges) else POOLS[kind])
        if kind in ("int", "bool") or (kind == "num" and self.chance(0.7)):
            return Expr(kind, f"({value})" if value.startswith("-") else value)
        return Expr(kind, f"'{value}'::{CASTS[kind]}" if kind != "text" or self.typed else f"'{value}'")

    def column(self, scope, kind):
        found = scope.columns.get(kind) if scope else None
        if scope and scope.outer and self.chance(0.25 if found else 0.5) and scope.outer.columns.get(kind):
            found = scope.outer.columns[kind]
        return Expr(kind, self.rng.choice(found)) if found else None

    def fill(self, kind, template, scope, depth, **known):
        """Returns a template's arguments."""
        args, text, at, typed = [], "", 0, self.typed
        while True:
            start = template.find("{", at)
            if start < 0:
                return Expr(kind, text + template[at:], args, f"NULL::{CASTS[kind]}" if kind in CASTS else None)
            end = template.index("}", start)
            want = template[start + 1:end]
            text += template[at:start]
            at = end + 1
            if want in known and isinstance(known[want], str) and want != "K":
                text += known[want]
                continue
            text += "{}"
            if want == "1":
                args.append(args[0])
                continue
            if want == "K":
                self.typed = self.typed or "percentile" in template or "mode" in template  # their type must be known
                want = known["K"]
            args.append(self.argument(want, scope, depth))
            self.typed = typed

    def argument(self, want, scope, depth):
        if want[0] == "=":
            return self.constant(want[1:])
        if want[0] == "%":
            return self.column(scope, want[1:]) or self.constant(want[1:])
        return self.value(want, scope, depth - 1)

    def value(self, kind, scope, depth):
        if depth <= 0 or self.chance(0.35):
            return (self.column(scope, kind) if self.chance(0.88) else None) or self.constant(kind)
        r = self.rng.random()
        if r < 0.16:
            return self.general(kind, scope, depth)
        if r < 0.19 and scope and self.depth < 2:
            return self.scalar_query(kind, scope)
        if kind == "bool":
            return self.condition(scope, depth)
        return Expr(kind, "({})", [self.fill(kind, self.rng.choice(FORMS[kind]), scope, depth)])

    def general(self, kind, scope, depth):
        other = self.rng.choice(COMMON)
        forms = ["CASE WHEN {bool} THEN {K} ELSE {K} END", "CASE WHEN {bool} THEN {K} WHEN {bool} THEN {K} END", "coalesce({K}, {K})", "nullif({K}, {K})", "CASE {%O} WHEN {%O} THEN {K} ELSE {K} END"]
        if kind in MINMAX:
            forms += ["greatest({K}, {K})", "least({K}, {K}, {K})"]
        return self.fill(kind, self.rng.choice(forms).replace("O}", other + "}"), scope, depth, K=kind)

    def any_kind(self, scope):
        """Returns a kind, mostly one of which there is a column."""
        here = [k for k in KINDS if scope and scope.columns.get(k)]
        return self.rng.choice(here if here and self.chance(0.85) else KINDS)

    def condition(self, scope, depth):
        r = self.rng.random()
        if r < 0.45:
            kind = self.any_kind(scope)
            return self.fill("bool", "({K} " + self.pick("=", "=", "<>", "<", "<=", ">", ">=", "IS DISTINCT FROM", "IS NOT DISTINCT FROM") + " {K})", scope, depth, K=kind)
        if r < 0.52:
            return self.fill("bool", "({K} IS " + self.pick("", "NOT ") + "NULL)", scope, depth, K=self.any_kind(scope))
        if r < 0.6 and scope and self.depth < 2:
            return self.query_condition(scope, depth)
        return Expr("bool", "({})", [self.fill("bool", self.rng.choice(FORMS["bool"]), scope, depth)])

    # ---- queries as values ----

    def inner(self, kinds, scope, **how):
        self.depth += 1
        q = self.query(kinds, outer=scope if self.chance(0.5) else None, **how)
        self.depth -= 1
        return q

    def scalar_query(self, kind, scope):
        if kind in MINMAX and self.chance(0.6):
            q = self.inner(None, scope, bare=True)
            q.items, q.where = [self.fill(kind, self.pick("min", "max") + "({K})", q.scope, 2, K=kind)], q.where[:2]
            return Expr(kind, "({})", [q])
        q = self.inner([kind], scope, bare=True)
        q.order, q.limit = ([0], [""]), " LIMIT 1"
        return Expr(kind, "({})", [q])

    def query_condition(self, scope, depth):
        if self.chance(0.4):
            return Expr("bool", f"({self.pick('', 'NOT ')}EXISTS ({{}}))", [self.inner([self.rng.choice(COMMON)], scope, bare=True)])
        kind = self.rng.choice(COMMON)
        how = self.pick("IN", "NOT IN", "= ANY", "> ALL", "<= ANY", "<> ALL")
        return Expr("bool", f"({{}} {how} ({{}}))", [self.value(kind, scope, depth - 1), self.inner([kind], scope, bare=self.chance(0.8))])

    # ---- FROM ----

    def table(self, scope, name=None):
        name, alias = name or self.rng.choice(self.tables), self.name("t")
        columns = [(c, k) for c, k, _ in TABLES[name][1]] if name in TABLES else SENSORS
        for c, k in columns + ([("id", "int")] if name in TABLES else []):
            scope.add("text" if k == "vc" else k, f"{alias}.{c}", c not in ("f2", "n2"))
        scope.keys = scope.keys + [f"{alias}.id"] if scope.keys is not None and name in TABLES else None
        sample = self.pick(" TABLESAMPLE BERNOULLI (100)", " TABLESAMPLE SYSTEM (100) REPEATABLE (7)", " TABLESAMPLE BERNOULLI (0)") if name in TABLES and self.chance(0.03) else ""
        return Expr("table", f"{name} {self.pick('', 'AS ')}{alias}{sample}")

    def derived(self, scope):
        alias = self.name("q")
        q = self.inner([self.rng.choice(COMMON) for _ in range(self.rng.randint(1, 3))], None)
        q.lateral = alias
        for i, e in enumerate(q.items):
            scope.add(e.kind, f"{alias}.c{i}", False)
        scope.keys = None
        return Expr("table", f"({{}}) {alias}", [q])

    def values_table(self, scope):
        alias, kinds = self.name("v"), [self.rng.choice(COMMON) for _ in range(self.rng.randint(1, 3))]
        # the first row determines the types
        rows = [", ".join(f"{self.constant(k).sql()}::{CASTS[k]}" for k in kinds) for _ in range(self.rng.randint(1, 4))]
        for i, k in enumerate(kinds):
            scope.add(k, f"{alias}.x{i}", False)
        scope.keys = None
        return Expr("table", f"(VALUES {', '.join(f'({r})' for r in rows)}) {alias} ({', '.join(f'x{i}' for i in range(len(kinds)))})")

    def series(self, scope):
        alias = self.name("g")
        kind, call = self.pick(("int", "generate_series(1, 5)"), ("int", "generate_series(-3, 6, 3)"), ("tstz", "generate_series('2015-03-28'::timestamptz, '2015-03-31', '1 day')"))
        scope.add(kind, f"{alias}.{alias}")
        scope.keys = None if scope.keys is None else scope.keys + [f"{alias}.{alias}"]
        return Expr("table", f"{call} {alias}")

    def source(self, scope, ctes):
        options = [self.table] * 8 + ([self.derived] * 2 if self.depth < 2 else []) + [self.values_table, self.series]
        first = self.reference(scope, self.rng.choice(ctes)) if ctes and self.chance(0.7) else self.rng.choice(options)(scope)
        parts = [("", first, None)]
        for _ in range(self.pick(0, 0, 0, 1, 1, 2) if self.depth < 2 else 0):
            parts.append(self.joined(scope, parts, self.rng.choice(options), ctes))
        return From(parts)

    def reference(self, scope, cte):
        name, kinds = cte
        alias = self.name("w")
        for i, k in enumerate(kinds):
            scope.add(k, f"{alias}.c{i}", False)
        scope.keys = None
        return Expr("table", f"{name} {alias}")

    def beside(self, scope, left):
        """Returns a sub-select or a function that refers to the tables before it."""
        before = Scope()
        before.columns, before.keys, scope.keys = left, None, None
        if left.get("ia") and self.chance(0.5):
            alias = self.name("n")
            scope.add("int", f"{alias}.x", False)
            return (self.pick("CROSS JOIN", "LEFT JOIN"), Expr("table", f"LATERAL unnest({{}}) AS {alias} (x)", [self.value("ia", before, 2)]), Expr("bool", "true"))
        if left.get("json") and self.chance(0.4):
            return self.expanded(scope, before)
        alias = self.name("l")
        self.depth += 1
        q = self.query([self.rng.choice(COMMON) for _ in range(self.rng.randint(1, 2))], outer=before)
        self.depth -= 1
        q.lateral = alias
        if self.chance(0.2):
            q.order, q.limit = (list(range(len(q.items))), [""] * len(q.items)), " LIMIT 2"
        for i, e in enumerate(q.items):
            scope.add(e.kind, f"{alias}.c{i}", False)
        return (self.pick("CROSS JOIN", "LEFT JOIN", "JOIN"), Expr("table", f"LATERAL ({{}}) {alias}", [q]), Expr("bool", "true"))

    def expanded(self, scope, before):
        """Returns the members of a jsonb value as rows."""
        alias, (call, columns) = self.name("n"), self.pick(*EXPANSIONS)
        for name, kind in columns:
            scope.add(kind, f"{alias}.{name}", False)
        names = ", ".join(name for name, _ in columns)
        return (self.pick("CROSS JOIN", "LEFT JOIN"), Expr("table", f"LATERAL (SELECT {names} FROM (SELECT {{}} AS j) AS s, {call} AS e ({names})) AS {alias}", [self.value("json", before, 2)]),
                Expr("bool", "true"))

    def joined(self, scope, parts, make, ctes):
        left = {k: list(v) for k, v in scope.columns.items()}
        if self.chance(0.2):
            return self.beside(scope, left)
        right = Scope()
        right.keys = list(scope.keys) if scope.keys is not None else None
        table = self.reference(right, self.rng.choice(ctes)) if ctes and self.chance(0.3) else make(right)
        for k, v in right.columns.items():
            scope.columns[k] = scope.columns.get(k, []) + v
        scope.keys = right.keys
        shared = [k for k in KINDS if left.get(k) and right.columns.get(k)]
        if not shared or self.chance(0.1):
            return ("CROSS JOIN", table, None)
        kind = self.rng.choice(shared)
        on = Expr("bool", "{} = {}", [Expr(kind, self.rng.choice(left[kind])), Expr(kind, self.rng.choice(right.columns[kind]))])
        if self.chance(0.3):
            on = Expr("bool", "{} AND {}", [on, self.condition(scope, 2)])
        return (self.pick("JOIN", "JOIN", "LEFT JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"), table, on)

    # ---- SELECT ----

    def query(self, kinds, outer=None, bare=False, ctes=()):
        """Returns a query of expressions of those kinds. bare: without groups, windows and set
        operations.
        """
        scope = Scope(outer)
        scope.keys = []
        q = Query([], self.source(scope, ctes))
        q.scope = scope
        q.where = [self.condition(scope, self.pick(2, 2, 3)) for _ in range(self.pick(0, 0, 1, 1, 2))]
        kinds = kinds or [self.rng.choice(COMMON)]
        if not bare and self.chance(0.4):
            self.group(q, kinds, scope)
        else:
            q.items = [self.value(k, scope, self.pick(1, 2, 3)) for k in kinds]
            if not bare and self.chance(0.15) and scope.keys and self.depth == 0:
                q.items.append(self.window(scope))
        return q

    def window(self, scope):
        kind, template = self.rng.choice(WINDOWS)
        k = self.rng.choice(MINMAX)
        known = {"P": self.pick("", f"PARTITION BY {self.value(self.pick('text', 'bool', 'int'), scope, 2).sql()} ".replace("{}", "{ }")), "key": ", ".join(scope.keys), "d": self.pick("", " DESC", " NULLS FIRST", " DESC NULLS LAST"), "K": k}
        return self.fill(k if kind == "=" else kind, template, scope, 2, **known)

    def aggregate(self, kind, scope):
        options = [(g, t) for g, t in AGGREGATES if g == kind or (g == "=" and kind in MINMAX)]
        g, template = self.rng.choice(options)
        return self.fill(kind, template, scope, 2, K=kind if g == "=" else self.rng.choice(KINDS))

    def group(self, q, kinds, scope):
        """Groups the query. Each item is a key or an aggregate."""
        can = {g for g, _ in AGGREGATES} | set(MINMAX)
        q.grouped = True
        for k in kinds:
            if k not in can or self.chance(0.45):
                key = self.value(k, scope, 2)
                if not key.args and not self.is_column(key):
                    key = self.column(scope, k) or key
                if re.search(r"\b[tqvgwln]\d+\.[a-z]", key.sql()):
                    q.keys.append(key)
                q.items.append(key)
            else:
                q.items.append(self.aggregate(k, scope))
        if self.chance(0.2):
            q.having.append(self.fill("bool", self.pick("count(*) > 1", "min({int}) < {=int}", "count({text}) <> 0", "max({num}) IS NOT NULL", "bool_or({bool})"), scope, 2))
        if q.keys and self.chance(0.12) and all(self.is_column(k) for k in q.keys):
            q.sets = self.pick("ROLLUP ({})", "CUBE ({})", "GROUPING SETS (({}), ())")

    @staticmethod
    def is_column(e):
        return not e.args and "." in e.template and "'" not in e.template and not e.template[0].isdigit() and not e.template.startswith("(")

    def with_queries(self, q_ctes):
        for _ in range(self.pick(1, 1, 2)):
            name = self.name("w")
            if self.chance(0.3):
                step = self.pick(1, 2, 3)
                text = f"(c0, c1) AS (SELECT 1, 'x' UNION {self.pick('ALL ', '')}SELECT c0 + {step}, c1 || c0 FROM {name} WHERE c0 < 9)"
                q_ctes.append((name + text[:8], Recursive(text[12:]), True, ["int", "text"], name))
            else:
                q = self.inner([self.rng.choice(COMMON) for _ in range(self.rng.randint(1, 3))], None)
                q.lateral = name
                q_ctes.append((name, q, False, [e.kind for e in q.items], name))

    def statement(self):
        self.names, self.depth = 0, 0
        ctes = []
        if self.chance(0.12):
            self.with_queries(ctes)
        kinds = [self.rng.choice(COMMON if self.chance(0.8) else KINDS) for _ in range(self.rng.randint(1, 4))]
        known = [(name, kinds_of) for *_, kinds_of, name in ctes]
        q = self.query(kinds, ctes=known)
        q.ctes = [(n, x, r) for n, x, r, *_ in ctes]
        if self.chance(0.12) and not q.sets:
            kinds = [e.kind for e in q.items]
            q.union = (self.pick("UNION ALL", "UNION ALL", "UNION", "INTERSECT", "EXCEPT", "INTERSECT ALL", "EXCEPT ALL"), self.query(kinds, bare=True, ctes=known))
        self.finish(q)
        return Statement(q, self.rng.choice(ZONES) if self.chance(0.3) else None)

    def finish(self, q):
        n = len(q.items)
        if self.chance(0.12):
            q.distinct = True
        if self.chance(0.45):
            places = list(range(n))
            self.rng.shuffle(places)
            q.order = (places, [self.pick("", "", " DESC", " NULLS FIRST", " DESC NULLS LAST") for _ in places])
            if self.chance(0.4):
                q.limit = self.pick(" LIMIT 3", " LIMIT 5 OFFSET 2", " OFFSET 1", " FETCH FIRST 4 ROWS ONLY", " FETCH FIRST 2 ROWS WITH TIES", " LIMIT 0")
            if not q.distinct and not q.union and self.chance(0.1):
                q.on = self.rng.randint(1, n)


class Recursive(Expr):
    def __init__(self, text):
        super().__init__("query", "{}", [Expr("recursion", text)])
        self.items = [Expr("int", "c0"), Expr("text", "c1")]


def generator(seed):
    return Typed(random.Random(seed))
