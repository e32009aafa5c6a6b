-- also: postgres
-- A percentile is the value of its rank: the same as the row of that number in sort order, whatever the values.
CREATE TABLE v AS SELECT i, i % 3 AS k, (i * 7919 % 20011)::bigint AS n, CASE WHEN i % 5 = 0 THEN -1.5e10 ELSE 1 END * (i * 104729 % 30011) / 7.0::float8 AS x,
  timestamptz '2024-01-01 UTC' + i * 7919 % 20011 * interval '1 min' AS ts, (i * 7919 % 20011) / 8.0 AS dec, (i % 3)::float8 AS few FROM generate_series(1, 20000) i;
INSERT INTO v VALUES (0, 0, -9223372036854775807, 'NaN', '1969-12-31 UTC', -0.5, 0), (-1, 1, 9223372036854775807, 'infinity', '1900-01-01 UTC', 1e20, 0), (-2, 2, NULL, '-infinity', NULL, NULL, NULL);
-- as by the number of the row, in each direction
SELECT bool_and(p0) AS "n", bool_and(p1) AS "n DESC", bool_and(p2) AS "x", bool_and(p3) AS "x DESC", bool_and(p4) AS "ts", bool_and(p5) AS "ts DESC" FROM (SELECT percentile_disc(0.0) WITHIN GROUP (ORDER BY n) = (array_agg(n ORDER BY n) FILTER (WHERE n IS NOT NULL))[greatest(ceil(0.0 * count(n)), 1)::int] AS p0,
  percentile_disc(0.0) WITHIN GROUP (ORDER BY n DESC) = (array_agg(n ORDER BY n DESC) FILTER (WHERE n IS NOT NULL))[greatest(ceil(0.0 * count(n)), 1)::int] AS p1,
  percentile_disc(0.0) WITHIN GROUP (ORDER BY x) = (array_agg(x ORDER BY x) FILTER (WHERE x IS NOT NULL))[greatest(ceil(0.0 * count(x)), 1)::int] AS p2,
  percentile_disc(0.0) WITHIN GROUP (ORDER BY x DESC) = (array_agg(x ORDER BY x DESC) FILTER (WHERE x IS NOT NULL))[greatest(ceil(0.0 * count(x)), 1)::int] AS p3,
  percentile_disc(0.0) WITHIN GROUP (ORDER BY ts) = (array_agg(ts ORDER BY ts) FILTER (WHERE ts IS NOT NULL))[greatest(ceil(0.0 * count(ts)), 1)::int] AS p4,
  percentile_disc(0.0) WITHIN GROUP (ORDER BY ts DESC) = (array_agg(ts ORDER BY ts DESC) FILTER (WHERE ts IS NOT NULL))[greatest(ceil(0.0 * count(ts)), 1)::int] AS p5 FROM v GROUP BY k) s;
SELECT bool_and(p0) AS "n", bool_and(p1) AS "n DESC", bool_and(p2) AS "x", bool_and(p3) AS "x DESC", bool_and(p4) AS "ts", bool_and(p5) AS "ts DESC" FROM (SELECT percentile_disc(0.001) WITHIN GROUP (ORDER BY n) = (array_agg(n ORDER BY n) FILTER (WHERE n IS NOT NULL))[greatest(ceil(0.001 * count(n)), 1)::int] AS p0,
  percentile_disc(0.001) WITHIN GROUP (ORDER BY n DESC) = (array_agg(n ORDER BY n DESC) FILTER (WHERE n IS NOT NULL))[greatest(ceil(0.001 * count(n)), 1)::int] AS p1,
  percentile_disc(0.001) WITHIN GROUP (ORDER BY x) = (array_agg(x ORDER BY x) FILTER (WHERE x IS NOT NULL))[greatest(ceil(0.001 * count(x)), 1)::int] AS p2,
  percentile_disc(0.001) WITHIN GROUP (ORDER BY x DESC) = (array_agg(x ORDER BY x DESC) FILTER (WHERE x IS NOT NULL))[greatest(ceil(0.001 * count(x)), 1)::int] AS p3,
  percentile_disc(0.001) WITHIN GROUP (ORDER BY ts) = (array_agg(ts ORDER BY ts) FILTER (WHERE ts IS NOT NULL))[greatest(ceil(0.001 * count(ts)), 1)::int] AS p4,
  percentile_disc(0.001) WITHIN GROUP (ORDER BY ts DESC) = (array_agg(ts ORDER BY ts DESC) FILTER (WHERE ts IS NOT NULL))[greatest(ceil(0.001 * count(ts)), 1)::int] AS p5 FROM v GROUP BY k) s;
