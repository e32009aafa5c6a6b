-- also: mongo
-- A change that fails when it is written leaves everything as it was: one value a second, one record a key.
CREATE LAYOUT seconds AS '{ "keeps": "records", "stores": [ { "collection": "memory", "write": "push", "root": { "is": "document",
   "bind": [ {"trunc": "minute", "at": "minute", "encoding": "date"}, {"column": "host"} ], "agg": { "n": "n", "measures": { "value": "total" } },
   "sub": { "is": "map", "at": "values", "bind": [ {"part": "second", "of": "minute", "encoding": "text"} ], "raw": { "columns": { "value": "" } } } } } ] }';
CREATE TABLE m (ts timestamptz TIME PERIOD '1 s' NOT NULL, host text DIMENSION NOT NULL, value double precision MEASURE NOT NULL) USING seconds;
ALTER TABLE m ADD LAYOUT plain USING rows;
INSERT INTO m VALUES ('2020-01-01 00:00:01+00', 'a', 1), ('2020-01-01 00:00:02+00', 'a', 2), ('2020-01-01 00:01:02+00', 'a', 4), ('2020-01-01 00:00:02+00', 'b', 8);
UPDATE m SET host = 'a' WHERE host = 'b';
UPDATE m SET ts = '2020-01-01 00:00:05+00';
SET layout = 'seconds';
SELECT * FROM m ORDER BY ts, host;
SELECT date_trunc('minute', ts) AS minute, host, count(*), sum(value) FROM m GROUP BY 1, 2 ORDER BY 1, 2;
SET layout = 'plain';
SELECT * FROM m ORDER BY ts, host;
RESET layout;
UPDATE m SET host = 'c', value = value / 2 WHERE host = 'b';
UPDATE m SET ts = ts + interval '1 minute' WHERE host = 'a' AND value < 2;
DELETE FROM m WHERE value = 2;
SET layout = 'seconds';
SELECT * FROM m ORDER BY ts, host;
SELECT date_trunc('minute', ts) AS minute, host, count(*), sum(value) FROM m GROUP BY 1, 2 ORDER BY 1, 2;
SET layout = 'plain';
SELECT * FROM m ORDER BY ts, host;
