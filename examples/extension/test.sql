SET extension_path = '.';
CREATE EXTENSION notebook;
\dx+ notebook
CREATE TABLE notes (written timestamptz TIME, page float8 MEASURE, text text DIMENSION) USING rows;
INSERT INTO notes VALUES
   ('2024-05-01', 3, 'a "first" note'), ('2024-05-02', 10, 'second'), ('2024-05-03', NULL, NULL);
SELECT initials(text) FROM notes ORDER BY written;
SELECT width(page), width(DISTINCT page), width(page) FILTER (WHERE page > 10) AS none FROM notes;
SELECT page, width(page) OVER (ORDER BY written) FROM notes;
\peek notes 2
\pset format yaml
\peek notes 2
SELECT width(page) FROM notes WHERE false;