SELECT bool_and(p0) AS "n", bool_and(p1) AS "n DESC", bool_and(p2) AS "x", bool_and(p3) AS "x DESC", bool_and(p4) AS "ts", bool_and(p5) AS "ts DESC" FROM (SELECT percentile_disc(0.25) WITHIN GROUP (ORDER BY n) = (array_agg(n ORDER BY n) FILTER (WHERE n IS NOT NULL))[greatest(ceil(0.25 * count(n)), 1)::int] AS p0,
  percentile_disc(0.25) WITHIN GROUP (ORDER BY n DESC) = (array_agg(n ORDER BY n DESC) FILTER (WHERE n IS NOT NULL))[greatest(ceil(0.25 * count(n)), 1)::int] AS p1,
  percentile_disc(0.25) WITHIN GROUP (ORDER BY x) = (array_agg(x ORDER BY x) FILTER (WHERE x IS NOT NULL))[greatest(ceil(0.25 * count(x)), 1)::int] AS p2,
  percentile_disc(0.25) WITHIN GROUP (ORDER BY x DESC) = (array_agg(x ORDER BY x DESC) FILTER (WHERE x IS NOT NULL))[greatest(ceil(0.25 * count(x)), 1)::int] AS p3,
  percentile_disc(0.25) WITHIN GROUP (ORDER BY ts) = (array_agg(ts ORDER BY ts) FILTER (WHERE ts IS NOT NULL))[greatest(ceil(0.25 * count(ts)), 1)::int] AS p4,
  percentile_disc(0.25) WITHIN GROUP (ORDER BY ts DESC) = (array_agg(ts ORDER BY ts DESC) FILTER (WHERE ts IS NOT NULL))[greatest(ceil(0.25 * count(ts)), 1)::int] AS p5 FROM v GROUP BY k) s;
SELECT bool_and(p0) AS "n", bool_and(p1) AS "n DESC", bool_and(p2) AS "x", bool_and(p3) AS "x DESC", bool_and(p4) AS "ts", bool_and(p5) AS "ts DESC" FROM (SELECT percentile_disc(0.73) WITHIN GROUP (ORDER BY n) = (array_agg(n ORDER BY n) FILTER (WHERE n IS NOT NULL))[greatest(ceil(0.73 * count(n)), 1)::int] AS p0,
  percentile_disc(0.73) WITHIN GROUP (ORDER BY n DESC) = (array_agg(n ORDER BY n DESC) FILTER (WHERE n IS NOT NULL))[greatest(ceil(0.73 * count(n)), 1)::int] AS p1,
  percentile_disc(0.73) WITHIN GROUP (ORDER BY x) = (array_agg(x ORDER BY x) FILTER (WHERE x IS NOT NULL))[greatest(ceil(0.73 * count(x)), 1)::int] AS p2,
  percentile_disc(0.73) WITHIN GROUP (ORDER BY x DESC) = (array_agg(x ORDER BY x DESC) FILTER (WHERE x IS NOT NULL))[greatest(ceil(0.73 * count(x)), 1)::int] AS p3,
  percentile_disc(0.73) WITHIN GROUP (ORDER BY ts) = (array_agg(ts ORDER BY ts) FILTER (WHERE ts IS NOT NULL))[greatest(ceil(0.73 * count(ts)), 1)::int] AS p4,
  percentile_disc(0.73) WITHIN GROUP (ORDER BY ts DESC) = (array_agg(ts ORDER BY ts DESC) FILTER (WHERE ts IS NOT NULL))[greatest(ceil(0.73 * count(ts)), 1)::int] AS p5 FROM v GROUP BY k) s;
