-- also: postgres
-- What is read as an interval, and what isn't: ISO 8601 with letters, signs between the numbers or none; words, years-months, times.
SELECT x, x::interval FROM (VALUES
   ('P1DT005:05'), ('P1DT5:05'), ('P1DT05:05:06.789'), ('P1DT0505'), ('P1DT050506'), ('P1DT050506.5'), ('P0001-02-03T04:05:06'), ('P00010203T040506'),
   ('P0001-02'), ('P0001'), ('P1-2'), ('P1-2-3'), ('P1-2-3T4'), ('P1-2-3T4:5'), ('P1-2-3T4:5:6'), ('P1Y2M3DT4H5M6S'),
   ('P1Y2M3W4DT4H5M6S'), ('P1.5Y'), ('P1.5M'), ('P1.5W'), ('P1.5D'), ('PT1.5H'), ('PT1.5M'), ('PT1.5S'),
   ('P-1Y-2M3DT-4H-5M-6S'), ('P-1Y2M'), ('PT'), ('P1'), ('P1T'), ('P1YT'), ('PT1'), ('PT12'),
   ('PT1234'), ('PT123456'), ('PT1234567'), ('PT12:34'), ('PT12:34:56'), ('PT-12:34'), ('PT12:-34'), ('P1M2Y'),
   ('P1Y1Y'), ('PT5M4H'), ('P.5Y'), ('P1.Y'), ('P1e2D'), ('P0.000001D'), ('PT0.0000005S'), ('P178956970Y7M'),
   ('P-178956970Y-8M'), ('P2147483647D'), ('PT2562047788H'), ('P20000101'), ('P20000101T10'), ('P2000-01-01T10:00'), ('P2000-13-01'), ('P2000-01-99'),
   ('P1-1T1:1:1'), ('P1-1T1H'), ('P1YT1:1'), ('P1DT'), ('PT60:61'), ('PT1:99:99'), ('P-0001-02-03T-04:05:06'), ('P0001--02-03'),
   ('PT0.5H0.5M'), ('P0.5Y0.5M0.5W0.5D'), ('P1.2345Y'), ('P-1.5M'), ('P1.99999999999M'), ('PT1.0000015S'), ('PT0.0000025S'), ('P1DT050506.9'),
   ('P00010203.5T040506'), ('P00010203.5'), ('P-00010203'), ('PTT1H'), ('P1-2T'), ('P1.5-2.5-3.5T1.5:2.5:3.5'), ('P0x10D')) v (x);
SELECT x, x::interval FROM (VALUES
   ('1-2'), ('-1-2'), ('1-2 3 4:05:06'), ('-1-2 -3 -4:05:06'), ('+1-2 -3 +4:05:06'), ('1-11'), ('1 2:03:04'), ('1 -2:03:04'),
   ('1.5 2:03'), ('@ 1 day ago'), ('1 day ago 2 hours'), ('1 day 2 hours ago'), ('1 day -2'), ('1.5 years'), ('1.55 months'), ('0.1 weeks'),
   ('1 decade 2 centuries 3 millennia'), ('1 dec 1 c 1 mil'), ('1 y 1 mon 1 m 1 d 1 h 1 s 1 ms 1 us'), ('1 m'), ('1m'), ('1d2h'), ('4:5'), ('4:5.5'),
   ('100:00'), ('-4:05'), ('- 4:05'), ('1 12:'), ('1:00:60'), ('.5 s'), ('5. s'), ('1 day,2 hours'),
   ('-2147483648 days'), ('2147483648 s'), ('9223372036854775807 us'), ('9223372036854 s'), ('1 millennium 1.5 y'), ('178956970 years 7 months'), ('0.5 months 0.5 days'), ('1 week 1.5 days 1.5 hours'),
   ('1 mon -1 hour'), ('day 1'), ('12:34 1 day'), ('1 s 1 ms'), ('1-2 1 year'), ('1 year 1-2'), ('4:05 hours'), ('1-2 days'),
   ('1 day hour'), ('-9223372036854775808 us'), ('9223372036854775807 us ago'), ('0.0000015 s'), ('0.0000025 s'), ('1.0000005 s'), ('0.5 us'), ('1.5 us'),
   ('2.5 us'), ('2562047788:00:54.775807'), ('-2562047788:00:54.775807'), ('-1.5 us'), ('0.0025 ms'), ('0.12345678 s'), ('1:02:03.0000005'), ('1:02:03.0000015'), ('-178956970 years -8 months'), ('1.5 weeks'),
   ('-1.5 weeks'), ('1.3 months'), ('0.7 months'), ('1.123456789 days'), ('1.2 years'), ('1.04 years'), ('1.05 decades'), ('2.5 centuries')) v (x);
