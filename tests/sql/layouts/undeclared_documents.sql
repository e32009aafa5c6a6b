-- args: data/dump
-- What lies within documents that nobody declared: sub-documents as a whole, names joined by dots, subscripts, operators.
SELECT at, at ->> 'room' AS room, s.at['floor'] AS floor, s.at.none FROM sensors s ORDER BY value;
SELECT at.room.x FROM sensors;
SELECT * FROM sensors WHERE at IS NULL;
EXPLAIN SELECT value FROM sensors WHERE at ->> 'room' = 'kitchen';
SELECT value FROM sensors WHERE at ->> 'room' = 'kitchen';
SELECT a.at.room, b.at -> 'floor' AS floor FROM sensors a JOIN sensors b ON a._id = b._id ORDER BY 1;
SELECT at, count(*) FROM sensors GROUP BY at ORDER BY at.floor DESC NULLS LAST;
SELECT at, count(*) FROM sensors GROUP BY at ORDER BY 1;
SELECT values[0].t, d.values[1].t AS second, values -> -1 ->> '0' AS last, d.values.t AS none FROM days d ORDER BY 1;
SELECT e.value['t'] AS t, e.ordinality FROM days, jsonb_array_elements(values) WITH ORDINALITY e ORDER BY 1;
SELECT to_jsonb(tags) ? 'a' AS a, tags @> '{b}' AS b, tags FROM sensors ORDER BY value;
SELECT _id::timestamptz AS made, _id ->> 'x' FROM sensors;
SELECT _id::timestamptz AS made, to_jsonb(_id) AS j, _id = '65a000000000000000000001' AS it, _id > '65A000000000000000000001' AS after FROM sensors ORDER BY _id;
SELECT m.values.none, at FROM memory m;
SELECT '{"room":1,"at":{"b":1,"a":2},"room":3}'::document AS kept, '{"room":1,"at":2}'::jsonb::document AS canonical;
SELECT value FROM sensors WHERE at = '{"room":"kitchen","floor":1}';
SELECT value, at FROM sensors WHERE at IN ('{"room":"kitchen","floor":1}', '{"floor":1,"room":"kitchen"}');
SELECT at || '{"z":1}' AS a, '{"z":1}' || at AS b, at || to_jsonb(at) AS c, at = to_jsonb(at) AS same FROM sensors ORDER BY value LIMIT 1;
