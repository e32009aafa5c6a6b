-- also: mongo
-- heartbeat_agg: when something was alive. First the examples of TimescaleDB's Toolkit, whose results are these.
CREATE TABLE liveness (beat timestamptz NOT NULL, start timestamptz) USING rows;
INSERT INTO liveness VALUES ('2020-01-01 00:02:20', '2020-01-01 00:00'), ('2020-01-01 00:10', '2020-01-01 00:00'), ('2020-01-01 00:17', '2020-01-01 00:00'), ('2020-01-01 00:30', '2020-01-01 00:30'), ('2020-01-01 00:35', '2020-01-01 00:30'), ('2020-01-01 00:40', '2020-01-01 00:30'), ('2020-01-01 00:35', '2020-01-01 00:30'), ('2020-01-01 00:40', '2020-01-01 00:30'), ('2020-01-01 00:40', '2020-01-01 00:30'), ('2020-01-01 00:50:30', '2020-01-01 00:30'), ('2020-01-01 01:00', '2020-01-01 01:00'), ('2020-01-01 01:08', '2020-01-01 01:00'), ('2020-01-01 01:18', '2020-01-01 01:00'), ('2020-01-01 01:28', '2020-01-01 01:00'), ('2020-01-01 01:38:01', '2020-01-01 01:30'), ('2020-01-01 01:40', '2020-01-01 01:30'), ('2020-01-01 01:40:01', '2020-01-01 01:30'), ('2020-01-01 01:50:01', '2020-01-01 01:30'), ('2020-01-01 01:57', '2020-01-01 01:30'), ('2020-01-01 01:59:50', '2020-01-01 01:30');
CREATE TABLE whole AS SELECT heartbeat_agg(beat, '2020-01-01', '2h', '10m') AS agg FROM liveness;
SELECT r.* FROM whole, live_ranges(agg) AS r;
SELECT r.* FROM whole, dead_ranges(agg) AS r;
SELECT uptime(agg), downtime(agg), num_live_ranges(agg), num_gaps(agg) FROM whole;
SELECT live_at(agg, '2020-01-01 00:01:00') AS before, live_at(agg, '2020-01-01 00:05:00') AS inside, live_at(agg, '2020-01-01 00:30:00') AS first, live_at(agg, '2020-01-01 01:38:00') AS last, live_at(agg, '2020-01-01 02:00') AS "end" FROM whole;
SELECT uptime(a), num_gaps(a), live_at(a, '2020-01-01 00:50:25') FROM (SELECT trim_to(agg, '2020-01-01 00:30', '1h') AS a FROM whole) AS u;
SELECT uptime(a), num_gaps(a), live_at(a, '2020-01-01 00:20:25') FROM (SELECT trim_to(agg, duration => '30m') AS a FROM whole) AS u;
SELECT num_gaps(trim_to(agg, '2020-01-01 01:40:00')), uptime(trim_to(agg, '2020-01-01 00:50:00', '30s')), num_live_ranges(trim_to(agg, '2020-01-01 00:28:00', '22m15s')) FROM whole;
-- Each half hour by itself, and with the last heartbeat of the one before. The first heartbeat after 1:00 is 30 seconds late here.
CREATE TABLE halves AS SELECT start, heartbeat_agg(CASE WHEN beat = '2020-01-01 01:00' THEN '2020-01-01 01:00:30' ELSE beat END, start, '30m', '10m') AS agg FROM liveness GROUP BY start;
SELECT start, uptime(agg), interpolated_uptime(agg, lag(agg) OVER (ORDER BY start)), interpolated_downtime(agg, lag(agg) OVER (ORDER BY start)), downtime(interpolate(agg, lag(agg) OVER (ORDER BY start))) FROM halves ORDER BY start;
SELECT r.* FROM (SELECT start, interpolate(agg, lag(agg) OVER (ORDER BY start)) AS a FROM halves) AS u, live_ranges(a) AS r ORDER BY r.start;
-- rollup of neighbours, of periods that overlap, and of periods with gaps between.
SELECT r.* FROM (SELECT rollup(agg) AS a FROM halves) AS u, dead_ranges(a) AS r;
CREATE TABLE beats (ts timestamptz NOT NULL, batch timestamptz) USING rows;
INSERT INTO beats VALUES ('2020-01-01 03:02:20', '2020-01-01 03:00'), ('2020-01-01 03:03:10', '2020-01-01 03:00'), ('2020-01-01 03:04:07', '2020-01-01 03:00'), ('2020-01-01 07:19:20', '2020-01-01 07:00'), ('2020-01-01 07:39:20', '2020-01-01 07:00'), ('2020-01-01 07:59:20', '2020-01-01 07:00'), ('2020-01-01 08:00:10', '2020-01-01 08:00'), ('2020-01-01 08:59:10', '2020-01-01 08:00'), ('2020-01-01 23:34:20', '2020-01-01 23:00'), ('2020-01-01 23:37:20', '2020-01-01 23:00'), ('2020-01-01 23:38:05', '2020-01-01 23:00'), ('2020-01-01 23:39:00', '2020-01-01 23:00');
SELECT rollup(agg) FROM (SELECT heartbeat_agg(ts, batch, '1h', '1m') AS agg FROM beats GROUP BY batch) AS u;
SELECT r.* FROM (SELECT rollup(agg) AS a FROM (SELECT heartbeat_agg(ts, batch, '2h', '20m') AS agg FROM (VALUES (timestamptz '2020-01-01 00:50', timestamptz '2020-01-01 00:00'), ('2020-01-01 01:10', '2020-01-01 00:00'), ('2020-01-01 01:00', '2020-01-01 01:00')) AS v (ts, batch) GROUP BY batch) AS t) AS u, live_ranges(a) AS r;
SELECT uptime(rollup(agg)), num_gaps(rollup(agg)) FROM (SELECT heartbeat_agg(beat, '2020-01-01', '2h', '10m') AS agg FROM liveness WHERE extract(minute FROM beat) < 30 UNION ALL SELECT heartbeat_agg(beat, '2020-01-01', '3h', '10m') FROM liveness WHERE extract(minute FROM beat) >= 30) AS u;
-- The stored form; states without live ranges; NULL.
SELECT agg, pg_typeof(agg) FROM whole;
SELECT a, uptime(a), downtime(a), num_gaps(a), num_live_ranges(a), live_at(a, '2020-01-01 00:29'), uptime(interpolate(a, p)), uptime(interpolate(a, a2)) FROM (SELECT trim_to(agg, '2020-01-01 00:27', '3 min') AS a, trim_to(agg, '2020-01-01 00:10', '15 min') AS p, trim_to(agg, '2020-01-01', '2 min') AS a2 FROM whole) AS u;
SELECT heartbeat_agg(NULL, timestamptz '2020-01-01', '1h', '1m') AS none, uptime(NULL::heartbeatagg), interpolate(NULL::heartbeatagg, NULL), trim_to(NULL::heartbeatagg), rollup(NULL::heartbeatagg);
SELECT beat, uptime(heartbeat_agg(beat, '2020-01-01', '2h', '10m') OVER (ORDER BY beat ROWS 2 PRECEDING)) FROM liveness WHERE beat < '2020-01-01 00:36' ORDER BY beat;
-- Many rows in any order.
CREATE TABLE many (ts timestamptz TIME PERIOD '1 s' NOT NULL, host text DIMENSION NOT NULL, n int MEASURE) USING rows;
INSERT INTO many SELECT timestamptz '2020-01-01' + ((i * 7919) % 20011) * interval '4 seconds', 'h' || i % 2, i FROM generate_series(0, 20010) AS g (i) WHERE i % 7 <> 0;
SELECT host, uptime(a), num_gaps(a) FROM (SELECT host, heartbeat_agg(ts, '2020-01-01', '1 day', '5 s') AS a FROM many GROUP BY host) AS u ORDER BY host;
SELECT host, uptime(a), num_gaps(a) FROM (SELECT host, rollup(a) AS a FROM (SELECT host, time_bucket('1 hour', ts) AS h, heartbeat_agg(ts, time_bucket('1 hour', ts), '1 hour', '5 s') AS a FROM many GROUP BY 1, 2) AS v GROUP BY host) AS u ORDER BY host;
-- States that wait in temporary files.
SELECT count(*), sum(extract(epoch FROM uptime(a))), sum(num_gaps(a)) FROM (SELECT n % 1000 AS g, heartbeat_agg(ts, '2020-01-01', '1 day', '5 s') AS a FROM many GROUP BY 1) AS u;
SET work_mem = '64kB';
SELECT count(*), sum(extract(epoch FROM uptime(a))), sum(num_gaps(a)) FROM (SELECT n % 1000 AS g, heartbeat_agg(ts, '2020-01-01', '1 day', '5 s') AS a FROM many GROUP BY 1) AS u;
RESET work_mem;
-- What is refused.
SELECT heartbeat_agg(beat, '2020-01-01', '1h', '10m') FROM liveness;
SELECT heartbeat_agg(beat, start, '1h', '10m') FROM liveness;
SELECT heartbeat_agg(beat, '2020-01-01', '2h', '2h') FROM liveness;
SELECT heartbeat_agg(beat, '2020-01-01', '2h', '0') FROM liveness;
SELECT heartbeat_agg(beat, '2020-01-01', '-2h', '1m') FROM liveness;
SELECT heartbeat_agg(beat, '-infinity', '2h', '1m') FROM liveness;
SELECT live_at(agg, '2020-01-01 02:00:00.001') FROM whole;
SELECT live_at(agg, '2019-12-31 23:59:59.999') FROM whole;
SELECT trim_to(agg, '2020-01-01 01:00', '2h') FROM whole;
SELECT trim_to(agg, '2019-01-01') FROM whole;
SELECT trim_to(agg, duration => '0') FROM whole;
SELECT interpolate(agg, agg) FROM whole;
SELECT rollup(agg) FROM (SELECT agg FROM whole UNION ALL SELECT heartbeat_agg(ts, batch, '1h', '1m') FROM beats GROUP BY batch) AS u;
-- What isn't a state.
SELECT uptime('{"k": "heartbeatagg", "v": 1}'::heartbeatagg);
SELECT uptime('{"k": "heartbeatagg", "v": 1, "start": {"$date": "2020-01-01T00:00:00Z"}, "end": {"$date": "2020-01-01T01:00:00Z"}, "live": 60000, "last": {"$date": "2020-01-01T00:01:00Z"}, "from": [{"$date": "2020-01-01T00:01:00Z"}], "to": [{"$date": "2020-01-01T00:02:00Z"}]}'::heartbeatagg);
SELECT uptime('{"k": "heartbeatagg", "v": 1, "start": {"$date": "2020-01-01T00:00:00Z"}, "end": {"$date": "2020-01-01T01:00:00Z"}, "live": 60000, "last": {"$date": "2020-01-01T00:01:00Z"}, "from": [{"$date": "2020-01-01T00:01:00Z"}], "to": [{"$date": "2020-01-01T00:03:00Z"}]}'::heartbeatagg);
SELECT uptime('{"k": "heartbeatagg", "v": 1, "start": {"$date": "2020-01-01T00:00:00Z"}, "end": {"$date": "2020-01-01T01:00:00Z"}, "live": -1, "last": null, "from": [], "to": []}'::heartbeatagg);
SELECT uptime('{"k": "heartbeatagg", "v": 1, "start": {"$date": "2020-01-01T00:00:00Z"}, "end": {"$date": "2020-01-01T01:00:00Z"}, "live": 60000, "last": null, "from": [], "to": []}'::heartbeatagg);
CHECK TABLE whole;
DROP TABLE liveness, whole, halves, beats, many;
