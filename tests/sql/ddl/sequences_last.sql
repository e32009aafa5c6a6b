-- also: postgres
-- A nextval that fails does not change lastval() and currval.
CREATE SEQUENCE s START 10;
CREATE SEQUENCE m MAXVALUE 2;
SELECT nextval('m'), nextval('m');
SELECT nextval('s');
SELECT nextval('m');
SELECT lastval(), currval('m');
SELECT lastval();
