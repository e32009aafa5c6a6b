SELECT layout, q1.documents, round(q1."bytes stored" / 1e6, 1) AS "MB",
       q1.cut AS "Q1 cut", round(q1."bytes touched" / 1e6, 2) AS "Q1 MB read", round(q1.ms::numeric, 1) AS "Q1 ms",
       q2.cut AS "Q2 cut", round(q2."bytes touched" / 1e6, 2) AS "Q2 MB read", round(q2.ms::numeric, 1) AS "Q2 ms"
  FROM 'q1.csv' q1 JOIN 'q2.csv' q2 USING (layout)
 ORDER BY array_position (ARRAY['rows', 'by_day', 'by_app', 'by_time', 'no_raw'], layout);
