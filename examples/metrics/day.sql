SELECT form, sparkline (writes, 0, (SELECT max(writes) FROM 'hours.tsv'), 24 ORDER BY hour) AS "by the hour",
       (SELECT n FROM 'totals.tsv' t WHERE t.form = h.form AND what = 'hits') / :day AS "writes/s",
       (SELECT CASE WHEN min(n) = max(n) THEN 'every one' ELSE 'SOME LOST' END FROM 'totals.tsv' t WHERE t.form = h.form) AS "read back"
  FROM 'hours.tsv' h GROUP BY form ORDER BY form;
SELECT form, hour, writes FROM 'hours.tsv' ORDER BY form, hour
\chart line x=hour y=writes by=form title='Writes a second by the hour of the day' :plot
