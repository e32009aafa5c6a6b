-- What aggregates keep of one group fits in work_mem, or ends with an error that names the setting.
SET work_mem = '1MB';
SELECT length(string_agg(repeat('x', 1000), ',')) FROM generate_series(1, 3000);
SELECT length(string_agg(repeat('x', 10000), '')) FROM generate_series(1, 10000);
SELECT array_length(array_agg(repeat('x', 10000)), 1) FROM generate_series(1, 10000);
SELECT n % 2 AS k, length(string_agg(repeat('x', 10000), '')) FROM generate_series(1, 10000) n GROUP BY k;
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY n) FROM generate_series(1, 3000000) n;
SELECT percentile_disc(0.25) WITHIN GROUP (ORDER BY timestamp '2020-01-01' + n * interval '1 s') FROM generate_series(1, 300000) n;
SELECT n % 2 AS k, percentile_cont(0.9) WITHIN GROUP (ORDER BY n) FROM generate_series(1, 1000000) n GROUP BY k ORDER BY k;
SELECT mode() WITHIN GROUP (ORDER BY n) FROM generate_series(1, 3000000) n;
SELECT count(DISTINCT n) FROM generate_series(1, 3000000) n;
-- Many groups that keep little go to files.
SELECT count(*), sum(length(s)) FROM (SELECT n % 1000 AS k, string_agg(repeat('x', 1000), '') AS s FROM generate_series(1, 30000) n GROUP BY k) t;
SET work_mem = '64MB';
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY n) FROM generate_series(1, 1000000) n;
-- Values of more than 1 GB.
SELECT length(format('%1500000000s', 'x'));
SELECT length(repeat('x', 2000000000));
SELECT length(lpad('x', 1500000000));
SELECT length(repeat('x', 20000000));
-- What can't go to a file ends with 53200.
CREATE TEMPORARY TABLE many AS SELECT i, md5(i::text) AS k FROM generate_series(1, 5000) i;
SET work_mem = '64kB';
UPDATE many SET k = k || v.h FROM (SELECT i, md5(i::text) AS h FROM generate_series(1, 5000) i) v WHERE v.i = many.i;
\echo :SQLSTATE
SELECT count(*) FROM many WHERE length(k) = 32;
RESET work_mem;