SELECT interval 'P+1Y';
SELECT interval 'P';
SELECT interval 'P1H';
SELECT interval 'PT1D';
SELECT interval 'p1y';
SELECT interval 'P1y2m';
SELECT interval '-P1Y';
SELECT interval '+P1Y';
SELECT interval ' P1Y';
SELECT interval 'P1Y ';
SELECT interval 'P99999999999Y';
SELECT interval 'P178956970Y8M';
SELECT interval 'P2147483648D';
SELECT interval 'PT2562047789H';
SELECT interval 'P1Y2-3';
SELECT interval 'PT1H30';
SELECT interval 'PT1H30:15';
SELECT interval 'PT5:5:5:5';
SELECT interval '1-12';
SELECT interval '1 2-3';
SELECT interval '1-2-3';
SELECT interval 'ago';
SELECT interval '1 ago';
SELECT interval '1 day 1 day';
SELECT interval '1:60:00';
SELECT interval '2562047788:00:54.775808';
SELECT interval '2562047788:01:00';
SELECT interval '-9223372036854775808 us ago';
SELECT interval '-9223372036854775808 years ago';
SELECT interval '1:00:61';
SELECT interval 'infinity';
SELECT interval '1e3 s';
SELECT interval '1e-3 s';
SELECT interval '';
SELECT interval '2147483648 days';
SELECT interval '9223372036854775808 us';
SELECT interval '9223372036855 s';
SELECT interval '1 days 2 days';
SELECT interval '1 hour 2 hour';
SELECT interval '1 1 day';
SELECT interval '1 s 1 sec';
SELECT interval '12:34 5';
SELECT interval '12:34:56 12:34';
SELECT interval '1.5 s 1 ms';
SELECT interval 'day';
SELECT interval '-9223372036854775809 us';
SELECT interval 'P1T2T3';
SELECT interval 'PT1:2T3';
SELECT interval 'P1-';
SELECT interval 'PT1:';
SELECT interval 'P1e15Y';
SELECT interval 'P1e16Y';
SELECT interval 'PinfY';
SELECT interval '2147483647 years';
SELECT interval '178956971 years';
SELECT interval '178956970-11';
SELECT interval '99999999999999999999 days';
SELECT interval '99999999999999999999-1';
SELECT interval '99999999999999999999:00';
SELECT interval '1 day 99999999999999999999 us';
SELECT interval '1 hour 1:00';
SELECT interval '1 week 2 days 3 weeks';
SELECT interval '1 1h', interval '1d2h3m', interval '3 4 hours', interval '2mon1d', interval '- 1 day', interval '+1 day';
SELECT interval 'day1:2';
SELECT interval '1Y.5';
SELECT interval '+.5';
SELECT interval 'sec5';
-- fields: what a number without a unit is, and what is cut off
SELECT interval '1-2' YEAR TO MONTH, interval '3' DAY, interval '4 5:6' DAY TO MINUTE, interval '4 5:6:7.85' DAY TO SECOND(1), interval '2.5' HOUR, interval '-7' MONTH;
SELECT interval '1:30' HOUR TO MINUTE, interval '1:30' MINUTE TO SECOND, interval '1:30:40' HOUR, interval '1:30:40' MINUTE TO SECOND, interval '5', interval '1 2' DAY TO HOUR, interval '1.234567' SECOND(2);
SELECT interval '1 year 2 mons 3 days 04:05:06.789' YEAR, interval '-1 year -2 mons -3 days -04:05:06.789' YEAR TO MONTH, interval '1 year 2 mons 3 days 04:05:06.789' DAY, interval '1 year 2 mons 3 days -04:05:06.789' HOUR,
   interval '1 year 2 mons 3 days 04:05:06.789' MINUTE, interval '1 year 2 mons 3 days 04:05:06.789' SECOND(0), interval 'P1Y2M3DT4H5M6S' MONTH;
SELECT '2'::interval hour, '1 2:3'::interval day to hour, CAST('8' AS interval minute), '2'::text::interval hour, NULL::interval year, interval '1 day 2 hours'::interval day, '90 minutes'::text::interval hour;
SELECT x::interval hour to minute, CAST(x AS interval day), x::interval second(0), x::interval year FROM (VALUES ('1 day 10:20:30.5'), ('-2 years -01:02:03'), (NULL)) AS v (x) ORDER BY v.x;
SELECT interval '1 2 3' DAY, interval 'x' DAY;
SELECT interval '1 2 3' YEAR;
SELECT interval '1' YEAR TO DAY;
SELECT '1'::interval hour to year;
SELECT 5::interval hour;
SELECT true::interval hour;
PREPARE fields AS SELECT $1::interval hour;
EXECUTE fields ('90 minutes');
