-- Rows that retention removes stay in a continuous view; names that need quotes.
SET TimeZone = 'UTC';
CREATE TABLE "Meters" ("Time" timestamptz TIME NOT NULL, k text DIMENSION, v int MEASURE)
   USING rows WITH (partition_by = 'day');
INSERT INTO "Meters" SELECT t, 'a', 1 FROM generate_series (timestamptz '2024-01-01', '2024-01-04 23:00', '1 hour') t;
CREATE MATERIALIZED VIEW "Daily" ("Day", "N") USING rows WITH (continuous)
   AS SELECT time_bucket ('1 day', "Time"), count(*) FROM "Meters" GROUP BY 1;
CREATE MATERIALIZED VIEW above WITH (continuous)
   AS SELECT time_bucket ('1 month', "Day") AS month, sum("N") AS n FROM "Daily" GROUP BY 1;
SELECT tablename, indexdef FROM pg_indexes ORDER BY 1;
CALL drop_chunks ('"Meters"', older_than => '2024-01-03'::timestamptz);
SELECT * FROM "Daily" ORDER BY 1;
CALL refresh_continuous_aggregate ('"Daily"', NULL, NULL);
-- a row that comes after its time was dropped
INSERT INTO "Meters" VALUES ('2024-01-02 10:00', 'b', 1), ('2024-01-03 10:30', 'b', 1);
SELECT * FROM "Daily" ORDER BY 1;
SELECT viewname, source, watermark, stale FROM pg_continuous_views;
CALL refresh_continuous_aggregate ("Daily", NULL, NULL);
REFRESH MATERIALIZED VIEW "Daily";
SELECT * FROM _mtsql_stored."Daily" ORDER BY 1;
SELECT * FROM above;
-- a DELETE is no retention
DELETE FROM "Meters" WHERE "Time" < '2024-01-04';
SELECT * FROM "Daily" ORDER BY 1;
REPAIR TABLE "Meters";
CALL refresh_continuous_aggregate ('"Daily"', NULL, NULL);
ALTER TABLE "Meters" ALTER COLUMN "Time" DROP NOT NULL;
