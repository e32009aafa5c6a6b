-- also: postgres
-- date_bin: what is out of range
select date_bin('5 min', timestamp '4714-11-24 BC', timestamp '294276-12-31 23:59');
select date_bin('5 min', timestamp '294276-12-31 23:59', timestamp '4714-11-24 BC');
select date_bin('365000 days', timestamp '4400-01-01 BC', timestamp '4000-01-01 BC');
select date_bin('-5 min', timestamp '2020-01-01', timestamp '2020-01-01');
select date_bin('0', timestamp '2020-01-01', timestamp '2020-01-01');
select date_bin('200000000 days', timestamp '2024-02-01', timestamp '2024-01-01');
select date_bin('100000000 days', timestamp '2024-02-01', timestamp '2024-01-01');
select date_bin('100000000 days', timestamp '2023-02-01', timestamp '2024-01-01');
select date_bin('5 min', timestamp '2020-01-01', timestamp 'infinity');
select date_bin('5 min', timestamp '-infinity', timestamp '2020-01-01');
select date_bin('1 month', timestamp '2020-01-01', timestamp '2020-01-01');
select date_bin('2 years 5 min', timestamp 'infinity', timestamp '2020-01-01');
select date_bin('5 min', timestamp 'infinity', timestamp 'infinity');
select date_bin('15 minutes', timestamptz '4714-11-24 00:00+00 BC', timestamptz '2000-01-01 00:07+00');
select date_bin('1000 years'::interval, timestamptz '4714-11-24 00:00+00 BC', timestamptz '2000-01-01 00:07+00');
select date_bin('106751991 days', timestamp '294276-12-30', timestamp '4714-12-01 BC');
select date_bin('1 day', timestamp '294276-12-30', timestamp '3000-12-01 BC');
select date_bin('1 day', timestamp '4714-12-01 BC', timestamp '294000-12-01');
select date_bin('1 day', timestamp '4714-12-01 BC', timestamp '287000-12-01');
select date_trunc('year', timestamp '4714-12-01 BC'), date_trunc('century', timestamp '4714-12-01 BC');
SELECT date_bin('5 min', ts, timestamptz '2000-01-01 00:02+00'), count(*) FROM (VALUES (timestamptz '1999-12-31 23:59:59.999+00'), ('2000-01-01 00:02+00'), ('2000-01-01 00:06:59+00')) v (ts) GROUP BY 1 ORDER BY 1;
SELECT date_bin('5 min', ts, timestamp '294276-12-31') FROM (VALUES (timestamp '4714-12-01 BC')) v (ts);
