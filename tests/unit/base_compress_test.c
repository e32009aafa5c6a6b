/* Compressed streams: what was written is read, in any pieces; members and frames behind each
 * other; every file cut short or damaged is an error. */
#include "base/compress.h"

#include "base/memory.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct Feed {
   const char *p;
   size_t n, at, piece;
   size_t fails_at; /* 0: never */
} Feed;

static long feed (void *ctx, char *buf, size_t n)
{
   Feed *f = ctx;
   size_t left = f->n - f->at, take = left < n ? left : n;
   if (f->fails_at && f->at >= f->fails_at)
      return -1;
   take = take < f->piece ? take : f->piece;
   if (take)
      memcpy (buf, f->p + f->at, take);
   f->at += take;
   return (long) take;
}

static bool collect (void *ctx, const char *buf, size_t n)
{
   mt_buf_add (ctx, buf, n);
   return true;
}

static void pack (MtCompression how, const char *p, size_t n, size_t piece, MtBuf *out)
{
   MtPack *w = mt_pack_open (how, collect, out);
   for (size_t at = 0; at < n; at += piece)
      assert_true (mt_pack_write (w, p + at, n - at < piece ? n - at : piece));
   assert_true (mt_pack_finish (w));
   mt_pack_close (w);
}

/* What is read; -1: an error. */
static long unpack (const char *name, MtStr in, size_t piece, size_t room, MtBuf *out, MtError *err)
{
   Feed f = {in.p, in.n, 0, piece, 0};
   char *buf = mt_malloc ("test", room);
   MtUnpack *u = mt_unpack_open (feed, &f, name, "22P04");
   long got;
   mt_buf_clear (out);
   mt_error_clear (err);
   while ((got = mt_unpack_read (u, buf, room, err)) > 0)
      mt_buf_add (out, buf, (size_t) got);
   assert_true ((got < 0) == mt_error_is_set (err));
   mt_unpack_close (u);
   free (buf);
   return got < 0 ? -1 : (long) out->n;
}

static void sample (MtBuf *out, size_t n)
{
   unsigned seed = 7;
   for (size_t i = 0; out->n < n; i++)
      mt_buf_printf (out, "%zu,%u,row\n", i, rand_r (&seed) % 1000);
   out->n = n;
}

static void assert_same (const MtBuf *a, const MtBuf *b)
{
   assert_int_equal (a->n, b->n);
   if (a->n)
      assert_memory_equal (a->p, b->p, a->n);
}

static const size_t sizes[] = {0, 1, 3, 4, 1000, 65536, 300000};
static const MtCompression all[] = {MT_NOT_COMPRESSED, MT_GZIP, MT_ZSTD};
static const char *const names[] = {"a.csv", "a.csv.gz", "a.csv.zst"};

static void reads_what_is_written (void **state)
{
   for (int k = 0; k < 3; k++)
      for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
         MtBuf text = {0}, packed = {0}, back = {0};
         MtError err;
         sample (&text, sizes[i]);
         pack (all[k], text.p, text.n, 1 + sizes[i] / 3, &packed);
         for (size_t piece = 1; piece <= 1u << 20; piece *= 64) {
            assert_int_equal (unpack (names[k], (MtStr) {packed.p, packed.n}, piece,
                                      piece < 4096 ? 7 : 100000, &back, &err),
                              (long) text.n);
            assert_same (&text, &back);
         }
         /* by its bytes alone */
         assert_int_equal (unpack ("standard input", (MtStr) {packed.p, packed.n}, 1000, 1000,
                                   &back, &err),
                           (long) text.n);
         mt_buf_free (&text);
         mt_buf_free (&packed);
         mt_buf_free (&back);
      }
}

static void reads_members_behind_each_other (void **state)
{
   for (int k = 1; k < 3; k++) {
      MtBuf text = {0}, twice = {0}, packed = {0}, back = {0};
      MtError err;
      sample (&text, 5000);
      pack (all[k], text.p, text.n, 5000, &packed);
      pack (all[k], "", 0, 1, &packed);
      pack (all[k], text.p, text.n, 5000, &packed);
      mt_buf_add (&twice, text.p, text.n);
      mt_buf_add (&twice, text.p, text.n);
      for (size_t piece = 1; piece < 100000; piece *= 10) {
         assert_int_equal (
            unpack (names[k], (MtStr) {packed.p, packed.n}, piece, 1000, &back, &err), 10000);
         assert_same (&twice, &back);
      }
      if (all[k] == MT_GZIP) {
         for (int i = 0; i < 1000; i++)
            mt_buf_addc (&packed, 0); /* as tapes have it */
         assert_int_equal (unpack (names[k], (MtStr) {packed.p, packed.n}, 100, 1000, &back, &err),
                           10000);
      }
      mt_buf_adds (&packed, "more");
      assert_int_equal (unpack (names[k], (MtStr) {packed.p, packed.n}, 100, 1000, &back, &err),
                        -1);
      assert_string_equal (err.sqlstate, "22P04");
      mt_buf_free (&text);
      mt_buf_free (&twice);
      mt_buf_free (&packed);
      mt_buf_free (&back);
   }
}

