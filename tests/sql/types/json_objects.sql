-- also: mongo postgres
-- json_object, json_strip_nulls; FOR UPDATE OF
SELECT json_object('{a,1,b,2}'), json_object('{{a,1},{b,NULL}}'), json_object('{}'), json_object('{a,b}', '{"x y",NULL}');
SELECT json_object('{a,1,b}');
SELECT json_object('{{a,1,2}}');
SELECT json_object('{NULL,1}');
SELECT json_object('{a}', '{1,2}');
SELECT json_object('{"a\"b",1,a,2,a,3}');
SELECT json_strip_nulls('{"a": null, "b": [1, null, {"c": null, "d": 1.50}], "e": "x y", "f": {}, "g": {"h": null}}');
SELECT json_strip_nulls('null'), json_strip_nulls(' [ null , 1 ] '), json_strip_nulls('"a"'), json_strip_nulls('{"a": 1, "a": null, "a": 2}'), json_strip_nulls(NULL);
