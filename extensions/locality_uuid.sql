-- Locality UUIDs, as in "MongoDB Data Locality" (Groupon, 2013):
--
--    wwwwwwww-xxxx-byyy-yyyy-zzzzzzzzzzzz
--
--    w counter, x process id, b the letter b, y last 28 bits of the MAC address,
--    z milliseconds since 1970
--
--    \i locality_uuid.sql
--    SELECT id, id_time(id) FROM (SELECT locality_uuid() AS id) q;
--    CREATE TABLE visits (id uuid DEFAULT locality_uuid() PRIMARY KEY, page text);
--
-- locality_uuid () spreads ids over shards: its counter grows by a large odd number, and is
-- written from its last digit to its first.
--
-- locality_uuid_sequential () keeps ids of one time together, on all machines: its counter grows
-- by one, and starts from a hash of the current ten minutes.
--
-- id_counter, id_process_id, id_mac and id_time return the parts of these ids, of UUIDs of
-- version 1, and of ObjectIds. A part that an id lacks is NULL. An id does not show whether its
-- counter is reversed, so id_counter has an argument for this. Its default fits locality_uuid ().

-- ---- digits ----

-- The hexadecimal digits of a number, at least as many as `digits`. Too many digits make no id.
CREATE OR REPLACE FUNCTION id_hex (n bigint, digits int) RETURNS text LANGUAGE sql IMMUTABLE AS $$
   SELECT regexp_replace(lpad(to_hex(n), 16, '0'), '^0{' || 16 - digits || '}', '')
$$;

-- The number of up to 15 hexadecimal digits.
CREATE OR REPLACE FUNCTION id_bytes_number (b bytea) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
   SELECT ((get_byte(b, 0)::bigint * 16777216 + get_byte(b, 1)::bigint * 65536 + get_byte(b, 2)::bigint * 256 + get_byte(b, 3)) * 4294967296
           + get_byte(b, 4)::bigint * 16777216 + get_byte(b, 5)::bigint * 65536 + get_byte(b, 6)::bigint * 256 + get_byte(b, 7))::bigint
