#!/usr/bin/env python3
"""Writes postgres.tsv: PostgreSQL 15's answers to calls that base/ answers, too.

    make.py 'host=/tmp port=5432 user=postgres'  > postgres.tsv     (psql must be installed)

A line has the call, its arguments and the answer. An error's answer is "!SQLSTATE message".
"""
import itertools, subprocess, sys

ZONES = ['UTC', 'America/New_York', 'Asia/Kolkata', 'Europe/Dublin', 'Australia/Lord_Howe']
TEXTS = '''2020-01-01|2020-01-01 12:34:56|2020-01-01T12:34:56Z|2020-01-01T12:34:56.789+05:30|2020-01-01 12:34:56.7894|20200101|20200101T123456
20200101 123456|2020-1-2|1/2/2020|1/2/03|Jan 8, 1999|January 8 1999|8 Jan 1999|1999-Jan-08|Jan-08-1999|08-Jan-1999|99-Jan-08|1999.008|1999-008
2020-01-01 04:05 AM|2020-01-01 04:05 PM|2020-01-01 12:00 AM|2020-01-01 12:00 PM|2020-01-01 13:00 PM|0099-01-08 BC|January 8, 99 BC|0001-01-01|0000-01-01
2020-02-29|2021-02-29|2021-02-30|2020-13-01|2020-12-32|2020-01-01 24:00:00|2020-01-01 24:00:01|2020-01-01 23:59:60|2020-01-01 25:00|2020-01-01 12:60
epoch|infinity|-infinity|foo||2020|12:00|2020-01-01 foo|2020-01-01 00:00 Foo/Bar|2020-01-01 12:00 America/Los_Angeles|2020-07-01 12:00 america/los_angeles
2020-01-01 12:00 PST|2020-01-01 12:00 EDT|2020-01-01 12:00 +3|2020-01-01 12:00 -03:30|2020-01-01 12:00 +0530|2020-01-01 12:00+05:30:15|2020-01-01 12:00 +16
2020-01-01 12:00 UTC|2020-01-01 12:00 z|2020-01-01 12:00 GMT|Mon Jan 06 12:00:00 2020|Wed Jan 1 10:11:12.5 2020 CET|J2451187|J2451187.5|300000-01-01|4714-11-24 BC|4714-11-23 BC
294276-12-31 23:59:59|294277-01-01|2020-03-08 02:30|2020-11-01 01:30|2020-03-08 03:00|2020-11-01 00:59:59.999|1880-01-01|2100-07-01 12:00|3000-07-01
2020-01-01 1:2:3|2020/01/02|2020.01.02|01.02.2020|2020-01-01 00:00:00.0005|1969-12-31 23:59:59.9994|2020-01-01T|T12:00|2020-01-01 12:00:00,5|19990108|990108|1999 1 8|1 8 1999
2020-01-01 2020-01-02|12:00 13:00|2020-01-01 12|2020-01-01 1234|2020-01-01 12345|040506 2020-01-01|2020-01-01 040506.789|2020-01-01 040506-08|allballs|1999-01-08 04:05:06 -8:00
2020-01-01 12:00 EST5EDT|2020-01-01 12:00 UTC+3|yesterdayy|2020-01-01 at 10:00|tuesday|  2020-05-05  |2020-01-01 12:00:00.123456789|99999999999-01-01|2020-01-01 12:00 msk0'''.replace('\n', '|').split('|')
TIMES = '04:05:06.789|04:05:06|04:05|040506|0405|04:05 AM|04:05 PM|12:00 AM|24:00|24:01|25:00|12:60|foo|04:05:06.789-8|04:05:06 PST|2020-01-01 04:05:06|12:00:00.9999999|allballs|4|'.split('|')
INTERVALS = '''1 year|1 year 2 months 3 days 04:05:06.789|1 day|-1 day|1 day ago|@ 1 minute|1.5 days|1.5 months|1.5 years|-1.5 months|2 weeks|1.5 weeks|3 4:05:06|1-2|-1-2|1-2 3 4:05:06
5|5 seconds|1.5|04:05|04:05:06|-04:05:06|00:00|1 day -04:05|-1 day 04:05|-1 year +2 mons -3 days 4:05|P1Y2M3DT4H5M6S|P1.5D|PT1.5H|P-1Y|P1W|x||1 foo|day|1 day 1 day|1 day 2 hours 3 hours
1 hour 04:05|100 days|25:00:00|1e3 s|0.000001 s|1 us|1.4 us|1 ms|1500 ms|1 decade|1 century|1 millennium|9999999999 years|178000000 years|1 quarter|1 mon ago 2 days|1 day 12|1:2:3.5|61:59|1:60
12:34.5|5days|1y2mon|1 h 2 m 3 s|1 hour 30 min ago|1 day, 2 hours|1 dow|0 days|00:00:00.0000004|-1 s|3 days ago ago|+1 day|- 1 day'''.replace('\n', '|').split('|')
STAMPS = ['2020-02-29 12:34:56.789', '2000-01-01 00:00:00', '1969-12-31 23:59:59.5', '2021-03-14 06:59:59', '2021-11-07 05:30:00', '2021-11-07 06:30:00',
          '1900-12-31 23:00:00', '0001-01-01 00:00:00', '0044-03-15 12:00:00 BC', '2024-12-30 01:02:03', '2099-10-04 15:00:00', '2500-07-01 00:00:00', 'infinity', '-infinity']
