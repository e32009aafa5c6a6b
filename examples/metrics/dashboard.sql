-- Hits on pages, over the newest days of the table that lesson.sql makes.
\dashboard 'Hits on pages' refresh=30s
\default metric %
\default range '8 days'
\set shown 'metric LIKE ' :'metric' ' AND ts > (SELECT max(ts) FROM hits) - interval ' :'range'

\panel 'Hits'
SELECT sum(hits) AS hits FROM hits WHERE :shown;

\panel 'Pages'
SELECT count(DISTINCT metric) AS pages FROM hits WHERE :shown;

\panel 'Busiest minute'
SELECT sum(hits) AS hits FROM hits WHERE :shown GROUP BY ts ORDER BY 1 DESC LIMIT 1;

\panel 'Last hit'
SELECT to_char(max(ts), 'YYYY-MM-DD HH24:MI') AS "UTC" FROM hits WHERE :shown;

\panel 'Hits by the hour' wide
SELECT date_trunc('hour', ts) AS hour, metric, sum(hits) AS hits FROM hits WHERE :shown GROUP BY 1, 2 ORDER BY 1, 2
\chart line x=hour y=hits by=metric

\panel 'Hits by page'
SELECT metric, sum(hits) AS hits FROM hits WHERE :shown GROUP BY 1 ORDER BY 1
\chart bar

\panel 'Hits by day and hour'
SELECT date_trunc('day', ts)::date AS day, extract(hour FROM ts) AS hour, sum(hits) AS hits FROM hits WHERE :shown GROUP BY 1, 2
\chart heat x=hour y=day value=hits

\panel 'Busiest minutes' wide
SELECT ts AS minute, metric, sum(hits) AS hits FROM hits WHERE :shown GROUP BY 1, 2 ORDER BY 3 DESC, 1 DESC, 2 LIMIT 6;
