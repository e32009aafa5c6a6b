-- also: postgres
-- What is wrong with a file in COPY's text format, with its line.
CREATE TABLE c (k integer, a text, b double precision) USING rows;
COPY c FROM STDIN;
12	too	1	many
\.
COPY c FROM STDIN;
12	few
\.
COPY c FROM STDIN;
x	a	1
\.
COPY c FROM STDIN;
12	\xff	1
\.
COPY c FROM STDIN;
12	\0	1
\.
COPY c (k, a) FROM STDIN WITH (HEADER MATCH);
k	b
\.
COPY c TO STDOUT WITH (DELIMITER 'a');
COPY c TO STDOUT WITH (QUOTE '"');
COPY c TO STDOUT WITH (NULL E'a\tb');
COPY c (a, k) FROM STDIN WITH (DELIMITER '|');
a two
lines|10
\.
SELECT count(*) FROM c;
DROP TABLE c;
-- what a whole row does wrong
CREATE TABLE needs (id integer PRIMARY KEY, name varchar(4) NOT NULL, at date);
COPY needs FROM STDIN;
1	one	2020-01-01
2	\N	2020-01-02
\.
COPY needs (id, name) FROM STDIN WITH (FORMAT csv);
3,"t""o"
4,
\.
COPY needs FROM STDIN;
1	three	2020-01-01
\.
COPY needs FROM STDIN;
1	one	2020-13-01
\.
SELECT * FROM needs;