FINE = ['1969-12-31 23:59:59.999999', '2023-12-31 23:59:59.999001', '2000-01-01 00:00:00.0005', '0044-03-15 12:00:00.000999 BC']
UNITS = '''microseconds milliseconds second minute hour day week month quarter year decade century millennium dow isodow doy isoyear epoch julian timezone timezone_hour
timezone_minute foo us ms mon Years'''.split()
SOME_IV = ['1 month', '1 day', '1 hour', '-1 year 2 days', '1 mon 1 day 1 hour', '13 months', '36:00', '0.5 ms', '-25:00', '1 year 2 mons 3 days 04:05:06.789', '-3 days 12:00',
           '100 days', '40 days 25:00', '1 month -40 days', '-1 mon 45 days 30:00']
NUMS = '0 1 -1 1.50 -2.5 3 7 0.1 0.001 123456789.123456789 1e10 -1e-10 99999999999999999999 12345678901234567 2.5 3.5 0.30 100 1000000 1.00 0.99999 NaN Infinity -Infinity'.split()
NUM_TEXTS = '1|1.0|1e3|1.5e-3|1E+2|.5|5.|+5|-.5|  7 |foo||1e|1.2.3|1e1.5|NaN|nan|inf|-Infinity|+inf|0x10|1_000|00012.3400|1e-20|--1|- 1'.split('|')
DOUBLES = '''0|-0|1|1.5|0.1|100000|123456789012345|1234567890123456|1e14|1e15|1e20|-1e-4|1e-5|0.0001234|1e300|5e-324|1.7976931348623157e308|1e400|1e-400|NaN|inf|-Infinity|foo||1.0e|0x10|3.141592653589793
2.2250738585072014e-308|4.35|0.3|1e22|9007199254740993|  1.5 |1e5x|.5|5.'''.replace('\n', '|').split('|')
INTS = '0|-0|1|+1|-1| 42 |32767|32768|-32768|-32769|2147483647|2147483648|-2147483648|-2147483649|9223372036854775807|9223372036854775808|-9223372036854775808|-9223372036854775809|1.5|foo||-|1 2|0x10|99999999999999999999999'.split('|')
BOOLS = 't|true|TRUE|tr|f|fa|false|y|yes|ye|n|no|on|o|of|off|1|0|2|| true |truee|yess'.split('|')

cases = []
def q(s): return "'" + s.replace("'", "''") + "'"
def case(call, args, sql, zone='UTC'):
    # In mtsql a unit or zone must exist even if the time is infinite.
    wrong = args[1:2] and args[1] in 'foo dow isodow doy isoyear epoch julian timezone timezone_hour timezone_minute'.split()
    if not (wrong and 'infinity' in ''.join(args) and (call in ('date_trunc', 'at_zone', 'to_zone') or 'timezone' in args[1])):
        cases.append((call, args, sql, zone))

for t in TEXTS:
    for z in ZONES[:2]:
        case('timestamptz_in', [z, t], f"{q(t)}::timestamptz::text", z)
    case('timestamp_in', [t], f"{q(t)}::timestamp::text")
    case('date_in', [t], f"{q(t)}::date::text")
