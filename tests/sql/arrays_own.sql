-- What PostgreSQL has and mtsql refuses, and what is its own.
SELECT '[0:1]={1,2}'::int[];
CREATE TABLE t (id int, a int[], b text[]) USING rows;
\d t
