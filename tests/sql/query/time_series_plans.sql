-- What SAMPLE BY and ASOF joins with TOLERANCE become.
CREATE TABLE m (ts timestamptz TIME PERIOD '60 s' NOT NULL, host text DIMENSION NOT NULL, n bigint MEASURE NOT NULL) USING nested WITH (levels = 'ts, host', presum = 'ts');
INSERT INTO m VALUES ('2020-01-01 00:00+00', 'a', 1), ('2020-01-01 00:01+00', 'b', 2);
EXPLAIN (COSTS off) SELECT ts, sum(n) FROM m SAMPLE BY 1h FROM '2020-01-01' TO '2020-01-02';
EXPLAIN (COSTS off) SELECT ts, sum(n) FROM m SAMPLE BY 1h FROM '2020-01-01' TO '2020-01-02' FILL (PREV);
EXPLAIN (COSTS off) SELECT ts, host, sum(n) FROM m SAMPLE BY 1h FILL (NULL) ALIGN TO CALENDAR WITH OFFSET '00:10' ORDER BY host, ts;
EXPLAIN (COSTS off) SELECT a.n, b.n FROM m a ASOF LEFT JOIN m b ON a.host = b.host AND a.ts > b.ts TOLERANCE 5m;
EXPLAIN (COSTS off) SELECT a.n, b.n FROM m a ASOF NEAREST JOIN m b ON a.host = b.host AND a.ts > b.ts;
