-- Queries that analysts send, over three kinds of tables. pushdown_test.py runs them, and records how much of each the servers run.
-- It makes the collections events and hosts of the first kind, which are not declared.
-- set-up: declared rows
CREATE TABLE load (ts timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, app text DIMENSION NOT NULL, n bigint MEASURE NOT NULL, ms double precision MEASURE) USING rows;
INSERT INTO load SELECT '2024-03-01'::timestamptz + i * interval '13 minutes', 'h' || i % 6 + 1, 'app' || i % 4, i * 7 % 50, CASE WHEN i % 9 > 0 THEN i * 0.5 END FROM generate_series(0, 199) i;
CREATE TABLE owners (host text DIMENSION NOT NULL, team text DIMENSION NOT NULL, budget numeric MEASURE) USING rows;
INSERT INTO owners VALUES ('h1', 'red', 10.5), ('h2', 'red', 20), ('h3', 'blue', NULL), ('h9', 'green', 7.25);
-- set-up: packed documents
CREATE TABLE calls (ts timestamptz TIME PERIOD '60 s' NOT NULL, code text DIMENSION NOT NULL, cmd text DIMENSION NOT NULL, n bigint MEASURE NOT NULL, ms double precision MEASURE) USING nested WITH (levels = 'ts, cmd, code', presum = 'ts, cmd');
INSERT INTO calls SELECT '2024-03-01'::timestamptz + i % 100 * interval '30 minutes', (ARRAY['0', '0', '-502'])[i % 3 + 1], 'cmd' || i % 5, i % 17, i * 0.125 FROM generate_series(0, 299) i;
CREATE TABLE daily (ts timestamptz TIME PERIOD '60 s' NOT NULL, code text DIMENSION NOT NULL, cmd text DIMENSION NOT NULL, n bigint MEASURE NOT NULL, ms double precision MEASURE) USING per_day;
INSERT INTO daily SELECT * FROM calls;
CREATE TABLE samples (ts timestamptz TIME PERIOD '1 s' NOT NULL, type text DIMENSION NOT NULL, value bigint MEASURE) USING minute;
INSERT INTO samples SELECT '2024-03-01'::timestamptz + i * interval '10 s', 't' || k, i * k % 23 FROM generate_series(0, 59) i, generate_series(1, 3) k;
CREATE TABLE sums (ts timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, app text DIMENSION NOT NULL, n bigint MEASURE NOT NULL, ms double precision MEASURE) USING rows;
ALTER TABLE sums ADD LAYOUT hourly USING rollup WITH (bucket = '1 hour', by = 'host', keep = 'sum(n), max(n), min(n), avg(ms)');
INSERT INTO sums SELECT * FROM load;
-- plain: filter by a text
SELECT time, host, ms FROM events WHERE level = 'error' AND ms > 20 ORDER BY time;
-- plain: a day's range
SELECT count(*), sum(ms), avg(ms) FROM events WHERE time >= '2024-03-02' AND time < '2024-03-03';
-- plain: group by hour
SELECT date_trunc('hour', time) AS hour, count(*), max(ms) FROM events GROUP BY 1 ORDER BY 1;
-- plain: group by day and level
SELECT date_trunc('day', time) AS day, level, count(*) FROM events GROUP BY 1, 2 ORDER BY 1, 2;
-- plain: HAVING
SELECT host, avg(ms) FROM events GROUP BY host HAVING count(ms) > 30 AND max(ms) > 49 ORDER BY host;
-- plain: top three
SELECT host, sum(ms) AS total FROM events GROUP BY host ORDER BY total DESC, host LIMIT 3;
-- plain: newest rows
SELECT time, host, level FROM events ORDER BY time DESC LIMIT 10;
-- plain: DISTINCT
SELECT DISTINCT host, level FROM events WHERE level IS NOT NULL ORDER BY host, level;
-- plain: count(DISTINCT)
SELECT level, count(DISTINCT uid) FROM events GROUP BY level ORDER BY level NULLS FIRST;
-- plain: CASE
SELECT CASE WHEN ms < 10 THEN 'fast' WHEN ms < 30 THEN 'normal' ELSE 'slow' END AS speed, count(*) FROM events GROUP BY 1 ORDER BY 1;
-- plain: FILTER
SELECT host, count(*) FILTER (WHERE level = 'error') AS errors, count(*) FROM events GROUP BY host ORDER BY host;
-- plain: inner join
SELECT e.time, h.at.room, e.ms FROM events e JOIN hosts h ON h.name = e.host WHERE e.level = 'warn' ORDER BY e.time LIMIT 20;
-- plain: left join
SELECT h.name, count(e.host) FROM hosts h LEFT JOIN events e ON e.host = h.name GROUP BY h.name ORDER BY h.name;
-- plain: anti join
SELECT name FROM hosts h WHERE NOT EXISTS (SELECT FROM events e WHERE e.host = h.name) ORDER BY name;
-- plain: semi join
SELECT count(*) FROM events WHERE host IN (SELECT name FROM hosts WHERE at.room = 'attic');
-- plain: LIKE
SELECT name, cores FROM hosts WHERE name LIKE 'h%' AND at.room ILIKE '%TTI%' ORDER BY name;
-- plain: regular expression
SELECT level, count(*) FROM events WHERE level ~ '^(warn|error)$' GROUP BY level ORDER BY level;
-- plain: array contains
SELECT name FROM hosts WHERE tags @> '{db}' ORDER BY name;
-- plain: unnest
SELECT tag, count(*), sum(cores) FROM hosts, unnest(tags) AS tag GROUP BY tag ORDER BY tag;
-- plain: UNION ALL
SELECT name FROM hosts WHERE cores > 12 UNION ALL SELECT host FROM events WHERE ms > 49 ORDER BY 1;
-- rows: time range
SELECT ts, n FROM load WHERE ts BETWEEN '2024-03-01 06:00+00' AND '2024-03-01 08:00+00' ORDER BY ts;
-- rows: sums by day
SELECT ts::date AS day, sum(n), avg(ms), count(*) FROM load GROUP BY 1 ORDER BY 1;
-- rows: quarters of an hour
SELECT time_bucket('15 minutes', ts) AS t, host, sum(n) FROM load WHERE ts < '2024-03-01 12:00+00' GROUP BY 1, 2 ORDER BY 1, 2;
-- rows: hours in a time zone
SELECT date_trunc('hour', ts, 'Europe/Berlin') AS hour, sum(n) FROM load GROUP BY 1 ORDER BY 1;
-- rows: hour of the day
SELECT extract(hour FROM ts) AS hour, avg(n) FROM load GROUP BY 1 ORDER BY 1;
-- rows: weekday
SELECT extract(isodow FROM ts) AS day, to_char(min(ts), 'YYYY-MM-DD') AS first, count(*) FROM load GROUP BY 1 ORDER BY 1;
-- rows: running sum
SELECT ts, n, sum(n) OVER (PARTITION BY host ORDER BY ts ROWS UNBOUNDED PRECEDING) AS total FROM load WHERE app = 'app1' ORDER BY ts;
-- rows: rank
SELECT host, ts, n, rank() OVER (PARTITION BY host ORDER BY n DESC) AS place FROM load WHERE n > 40 ORDER BY host, place, ts;
-- rows: difference to the row before
SELECT ts, n, n - lag(n) OVER (ORDER BY ts) AS change FROM load WHERE host = 'h1' ORDER BY ts;
-- rows: moving average
SELECT ts, avg(n) OVER (ORDER BY ts ROWS BETWEEN 4 PRECEDING AND CURRENT ROW) AS mean FROM load WHERE host = 'h2' ORDER BY ts;
-- rows: newest of each host
SELECT host, max(ts), last(n, ts) FROM load GROUP BY host ORDER BY host;
-- rows: first two of each group
SELECT host, ts, n FROM (SELECT host, ts, n, row_number() OVER (PARTITION BY host ORDER BY ts) AS r FROM load) q WHERE r <= 2 ORDER BY host, ts;
-- rows: join with a sum
SELECT o.team, sum(l.n), count(*) FROM load l JOIN owners o ON o.host = l.host GROUP BY o.team ORDER BY o.team;
-- rows: left join with CASE
SELECT l.ts, CASE WHEN o.team IS NULL THEN 'none' ELSE o.team END AS team FROM load l LEFT JOIN owners o ON o.host = l.host WHERE l.n > 45 ORDER BY l.ts;
-- rows: above the average
SELECT ts, host, n FROM load WHERE n > (SELECT avg(n) FROM load) AND app = 'app0' ORDER BY ts;
-- rows: WITH
WITH hosts_sum AS (SELECT host, sum(n) AS s FROM load GROUP BY host) SELECT count(*), max(s), min(s) FROM hosts_sum WHERE s > 700;
-- rows: percentiles
SELECT host, percentile_cont(0.95) WITHIN GROUP (ORDER BY ms) AS p95 FROM load GROUP BY host ORDER BY host;
-- rows: gap filling
SELECT time_bucket_gapfill('1 hour', ts) AS hour, count(*), locf(max(n)) FROM load WHERE ts >= '2024-03-01' AND ts < '2024-03-02' AND app = 'app3' GROUP BY 1 ORDER BY 1;
-- rows: UNION
SELECT host FROM load UNION SELECT host FROM owners ORDER BY host;
-- rows: deviation
SELECT app, floor(1000 * stddev(ms)), floor(1000 * var_pop(ms)) FROM load GROUP BY app ORDER BY app;
-- packed: nested, sums by the minute
SELECT ts, sum(n), count(*) FROM calls WHERE ts >= '2024-03-01' AND ts < '2024-03-01 12:00+00' GROUP BY ts ORDER BY ts;
-- packed: nested, by hour
SELECT date_trunc('hour', ts) AS hour, sum(n), sum(ms) FROM calls GROUP BY 1 ORDER BY 1;
-- packed: nested, share of errors
SELECT cmd, count(*) FILTER (WHERE code <> '0') * 100 / count(*) AS percent FROM calls GROUP BY cmd ORDER BY cmd;
-- packed: nested, top commands
SELECT cmd, sum(ms) AS total FROM calls WHERE code = '0' GROUP BY cmd ORDER BY total DESC, cmd LIMIT 3;
-- packed: nested, newest records
SELECT ts, cmd, code, n FROM calls ORDER BY ts DESC, cmd, code, n LIMIT 5;
-- packed: nested, LIKE
SELECT cmd, code, sum(n) FROM calls WHERE cmd LIKE 'cmd%' AND code LIKE '-5%' GROUP BY cmd, code ORDER BY cmd, code;
-- packed: nested, DISTINCT
SELECT DISTINCT cmd, code FROM calls ORDER BY cmd, code;
-- packed: nested, HAVING
SELECT ts, cmd, sum(n) FROM calls GROUP BY ts, cmd HAVING sum(n) > 25 ORDER BY ts, cmd;
-- packed: nested, running sum
SELECT ts, sum(n) AS s, sum(sum(n)) OVER (ORDER BY ts ROWS UNBOUNDED PRECEDING) AS total FROM calls GROUP BY ts ORDER BY ts;
-- packed: nested, median
SELECT cmd, percentile_disc(0.5) WITHIN GROUP (ORDER BY n) FROM calls GROUP BY cmd ORDER BY cmd;
-- packed: per_day, sums by day
SELECT date_trunc('day', ts) AS day, code, sum(n), count(*) FROM daily GROUP BY 1, 2 ORDER BY 1, 2;
-- packed: per_day, one command
SELECT date_trunc('hour', ts) AS hour, sum(n), max(ms) FROM daily WHERE cmd = 'cmd3' GROUP BY 1 ORDER BY 1;
-- packed: per_day, count(DISTINCT)
SELECT count(DISTINCT cmd), count(DISTINCT ts) FROM daily WHERE code = '0';
-- packed: per_day, semi join
SELECT cmd, sum(n) FROM daily d WHERE EXISTS (SELECT FROM calls c WHERE c.cmd = d.cmd AND c.n > 15) GROUP BY cmd ORDER BY cmd;
-- packed: minute, by the minute
SELECT date_trunc('minute', ts) AS minute, type, avg(value), max(value) FROM samples GROUP BY 1, 2 ORDER BY 1, 2;
-- packed: minute, filter
SELECT ts, value FROM samples WHERE type = 't2' AND value > 15 ORDER BY ts;
-- packed: minute, moving average
SELECT ts, avg(value) OVER (ORDER BY ts ROWS 2 PRECEDING) AS mean FROM samples WHERE type = 't1' ORDER BY ts;
-- packed: rollup, sums by hour
SELECT date_trunc('hour', ts) AS hour, host, sum(n), max(n) FROM sums GROUP BY 1, 2 ORDER BY 1, 2;
-- packed: rollup, by day and top
SELECT date_trunc('day', ts) AS day, host, sum(n) AS total FROM sums GROUP BY 1, 2 ORDER BY total DESC, 1, 2 LIMIT 5;
-- packed: rollup, joined
SELECT o.team, sum(s.n) FROM sums s JOIN owners o ON o.host = s.host GROUP BY o.team ORDER BY o.team;
