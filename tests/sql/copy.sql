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
