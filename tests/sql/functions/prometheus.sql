-- also: mongo
-- Counters and gauges as in Prometheus: the cases and results of its own tests of functions (promql/promqltest: functions.test, extended_vectors.test).
-- A slope of numbers that are not finite is NULL here, and NaN there.
-- A range ends with its time, and doesn't have its start. So its exclusive end is a millisecond later.
SET TimeZone = 'UTC';
CREATE TABLE series (name text, step interval, v float8[]);
INSERT INTO series VALUES
   ('resets foo', '5 min', '{1,2,3,0,1,0,0,1,2,0}'), ('resets bar', '5 min', '{1,2,3,4,5,1,2,3,4,5}'), ('resets biz', '5 min', '{0,0,0,0,0,1,1,1,1,1}'),
   ('only nan', '5 min', '{NaN,NaN,NaN}'), ('some nan', '5 min', '{0,NaN,0}'),
   ('ten', '5 min', '{0,10,20,30,40,50,60,70,80,90,100}'), ('eighteen', '5 min', '{0,18,36,54,72,90,0,18,36,54,72,90}'), ('from ten', '5 min', '{10,20,30,40,50,60,70,80,90,100,110}'), ('from one', '5 min', '{1,11,21,31,41,51,61,71,81,91,101}'),
   ('down by one', '5 min', '{0,1,2,3,2,3,4}'), ('reset middle', '5 min', '{0,27,54,81,108,0,27,54,81,108,135}'), ('reset end', '5 min', '{0,10,20,30,40,50,60,70,80,90,0,10}'),
   ('twenty', '5 min', '{0,20,40,60,80,100,120,140,160,180,200}'), ('eighty', '5 min', '{0,80,160,240,320,400,480,560,640,720,800}'),
   ('cut 0', '4 min', '{0,240,480,720,960,1200,1440,1680,1920,2160,2400}'), ('cut 1', '4 min', '{60,300,540,780,1020,1260,1500,1740,1980,2220,2460}'), ('cut 2', '4 min', '{120,360,600,840,1080,1320,1560,1800,2040,2280,2520}'),
   ('cut 3', '4 min', '{180,420,660,900,1140,1380,1620,1860,2100,2340,2580}'), ('cut 4', '4 min', '{240,480,720,960,1200,1440,1680,1920,2160,2400,2640}'), ('cut 5', '4 min', '{300,540,780,1020,1260,1500,1740,1980,2220,2460,2700}'),
   ('irate bar', '5 min', '{0,10,20,30,40,50,0,10,20,30,40,50}'), ('between nan', '5 min', '{1,NaN,NaN,5,11}'),
   ('up', '5 min', '{0,50,100,150,200}'), ('down', '5 min', '{200,150,100,50,0}'), ('idelta foo', '5 min', '{0,50,100,150}'), ('idelta bar', '5 min', '{0,50,100,50}'),
   ('deriv reset', '5 min', '{0,10,20,30,40,0,10,20,30,40,50}'), ('deriv inf', '5 min', '{-Infinity,0,80,160,240,320,400,480,560,640,720,800,Infinity}'),
   ('whole', '15 s', '{1,2,3,4,5,9,10,11,12,13}'), ('partly', '15 s', '{1,2,3,NULL,NULL,9,10,11,12,13}');
