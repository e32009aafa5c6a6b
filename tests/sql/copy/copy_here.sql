-- A record that one layout can't hold, and another has already, isn't left out: it would be in a part of them.
CREATE LAYOUT days AS '{ "keeps": "records", "stores": [ { "collection": "days", "root": { "is": "document", "raw": { "columns": { "ts": { "at": "t", "encoding": "epoch_s" }, "n": "n" } } } } ] }';
CREATE TABLE alone (ts timestamptz TIME NOT NULL, n bigint MEASURE NOT NULL) USING days;
COPY alone FROM STDIN (FORMAT jsonl, ON_ERROR ignore);
{"ts": "2020-01-01 00:00:00", "n": 1}
{"ts": "2020-01-01 00:00:00.5", "n": 2}
{"ts": "2020-01-02 00:00:00", "n": 3}
\.
SELECT * FROM alone ORDER BY ts;
DROP TABLE alone;
CREATE TABLE both_of (ts timestamptz TIME NOT NULL, n bigint MEASURE NOT NULL) USING rows;
ALTER TABLE both_of ADD LAYOUT whole USING days;
COPY both_of FROM STDIN (FORMAT jsonl, ON_ERROR ignore);
{"ts": "2020-01-01 00:00:00", "n": 1}
{"ts": "2020-01-01 00:00:00.5", "n": 2}
\.
COPY both_of FROM STDIN (FORMAT jsonl, ON_ERROR ignore);
{"ts": "2020-01-01 00:00:00", "n": 1}
{"ts": "2020-01-01 00:00:00", "n": null}
\.
SELECT * FROM both_of ORDER BY ts;
CHECK TABLE both_of;
-- The data of a COPY that is refused are no statements.
COPY nosuch FROM STDIN;
1	one
SELECT 'no statement';
\.
COPY alone FROM STDIN (FORMAT nosuch);
SELECT 'nor this';
\.
SELECT 'read again';
COPY nosuch /* FROM STDIN */ FROM 'nosuch.csv' /* FROM STDIN */;
SELECT 'not data';
COPY (SELECT 1 FROM stdin) TO STDOUT;
SELECT 'nor is this';
COPY (SELECT 1) -- FROM STDIN
   TO '/';
SELECT 'read to the end';
