SELECT * FROM (VALUES ('rows', 8385340, 2900, 9.6, 21.4), ('by_day', 285653, 782, 10.2, NULL), ('by_app', 1278, 411, 7.1, 18.4),
                      ('by_time', 39, 276, NULL, NULL), ('no_raw', 5, 55, NULL, NULL))
         AS published (layout, documents, "MB", "Q1 s", "Q2 s");
