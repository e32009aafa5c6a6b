/* Streams of one file come back as they were written, whatever the order of writing and reading. */
#include "base/streams.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* after the headers that it needs */
#include <cmocka.h>

enum { BLOCK = 64 };

/* Record i of a stream: lengths around those of blocks, and bytes that say which it is. */
static uint32_t record (uint32_t stream, uint32_t i, uint8_t *to)
{
   uint32_t n = (stream * 7 + i * 13) % (3 * BLOCK);
   memset (to, (int) (stream * 31 + i), n);
   return n;
}

static void put (MtStreams *s, uint32_t stream, uint32_t i)
{
   MtError err;
   uint8_t bytes[3 * BLOCK];
   uint32_t n = record (stream, i, bytes);
   assert_true (mt_streams_write (s, stream, &n, sizeof n, &err));
   assert_true (mt_streams_write (s, stream, bytes, n, &err));
}

/* `of`: the stream that the record was first written to. */
static void expect (MtStreams *s, uint32_t stream, uint32_t of, uint32_t i)
{
   MtError err;
   uint8_t bytes[3 * BLOCK], got[3 * BLOCK];
   uint32_t n = record (of, i, bytes), got_n = 0;
   bool end;
   assert_true (mt_streams_next (s, stream, &got_n, &end, &err));
   assert_false (end);
   assert_int_equal (got_n, n);
   assert_true (mt_streams_read (s, stream, got, n, &err));
   assert_memory_equal (got, bytes, n);
}

static void expect_end (MtStreams *s, uint32_t stream)
{
   MtError err;
   uint32_t n;
   bool end;
   assert_true (mt_streams_next (s, stream, &n, &end, &err));
   assert_true (end);
}

static void test_in_turn (void **state)
{
   enum { STREAMS = 5, RECORDS = 200, TIMES = 2 };
   MtError err;
   MtStreams *s = mt_streams_new (STREAMS, BLOCK, &err);
   assert_non_null (s);
   for (uint32_t i = 0; i < RECORDS; i++)
      for (uint32_t k = 1; k < STREAMS; k++)
         put (s, k, i);
   for (int times = 0; times < TIMES; times++) {
      for (uint32_t k = 0; k < STREAMS; k++)
         assert_true (mt_streams_rewind (s, k, false, &err));
      for (uint32_t i = 0; i < RECORDS; i++)
         for (uint32_t k = STREAMS; k-- > 1;)
            expect (s, k, k, i);
      for (uint32_t k = 0; k < STREAMS; k++)
         expect_end (s, k);
   }
   assert_false (mt_streams_any (s, 0));
   assert_true (mt_streams_any (s, 1));
   mt_streams_free (s);
}

/* Blocks that were read for the last time are written again. */
static void test_used_again (void **state)
{
   enum { RECORDS = 500, TIMES = 20 };
   MtError err;
   MtStreams *s = mt_streams_new (1, BLOCK, &err);
   uint32_t from = 0, to;
   assert_non_null (s);
   for (uint32_t i = 0; i < RECORDS; i++)
      put (s, 0, i);
   assert_true (mt_streams_end (s, 0, &err));
   uint64_t size = mt_streams_bytes (s);
   for (int times = 0; times < TIMES; times++, from = to) {
      assert_true (mt_streams_add (s, &to, &err));
      assert_true (mt_streams_rewind (s, from, true, &err));
      for (uint32_t i = 0; i < RECORDS; i++) {
         uint8_t bytes[3 * BLOCK];
         uint32_t n;
         bool end;
         assert_true (mt_streams_next (s, from, &n, &end, &err));
         assert_true (mt_streams_read (s, from, bytes, n, &err));
         assert_true (mt_streams_write (s, to, &n, sizeof n, &err));
         assert_true (mt_streams_write (s, to, bytes, n, &err));
      }
      expect_end (s, from);
      assert_true (mt_streams_end (s, to, &err));
   }
   assert_true (mt_streams_bytes (s) <= size + 4 * BLOCK);
   assert_true (mt_streams_rewind (s, from, false, &err));
   for (uint32_t i = 0; i < RECORDS; i++)
      expect (s, from, 0, i);
   mt_streams_free (s);
}

static void test_too_short (void **state)
{
   MtError err;
   uint8_t bytes[8];
   MtStreams *s = mt_streams_new (1, BLOCK, &err);
   assert_non_null (s);
   assert_true (mt_streams_write (s, 0, "abc", 3, &err));
   assert_true (mt_streams_rewind (s, 0, false, &err));
   assert_false (mt_streams_read (s, 0, bytes, sizeof bytes, &err));
   assert_string_equal (err.sqlstate, "XX001");
   mt_streams_free (s);
}

int main (void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_in_turn),
      cmocka_unit_test (test_used_again),
      cmocka_unit_test (test_too_short),
   };
   return cmocka_run_group_tests (tests, NULL, NULL);
}