static void refuses_every_shorter_file (void **state)
{
   for (int k = 1; k < 3; k++) {
      MtBuf text = {0}, packed = {0}, back = {0};
      MtError err;
      sample (&text, 3000);
      pack (all[k], text.p, text.n, 3000, &packed);
      for (size_t n = 0; n < packed.n; n++) {
         assert_int_equal (unpack (names[k], (MtStr) {packed.p, n}, 1000, 500, &back, &err), -1);
         assert_string_equal (err.sqlstate, "22P04");
         assert_non_null (strstr (err.message, names[k]));
      }
      mt_buf_free (&text);
      mt_buf_free (&packed);
      mt_buf_free (&back);
   }
}

/* A flipped bit is found, unless it is one that says nothing of the data (the time and system in
 * gzip's header). */
static void refuses_damaged_files (void **state)
{
   for (int k = 1; k < 3; k++) {
      MtBuf text = {0}, packed = {0}, back = {0};
      MtError err;
      size_t found = 0;
      sample (&text, 3000);
      pack (all[k], text.p, text.n, 3000, &packed);
      for (size_t i = 0; i < 8 * packed.n; i++) {
         packed.p[i / 8] ^= (char) (1 << i % 8);
         long got = unpack (names[k], (MtStr) {packed.p, packed.n}, 1000, 500, &back, &err);
         if (got < 0)
            found++;
         else
            assert_same (&text, &back);
         packed.p[i / 8] ^= (char) (1 << i % 8);
      }
      assert_true (found > 8 * packed.n - 100);
      mt_buf_free (&text);
      mt_buf_free (&packed);
      mt_buf_free (&back);
   }
}

static void refuses_endings_that_lie (void **state)
{
   MtBuf gzip = {0}, back = {0};
   MtError err;
   pack (MT_GZIP, "abc", 3, 3, &gzip);
   assert_int_equal (unpack ("d/x.csv.gz", MT_STR ("a,b\n"), 100, 100, &back, &err), -1);
   assert_string_equal (err.message, "file \"d/x.csv.gz\" is not compressed with gzip");
   assert_string_equal (err.hint, "Rename it without .gz if it is not compressed.");
   assert_int_equal (unpack ("x.csv.zst", (MtStr) {gzip.p, gzip.n}, 100, 100, &back, &err), -1);
   assert_string_equal (err.message, "file \"x.csv.zst\" is not compressed with zstd");
   assert_string_equal (err.hint, "It is compressed with gzip: rename it to end in .gz.");
   assert_int_equal (unpack ("x.csv.gz", MT_STR (""), 100, 100, &back, &err), -1);
   mt_buf_free (&gzip);
   mt_buf_free (&back);
}

static void passes_on_that_reading_failed (void **state)
{
   for (int k = 0; k < 3; k++) {
      MtBuf text = {0}, packed = {0};
      MtError err;
      char buf[100];
      long got;
      sample (&text, 100000);
      pack (all[k], text.p, text.n, 100000, &packed);
      Feed f = {packed.p, packed.n, 0, 100, 500};
      MtUnpack *u = mt_unpack_open (feed, &f, names[k], "22P04");
      mt_error_clear (&err);
      while ((got = mt_unpack_read (u, buf, sizeof buf, &err)) > 0)
         ;
      assert_int_equal (got, -1);
      assert_false (mt_error_is_set (&err));
      mt_unpack_close (u);
      mt_buf_free (&text);
      mt_buf_free (&packed);
   }
}

int main (void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test (reads_what_is_written),
      cmocka_unit_test (reads_members_behind_each_other),
      cmocka_unit_test (refuses_every_shorter_file),
      cmocka_unit_test (refuses_damaged_files),
      cmocka_unit_test (refuses_endings_that_lie),
      cmocka_unit_test (passes_on_that_reading_failed),
   };
   return cmocka_run_group_tests (tests, NULL, NULL);
}
