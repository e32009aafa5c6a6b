-- also: mongo
-- A table from a file, in one statement: its roles come from the sample.
CREATE TABLE power FROM 'data/files/power.csv';
SELECT * FROM power ORDER BY time;
DROP TABLE power;
CREATE TABLE calls FROM 'data/calls.csv' USING nested WITH (levels = 'timestamp, vCmdid, vAppid');
DROP TABLE calls;
CREATE TABLE calls FROM read_csv ('data/calls.csv', types => 'iresult text') USING rows;
\d calls
CREATE TABLE IF NOT EXISTS calls FROM 'data/calls.csv';
EXPLAIN (COSTS off) CREATE TABLE more FROM 'data/files/power.csv';
CREATE TEMPORARY TABLE here FROM 'data/files/german.csv' USING rows;
SELECT sum(kwh) FROM here;
DROP TABLE here, calls;
-- A fault leaves no table.
CREATE TABLE cut FROM 'data/files/cut.csv';
CREATE TABLE cut FROM read_csv ('data/files/power.csv', types => 'note bigint');
CREATE TABLE cut FROM 'data/files/nowhere.csv';
CREATE TABLE cut FROM pg_class;
SELECT * FROM cut;
-- COPY's first mistakes: each has the hint that mends it.
CREATE TABLE p (time timestamptz TIME, room text DIMENSION, watts double precision MEASURE, note text) USING rows;
COPY p FROM 'data/files/power.csv';
COPY p FROM 'data/files/power.csv' (HEADER);
COPY p FROM 'data/files/power.csv' (HEADER, NULL ('', 'NA'));
COPY p FROM 'data/files/power.csv' (HEADER, NULL ('', 'NA'), NULL ('x'));
COPY p FROM 'data/files/wide.csv';
COPY p (time, watts) FROM 'data/files/power.csv' (HEADER);
COPY p (time, watts) FROM 'data/files/epoch.csv.zst' (FORMAT csv, HEADER);
COPY p (time, watts) FROM 'data/files/epoch.csv.zst' (FORMAT csv, HEADER, EPOCH 'ms');
COPY p (time) FROM STDIN (FORMAT csv);
31.12.2025 10:00
\.
COPY p (time) FROM STDIN (FORMAT csv, DATESTYLE 'dmy');
31.12.2025 10:00
\.
COPY p (watts) FROM STDIN (FORMAT csv, DECIMAL_SEPARATOR ',', DELIMITER ';', SKIP 1);
a comment
12,5
\.
COPY p (watts, note) FROM STDIN (FORMAT csv);
"",x
\.
COPY p FROM STDIN (FORMAT jsonl);
{"time": "2026-01-01", "floor": 1}
\.
COPY p FROM STDIN (FORMAT jsonl);
{"time": "2026-01-01", "rooms": "attic"}
\.
COPY p FROM STDIN (FORMAT jsonl, NULL ('', 'NA'));
\.
COPY p TO STDOUT (NULL ('', 'NA'));
COPY p FROM STDIN (FORMAT csv, DATESTYLE 'dym');
\.
COPY p FROM STDIN (FORMAT csv, SKIP 'x');
\.
COPY p FROM STDIN (FORMAT csv, DECIMAL_SEPARATOR ';');
\.
COPY p TO STDOUT (FORMAT csv, SKIP 1);
COPY p TO 'out.parquet';
COPY p TO 'out.json.gz';
SELECT time, room, watts, note FROM p ORDER BY time, watts;