CREATE TABLE points (name text, ts timestamptz, v float8);
INSERT INTO points SELECT name, timestamptz '2024-01-01' + step * (i - 1), x FROM series, unnest(v) WITH ORDINALITY AS u (x, i);
CREATE TABLE cases (name text, f text, at interval, length interval, result float8);
INSERT INTO cases (name, f, at, length, result) VALUES
   ('resets foo', 'resets', '50 min', '5 min', NULL), ('resets foo', 'resets', '50 min', '10 min', 0), ('resets foo', 'resets', '50 min', '20 min', 1), ('resets foo', 'resets', '50 min', '30 min', 1), ('resets foo', 'resets', '50 min', '32 min', 2), ('resets foo', 'resets', '50 min', '50 min', 3),
   ('resets bar', 'resets', '50 min', '10 min', 0), ('resets bar', 'resets', '50 min', '20 min', 0), ('resets bar', 'resets', '50 min', '30 min', 0), ('resets bar', 'resets', '50 min', '32 min', 1), ('resets bar', 'resets', '50 min', '50 min', 1), ('resets biz', 'resets', '50 min', '50 min', 0),
   ('resets foo', 'changes', '50 min', '5 min', NULL), ('resets foo', 'changes', '50 min', '6 min', 0), ('resets foo', 'changes', '50 min', '20 min', 2), ('resets foo', 'changes', '50 min', '30 min', 3), ('resets foo', 'changes', '50 min', '50 min', 7),
   ('resets bar', 'changes', '50 min', '6 min', 0), ('resets bar', 'changes', '50 min', '20 min', 2), ('resets bar', 'changes', '50 min', '30 min', 4), ('resets bar', 'changes', '50 min', '50 min', 8), ('resets biz', 'changes', '50 min', '50 min', 1),
   ('only nan', 'changes', '15 min', '20 min', 0), ('some nan', 'changes', '15 min', '20 min', 2),
   ('ten', 'increase', '50 min', '50 min', 100), ('eighteen', 'increase', '50 min', '50 min', 160), ('from ten', 'increase', '50 min', '50 min', 100), ('from one', 'increase', '50 min', '50 min', 100),
   ('ten', 'increase', '50 min', '100 min', 100), ('eighteen', 'increase', '50 min', '100 min', 162), ('from ten', 'increase', '50 min', '100 min', 105), ('from one', 'increase', '50 min', '100 min', 101),
   ('down by one', 'increase', '30 min', '30 min', 7), ('reset middle', 'rate', '50 min', '50 min', 0.08), ('reset end', 'rate', '50 min', '5 min', NULL), ('reset end', 'rate', '50 min', '6 min', 0),
   ('eighty', 'rate', '50 min', '50 min', 0.26666666666666666), ('ten', 'rate', '45 min', '10 min', 0.03333333333333333), ('twenty', 'rate', '45 min', '10 min', 0.06666666666666667),
   ('cut 0', 'rate', '10 min', '20 min', 0.5), ('cut 1', 'rate', '10 min', '20 min', 0.55), ('cut 2', 'rate', '10 min', '20 min', 0.6), ('cut 3', 'rate', '10 min', '20 min', 0.6), ('cut 4', 'rate', '10 min', '20 min', 0.6), ('cut 5', 'rate', '10 min', '20 min', 0.6),
   ('cut 0', 'rate', '50 min', '20 min', 0.6), ('cut 1', 'rate', '50 min', '20 min', 0.6), ('cut 2', 'rate', '50 min', '20 min', 0.6), ('cut 3', 'rate', '50 min', '20 min', 0.6), ('cut 4', 'rate', '50 min', '20 min', 0.6), ('cut 5', 'rate', '50 min', '20 min', 0.6),
   ('ten', 'irate', '50 min', '50 min', 0.03333333333333333), ('irate bar', 'irate', '50 min', '50 min', 0.03333333333333333), ('ten', 'irate', '30 min', '50 min', 0.03333333333333333), ('irate bar', 'irate', '30 min', '50 min', 0),
   ('between nan', 'irate', '0 min', '15 min 1 s', NULL), ('between nan', 'irate', '5 min', '15 min 1 s', 'NaN'), ('between nan', 'irate', '10 min', '15 min 1 s', 'NaN'), ('between nan', 'irate', '15 min', '15 min 1 s', 'NaN'), ('between nan', 'irate', '20 min', '15 min 1 s', 0.02),
   ('up', 'delta', '20 min', '20 min', 200), ('down', 'delta', '20 min', '20 min', -200), ('idelta foo', 'idelta', '20 min', '20 min', 50), ('idelta bar', 'idelta', '20 min', '20 min', -50),
   ('between nan', 'idelta', '0 min', '15 min 1 s', NULL), ('between nan', 'idelta', '5 min', '15 min 1 s', 'NaN'), ('between nan', 'idelta', '10 min', '15 min 1 s', 'NaN'), ('between nan', 'idelta', '15 min', '15 min 1 s', 'NaN'), ('between nan', 'idelta', '20 min', '15 min 1 s', 6),
   ('eighty', 'deriv', '50 min', '50 min', 0.26666666666666666), ('deriv reset', 'deriv', '50 min', '100 min', 0.010606060606060607), ('deriv inf', 'deriv', '100 min', '100 min', NULL),
   ('whole', 'increase', '5 s', '1 min', NULL), ('whole', 'increase', '20 s', '1 min', 1.833333333), ('whole', 'increase', '35 s', '1 min', 2.833333333), ('whole', 'increase', '50 s', '1 min', 4), ('whole', 'increase', '65 s', '1 min', 4), ('whole', 'increase', '80 s', '1 min', 8),
   ('whole', 'increase', '95 s', '1 min', 8), ('whole', 'increase', '110 s', '1 min', 8), ('whole', 'increase', '125 s', '1 min', 4),
   ('partly', 'increase', '5 s', '1 min', NULL), ('partly', 'increase', '20 s', '1 min', 1.833333333), ('partly', 'increase', '35 s', '1 min', 2.833333333), ('partly', 'increase', '50 s', '1 min', 3.166666666), ('partly', 'increase', '65 s', '1 min', 2.166666666), ('partly', 'increase', '80 s', '1 min', 8),
   ('partly', 'increase', '95 s', '1 min', 1.833333333), ('partly', 'increase', '110 s', '1 min', 2.833333333), ('partly', 'increase', '125 s', '1 min', 4);
