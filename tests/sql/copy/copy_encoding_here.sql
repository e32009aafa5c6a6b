-- Feeds of XML in encodings of a byte a character, as they say themselves or as ENCODING says.
CREATE TABLE sightings (seq int, type text);
COPY sightings FROM 'data/win1252.xml' (FORMAT arcanum);
COPY sightings FROM 'data/latin2.xml' (FORMAT arcanum);
COPY sightings FROM 'data/undeclared.xml' (FORMAT arcanum, ENCODING 'WIN1250');
SELECT * FROM sightings ORDER BY seq, type;
COPY sightings FROM 'data/undeclared.xml' (FORMAT arcanum);
COPY sightings FROM 'data/undefined.xml' (FORMAT arcanum);
COPY sightings FROM 'data/wide.xml' (FORMAT arcanum);
COPY sightings FROM 'data/wide.xml' (FORMAT arcanum, ENCODING 'martian');
SELECT count(*) FROM sightings;
COPY sightings FROM 'data/win1252.csv' (FORMAT csv, HEADER);
COPY sightings FROM 'data/win1252.csv' (FORMAT csv, HEADER, ENCODING '');
COPY sightings FROM 'data/win1252.csv' (FORMAT csv, HEADER, ENCODING);
-- SQL_ASCII is taken to be UTF-8 in every format.
COPY sightings FROM 'data/undeclared.xml' (FORMAT arcanum, ENCODING 'SQL_ASCII');
COPY (SELECT 'Größe') TO STDOUT (ENCODING 'SQL_ASCII');
-- Encodings that PostgreSQL has, too, are told of what isn't known at all.
COPY sightings FROM 'data/win1252.csv' (FORMAT csv, HEADER, ENCODING 'EUC_JIS_2004');
COPY sightings TO STDOUT (ENCODING 'shift-jis-2004');
COPY sightings TO STDOUT (ENCODING 'MULE_INTERNAL');
