SELECT 9223372036854775807::int8 AS i8, 1.10::numeric AS num, 1e300::float8 AS f8, 0.1::float4 AS f4, date '2015-04-01' AS d,
  timestamp '2015-04-01 12:00:00.5' AS ts, interval '1 day 02:03:04' AS iv, '{"a": [1, null]}'::jsonb AS j, true AS b
