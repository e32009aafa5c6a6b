-- also: mongo
-- state_agg: times in states. First the examples of TimescaleDB's Toolkit, whose results are these.
CREATE TABLE s1 (ts timestamptz NOT NULL, state text) USING rows;
INSERT INTO s1 VALUES ('2020-01-01 00:00:00+00', 'START'), ('2020-01-01 00:00:11+00', 'OK'), ('2020-01-01 00:01:00+00', 'ERROR'), ('2020-01-01 00:01:03+00', 'OK'), ('2020-01-01 00:02:00+00', 'STOP');
CREATE TABLE s2 (ts timestamptz NOT NULL, state text) USING rows;
INSERT INTO s2 VALUES ('2019-12-31 00:00:00+00', 'START'), ('2019-12-31 00:00:11+00', 'OK'), ('2019-12-31 00:02:00+00', 'STOP'), ('2019-12-31 00:01:03+00', 'OK');
CREATE TABLE s3 (ts timestamptz NOT NULL, state text) USING rows;
INSERT INTO s3 VALUES ('2019-12-31 00:00:11+00', 'UNUSED'), ('2019-12-31 00:01:00+00', 'START');
CREATE TABLE s4 (ts timestamptz NOT NULL, state bigint) USING rows;
INSERT INTO s4 VALUES ('2020-01-01 00:00:00+00', 4), ('2020-01-01 00:00:11+00', 51351), ('2020-01-01 00:01:00+00', 2), ('2020-01-01 00:01:03+00', 51351), ('2020-01-01 00:02:00+00', -9);
CREATE TABLE s5 (ts timestamptz NOT NULL, state bigint) USING rows;
INSERT INTO s5 VALUES ('2020-01-01 00:00:00+00', 4), ('2020-01-01 00:00:11+00', 51351), ('2020-01-01 00:01:00+00', 2), ('2020-01-01 00:02:03+00', 51351), ('2020-01-01 00:02:05+00', -9);
CREATE TABLE s6 (ts timestamptz NOT NULL, state bigint) USING rows;
INSERT INTO s6 VALUES ('2019-12-31 00:00:11+00', 456789), ('2019-12-31 00:01:00+00', 4);
SELECT duration_in(state_agg(ts, state), 'ERROR') FROM s1;
SELECT duration_in(state_agg(ts, state), 2) FROM s4;
SELECT extract(epoch FROM duration_in(state_agg(ts, state), 'ERROR'))::integer AS seconds FROM s1;
SELECT duration_in(state_agg(ts, state), 'OK', '2020-01-01 00:01:00+00', '2 days') AS days, duration_in(state_agg(ts, state), 'OK', '2020-01-01 00:01:00+00', NULL) AS no_end, duration_in(state_agg(ts, state), 'OK', '2020-01-01 00:01:00+00') AS no_argument FROM s1;
SELECT duration_in(state_agg(ts, state), 51351, '2020-01-01 00:01:00+00', '2 days') AS days, duration_in(state_agg(ts, state), 51351, '2020-01-01 00:01:00+00', NULL) AS no_end, duration_in(state_agg(ts, state), 51351, '2020-01-01 00:00:15+00', '1 minute 1 second') AS minute FROM s4;
SELECT duration_in(state_agg(ts, state), 'OK', '2020-01-01 00:00:15+00', '30 seconds') AS half, duration_in(state_agg(ts, state), 'OK', '2020-01-01 00:00:15+00', '1 minute 1 second') AS minute FROM s1;
SELECT state, duration FROM into_values((SELECT state_agg(ts, state) FROM s1)) ORDER BY state, duration;
SELECT state, duration FROM into_int_values((SELECT state_agg(ts, state) FROM s4)) ORDER BY state, duration;
SELECT state, start_time, end_time FROM state_timeline((SELECT state_agg(ts, state) FROM s1)) ORDER BY start_time;
SELECT state, start_time, end_time FROM state_int_timeline((SELECT state_agg(ts, state) FROM s4)) ORDER BY start_time;
SELECT state, start_time, end_time FROM state_timeline((SELECT state_agg(ts, state) FROM s2)) ORDER BY start_time;
SELECT state_at(a, '2020-01-01 00:01:02+00') AS inside, state_at(a, '2020-01-01 00:01:00+00') AS first, state_at(a, '2020-01-01 00:00:05+00') AS early, state_at(a, '2020-01-01 00:00:00+00') AS begin, state_at(a, '2019-12-31 23:59:59.999999+00') AS before, state_at(a, '2025-01-01 00:00:00+00') AS after FROM (SELECT state_agg(ts, state) AS a FROM s1) AS u;
SELECT state_at_int((SELECT state_agg(ts, state) FROM s5), '2020-01-01 00:01:02+00');
SELECT start_time, end_time FROM state_periods((SELECT state_agg(ts, state) FROM s1), 'OK') ORDER BY start_time;
SELECT start_time, end_time FROM state_periods((SELECT state_agg(ts, state) FROM s4), 51351) ORDER BY start_time;
SELECT start_time, end_time FROM state_periods((SELECT state_agg(ts, state) FROM s1), 'ANYTHING') ORDER BY start_time;
SELECT state, start_time, end_time FROM interpolated_state_timeline((SELECT state_agg(ts, state) FROM s1), '2019-12-31', '1 days', (SELECT state_agg(ts, state) FROM s3)) ORDER BY start_time;
SELECT state, start_time, end_time FROM interpolated_state_int_timeline((SELECT state_agg(ts, state) FROM s5), '2019-12-31', '1 days', (SELECT state_agg(ts, state) FROM s6)) ORDER BY start_time;
SELECT state, start_time, end_time FROM interpolated_state_timeline((SELECT state_agg(ts, state) FROM s1), '2019-12-31', '5 days', (SELECT state_agg(ts, state) FROM s3)) ORDER BY start_time;
SELECT state, start_time, end_time FROM interpolated_state_timeline((SELECT state_agg(ts, state) FROM s1), '2019-12-31', '1 days', (SELECT state_agg(ts, state) FROM s2)) ORDER BY start_time;
SELECT state, start_time, end_time FROM interpolated_state_timeline((SELECT state_agg(ts, state) FROM s1), '2019-12-31', '5 days', (SELECT state_agg(ts, state) FROM s2)) ORDER BY start_time;
SELECT start_time, end_time FROM interpolated_state_periods((SELECT state_agg(ts, state) FROM s1), 'OK', '2019-12-31', '1 days', (SELECT state_agg(ts, state) FROM s3)) ORDER BY start_time;
SELECT start_time, end_time FROM interpolated_state_periods((SELECT state_agg(ts, state) FROM s1), 'START', '2019-12-31', '5 days', (SELECT state_agg(ts, state) FROM s3)) ORDER BY start_time;
SELECT start_time, end_time FROM interpolated_state_periods((SELECT state_agg(ts, state) FROM s5), 4, '2019-12-31', '5 days', (SELECT state_agg(ts, state) FROM s6)) ORDER BY start_time;
SELECT start_time, end_time FROM interpolated_state_periods((SELECT state_agg(ts, state) FROM s1), 'STOP', '2019-12-31', '1 days', (SELECT state_agg(ts, state) FROM s2)) ORDER BY start_time;
SELECT start_time, end_time FROM interpolated_state_periods((SELECT state_agg(ts, state) FROM s1), 'STOP', '2019-12-31', '5 days', (SELECT state_agg(ts, state) FROM s2)) ORDER BY start_time;
WITH buckets AS (SELECT date_trunc('minute', ts) AS dt, state_agg(ts, state) AS sa FROM s1 GROUP BY 1) SELECT duration_in(rollup(sa), 'START') AS start, duration_in(rollup(sa), 'OK') AS ok FROM buckets;
WITH buckets AS (SELECT date_trunc('minute', ts) AS dt, state_agg(ts, state) AS sa FROM s1 GROUP BY 1) SELECT state, start_time, end_time FROM (SELECT rollup(sa) AS a FROM buckets) AS u, state_timeline(a);
WITH buckets AS (SELECT date_trunc('minute', ts) AS dt, state_agg(ts, state) AS sa FROM s1 GROUP BY 1) SELECT state, start_time, end_time FROM (SELECT rollup(sa) AS a FROM buckets WHERE dt <> '2020-01-01 00:01:00+00') AS u, state_timeline(a);
WITH buckets AS (SELECT date_trunc('minute', ts) AS dt, state_agg(ts, state) AS sa FROM s5 GROUP BY 1) SELECT state, start_time, end_time FROM (SELECT rollup(sa) AS a FROM buckets WHERE dt <> '2020-01-01 00:01:00+00') AS u, state_int_timeline(a);
CREATE TABLE mail (id bigint NOT NULL, ts timestamptz NOT NULL, status text) USING rows;
INSERT INTO mail (ts, id, status) VALUES ('2022-01-11 11:51:12', 1, 'draft'), ('2022-01-11 11:53:23', 1, 'queued'), ('2022-01-11 11:57:46', 1, 'sending'), ('2022-01-11 11:57:50', 1, 'sent'), ('2022-01-11 11:52:12', 2, 'draft'), ('2022-01-11 11:58:23', 2, 'queued'), ('2022-01-11 12:00:46', 2, 'sending'), ('2022-01-11 12:01:03', 2, 'bounced');
CREATE TABLE minutes AS SELECT time_bucket('1 minute', ts) AS bucket, id, state_agg(ts, status) AS agg FROM mail GROUP BY bucket, id;
SELECT duration_in(rollup(agg), 'draft') FROM minutes WHERE id = 1;
SELECT state, start_time, end_time FROM (SELECT rollup(agg) AS a FROM minutes WHERE id = 2) AS u, state_timeline(a);
-- interpolated_duration_in, also over the states of the window before.
SELECT interpolated_duration_in(a, 'OK', '2020-01-01', '1 hour', NULL) AS ok, interpolated_duration_in(a, 'STOP', '2020-01-01', '1 hour', NULL) AS stop, interpolated_duration_in(a, 'STOP', '2019-12-31 23:00', '2 hours', p) AS both, interpolated_duration_in(a, 'START', '2019-12-31 23:00', '30 min', p) AS cut FROM (SELECT state_agg(ts, state) AS a FROM s1) AS u, (SELECT state_agg(ts, state) AS p FROM s2) AS v;
SELECT interpolated_duration_in(a, 51351, '2020-01-01', '1 hour', NULL), interpolated_duration_in(a, -9, '2020-01-01', '1 hour', NULL) FROM (SELECT state_agg(ts, state) AS a FROM s4) AS u;
SELECT h, interpolated_duration_in(a, 'on', h, '1 hour', lag(a) OVER (ORDER BY h)) FROM (SELECT date_trunc('hour', t) AS h, state_agg(t, s) AS a FROM (VALUES (timestamptz '2020-01-01 00:50+00', 'on'), ('2020-01-01 01:10+00', 'off'), ('2020-01-01 01:30+00', 'on'), ('2020-01-01 02:05+00', 'off')) AS v (t, s) GROUP BY 1) AS u ORDER BY h;
-- Days follow the session's zone.
SET timezone = 'Europe/Berlin';
SELECT duration_in(state_agg(t, s), 'on', '2020-03-29', '1 day') FROM (VALUES (timestamptz '2020-03-28', 'on'), ('2020-04-01', 'off')) AS v (t, s);
RESET timezone;
-- The stored form; rows in any order; rows that repeat; one row.
SELECT state_agg(ts, state), pg_typeof(state_agg(ts, state)) FROM s2;
SELECT state_agg(t, s ORDER BY t DESC)::text = state_agg(t, s ORDER BY t)::text AS same FROM (VALUES (timestamptz '2020-01-01', 'a'), ('2020-01-03', 'b'), ('2020-01-02', 'a'), ('2020-01-02', 'a')) AS v (t, s);
SELECT a, duration_in(a, 7), state_at_int(a, '2020-01-02') FROM (SELECT state_agg(timestamptz '2020-01-01', 7) AS a) AS u;
SELECT state_agg(t, s), state_agg(t, s) FILTER (WHERE s = 'x') AS none FROM (VALUES (timestamptz '2020-01-01', NULL), (NULL, 'b'), ('2020-01-03', 'c')) AS v (t, s);
SELECT t, state_agg(t, s) OVER (ORDER BY t ROWS 1 PRECEDING)::jsonb -> 's' AS states FROM (VALUES (timestamptz '2020-01-01', 'a'), ('2020-01-03', 'b'), ('2020-01-02', 'a')) AS v (t, s) ORDER BY t;
SELECT duration_in(a, 'a', '2020-01-01 00:00:00.0005+00') AS late, duration_in(a, 'a', '2020-01-01', '0.75 milliseconds') AS short, duration_in(a, 'a', '-infinity') AS whole, duration_in(a, 'a', 'infinity') AS never, duration_in(a, 'b') AS last FROM (SELECT state_agg(t, s) AS a FROM (VALUES (timestamptz '2020-01-01', 'a'), ('2020-01-01 00:00:01+00', 'b')) AS v (t, s)) AS u;
-- Many rows of many groups, on several threads; layouts.
CREATE TABLE e (ts timestamptz TIME PERIOD '1 min' NOT NULL, host text DIMENSION NOT NULL, s int MEASURE) USING rows;
INSERT INTO e SELECT timestamptz '2020-01-01' + ((i * 7919) % 20011) * interval '1 min', 'h' || i % 3, (i * 7919) % 20011 / 100 % 2 FROM generate_series(0, 20010) AS g (i);
SELECT host, duration_in(a, 0), duration_in(a, 1) FROM (SELECT host, state_agg(ts, s) AS a FROM e GROUP BY host) AS u ORDER BY host;
ALTER TABLE e ADD LAYOUT packed USING nested WITH (cluster_by = 'host', levels = 'ts');
SET layout = 'packed';
SELECT host, duration_in(a, 0), duration_in(a, 1) FROM (SELECT host, state_agg(ts, s) AS a FROM e GROUP BY host) AS u ORDER BY host;
RESET layout;
SELECT count(*), sum(extract(epoch FROM end_time - start_time)) FROM (SELECT rollup(a) AS a FROM (SELECT date_trunc('day', ts) AS d, state_agg(ts, s) AS a FROM e GROUP BY 1) AS u) AS v, state_int_timeline(a);
-- States that wait in temporary files.
SELECT count(*), sum(extract(epoch FROM duration_in(a, 1))) FROM (SELECT extract(epoch FROM ts)::bigint / 60 % 1000 AS g, state_agg(ts, s) AS a FROM e GROUP BY 1) AS u;
SELECT count(*), sum(extract(epoch FROM duration_in(a, 1))) FROM (SELECT g, rollup(a) AS a FROM (SELECT extract(epoch FROM ts)::bigint / 60 % 1000 AS g, date_trunc('day', ts) AS d, state_agg(ts, s) AS a FROM e GROUP BY 1, 2) AS v GROUP BY g) AS u;
SET work_mem = '64kB';
SELECT count(*), sum(extract(epoch FROM duration_in(a, 1))) FROM (SELECT extract(epoch FROM ts)::bigint / 60 % 1000 AS g, state_agg(ts, s) AS a FROM e GROUP BY 1) AS u;
SELECT count(*), sum(extract(epoch FROM duration_in(a, 1))) FROM (SELECT g, rollup(a) AS a FROM (SELECT extract(epoch FROM ts)::bigint / 60 % 1000 AS g, date_trunc('day', ts) AS d, state_agg(ts, s) AS a FROM e GROUP BY 1, 2) AS v GROUP BY g) AS u;
RESET work_mem;
-- NULL and what is refused.
SELECT duration_in(NULL::stateagg, 'a') AS no_rows, duration_in(a, NULL::text) AS no_state, state_at(NULL::stateagg, '2020-01-01') AS at, rollup(NULL::stateagg) FROM (SELECT state_agg(ts, state) AS a FROM s1) AS u GROUP BY a;
SELECT count(*) FROM state_timeline(NULL);
SELECT state_agg(t, s) FROM (VALUES (timestamptz '2020-01-01', 'b'), ('2020-01-01', 'a')) AS v (t, s);
SELECT state_agg(t, s) FROM (VALUES (timestamptz '2020-01-01', 2), ('2020-01-01', 3), ('2020-01-01', 1)) AS v (t, s);
SELECT state_agg('infinity'::timestamptz, 'a');
SELECT duration_in(state_agg(ts, state), 5) FROM s1;
SELECT state_at(state_agg(ts, state), '2020-01-01') FROM s4;
SELECT duration_in(state_agg(ts, state), 'OK', '2020-01-01', '-1 day') FROM s1;
SELECT rollup(a) FROM (SELECT state_agg(ts, state) AS a FROM s1 UNION ALL SELECT state_agg(ts + interval '1 min', state) FROM s1) AS u;
SELECT rollup(a) FROM (SELECT state_agg(ts, state) AS a FROM s1 UNION ALL SELECT state_agg(ts, state) FROM s1) AS u;
SELECT rollup(a) FROM (SELECT state_agg(ts, state) AS a FROM s1 UNION ALL SELECT state_agg(ts, state) FROM s6) AS u;
SELECT interpolated_duration_in(NULL::stateagg, 'OK', '2020-01-01', '1 hour', NULL);
SELECT interpolated_duration_in(a, 'OK', '2020-01-01', '1 hour', a) FROM (SELECT state_agg(ts, state) AS a FROM s1) AS u;
SELECT interpolated_duration_in(a, 'OK', '2020-01-01', '1 hour', p) FROM (SELECT state_agg(ts, state) AS a FROM s1) AS u, (SELECT state_agg(ts, state) AS p FROM s6) AS v;
-- What isn't a state.
SELECT state_at('{"k": "stateagg", "v": 1}'::stateagg, '2020-01-01');
SELECT state_at('{"k": "stateagg", "v": 1, "t": [], "s": [], "end": {"$date": "2020-01-01T00:00:00Z"}}'::stateagg, '2020-01-01');
SELECT state_at('{"k": "stateagg", "v": 1, "t": [{"$date": "2020-01-01T00:00:00Z"}], "s": ["a", "b"], "end": {"$date": "2020-01-01T00:00:00Z"}}'::stateagg, '2020-01-01');
SELECT state_at('{"k": "stateagg", "v": 1, "t": [{"$date": "2020-01-01T00:00:00Z"}], "s": ["a"], "end": {"$date": "2019-01-01T00:00:00Z"}}'::stateagg, '2020-01-01');
SELECT state_at('{"k": "stateagg", "v": 1, "t": [{"$date": "2020-01-02T00:00:00Z"}, {"$date": "2020-01-01T00:00:00Z"}], "s": ["a", "b"], "end": {"$date": "2020-01-02T00:00:00Z"}}'::stateagg, '2020-01-01');
SELECT state_at('{"k": "stateagg", "v": 1, "t": [{"$date": "2020-01-01T00:00:00Z"}, {"$date": "2020-01-02T00:00:00Z"}], "s": ["a", 1], "end": {"$date": "2020-01-02T00:00:00Z"}}'::stateagg, '2020-01-01');
SELECT state_at_int('{"k": "stateagg", "v": 1, "t": [{"$date": "2020-01-01T00:00:00Z"}], "s": [1], "end": {"$date": "2020-01-01T00:00:00Z"}}'::stateagg, '2020-01-01');
CHECK TABLE minutes;
DROP TABLE s1, s2, s3, s4, s5, s6, mail, minutes, e;
-- 24 hours are a day, as in the example of Toolkit's documentation.
SELECT duration_in(a, 'running'), duration_in(a, 'error'), duration_in(a, 'running', '2020-01-02 00:00+00', '2 days') FROM (SELECT state_agg(ts, s) AS a FROM (VALUES (timestamptz '2020-01-01 10:00+00', 'starting'), ('2020-01-01 10:30+00', 'running'), ('2020-01-03 16:00+00', 'error'), ('2020-01-03 18:30+00', 'starting'), ('2020-01-03 19:30+00', 'running'), ('2020-01-05 12:00+00', 'stopping')) AS t (ts, s)) AS u;
SELECT uptime(a), downtime(a) FROM (SELECT heartbeat_agg(ts, '2020-01-01 00:00+00', '1 week', '1 day 1 hour') AS a FROM generate_series(timestamptz '2020-01-01 00:00+00', '2020-01-05 00:00+00', '1 day') AS g (ts)) AS u;
-- Sets in the select list, also after ->
CREATE TABLE s7 (ts timestamptz, state text);
INSERT INTO s7 VALUES ('2020-01-01 00:00:00+00', 'START'), ('2020-01-01 00:00:11+00', 'OK'), ('2020-01-01 00:01:00+00', 'ERROR'), ('2020-01-01 00:01:03+00', 'OK'), ('2020-01-01 00:02:00+00', 'STOP');
SELECT (state_agg(ts, state) -> into_values()).* FROM s7 ORDER BY state;
SELECT (state_agg(ts, state) -> state_timeline()).* FROM s7;
SELECT ((SELECT state_agg(ts, state) FROM s7) -> state_periods('OK')).*;
SELECT state_timeline(rollup(sa)) FROM (SELECT state_agg(ts, state) AS sa FROM s7 GROUP BY date_trunc('minute', ts)) AS u;
SELECT bucket, (interpolated_state_timeline(sa, bucket, '1 min', lag(sa) OVER (ORDER BY bucket))).* FROM (SELECT time_bucket('1 min', ts) AS bucket, state_agg(ts, state) AS sa FROM s7 GROUP BY 1) AS u ORDER BY bucket, start_time;
DROP TABLE s7;
