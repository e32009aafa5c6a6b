-- also: mongo
-- compact_state_agg: how long each state lasted. First what TimescaleDB's Toolkit documents.
SET TimeZone = 'UTC';
CREATE TABLE s1 (ts timestamptz NOT NULL, state text) USING rows;
INSERT INTO s1 VALUES ('2020-01-01 00:00:00+00', 'START'), ('2020-01-01 00:00:11+00', 'OK'), ('2020-01-01 00:01:00+00', 'ERROR'), ('2020-01-01 00:01:03+00', 'OK'), ('2020-01-01 00:02:00+00', 'STOP');
CREATE TABLE s4 (ts timestamptz NOT NULL, state bigint) USING rows;
INSERT INTO s4 VALUES ('2020-01-01 00:00:00+00', 4), ('2020-01-01 00:00:11+00', 51351), ('2020-01-01 00:01:00+00', 2), ('2020-01-01 00:01:03+00', 51351), ('2020-01-01 00:02:00+00', -9);
SELECT duration_in(compact_state_agg(ts, state), 'ERROR') FROM s1;
SELECT duration_in(compact_state_agg(ts, state), 2) FROM s4;
SELECT extract(epoch FROM duration_in(compact_state_agg(ts, state), 'ERROR'))::integer AS seconds FROM s1;
SELECT state, duration FROM into_values((SELECT compact_state_agg(ts, state) FROM s1)) ORDER BY state, duration;
SELECT state, duration FROM into_int_values((SELECT compact_state_agg(ts, state) FROM s4));
-- The stored form, the type, states that never were, and NULL.
SELECT compact_state_agg(ts, state), pg_typeof(compact_state_agg(ts, state)) FROM s1;
SELECT duration_in(compact_state_agg(ts, state), 'none') AS none, duration_in(compact_state_agg(ts, state), NULL::text) AS no_state FROM s1;
SELECT compact_state_agg(ts, state) AS a, duration_in(compact_state_agg(ts, state), 'OK') FROM s1 WHERE false;
SELECT compact_state_agg(ts, NULL::text) FROM s1;
SELECT compact_state_agg(ts, state ORDER BY ts DESC)::text = compact_state_agg(ts, state)::text AS same FROM s1;
-- rollup: the last state of a part goes on to the next part. Parts may be rolled up again, and kept.
CREATE TABLE minutes AS SELECT date_trunc('minute', ts) AS minute, compact_state_agg(ts, state) AS a FROM s1 GROUP BY 1;
SELECT minute, state, duration FROM minutes, into_values(a) ORDER BY 1, 2;
SELECT rollup(a)::text = (SELECT compact_state_agg(ts, state)::text FROM s1) AS same FROM minutes;
SELECT rollup(b)::text = (SELECT compact_state_agg(ts, state)::text FROM s1) AS same FROM (SELECT rollup(a) AS b FROM minutes GROUP BY minute > '2020-01-01 00:00') AS u;
SELECT duration_in(rollup(a), 'OK') FROM minutes WHERE minute <> '2020-01-01 00:01';
-- interpolated_duration_in: over a whole period, which has all times of the state.
SELECT interpolated_duration_in(a, 'STOP', '2020-01-01', '1 hour', NULL) AS stop, interpolated_duration_in(a, 'OK', '2020-01-01', '1 hour', NULL) AS ok, interpolated_duration_in(a, 'WAIT', '2019-12-31 23:59', '1 hour', p) AS wait, interpolated_duration_in(a, 'START', '2019-12-31 23:59:59.5', '1 hour', p) AS start FROM (SELECT compact_state_agg(ts, state) AS a FROM s1) AS u, (SELECT compact_state_agg('2019-12-31 12:00', 'WAIT'::text) AS p) AS v;
SELECT interpolated_duration_in(a, -9, '2020-01-01', '1 hour', NULL), interpolated_duration_in(a, NULL::bigint, '2020-01-01', '1 hour', NULL) FROM (SELECT compact_state_agg(ts, state) AS a FROM s4) AS u;
SELECT minute, interpolated_duration_in(a, 'OK', minute, '1 min', lag(a) OVER (ORDER BY minute)) FROM minutes ORDER BY 1;
-- What can't be.
SELECT interpolated_duration_in(a, 'OK', '2020-01-01 00:00:01', '1 hour', NULL) FROM (SELECT compact_state_agg(ts, state) AS a FROM s1) AS u;
SELECT interpolated_duration_in(a, 'OK', '2020-01-01', '1 min', NULL) FROM (SELECT compact_state_agg(ts, state) AS a FROM s1) AS u;
SELECT interpolated_duration_in(a, 'OK', '2020-01-01', '1 hour', a) FROM (SELECT compact_state_agg(ts, state) AS a FROM s1) AS u;
SELECT interpolated_duration_in(NULL::compactstateagg, 'OK', '2020-01-01', '1 hour', NULL);
SELECT duration_in(compact_state_agg(ts, state), 4) FROM s1;
SELECT * FROM into_values((SELECT compact_state_agg(ts, state) FROM s4));
SELECT compact_state_agg(t, s) FROM (VALUES (timestamptz '2020-01-01', 'a'), ('2020-01-01', 'b')) AS v (t, s);
SELECT rollup(a) FROM (SELECT a FROM minutes UNION ALL SELECT compact_state_agg(ts, state) FROM s1) AS u;
SELECT rollup(a) FROM (SELECT compact_state_agg(ts, state) AS a FROM s1 UNION ALL SELECT compact_state_agg(ts, state) FROM s4) AS u;
SELECT duration_in('{"k": "compactstateagg", "v": 1, "s": ["a"], "d": [5], "first": "a", "last": "a", "start": {"$date": "2020-01-01T00:00:00Z"}, "end": {"$date": "2020-01-01T00:00:00Z"}}'::compactstateagg, 'a');
DROP TABLE minutes;
