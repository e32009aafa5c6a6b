-- The documents that were published, as other software wrote them. The text calls the field `metric`, the
-- code `measure`, and the order of fields differs. mtsql changes nothing in them.
CREATE TABLE published (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, hits bigint MEASURE COUNTER) USING daily_metrics WITH (collection = 'hits');
SELECT ts, metric, sum(hits) FROM published GROUP BY ts, metric ORDER BY ts, metric;

-- The first has 2010-10-10 in its _id, and 2000-10-10 in its date. mtsql trusts the _id, unless an option
-- says otherwise.
SELECT date_trunc('day', ts) AS day, metric, sum(hits) FROM published GROUP BY 1, 2 ORDER BY 1, 2;
CREATE TABLE by_fields (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION, hits bigint MEASURE COUNTER) USING daily_metrics WITH (collection = 'hits', trust = 'fields');
SELECT date_trunc('day', ts) AS day, metric, sum(hits) FROM by_fields GROUP BY 1, 2 ORDER BY 1, 2;
