-- also: mongo
-- Errors of PREPARE with hints of mtsql's own.
PREPARE bad AS SELECT date '2020-01-01' BETWEEN $1 AND 5;
PREPARE bad AS SELECT 1 BETWEEN $1 AND date '2020-01-01';
