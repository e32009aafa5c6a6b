-- \d+ tells the levels of each layout.
CREATE LAYOUT pairs AS '{"keeps": "records", "stores": [{"collection": "c", "root": {"is": "document",
   "bind": [{"column": "host"}, {"trunc": "day", "at": "day", "encoding": "date"}],
   "sub": {"is": "pairs", "at": "samples", "bind": [{"column": "ts", "at": "0", "encoding": "epoch_ms"}], "raw": {"columns": {"v": "1"}}}}}]}';
CREATE LAYOUT arrays AS '{"keeps": "records", "stores": [{"collection": "d", "root": {"is": "document",
   "bind": [{"column": "host"}, {"trunc": "day", "at": "day", "encoding": "date"}],
   "sub": {"is": "arrays", "bind": [{"column": "ts", "at": "t", "encoding": "epoch_ms"}], "raw": {"columns": {"v": "v"}}}}}]}';
CREATE TABLE by_pairs (ts timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, v double precision MEASURE) USING pairs;
CREATE TABLE by_arrays (ts timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, v double precision MEASURE) USING arrays;
CREATE TABLE by_map (ts timestamptz TIME NOT NULL, host text DIMENSION NOT NULL, v double precision MEASURE) USING nested;
\d+ by_pairs
\d+ by_arrays
\d+ by_map
