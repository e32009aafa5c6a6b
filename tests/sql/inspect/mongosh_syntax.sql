-- Descriptors and templates in mongosh's syntax.
CREATE LAYOUT by_slot AS $$ { // one document a metric and day
   keeps: 'sums', key: ["metric"],
   stores: [ { collection: 'slots', write: 'push', root: { is: 'document',
      bind: [ {trunc: 'day', at: 'day', encoding: 'date'}, {column: 'metric'}, ],
      sub: { is: 'slots', at: 'm', bind: [ {part: 'minute', of: 'day'} ],
             agg: { measures: { hits: '' }, zero: 'absent' } /* no zeros */ } } } ] } $$;
CREATE TABLE hits (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION, hits bigint MEASURE COUNTER) USING by_slot;
INSERT INTO hits VALUES ('2024-01-01 00:05+00', 'a', 3), ('2024-01-01 00:06+00', 'a', 4);
SELECT metric, sum(hits) FROM hits GROUP BY metric;
-- quotes doubled by SQL; the places of errors are in the statement
CREATE LAYOUT bad AS '{keeps: ''sums'', key: [metric]}';
CREATE LAYOUT bad AS '{keeps: ''sums'', key: [''metric''], stores: [{collection: ''s'', write: ''pushed''}]}';
CREATE LAYOUT bad AS $${ keeps: "records",
   // two lines
   stores: [ {collection: "it's", write: 'whole' root: 1} ] }$$;
CREATE LAYOUT bad AS $$ { keeps: 'records', /* no end }$$;
CREATE LAYOUT bad AS $$ { keeps: 'records', keeps: 'sums' } $$;
-- templates
CREATE FUNCTION root (x float8, n int DEFAULT 2) RETURNS float8 LANGUAGE mql IMMUTABLE STRICT AS $$ { $pow: ['$x', {$divide: [1, '$n']}] } // the n-th root $$;
SELECT root (9), root (27.0, 3);
CREATE FUNCTION bucket (t timestamptz) RETURNS timestamptz LANGUAGE mql STRICT AS $$ {$dateTrunc: {date: "$t", unit: 'minute', binSize: 60 / 4,}} $$;
SELECT bucket ('2024-01-01 10:44+00');
CREATE FUNCTION dollar (t text) RETURNS text LANGUAGE mql STRICT AS $$ {$concat: [{$literal: '$t'}, ': ', '$t']} $$;
SELECT dollar ('x');
CREATE FUNCTION since (t timestamptz) RETURNS bigint LANGUAGE mql STRICT AS $$ {$toLong: {$subtract: ['$t', ISODate('2024-01-01')]}} $$;
SELECT since ('2024-01-02 00:00+00');
CREATE FUNCTION is_a (t text) RETURNS boolean LANGUAGE mql STRICT AS $$ {$regexMatch: {input: '$t', regex: /^a\/b/i}} $$;
SELECT is_a ('A/bc'), is_a ('b');
CREATE FUNCTION bad (t text) RETURNS text LANGUAGE mql AS $$ {$concat: ['$t', t]} $$;
CREATE FUNCTION bad (t timestamptz) RETURNS timestamptz LANGUAGE mql AS $$ {$max: ['$t',
   ISODate('2024-02-30')]} $$;
\sf root
