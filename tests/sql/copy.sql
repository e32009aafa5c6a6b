-- COPY both ways, and what is wrong with a file, with its line.
CREATE TABLE calls (ts timestamptz TIME PERIOD '60 s', iResult text DIMENSION, vCmdid text DIMENSION, vAppid text DIMENSION, totalCount bigint MEASURE, dProcessTime double precision MEASURE) USING rows;
COPY calls FROM 'data/calls.csv' WITH (FORMAT csv, HEADER, EPOCH 's');
SELECT * FROM calls ORDER BY ts, vCmdid;
COPY calls TO STDOUT WITH (FORMAT csv, HEADER);
COPY (SELECT vAppid, totalCount FROM calls ORDER BY ts, vCmdid) TO STDOUT WITH (FORMAT jsonl);
COPY calls FROM 'data/calls.jsonl' WITH (FORMAT jsonl, EPOCH 's');
SELECT ts, vAppid, totalCount, dProcessTime FROM calls WHERE vAppid = 'a' OR vAppid IS NULL ORDER BY ts;
COPY calls FROM 'data/short.csv' WITH (FORMAT csv, EPOCH 's');
COPY calls FROM 'data/quotes.csv' WITH (FORMAT csv, EPOCH 's');
COPY calls FROM 'data/type.csv' WITH (FORMAT csv, EPOCH 's');
COPY calls FROM 'data/broken.jsonl' WITH (FORMAT jsonl, EPOCH 's');
COPY calls FROM 'data/nosuch.csv' WITH (FORMAT csv);
COPY calls FROM 'data/calls.csv' WITH (FORMAT xml);
COPY calls FROM 'data/calls.csv' WITH (FORMAT csv, EPOCH 'fortnights');
COPY nosuch FROM 'data/calls.csv' WITH (FORMAT csv);
COPY calls (ts, nosuch) FROM 'data/calls.csv' WITH (FORMAT csv);
SELECT count(*) FROM calls;
-- PostgreSQL's other options of CSV.
CREATE TABLE forced (ts timestamptz TIME, a text DIMENSION, b text DIMENSION, n bigint MEASURE) USING rows;
COPY forced FROM 'data/forced.csv' WITH (FORMAT csv, NULL 'nil', FORCE_NULL (a), FORCE_NOT_NULL (b));
SELECT ts, a, a IS NULL AS "a is null", b, b IS NULL AS "b is null", n FROM forced ORDER BY ts;
COPY forced TO STDOUT WITH (FORMAT csv, HEADER, FORCE_QUOTE (a, n));
COPY (SELECT n, b FROM forced ORDER BY n) TO STDOUT WITH (FORMAT csv, FORCE_QUOTE *);
COPY forced FROM 'data/forced.csv' WITH (FORCE_NULL (nosuch));
COPY forced (ts, a) FROM 'data/forced.csv' WITH (FORCE_NULL (b));
COPY forced FROM 'data/forced.csv' WITH (FORCE_NULL true);
COPY forced FROM 'data/forced.csv' WITH (FORMAT csv, FORCE_QUOTE *);
COPY forced TO STDOUT WITH (FORMAT csv, FORCE_NULL (a));
COPY forced FROM 'data/forced.jsonl' WITH (FORMAT jsonl, FORCE_NULL (a));
COPY forced FROM 'data/forced.csv' WITH (FREEZE);
COPY forced FROM 'data/forced.csv' WITH (FORMAT binary);
COPY forced FROM 'data/forced.csv' WITH (FORMAT csv, FORMAT csv);
-- Arrays and numbers of JSON lines.
CREATE TABLE lists (tags text[], n int[], jj jsonb[], j jsonb, v int);
COPY lists FROM 'data/arrays.jsonl';
SELECT * FROM lists ORDER BY v;
COPY (SELECT tags, n, j FROM lists ORDER BY v) TO STDOUT WITH (FORMAT jsonl);
COPY calls FROM 'data/arrays.jsonl';
