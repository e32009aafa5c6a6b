-- also: postgres mongo
-- SQL/JSON paths
SELECT jsonb_path_query('{"a":[{"b":1},{"b":"x"},{"c":null}]}', '$.a[*].b');
SELECT jsonb_path_query('{"a":[1,2,3,4,5]}', '$.a[*] ? (@ > 2 && @ < 5)');
SELECT jsonb_path_query('[1,[2,3],{"x":4}]', '$[*]');
SELECT jsonb_path_query('[1,[2,3],{"x":4}]', '$[1 to last]'), jsonb_path_query('[10,20,30]', '$[last - 1, 0]');
SELECT jsonb_path_query('{"a":{"b":{"c":1}},"d":[2]}', '$.**'), jsonb_path_query('{"a":{"b":{"c":1}}}', '$.**{1 to 2}'), jsonb_path_query('{"a":{"b":{"c":1}},"d":[2]}', '$.**{last}');
SELECT jsonb_path_query('{"a":1,"b":[2,3]}', '$.*'), jsonb_path_query('{"a b":1}', '$."a b"');
SELECT jsonb_path_query_array('[1,"2",3.50,null,true,[5],{"k":6}]', '$[*].type()') AS types, jsonb_path_query('[1,2]', '$.size()') AS size, jsonb_path_query_array('[1.7,-1.2]', '$[*].floor()') AS floor, jsonb_path_query_array('[1.2,-1.7]', '$[*].ceiling()') AS ceil, jsonb_path_query_array('[-1.50]', '$[*].abs()') AS abs, jsonb_path_query_array('["1.50",2]', '$[*].double()') AS double;
SELECT jsonb_path_query('{"a":5,"b":[1,2]}', '$.a * 2 + 1'), jsonb_path_query('[1,2]', '-$[*]'), jsonb_path_query('7', '$ % 4'), jsonb_path_query('7', '$ / 2');
SELECT jsonb_path_query('[1,2]', '$[*] + 1');
SELECT jsonb_path_query('1', '$ / 0');
SELECT jsonb_path_query('{"a":1}', '$.a / 0', silent => true);
SELECT jsonb_path_query_array('["abc","abd","xyz",5]', '$[*] ? (@ starts with "ab")') AS s, jsonb_path_query_array('["abc","ABd","xyz",5]', '$[*] ? (@ like_regex "^ab" flag "i")') AS r, jsonb_path_query_array('["a.c","abc"]', '$[*] ? (@ like_regex "a.c" flag "q")') AS q;
SELECT jsonb_path_query_array('[{"a":1},{"a":2,"b":3},{"b":null}]', '$[*] ? (exists(@.b))') AS e, jsonb_path_query_array('[{"a":1},{"a":2}]', '$[*] ? (!(@.a == 1))') AS n, jsonb_path_query_array('[1,"x",null]', '$[*] ? ((@ > 0) is unknown)') AS u, jsonb_path_query_array('[1,"x",null,2]', '$[*] ? (@ == null || @ == 2)') AS o;
SELECT jsonb_path_query_array('[1,2,3,4]', '$[*] ? (@ > $min)', '{"min":2}') AS v, jsonb_path_query('[1]', '$[0] ? (@ < $x."y")', '{"x":{"y":5}}') AS w;
SELECT jsonb_path_query('1', '$x');
SELECT jsonb_path_query('1', '$', '[]');
SELECT jsonb_path_exists('{"a":[1,2]}', '$.a[*] ? (@ > 5)') AS a, jsonb_path_exists('{"a":1}', 'strict $.b', '{}', true) AS b, '{"a":1}'::jsonb @? '$.b' AS c, '{"a":1}'::jsonb @? 'strict $.b' AS d, '{"a":[{"b":2}]}'::jsonb @@ '$.a.b == 2' AS e, '{"a":1}'::jsonb @@ '$.a' AS f, '{"a":"x"}'::jsonb @@ '$.a > 1' AS g;
SELECT jsonb_path_match('{"a":1}', '$.a == 1') AS m, jsonb_path_match('{"a":1}', '$.a', '{}', true) AS n, jsonb_path_query_first('[1,2]', '$[*] ? (@ > 1)') AS first, jsonb_path_query_first('[]', '$[*]') AS none, jsonb_path_query_first('[null]', '$[0]') AS jnull;
SELECT jsonb_path_match('{"a":1}', '$.a');
SELECT jsonb_path_query('{"a":1}', 'strict $.b');
SELECT jsonb_path_query('1', 'strict $.b');
SELECT jsonb_path_query('1', 'strict $[*]');
SELECT jsonb_path_query('[1]', 'strict $[3]');
SELECT jsonb_path_query('[1]', 'strict $.*');
SELECT jsonb_path_query('[1]', '$["x"]');
SELECT jsonb_path_query('"x"', '$.floor()');
SELECT jsonb_path_query('"x"', '-$');
SELECT jsonb_path_query('1', 'lax $[0]'), jsonb_path_query('[[1,2]]', '$[*][1]'), jsonb_path_query('[{"a":[{"b":1}]}]', '$.a.b');
SELECT jsonb_path_query('{"a":[1,2,{"b":[3]}]}', 'strict $.a[2].b[*]'), jsonb_path_query('{"a":{"b":2}}', '$ ? (@.a.b == 2).a'), jsonb_path_query('[[1],[2]]', 'strict $[*] ? (@[0] == 2)');
SELECT jsonb_path_query('5', '$ == 5'), jsonb_path_query('5', '$ == "x"'), jsonb_path_query('[1,2]', '(1 + 2).type()'), jsonb_path_query('"a\"b"', '$ == "a\"b"');
CREATE TABLE t (id int, j jsonb) USING rows;
INSERT INTO t VALUES (1, '{"tags":[{"n":"x","w":2},{"n":"y","w":5}]}'), (2, '{"tags":[]}'), (3, NULL), (4, '[{"tags":{"n":"y"}}]');
SELECT id FROM t WHERE j @? '$.tags[*] ? (@.n == "y")' ORDER BY id;
SELECT id, x FROM t, jsonb_path_query(j, '$.tags[*].w') x ORDER BY id, x;
SELECT id, jsonb_path_query_array(j, '$.tags.n') FROM t ORDER BY id;
-- Silent: what was found before the failure stays.
SELECT jsonb_path_query_array('[1,2,"x",3]', '$[*].double()', silent => true), jsonb_path_query_first('[{"a":1},{"a":2},{}]', 'strict $[*].a', silent => true);
SELECT jsonb_path_query('[5,6,{}]', '$[*].abs()', silent => true);
SELECT jsonb_path_query_array('[[1,"y"],2]', 'strict $.**.double()', silent => true);
-- Whether there is anything: a lax path stops at its first item, a strict one looks at all.
SELECT '["1",2,0,3]' @? '-$[*]' AS a, '["1"]' @? '-$[*]' AS b, '["1",2]' @? 'strict -$[*]' AS c, '[1,"a"]' @? 'strict $[*].double()' AS d, jsonb_path_exists('[1,"a"]', '$[*].double()') AS e, '1' @? '$nowhere' AS f, '{"a":1}' @? '$.a / 0' AS g;
SELECT jsonb_path_exists('[1,"a"]', 'strict $[*].double()');
SELECT jsonb_path_exists('["a",1]', '$[*].double()');
SELECT jsonb_path_query('[1,"a"]', '$ ? (exists(@[*].double()))') AS a, jsonb_path_query('[[1,"a"]]', 'strict $ ? ((exists(@[0][*].double())) is unknown)') AS b;
-- Signs and arithmetic take arrays apart.
SELECT jsonb_path_query_array('{"a":[2,3,4]}', 'lax -$.a') AS a, jsonb_path_query('[[],[3]]', '$[*] + 1') AS b;
SELECT jsonb_path_query('{"a":[2,3,4]}', 'strict -$.a');
SELECT jsonb_path_query('["x"]', '$.a.b / -null');
-- last within what a subscript finds, levels that are no leaves
SELECT jsonb_path_query_array('[[1,2],[3]]', '$[*][last]') AS a, jsonb_path_query_array('[1,[2]]', '$[$[1][last] - 1]') AS b, jsonb_path_query_array('{"a":{"b":1}}', '$.**{last to 3}') AS c, jsonb_path_query_array('1', '$.**{last}') AS d;
-- Words and strings
SELECT jsonb_path_query('[1,2]', 'STRICT $[LAST] ? (@ > 0 && (@ == "x") IS UNKNOWN)') AS a, jsonb_path_query('{"a''b;c":1}', '$.a''b;c') AS b, jsonb_path_query('{"last":{"to":2}}', '$.last.to') AS c;
SELECT jsonb_path_query('1', '"\x50\u0067\u{53}\v\''\q"') AS a, jsonb_path_query('{"abc":1}', '$.a\x62c') AS b, jsonb_path_query('1', '"\uD83D\uDE00"') AS c, jsonb_path_query('2', '/* two */ $ /**/ * 1.') AS d;
SELECT jsonb_path_query('"a b"', '$ ? (@ like_regex "a b" flag "qx")');
SELECT jsonb_path_query('1e400', '$.double()');
-- a variable that there isn't is an error even where only its being there matters
SELECT jsonb_path_exists('{"a":1}', '$ ? (exists ($x))');
SELECT jsonb_path_exists('1', '$x', '{}', true);
SELECT jsonb_path_exists('1', '$x', '{"x": null}') AS a, '1' @? '$ ? (exists ($x))' AS b;
