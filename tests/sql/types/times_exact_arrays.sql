-- also: mongo
-- Arrays keep whole milliseconds: an array beside a constant with microseconds is refused, as it might be compared wrongly.
CREATE TABLE m (id int, lt timestamp, list timestamp[]);
INSERT INTO m VALUES (1, '2023-12-31 23:59:59.999', array['2023-12-31 23:59:59.9995'::timestamp]), (2, NULL, '{2023-12-31 23:59:59.9996}');
SELECT id, list FROM m WHERE '2023-12-31 23:59:59.9995' = ANY (list) OR list && array['2023-12-31 23:59:59.9995'::timestamp(3)] ORDER BY id;
SELECT id FROM m WHERE '2023-12-31 23:59:59.9995' > ANY (list) AND '2023-12-31 23:59:59.9995' <> ALL (list) ORDER BY id;
SELECT array['2023-12-31 23:59:59.9995'::timestamp], unnest('{2023-12-31 23:59:59.9995}'::timestamp[]);
SELECT array['2023-12-31 23:59:59.9995'::timestamp] = array['2023-12-31 23:59:59.9996'::timestamp];
SELECT array[lt] && array['2023-12-31 23:59:59.9995'::timestamp] FROM m;
SELECT array[lt, '2023-12-31 23:59:59.9995'] = array[lt, '2023-12-31 23:59:59.9996'] FROM m;
SELECT id FROM m WHERE list = '{2023-12-31 23:59:59.9995}';
SELECT id FROM m WHERE list < '{2023-12-31 23:59:59.9995}';
SELECT array_position(list, '2023-12-31 23:59:59.9995') FROM m;
SELECT array_remove(list, '2023-12-31 23:59:59.9995') FROM m;
SELECT list || timestamp '2023-12-31 23:59:59.9995' FROM m;
SELECT '{2023-12-31 23:59:59.9995}'::timestamp[]::text;