for t in TIMES: case('time_in', [t], f"{q(t)}::time::text")
for t in INTERVALS: case('interval_in', [t], f"{q(t)}::interval::text")
for u, s in itertools.product(UNITS, STAMPS + FINE):
    case('extract', ['', u, s], f"extract({u} from {q(s)}::timestamp)::text")
    case('date_trunc', ['', u, s], f"date_trunc({q(u)}, {q(s)}::timestamp)::text")
    for z in ZONES[1:]:
        if s.endswith('BC'): continue
        case('extract', [z, u, s + '+00'], f"extract({u} from {q(s + ('' if 'inf' in s else '+00'))}::timestamptz)::text", z) if 'inf' not in s else None
        if 'inf' not in s: case('date_trunc', [z, u, s + '+00'], f"date_trunc({q(u)}, {q(s + '+00')}::timestamptz)::text", z)
for u, s in itertools.product(UNITS, ['2020-02-29', '0044-03-15 BC', '1999-01-03', 'infinity']): case('extract_date', [u, s], f"extract({u} from {q(s)}::date)::text")
for u in UNITS: case('extract_time', [u, '13:14:15.678'], f"extract({u} from '13:14:15.678'::time)::text")
for u, s in itertools.product(UNITS, SOME_IV[6:12]):
    case('extract_interval', [u, s], f"extract({u} from {q(s)}::interval)::text")
    case('interval_trunc', [u, s], f"date_trunc({q(u)}, {q(s)}::interval)::text")
for s, i in itertools.product(STAMPS + FINE + ['2020-01-31 10:00:00'], SOME_IV + ['1 us', '-1 us', '1 mon 999 us']):
    case('add', ['', s, i], f"({q(s)}::timestamp + {q(i)}::interval)::text")
    if 'BC' not in s and 'inf' not in s:
        for z in ZONES[1:]: case('add', [z, s + '+00', i], f"({q(s + '+00')}::timestamptz + {q(i)}::interval)::text", z)
for a, b in itertools.product(STAMPS + FINE + ['2020-03-31 01:00:00', '2020-02-29 23:00:00'], repeat=2):
    case('sub', [a, b], f"({q(a)}::timestamp - {q(b)}::timestamp)::text")
    if 'inf' not in a + b: case('age', ['', a, b], f"age({q(a)}::timestamp, {q(b)}::timestamp)::text")
for i, f in itertools.product(SOME_IV, ['2', '0.5', '-1.5', '0.1', '3', '0', '1e10']):
    case('interval_mul', [i, f], f"({q(i)}::interval * {q(f)}::float8)::text")
    case('interval_div', [i, f], f"({q(i)}::interval / {q(f)}::float8)::text")
for i in SOME_IV:
    for f in ['justify_hours', 'justify_days', 'justify_interval']: case(f, [i], f"{f}({q(i)}::interval)::text")
    for j in SOME_IV:
        case('interval_add', [i, j], f"({q(i)}::interval + {q(j)}::interval)::text")
        case('interval_compare', [i, j], f"(case when {q(i)}::interval < {q(j)}::interval then -1 when {q(i)}::interval > {q(j)}::interval then 1 else 0 end)::text")
for w, s in itertools.product(['1 hour', '15 min', '7 min', '3 days', '1 week', '1 day 12:00', '0', '1 month', '-1 day', '500 ms'], STAMPS):
    case('date_bin', [w, s, '2000-01-03 00:30:00'], f"date_bin({q(w)}::interval, {q(s)}::timestamp, '2000-01-03 00:30:00')::text")
