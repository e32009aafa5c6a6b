-- Arrow has COPY TO only, and no options. tests/cli/arrow_test.py reads the files.
CREATE TABLE t (ts timestamptz TIME, n numeric(3,1), a int[]) USING rows;
COPY t FROM 'rows.arrow';
COPY t FROM STDIN (FORMAT arrows);
\.
COPY t TO STDOUT (FORMAT arrow, HEADER);
COPY t TO STDOUT (FORMAT arrow, NULL 'x');
COPY t TO STDOUT (FORMAT arow);
-- values that Arrow can't hold; nothing is written
COPY (SELECT timestamptz 'infinity' AS ts) TO STDOUT (FORMAT arrow);
COPY (SELECT 'NaN'::numeric(3,1) AS n) TO STDOUT (FORMAT arrows);
COPY (SELECT ARRAY[[1, 2], [3, 4]] AS a) TO STDOUT (FORMAT arrow);
