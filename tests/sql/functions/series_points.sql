-- also: mongo
-- Series with fewer points: lttb, asap_smooth, and unnest of their results.
SET TimeZone = 'UTC';
CREATE TABLE t (ts timestamptz TIME, host text DIMENSION, v double precision MEASURE);
INSERT INTO t SELECT timestamptz '2024-01-01' + i * interval '1 min', 'a', v FROM unnest(ARRAY[0, 1, 8, 2, 0, 0]) WITH ORDINALITY AS x (v, i);
INSERT INTO t VALUES ('2024-01-01 00:05+00', 'b', 1), ('2024-01-01 00:01+00', 'b', NULL), ('2024-01-01 00:01+00', 'b', 'NaN'), ('2024-01-01 00:03+00', 'b', 5), ('2024-01-01 00:03+00', 'b', 4), ('2024-01-01 00:02+00', 'b', '-Infinity');
-- four points of 0, 1, 8, 2, 0, 0: (1, 8) and (2, 0) are the buckets; the triangles have 2.5 and 26, 10 and 8 as their doubled areas
SELECT lttb(ts, v, 4) FROM t WHERE host = 'a';
SELECT time, value FROM unnest((SELECT lttb(ts, v, 4) FROM t WHERE host = 'a'));
SELECT * FROM unnest((SELECT lttb(ts, v, 2) FROM t WHERE host = 'a'));
SELECT * FROM unnest((SELECT lttb(ts, v, 6) FROM t WHERE host = 'a')) AS p (at, size) WHERE size > 0 ORDER BY size DESC;
-- NULL, NaN and infinite values don't count; equal times are ordered by value
SELECT * FROM unnest((SELECT lttb(ts, v, 100) FROM t WHERE host = 'b'));
SELECT lttb(ts, v, 5), asap_smooth(ts, v, 5) FROM t WHERE host = 'c';
SELECT lttb(ts, NULL, 5) IS NULL, asap_smooth(ts, v, 5) IS NULL FROM t WHERE v = 'NaN';
-- groups
SELECT host, time, value FROM (SELECT host, lttb(ts, v, 3) AS s FROM t GROUP BY host) AS g, unnest(s) ORDER BY host, time;
SELECT host, lttb(ts, v, 2) FILTER (WHERE v > 0) FROM t GROUP BY host ORDER BY host;
-- asap_smooth: pairs of points are averaged
SELECT * FROM unnest((SELECT asap_smooth(ts, v, 3) FROM t WHERE host = 'a'));
-- the times 0, 1, 2 and 9 are cut into spans of 3 minutes, two of them without points
SELECT * FROM unnest((SELECT asap_smooth(timestamptz '2024-01-01' + i * interval '1 min', v, 10) FROM (VALUES (0, 1), (1, 2), (2, 3), (9, 11)) AS x (i, v)));
-- a line with noise of period 2: averages of two points are the line
SELECT count(*), min(time), max(time), min(value), max(value) FROM unnest((SELECT asap_smooth(timestamptz '2024-01-01' + i * interval '1 min', i + 20 * (i % 2), 20) FROM generate_series(0, 19) AS i));
-- noise alone is kept, because its averages have no deviation at all; an outlier is kept, because averages would hide it
SELECT count(*), min(value), max(value) FROM unnest((SELECT asap_smooth(timestamptz '2024-01-01' + i * interval '1 min', i % 2, 20) FROM generate_series(0, 19) AS i));
SELECT count(*), max(value) FROM unnest((SELECT asap_smooth(timestamptz '2024-01-01' + i * interval '1 min', CASE i WHEN 9 THEN 50 ELSE i % 2 END, 20) FROM generate_series(0, 19) AS i));
SELECT * FROM unnest((SELECT asap_smooth(timestamptz '2024-01-01', v, 5) FROM (VALUES (1), (2), (6)) AS x (v)));
-- stored, as jsonb, and over a window
CREATE TABLE kept AS SELECT host, lttb(ts, v, 2) AS points FROM t GROUP BY host;
SELECT host, time, value FROM kept, unnest(points) ORDER BY host, time;
SELECT to_jsonb(lttb(ts, v, 2)) -> 0 ->> 'value' AS first FROM t WHERE host = 'a';
SELECT ts, lttb(ts, v, 2) OVER (ORDER BY ts ROWS 1 PRECEDING) FROM t WHERE host = 'a' ORDER BY ts LIMIT 2;
-- errors
SELECT lttb(ts, v, 1) FROM t;
SELECT lttb(ts, v, 100001) FROM t;
SELECT asap_smooth(ts, v, 10001) FROM t;
SELECT lttb(ts, v, NULL) FROM t;
SELECT lttb(ts, v, v::int) FROM t;
SELECT lttb(v, ts, 5) FROM t;
SELECT lttb(DISTINCT ts, v, 5) FROM t;
SELECT unnest(lttb(ts, v, 3)) FROM t;
SELECT * FROM unnest('[{"time": 1, "value": 2}]'::document);
SELECT * FROM unnest('{"value": 2}'::document);
SELECT * FROM unnest(NULL::document);