$$;
CREATE OR REPLACE FUNCTION id_number (hex text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
   SELECT id_bytes_number(decode(lpad(hex, 16, '0'), 'hex'))
$$;

CREATE OR REPLACE FUNCTION id_moment (ms bigint) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
   SELECT timestamptz '1970-01-01 00:00:00+00' + ms * interval '1 millisecond'
$$;

-- ---- making ids ----

-- The counters of the process, and the address of the machine (extensions/process.c). Their names
-- differ from those in the extension process, so that both extensions can be in one store.
CREATE OR REPLACE FUNCTION id_next_number (name text, period bigint) RETURNS bigint LANGUAGE c VOLATILE STRICT AS 'process', 'process_counter';
CREATE OR REPLACE FUNCTION id_own_mac () RETURNS text LANGUAGE c STABLE AS 'process', 'mac_address';

CREATE OR REPLACE FUNCTION locality_uuid_join (counter text, process_id bigint, mac text, at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
   SELECT (counter || id_hex(process_id, 4) || 'b' || right(lpad(translate(mac, ':-', ''), 12, '0'), 7) || id_hex(floor(extract(epoch FROM at) * 1000)::bigint, 12))::uuid
$$;

-- Makes an id from a counter below 2^32, a process id below 2^16, and a time since 1970. mac:
-- 12 hexadecimal digits, with colons, dashes or nothing between. The last seven digits are used.
CREATE OR REPLACE FUNCTION locality_uuid_of (counter bigint, process_id bigint, mac text, at timestamptz, reversed boolean DEFAULT true) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
   SELECT locality_uuid_join(CASE WHEN reversed THEN reverse(id_hex(counter, 8)) ELSE id_hex(counter, 8) END, process_id, mac, at)
$$;

-- The counter starts at another value in each process. It takes all 2^32 values before it repeats.
CREATE OR REPLACE FUNCTION locality_uuid () RETURNS uuid LANGUAGE sql VOLATILE AS $$
   SELECT locality_uuid_join(reverse(id_hex((id_number(left(md5(pg_backend_pid()::text || id_own_mac()), 8)) + id_next_number('locality', 0) % 4294967296 * 265600181) & 4294967295, 8)),
                             pg_backend_pid() & 65535, id_own_mac(), clock_timestamp())
$$;

CREATE OR REPLACE FUNCTION locality_uuid_window (at timestamptz) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
   SELECT floor(extract(epoch FROM at) / 600)::bigint
$$;

-- The first value of the sequential counter in the ten minutes of a time, on all machines.
CREATE OR REPLACE FUNCTION locality_uuid_start (at timestamptz) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
   SELECT id_number(left(md5(locality_uuid_window(at)::text), 8))
$$;

CREATE OR REPLACE FUNCTION locality_uuid_sequential () RETURNS uuid LANGUAGE sql VOLATILE AS $$
   SELECT locality_uuid_join(id_hex((locality_uuid_start(now()) + id_next_number('locality sequential', locality_uuid_window(now()))) & 4294967295, 8), pg_backend_pid() & 65535, id_own_mac(), clock_timestamp())
$$;

-- ---- taking ids apart ----

CREATE OR REPLACE FUNCTION id_counter_of (hex text, kind text, reversed boolean) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
   SELECT CASE kind WHEN 'b' THEN id_number(CASE WHEN reversed THEN reverse(left(hex, 8)) ELSE left(hex, 8) END) WHEN '1' THEN id_number(substr(hex, 20, 4)) & 16383 END
$$;

-- A UUID of version 1 has a clock sequence instead of a counter.
CREATE OR REPLACE FUNCTION id_counter (id uuid, reversed boolean DEFAULT true) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS $$
   SELECT id_counter_of(id::text, substr(id::text, 15, 1), reversed)
$$;
CREATE OR REPLACE FUNCTION id_counter (id objectid) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT id_number(substr(id::text, 19, 6)) $$;

CREATE OR REPLACE FUNCTION id_process_id (id uuid) RETURNS int LANGUAGE sql IMMUTABLE STRICT AS $$
   SELECT CASE WHEN substr(id::text, 15, 1) = 'b' THEN id_number(substr(id::text, 10, 4))::int END
$$;
CREATE OR REPLACE FUNCTION id_process_id (id objectid) RETURNS int LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT id_number(substr(id::text, 15, 4))::int $$;

-- Digits that the id lacks are underscores. An ObjectId has a part for the machine, which most
-- drivers fill with a hash or with random bytes.
CREATE OR REPLACE FUNCTION id_mac_text (digits text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
   SELECT substr(digits, 1, 2) || ':' || substr(digits, 3, 2) || ':' || substr(digits, 5, 2) || ':' || substr(digits, 7, 2) || ':' || substr(digits, 9, 2) || ':' || substr(digits, 11, 2)
$$;
CREATE OR REPLACE FUNCTION id_mac (id uuid) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
   SELECT CASE substr(id::text, 15, 1) WHEN 'b' THEN id_mac_text('_____' || substr(id::text, 16, 3) || substr(id::text, 20, 4)) WHEN '1' THEN id_mac_text(right(id::text, 12)) END
$$;
CREATE OR REPLACE FUNCTION id_mac (id objectid) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT id_mac_text('______' || substr(id::text, 9, 6)) $$;

-- Version 1 counts 100 ns from 1582-10-15.
CREATE OR REPLACE FUNCTION id_ms (hex text, kind text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
   SELECT CASE kind WHEN 'b' THEN id_number(right(hex, 12))
                    WHEN '1' THEN (id_number(substr(hex, 16, 3) || substr(hex, 10, 4) || left(hex, 8)) - 122192928000000000) / 10000 END
$$;
CREATE OR REPLACE FUNCTION id_time (id uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT id_moment(id_ms(id::text, substr(id::text, 15, 1))) $$;
CREATE OR REPLACE FUNCTION id_time (id objectid) RETURNS timestamptz LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT id::timestamptz $$;
