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
