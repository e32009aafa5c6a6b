-- also: mongo postgres
-- Functions of bytes, of numerics' divisors, random ones, and those that are SQL over others.
SELECT gcd(330.3, 462), lcm(330.3, 462), gcd(0.0,0), lcm(0.00, 5), gcd(12.00, 18), lcm(12.0, 18.00), gcd('NaN'::numeric, 1), lcm(5,-0.0);
SELECT overlay('\x616263'::bytea PLACING '\x58' FROM 2), overlay('\x616263'::bytea PLACING '\x5859'::bytea FROM 2 FOR 0);
SELECT overlay('\x616263'::bytea PLACING '\x58' FROM 0);
SELECT position('\x62'::bytea IN '\x6162'::bytea), position(''::bytea IN '\x6162'::bytea), position('\x63'::bytea IN '\x6162'::bytea);
SELECT trim('\x0001'::bytea FROM '\x0061000100'::bytea), ltrim('\x0061'::bytea, '\x00'::bytea), rtrim('\x0061'::bytea, ''::bytea), rtrim(''::bytea, '\x00'::bytea);
SELECT pg_typeof(gen_random_uuid()), gen_random_uuid() <> gen_random_uuid(), length(gen_random_uuid()::text), substr(gen_random_uuid()::text, 15, 1);
SELECT count(DISTINCT gen_random_uuid()) FROM generate_series(1, 5);
SELECT sinh(1000), cosh(-1000), quote_nullable(NULL), quote_nullable('a''b'), to_hex(-1), to_hex(255), md5('é'), gcd(-12, 18), lcm(12, -18), sign('NaN'::numeric), sign(-0.5), atand(1), atan2d(1, -1);
SELECT gcd((-2147483648)::int, 0);
SELECT lcm(2147483647, 2147483646);
SELECT clock_timestamp() >= now();
SELECT length('é'), length(normalize('é')), length(normalize('é', NFD)), length(normalize('ﬁ', NFKC)), normalize('ﬁ', nfkd), normalize('Å', NFC) = 'Å';
SELECT 'é' IS NORMALIZED, 'é' IS NOT NORMALIZED, 'é' IS NFD NORMALIZED, 'ﬁ' IS NOT NFKC NORMALIZED, NULL::text IS NORMALIZED, normalize(NULL, NFC);
SELECT is_normalized('é', 'NFD'), is_normalized('é', 'x');
SELECT 'a' IS nosuch NORMALIZED;
SELECT normalize('a', nosuch);
SELECT 1 AS normalized, 2 AS nfc;
SELECT normalized FROM (SELECT 3 AS normalized) normalized;
SELECT 'a' || 'b' IS NORMALIZED AND true;
