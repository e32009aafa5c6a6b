-- What nobody sees is escaped where people read, and is itself where programs do.
SELECT 1 AS "a‮b";
SELECT E'a\u202Eb\u202C' AS override, E'x\u2066y\u2069' AS isolate, E'z\u200Bz' AS "zero width", E'\uFEFF' AS "byte order", E'a\u00ADb\u200Cc' AS kept, E'l\u2028l' AS line;
\x
SELECT E'a\u202Eb' AS override;
\x
\pset format csv
SELECT E'a\u202Eb' AS override;
\pset format jsonl
SELECT E'a\u202Eb' AS override;
\pset format unaligned
SELECT E'a\u202Eb' AS override;
