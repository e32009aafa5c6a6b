-- The memory of hosts, over the newest days of the table that lesson.sql makes.
\dashboard 'Memory of hosts' refresh=1min
\default host host-1
\default range '90 days'
\set recent 'item = ''bits'' AND grp = ''mem'' AND ts > (SELECT max(ts) FROM load) - interval ' :'range'

\panel 'Samples'
SELECT count(*) AS "of the host" FROM load WHERE host = :'host' AND :recent;

\panel 'Newest sample'
SELECT to_char(max(ts), 'YYYY-MM-DD HH24:MI') AS "UTC" FROM load WHERE host = :'host' AND :recent;

\panel 'Average'
SELECT round(sum(total)::numeric / count(*), 1) AS "of a sample" FROM load WHERE host = :'host' AND :recent;

\panel 'Hosts'
SELECT count(DISTINCT host) AS hosts FROM load WHERE :recent;

\panel 'By day' wide
SELECT date_trunc('day', ts) AS day, sum(total) AS total, round(avg(sum(total)) OVER (ORDER BY date_trunc('day', ts) ROWS 6 PRECEDING)) AS "average of 7 days"
  FROM load WHERE host = :'host' AND :recent GROUP BY 1 ORDER BY 1
\chart line x=day y=2,3

\panel 'By month'
SELECT to_char(date_trunc('month', ts), 'YYYY-MM') AS month, sum(total) AS total FROM load WHERE host = :'host' GROUP BY 1 ORDER BY 1
\chart bar

\panel 'How many samples have a value'
SELECT total FROM (SELECT ts, sum(total) AS total FROM load WHERE host = :'host' AND :recent GROUP BY ts) samples
\chart hist bins=12

\panel 'All hosts' wide
SELECT host, count(*) AS samples, sum(total) AS total, max(ts) AS newest FROM load WHERE :recent GROUP BY host ORDER BY host;
