-- also: postgres mongo
-- other columns of a table whose PRIMARY KEY is among the keys of GROUP BY
CREATE TABLE person (id integer PRIMARY KEY, name text, age integer);
CREATE TABLE visit (person integer, day integer, n integer, PRIMARY KEY (person, day));
INSERT INTO person VALUES (1, 'ann', 30), (2, 'bob', 40), (3, 'cid', NULL), (4, 'bob', 50);
INSERT INTO visit VALUES (1, 1, 5), (1, 2, 6), (2, 1, 7), (4, 9, 1);
SELECT id, name, count(*) FROM person GROUP BY id ORDER BY id;
SELECT name, age + 1 AS next FROM person GROUP BY id ORDER BY id;
SELECT p.name, sum(v.n) FROM person p JOIN visit v ON v.person = p.id GROUP BY p.id ORDER BY p.id;
SELECT p.*, count(v.n) FROM person p LEFT JOIN visit v ON v.person = p.id GROUP BY p.id ORDER BY p.id;
SELECT p.name, v.n, count(*) FROM visit v LEFT JOIN person p ON v.person = p.id AND p.id < 4 GROUP BY v.person, v.day, p.id ORDER BY v.person, v.day;
SELECT name FROM person GROUP BY id HAVING age > 35 ORDER BY age DESC;
SELECT id, name, row_number() OVER (ORDER BY name, age) FROM person GROUP BY id ORDER BY id;
SELECT id, (SELECT sum(n) FROM visit WHERE person = id) + age AS s FROM person GROUP BY id ORDER BY id;
SELECT id, name, (SELECT max(n) FROM visit v WHERE v.person = p.age - 29) AS m FROM person p GROUP BY id ORDER BY id;
SELECT id, name, age, count(*) FROM person GROUP BY GROUPING SETS ((id), (id, age)) ORDER BY id, age NULLS FIRST;
SELECT id, name, GROUPING(id) FROM person GROUP BY id, name ORDER BY id;
SELECT person, day, n, count(*) FROM visit GROUP BY day, person ORDER BY person, day;
SELECT DISTINCT name FROM person GROUP BY id ORDER BY name;
-- not where it isn't among them
SELECT person, n FROM visit GROUP BY person;
SELECT name, age FROM person GROUP BY name;
SELECT id + 0, name FROM person GROUP BY id + 0;
SELECT id, name FROM person GROUP BY GROUPING SETS ((id), ());
SELECT name FROM (SELECT * FROM person) p GROUP BY id;
SELECT q.name FROM person p JOIN person q ON q.id = p.id GROUP BY p.id;
DROP TABLE person, visit;
