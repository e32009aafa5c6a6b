-- also: mongo postgres
-- advisory locks of one session: counts, kinds, transactions
SELECT pg_advisory_lock(1);
SELECT pg_try_advisory_lock(1), pg_try_advisory_lock(1, 2), pg_try_advisory_lock_shared(7);
SELECT pg_advisory_unlock(1), pg_advisory_unlock(1);
SELECT pg_advisory_unlock(1);
SELECT pg_advisory_unlock_shared(1, 2);
SELECT pg_advisory_unlock(1, 2), pg_advisory_unlock_shared(7);
SELECT pg_advisory_lock(x) FROM generate_series(1, 3) x;
SELECT pg_advisory_unlock(x) FROM generate_series(1, 4) x;
BEGIN;
SELECT pg_advisory_xact_lock(5);
SELECT pg_advisory_unlock(5);
COMMIT;
SELECT pg_advisory_lock(1), pg_advisory_lock_shared(-9223372036854775808);
SELECT pg_advisory_unlock_all();
SELECT pg_advisory_unlock(1);
SELECT pg_advisory_lock(NULL::bigint) IS NULL;
SELECT pg_advisory_lock('a');