for s in ['2021-03-14 01:59:59', '2021-03-14 02:00:00', '2021-03-14 02:30:00', '2021-03-14 03:00:00', '2021-11-07 00:59:59', '2021-11-07 01:00:00', '2021-11-07 01:30:00', '2021-11-07 02:00:00',
          '2021-03-28 01:30:00', '2021-10-31 01:30:00', '2021-04-04 01:45:00', '2021-10-03 02:15:00', '1970-01-01 00:00:00', '1800-01-01 00:00:00', '2040-07-01 00:00:00', '2460-03-14 02:30:00', 'infinity']:
    for z in ZONES + ['EST', 'CET', 'utc+3', '+05:30', 'EST5EDT', 'foo', 'asia/katmandu', 'Z', '<X>-7', 'America/Sao_Paulo', 'Africa/Casablanca', 'Asia/Gaza']:
        if z in ('Africa/Casablanca', 'Asia/Gaza') and '2026' <= s < 'i': continue  # set anew each year, so editions of the time zones differ
        case('at_zone', [s, z], f"({q(s)}::timestamp at time zone {q(z)})::text")
        case('to_zone', [s, z], f"({q(s)}::timestamptz at time zone {q(z)})::text")
for t in NUM_TEXTS: case('num_in', [t], f"{q(t)}::numeric::text")
for a in NUMS:
    for f in ['ceil', 'floor', 'sqrt', 'exp', 'ln', 'log', 'abs', 'trim_scale']: 
        if f == 'exp' and a in ('123456789.123456789', '1e10', '99999999999999999999', '12345678901234567', '1000000', '100'): continue
        case('num_' + f, [a], f"{f}({q(a)}::numeric)::text")
    for t in ['smallint', 'integer', 'bigint']: case('num_to_' + t, [a], f"{q(a)}::numeric::{t}::text")
    case('num_to_double', [a], f"{q(a)}::numeric::float8::text")
    for s in range(-3, 6, 2):
        case('num_round', [a, str(s)], f"round({q(a)}::numeric, {s})::text")
        case('num_trunc', [a, str(s)], f"trunc({q(a)}::numeric, {s})::text")
    for p, s in [(5, 2), (3, 3), (10, 0)]: case('num_typmod', [a, str(p), str(s)], f"{q(a)}::numeric({p},{s})::text")
    for b in NUMS:
        for o, n in [('+', 'add'), ('-', 'sub'), ('*', 'mul'), ('/', 'div'), ('%', 'mod')]:
            case('num_' + n, [a, b], f"({q(a)}::numeric {o} {q(b)}::numeric)::text")
        case('num_compare', [a, b], f"(case when {q(a)}::numeric < {q(b)}::numeric then -1 when {q(a)}::numeric > {q(b)}::numeric then 1 else 0 end)::text")
        case('num_divt', [a, b], f"div({q(a)}::numeric, {q(b)}::numeric)::text")
for a, b in itertools.product(['2', '10', '1.5', '0.5', '0', '-2', '-1.5', '7.25', 'NaN', 'Infinity', '1'], ['0', '1', '2', '10', '0.5', '-1', '-2', '1.5', '33', '-0.25', 'NaN', 'Infinity', '-Infinity']):
    case('num_power', [a, b], f"power({q(a)}::numeric, {q(b)}::numeric)::text")
    case('num_logb', [a, b], f"log({q(a)}::numeric, {q(b)}::numeric)::text")
for t in DOUBLES:
    case('double', [t], f"{q(t)}::float8::text")
    case('real', [t], f"{q(t)}::real::text")
    case('double_to_numeric', [t], f"{q(t)}::float8::numeric::text")
    case('double_to_integer', [t], f"{q(t)}::float8::integer::text")
for t in INTS:
    for ty in ['smallint', 'integer', 'bigint']: case(ty, [t], f"{q(t)}::{ty}::text")
for t in BOOLS: case('boolean', [t], f"{q(t)}::boolean::text")

def run(conn):
    sql = ["create function pg_temp.try (s text, zone text) returns text language plpgsql as $$ declare r text; begin perform set_config('TimeZone', zone, false);"
           " execute 'select ' || s into r; return coalesce(r, 'NULL'); exception when others then return '!' || sqlstate || ' ' || sqlerrm; end $$;"]
    for _, _, s, z in cases: sql.append(f"select pg_temp.try({q(s)}, {q(z)});")
    out = subprocess.run(['psql', conn, '-XAtq'], input='\n'.join(sql), capture_output=True, text=True)
    assert not out.stderr, out.stderr[:500]
    answers = out.stdout.split('\n')[:-1]
    assert len(answers) == len(cases), (len(answers), len(cases))
    for (call, args, _, _), a in zip(cases, answers): print('\t'.join([call] + args + [a]))

run(sys.argv[1])
