-- also: postgres mongo
-- COPY's text format: tabs, backslashes, NULL, the end.
CREATE TABLE c (k integer, a text, b double precision);
COPY c FROM STDIN;
1	plain	1.5
2	\N	\N
3		0
4	tab\tline\nreturn\rback\\slash\b\f\v	-1
5	\x41\102\x4a\q\	 is a tab	2
6	ü€😀 \303\274	1e300
\.
SELECT k, a, length(a), b FROM c ORDER BY k;
COPY c TO STDOUT;
COPY (SELECT k, a FROM c WHERE k < 4 ORDER BY k) TO STDOUT WITH (HEADER, DELIMITER '|', NULL 'nil');
COPY c (a, k) FROM STDIN WITH (DELIMITER '|', NULL 'nil', HEADER MATCH);
a|k
nil|7
ni\l|8
a\|b|9
\.
COPY c (a, k) FROM STDIN WITH (DELIMITER '|');
goes on\
below|11
\.
SELECT k, a, b FROM c WHERE k > 6 ORDER BY k;
SELECT count(*) FROM c;
DROP TABLE c;