SELECT bool_and(p0) AS "n", bool_and(p1) AS "n DESC", bool_and(p2) AS "x", bool_and(p3) AS "x DESC", bool_and(p4) AS "ts", bool_and(p5) AS "ts DESC" FROM (SELECT percentile_disc(0.9999) WITHIN GROUP (ORDER BY n) = (array_agg(n ORDER BY n) FILTER (WHERE n IS NOT NULL))[greatest(ceil(0.9999 * count(n)), 1)::int] AS p0,
  percentile_disc(0.9999) WITHIN GROUP (ORDER BY n DESC) = (array_agg(n ORDER BY n DESC) FILTER (WHERE n IS NOT NULL))[greatest(ceil(0.9999 * count(n)), 1)::int] AS p1,
  percentile_disc(0.9999) WITHIN GROUP (ORDER BY x) = (array_agg(x ORDER BY x) FILTER (WHERE x IS NOT NULL))[greatest(ceil(0.9999 * count(x)), 1)::int] AS p2,
  percentile_disc(0.9999) WITHIN GROUP (ORDER BY x DESC) = (array_agg(x ORDER BY x DESC) FILTER (WHERE x IS NOT NULL))[greatest(ceil(0.9999 * count(x)), 1)::int] AS p3,
  percentile_disc(0.9999) WITHIN GROUP (ORDER BY ts) = (array_agg(ts ORDER BY ts) FILTER (WHERE ts IS NOT NULL))[greatest(ceil(0.9999 * count(ts)), 1)::int] AS p4,
  percentile_disc(0.9999) WITHIN GROUP (ORDER BY ts DESC) = (array_agg(ts ORDER BY ts DESC) FILTER (WHERE ts IS NOT NULL))[greatest(ceil(0.9999 * count(ts)), 1)::int] AS p5 FROM v GROUP BY k) s;
SELECT bool_and(p0) AS "n", bool_and(p1) AS "n DESC", bool_and(p2) AS "x", bool_and(p3) AS "x DESC", bool_and(p4) AS "ts", bool_and(p5) AS "ts DESC" FROM (SELECT percentile_disc(1.0) WITHIN GROUP (ORDER BY n) = (array_agg(n ORDER BY n) FILTER (WHERE n IS NOT NULL))[greatest(ceil(1.0 * count(n)), 1)::int] AS p0,
  percentile_disc(1.0) WITHIN GROUP (ORDER BY n DESC) = (array_agg(n ORDER BY n DESC) FILTER (WHERE n IS NOT NULL))[greatest(ceil(1.0 * count(n)), 1)::int] AS p1,
  percentile_disc(1.0) WITHIN GROUP (ORDER BY x) = (array_agg(x ORDER BY x) FILTER (WHERE x IS NOT NULL))[greatest(ceil(1.0 * count(x)), 1)::int] AS p2,
  percentile_disc(1.0) WITHIN GROUP (ORDER BY x DESC) = (array_agg(x ORDER BY x DESC) FILTER (WHERE x IS NOT NULL))[greatest(ceil(1.0 * count(x)), 1)::int] AS p3,
  percentile_disc(1.0) WITHIN GROUP (ORDER BY ts) = (array_agg(ts ORDER BY ts) FILTER (WHERE ts IS NOT NULL))[greatest(ceil(1.0 * count(ts)), 1)::int] AS p4,
  percentile_disc(1.0) WITHIN GROUP (ORDER BY ts DESC) = (array_agg(ts ORDER BY ts DESC) FILTER (WHERE ts IS NOT NULL))[greatest(ceil(1.0 * count(ts)), 1)::int] AS p5 FROM v GROUP BY k) s;
SELECT k, percentile_cont(0.5) WITHIN GROUP (ORDER BY x) AS x, percentile_cont(0.37) WITHIN GROUP (ORDER BY x DESC) AS down, percentile_cont(0.1) WITHIN GROUP (ORDER BY n) AS n,
  percentile_cont(0.25) WITHIN GROUP (ORDER BY dec) AS dec, percentile_cont(0.99) WITHIN GROUP (ORDER BY few) AS few FROM v GROUP BY k ORDER BY k;
SELECT percentile_cont(0) WITHIN GROUP (ORDER BY x), percentile_cont(1) WITHIN GROUP (ORDER BY x), percentile_cont(1) WITHIN GROUP (ORDER BY x DESC), percentile_cont(0.5) WITHIN GROUP (ORDER BY x) FROM v WHERE i <= 0 OR i > 19000;
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY x DESC), percentile_disc(1) WITHIN GROUP (ORDER BY ts DESC), percentile_disc(0) WITHIN GROUP (ORDER BY n) FROM v;
SELECT percentile_cont(ARRAY[0, 0.25, 1]) WITHIN GROUP (ORDER BY x DESC) FROM v WHERE i > 0;