CREATE VIEW ranges AS
   SELECT c.name, f, at, length, result, timestamptz '2024-01-01' + at - length AS low, timestamptz '2024-01-01' + at + interval '1 ms' AS high, counter_agg(ts, v) AS c, gauge_agg(ts, v) AS g
     FROM cases c LEFT JOIN points p ON p.name = c.name AND ts > timestamptz '2024-01-01' + at - length AND ts <= timestamptz '2024-01-01' + at GROUP BY c.name, f, at, length, result;
CREATE VIEW answers AS
   SELECT name, f, at, length, result,
          CASE f WHEN 'resets' THEN num_resets(c) WHEN 'changes' THEN num_changes(g) WHEN 'increase' THEN extrapolated_delta(with_bounds(c, low, high)) WHEN 'rate' THEN extrapolated_rate(with_bounds(c, low, high))
                 WHEN 'delta' THEN extrapolated_delta(with_bounds(g, low, high)) WHEN 'irate' THEN CASE WHEN num_elements(c) > 1 THEN irate_right(c) END WHEN 'idelta' THEN CASE WHEN num_elements(g) > 1 THEN idelta_right(g) END WHEN 'deriv' THEN slope(g) END AS got
     FROM ranges;
SELECT f, count(*), count(result) AS results FROM answers GROUP BY f ORDER BY f;
-- What differs: nothing.
SELECT * FROM answers WHERE got IS DISTINCT FROM result AND (got IS NULL OR result IS NULL OR NOT abs(got - result) < 1e-8) ORDER BY name, f, at, length;
-- A gauge may have been below 0; a counter may not.
SELECT extrapolated_delta(with_bounds(c, low, high)) AS counter, extrapolated_delta(with_bounds(g, low, high)) AS gauge FROM ranges WHERE name = 'from one' AND length = '100 min';
DROP VIEW answers;
DROP VIEW ranges;
