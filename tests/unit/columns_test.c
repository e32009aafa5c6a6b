/* Columns over random documents: of mixed types, with missing values, NaN, texts that repeat or
 * not, and deleted documents. Random pipelines give the same from columns as from documents, and
 * documents that are not stored are rebuilt byte for byte. The same with lists of documents, which
 * $unwind reads. `columns_test SEED ROUNDS` runs more. */
#include "engine/engine.h"
#include "engine/local/documents/rebuild.h"
#include "tests/unit/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { STEPS = 3, A_STEP = 900, PIPELINES = 120 };

static MtError err;
static uint64_t seed = 1, state;
static int rounds = 6;

static uint32_t below (uint32_t n) { return random_below (&state, n); }

static void ok (bool yes)
{
   if (!yes)
      fail_msg ("seed %llu: %s: %s", (unsigned long long) seed, err.sqlstate, err.message);
}

/* ---- documents ---- */

/* Values of RISING and LATER never get less from document to document. */
typedef enum { INT, LONG, WIDE, CENTS, RISING, DOUBLE, TEXT, DATE, LATER, BOOL, KINDS } Kind;

static int risen; /* how many values were made, for RISING and LATER */

static void put_text (bson_t *d, const char *name, uint32_t different)
{
   char text[40];
   uint32_t n = below (different);
   snprintf (text, sizeof text, n ? "w%u%.*s" : "", n, (int) (n % 9), "ébcdefgh");
   bson_append_utf8 (d, name, -1, text, -1);
}

/* Appends a value of this kind, sometimes of another one. `odd`: one of how many is odd; 0: none.
 * */
static void put (bson_t *d, const char *name, Kind kind, uint32_t odd)
{
   static const double specials[] = {NAN, -0.0, 0.0, INFINITY, 1e300, 0.1};
   int v = (int) below (40) - 20;
   if (odd && below (odd) == 0) {
      uint32_t how = below (5);
      if (how == 0)
         bson_append_null (d, name, -1);
      else if (how == 1 && kind <= DOUBLE)
         bson_append_double (d, name, -1, specials[below (6)]);
      else if (how == 2 && odd > 150) /* a field of several types has no column */
         put (d, name, (Kind) below (KINDS), 0);
      return;
   }
   switch (kind) {
   case INT: bson_append_int32 (d, name, -1, v); break;
   case LONG: bson_append_int64 (d, name, -1, 100 * v); break;
   case WIDE:
      bson_append_int64 (d, name, -1, below (2) ? INT64_MAX - v * v : INT64_MIN + v * v);
      break;
   case RISING: bson_append_int32 (d, name, -1, risen++ / 50 % 50 - 25); break;
   case CENTS: bson_append_double (d, name, -1, (double) (int) below (100000) / 100); break;
   case DOUBLE: bson_append_double (d, name, -1, v / 3.0); break;
   case TEXT: put_text (d, name, 30); break;
   case LATER:
      bson_append_date_time (d, name, -1, INT64_C (1699999400000) + 10000 * (risen++ / 20));
      break;
   case DATE: bson_append_date_time (d, name, -1, INT64_C (1700000000000) + 60000 * v); break;
   default: bson_append_bool (d, name, -1, v > 0);
   }
}

static void insert (MtEngine *e, int id, const Kind *kinds, const uint32_t *odd)
{
   static const char *const names[] = {"a", "b", "c", "a_rather_long_name"};
   bson_t d = BSON_INITIALIZER;
   BSON_APPEND_INT32 (&d, "_id", id);
   uint32_t from = odd[0] % 2 ? below (4) : 0; /* the order of the fields varies, too */
   for (uint32_t i = 0; i < 4; i++)
      put (&d, names[(i + from) % 4], kinds[(i + from) % 4], odd[(i + from) % 4]);
   put_text (&d, "unique", 100000);
   ok (mt_engine_insert (e, "c", &d, false, &err));
   bson_destroy (&d);
}

static void fill (MtEngine *e, Kind *kinds)
{
   uint32_t odd[4];
   int id = 0;
   risen = 0;
   for (int i = 0; i < 4; i++) {
      kinds[i] = (Kind) below (KINDS);
      odd[i] = below (2) ? 0 : 5 + below (200);
   }
   if (seed % 2) {
      kinds[0] = RISING;
      odd[0] = 0;
   }
   ok (mt_engine_create_collection (e, "c", &err));
   for (int s = 0; s < STEPS; s++) {
      ok (mt_engine_begin (e, &err));
      for (int i = 0; i < A_STEP; i++)
         insert (e, id++, kinds, odd);
      ok (mt_engine_commit (e, &err));
   }
   for (uint32_t i = below (2) ? 0 : 40; i > 0; i--) {
      bool gone;
      ok (mt_engine_delete_id (e, "c", mt_v_int32 ((int) below ((uint32_t) id)), &gone, &err));
   }
}

/* ---- pipelines ---- */

static const char *field (void)
{
   static const char *const names[] = {"a", "b", "c", "a_rather_long_name", "unique", "none"};
   return names[below (16) ? below (4) : 4 + below (2)];
}

static void constant (char out[80])
{
   static const char *const special[] = {"null",
                                         "{\"$numberDouble\": \"NaN\"}",
                                         "{\"$numberDouble\": \"-Infinity\"}",
                                         "{\"$numberLong\": \"9223372036854775807\"}",
                                         "{\"$numberLong\": \"9007199254740993\"}",
                                         "{\"$numberDecimal\": \"3.5\"}",
                                         "true",
                                         "\"\"",
                                         "{\"$date\": {\"$numberLong\": \"1700000000000\"}}"};
   int v = (int) below (50) - 25;
   switch (below (6)) {
   case 0: snprintf (out, 80, "%d.25", v); break;
   case 1: snprintf (out, 80, "%d", 100 * v); break;
   case 2: snprintf (out, 80, "\"w%d\"", v); break;
   case 3: snprintf (out, 80, "%s", special[below (9)]); break;
   default: snprintf (out, 80, "%d", v);
   }
}

static void leaf (char out[300])
{
   static const char *const ops[] = {"$gt", "$gte", "$lt", "$lte", "$eq", "$ne"};
   static const char *const forms[] = {
      "{\"%s\": {\"$exists\": false}}",
      "{\"%s\": {\"$type\": \"number\"}}",
      "{\"%s\": {\"$in\": [3, \"w3\", null]}}",
      "{\"%s\": {\"$mod\": [4, 1]}}",
      "{\"%s\": {\"$regularExpression\": {\"pattern\": \"^w1\", \"options\": \"\"}}}",
      "{\"$expr\": {\"$lt\": [\"$%s\", 3]}}",
      "{\"%s\": {\"$not\": {\"$gt\": 2}}}"};
   char c[80];
   constant (c);
   if (below (3) == 0)
      snprintf (out, 300, forms[below (7)], field ());
   else
      snprintf (out, 300, "{\"%s\": {\"%s\": %s}}", field (), ops[below (6)], c);
}

static void condition (char out[1000], int depth)
{
   static const char *const junctions[] = {"$and", "$or", "$nor"};
   char a[1000], b[1000];
   if (depth == 0 || below (3) == 0) {
      leaf (out);
      return;
   }
   condition (a, depth - 1);
   condition (b, depth - 1);
   if (snprintf (out, 1000, "{\"%s\": [%s, %s]}", junctions[below (3)], a, b) >= 1000)
      leaf (out);
}

static void expression (char out[200])
{
   static const char *const forms[] = {
      "\"$%s\"",
      "{\"$add\": [\"$%s\", 1]}",
      "{\"$cond\": [{\"$ne\": [\"$%s\", \"w1\"]}, 1, 0]}",
      "{\"$cond\": [{\"$gt\": [\"$%s\", 2]}, {\"$numberLong\": \"1\"}, null]}",
      "{\"$ifNull\": [\"$%s\", 0]}",
      "{\"$type\": \"$%s\"}"};
   snprintf (out, 200, forms[below (6)], field ());
}

static void grouping (char *out, size_t n)
{
   static const char *const sums[] = {"$sum", "$min", "$max", "$sum", "$avg", "$addToSet"};
   char key[500], k1[200], k2[200], x[200], y[200];
   expression (k1);
   expression (k2);
   expression (x);
   expression (y);
   switch (below (3)) {
   case 0: snprintf (key, sizeof key, "null"); break;
   case 1: snprintf (key, sizeof key, "%s", k1); break;
   default: snprintf (key, sizeof key, "{\"p\": %s, \"q\": %s}", k1, k2);
   }
   const char *one = sums[below (6)], *two = sums[below (5)];
   bool set = strcmp (one, "$addToSet") == 0;
   snprintf (
      out, n,
      "{\"$group\": {\"_id\": %s, \"n\": {\"$sum\": 1}, \"x\": {\"%s\": %s}, \"y\": {\"%s\": "
      "%s}}}, {\"$addFields\": {\"x\": {\"$cond\": [%s, {\"$size\": {\"$ifNull\": [\"$x\", "
      "[]]}}, \"$x\"]}, \"t\": {\"$type\": \"$_id\"}}}, {\"$sort\": {\"_id\": 1, \"t\": 1, "
      "\"n\": 1, \"y\": 1}}",
      key, one, x, two, y, set ? "true" : "false");
}

/* A sort that keeps first rows, by which other rows and blocks are skipped; or a group by its first
 * keys. */
static void first_rows (char *out, size_t n)
{
   static const char *const forms[] = {
      "\"$%s\"",
      "\"$%s\"",
      "{\"$add\": [{\"$multiply\": [2, \"$%s\"]}, 7]}",
      "{\"$floor\": {\"$divide\": [\"$%s\", 3]}}",
      "{\"$toDate\": {\"$multiply\": [\"$%s\", 1000]}}",
      "{\"$cond\": [{\"$lte\": [\"$%s\", null]}, -2, 0]}",
      "{\"$cond\": [{\"$eq\": [\"$%s\", {\"$numberDouble\": \"NaN\"}]}, -1, 0]}",
      "{\"$cond\": [{\"$gt\": [\"$%s\", 3]}, \"x\", 4]}"};
   const char *f = field (), *signs[3];
   char x[200], y[200];
   for (int i = 0; i < 3; i++)
      signs[i] = below (2) ? "1" : "-1";
   snprintf (x, sizeof x, forms[below (8)], f);
   snprintf (y, sizeof y, forms[below (8)], below (4) ? f : field ());
   if (below (4) == 0)
      snprintf (out, n,
                "{\"$group\": {\"_id\": {\"x\": %s, \"y\": %s}, \"n\": {\"$sum\": 1}}}, "
                "{\"$project\": {\"x\": \"$_id.x\", \"y\": \"$_id.y\", \"n\": 1, \"_id\": 0}}, "
                "{\"$sort\": {\"x\": %s, \"y\": %s}}, {\"$limit\": %u}",
                x, y, signs[0], signs[1], 1 + below (20));
   else
      snprintf (out, n,
                "{\"$project\": {\"x\": %s, \"y\": %s, \"z\": \"$%s\"}}, {\"$sort\": {\"x\": %s, "
                "\"%s\": %s%s}}, %s{\"$limit\": %u}",
                x, y, f, signs[0], below (3) ? "z" : "y", signs[1],
                below (4) ? "" : ", \"_id\": -1", below (3) ? "" : "{\"$skip\": 3}, ",
                1 + below (30));
}

static void pipeline (char out[6000])
{
   char where[1000], rest[3000];
   condition (where, 2);
   switch (below (6)) {
   case 4:
   case 5: first_rows (rest, sizeof rest); break;
   case 0:
      snprintf (rest, sizeof rest, "{\"$project\": {\"%s\": 1}}, {\"$sort\": {\"_id\": 1}}",
                field ());
      break;
   case 1: snprintf (rest, sizeof rest, "{\"$sort\": {\"%s\": 1, \"_id\": 1}}", field ()); break;
   default: grouping (rest, sizeof rest);
   }
   char more[1000];
   condition (more, 1);
   if (below (4))
      snprintf (out, 6000, "[{\"$match\": %s}, %s]", where, rest);
   else if (below (2))
      snprintf (out, 6000, "[{\"$match\": %s}, {\"$match\": %s}, %s]", more, where, rest);
   else
      snprintf (out, 6000, "[%s]", rest);
}

/* Runs a pipeline. Appends its documents to `out`, and returns how many bytes were looked at. An
 * error is its SQLSTATE. */
static uint64_t run (MtEngine *e, const bson_t *stages, MtBuf *out)
{
   const bson_t *doc;
   MtCursor *c;
   MtRunStats stats = {0};
   MtAggregateArgs args = {.collection = "c", .pipeline = stages};
   mt_buf_adds (out, "");
   if (!mt_engine_aggregate (e, &args, &c, &err)) {
      mt_buf_adds (out, err.message);
      return 0;
   }
   bool good;
   while ((good = mt_cursor_next (c, &doc, &err)) && doc) {
      mt_v_to_json (mt_v_doc (doc), false, out);
      mt_buf_adds (out, "\n");
   }
   if (!good)
      mt_buf_adds (out, err.sqlstate);
   mt_cursor_stats (c, &stats);
   mt_cursor_free (c);
   return stats.bytes_read;
}

/* Returns whether the columns saved reading. */
static bool compare (MtEngine *e, const char *text)
{
   bson_error_t why;
   bson_t *stages = bson_new_from_json ((const uint8_t *) text, -1, &why);
   MtBuf documents = {0}, columns = {0};
   if (!stages)
      fail_msg ("%s: %s", why.message, text);
   mt_engine_set_reading (e, (MtReading) {.documents = true});
   uint64_t all = run (e, stages, &documents);
   mt_engine_set_reading (e, (MtReading) {0});
   uint64_t some = run (e, stages, &columns);
   if (strcmp (documents.p, columns.p) != 0)
      fail_msg ("seed %llu: %s\ndocuments: %.3000s\ncolumns: %.3000s", (unsigned long long) seed,
                text, documents.p, columns.p);
   mt_buf_free (&documents);
   mt_buf_free (&columns);
   bson_destroy (stages);
   return some < all;
}

static void test_pipelines (void **unused)
{
   uint32_t saved = 0;
   for (int r = 0; r < rounds; r++, seed++) {
      char text[6000];
      Kind kinds[4];
      MtEngine *e;
      state = seed;
      MtEngineOptions o = {.threads = 1 + below (3), .work_mem = below (3) ? 0 : 65536};
      ok (mt_engine_open (NULL, &o, &e, &err));
      fill (e, kinds);
      for (int i = 0; i < PIPELINES; i++) {
         pipeline (text);
         saved += compare (e, text);
      }
      mt_engine_close (e);
   }
   assert_in_range (saved, (uint32_t) rounds * PIPELINES / 8,
                    UINT32_MAX); /* else nothing was tested */
}

/* ---- lists of documents ---- */

enum { SERIES = 250, LISTED = 150 };

/* What the lists of a test have in common; one of how many is odd, 0: none. */
typedef struct Lists {
   Kind kinds[6];
   uint32_t odd_value, odd_list;
} Lists;

/* Appends a list of documents, or sometimes an empty list, another value, or none. */
static void put_list (bson_t *d, const Lists *l, int depth)
{
   static const char *const names[2][2] = {{"c", "d"}, {"e", "f"}};
   bson_t list = BSON_INITIALIZER;
   uint32_t how = l->odd_list && below (l->odd_list) == 0 ? below (4) : 4;
   if (how == 0)
      return;
   if (how == 1)
      bson_append_null (d, "s", -1);
   uint32_t n = how == 2 ? 0 : 1 + below (below (4) ? 4 : 13);
   for (uint32_t i = 0; i < n; i++) {
      char key[12];
      bson_t one = BSON_INITIALIZER;
      snprintf (key, sizeof key, "%u", i);
      put (&one, names[depth][0], l->kinds[2 + 2 * depth], l->odd_value);
      if (depth == 0)
         put_list (&one, l, 1);
      put (&one, names[depth][1], l->kinds[3 + 2 * depth], l->odd_value);
      bson_append_document (&list, key, -1, &one);
      bson_destroy (&one);
   }
   if (how != 1)
      bson_append_array (d, "s", -1, &list);
   bson_destroy (&list);
}

static void fill_lists (MtEngine *e, uint32_t *odd)
{
   Lists l = {.odd_value = below (2) ? 0 : 30 + below (300),
              .odd_list = below (2) ? 0 : 10 + below (100)};
   for (int i = 0; i < 6; i++)
      l.kinds[i] = (Kind) below (KINDS);
   *odd = l.odd_list;
   ok (mt_engine_create_collection (e, "c", &err));
   for (int s = 0; s < STEPS; s++) {
      ok (mt_engine_begin (e, &err));
      for (int i = 0; i < SERIES; i++) {
         bson_t d = BSON_INITIALIZER;
         BSON_APPEND_INT32 (&d, "_id", SERIES * s + i);
         put (&d, "a", l.kinds[0], l.odd_value);
         put (&d, "b", l.kinds[1], l.odd_value);
         put_list (&d, &l, 0);
         ok (mt_engine_insert (e, "c", &d, false, &err));
         bson_destroy (&d);
      }
      ok (mt_engine_commit (e, &err));
   }
   for (uint32_t i = below (2) ? 0 : 40; i > 0; i--) {
      bool gone;
      ok (mt_engine_delete_id (e, "c", mt_v_int32 ((int) below (STEPS * SERIES)), &gone, &err));
   }
}

/* Replaces the names of top-level fields by those of fields in lists, up to this depth. */
static void into_lists (const char *from, char *to, size_t room, uint32_t depth)
{
   static const char *const names[] = {"a", "b", "s.c", "s.d", "s.s.e", "s.s.f"};
   static const char *const old[] = {"a_rather_long_name", "unique", "none", "a", "b", "c"};
   size_t n = 0;
   while (*from) {
      size_t len = 0;
      bool begins = from[0] == '"' || (from[0] == '$' && from[-1] == '"');
      for (int i = 0; begins && i < 6 && !len; i++)
         if (strncmp (from + 1, old[i], strlen (old[i])) == 0 && from[1 + strlen (old[i])] == '"')
            len = strlen (old[i]);
      if (len)
         n += (size_t) snprintf (to + n, room - n, "%c%s", *from, names[below (2 + 2 * depth)]);
      else
         to[n++] = *from;
      from += 1 + len;
      assert_true (n + 20 < room);
   }
   to[n] = 0;
}

/* A stage that comes before, between or behind the $unwind, if it is not empty. */
static void where_at (char out[1500], uint32_t depth)
{
   char where[1000], lists[1200];
   *out = 0;
   if (below (2))
      return;
   condition (where, 1);
   into_lists (where, lists, sizeof lists, depth);
   snprintf (out, 1500, "{\"$match\": %s}, ", lists);
}

static void lists_pipeline (char out[9000])
{
   static const char *const how[] = {"\"$s\"",
                                     "\"$s\"",
                                     "\"$s\"",
                                     "\"$s\"",
                                     "\"$s\"",
                                     "{\"path\": \"$s\", \"includeArrayIndex\": \"i\"}",
                                     "{\"path\": \"$s\", \"preserveNullAndEmptyArrays\": true}"};
   static const char *const ends[] = {
      "{\"$group\": {\"_id\": \"$a\", \"n\": {\"$sum\": {\"$size\": {\"$ifNull\": [\"$s.s\", []]}}}}}",
      "{\"$group\": {\"_id\": \"$s.c\", \"n\": {\"$sum\": "
      "{\"$size\": \"$s.s\"}}, \"m\": {\"$max\": {\"$size\": \"$s.s\"}}}}",
      "{\"$match\": {\"s.s\": {\"$size\": 2}}}, {\"$group\": {\"_id\": \"$a\", \"n\": {\"$sum\": 1}}}",
      "{\"$group\": {\"_id\": {\"$first\": {\"$ifNull\": [\"$s.s\", []]}}, \"n\": {\"$sum\": 1}}}",
      "{\"$project\": {\"s.c\": 1, \"b\": 1}}",
      "{\"$match\": {\"s.s.e\": {\"$gt\": 1}}}"};
   char first[1500], second[1500], third[1500], rest[3000], lists[3500];
   uint32_t depth = below (4) ? 2 : below (2);
   where_at (first, 0);
   where_at (second, 1);
   where_at (third, depth);
   if (below (4) == 0 && depth < 2)
      snprintf (lists, sizeof lists, "%s, {\"$sort\": {\"_id\": 1}}", ends[depth ? below (6) : 4]);
   else {
      below (3) ? grouping (rest, sizeof rest) : first_rows (rest, sizeof rest);
      into_lists (rest, lists, sizeof lists, depth);
   }
   if (depth == 0)
      snprintf (out, 9000, "[%s%s]", first, lists);
   else if (depth == 1)
      snprintf (out, 9000, "[%s{\"$unwind\": %s}, %s%s]", first, how[below (7)], third, lists);
   else
      snprintf (out, 9000, "[%s{\"$unwind\": %s}, %s{\"$unwind\": \"$s.s\"}, %s%s]", first,
                how[below (7)], second, third, lists);
}

static void test_lists (void **unused)
{
   uint32_t saved = 0;
   for (int r = 0; r < rounds; r++, seed++) {
      char text[9000];
      uint32_t odd;
      MtEngine *e;
      state = seed;
      MtEngineOptions o = {.threads = 1 + below (3), .work_mem = below (3) ? 0 : 65536};
      ok (mt_engine_open (NULL, &o, &e, &err));
      fill_lists (e, &odd);
      for (int i = 0; i < LISTED; i++) {
         lists_pipeline (text);
         saved += compare (e, text);
      }
      mt_engine_close (e);
   }
   assert_in_range (saved, (uint32_t) rounds * LISTED / 4,
                    UINT32_MAX); /* else nothing was tested */
}

/* ---- the bytes of columns ---- */

enum { ROWS = 200 };

/* Writes documents with a field of each kind into `data`. */
static size_t documents (uint8_t *data)
{
   size_t n = 0;
   state = seed;
   for (int i = 0; i < ROWS; i++) {
      bson_t d = BSON_INITIALIZER;
      static const char *const names[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
      for (int k = 0; k < KINDS; k++)
         put (&d, names[k], (Kind) k, 50);
      memcpy (data + n, bson_get_data (&d), d.len);
      n += d.len;
      bson_destroy (&d);
   }
   return n;
}

/* Reads all values of all columns. Returns how many columns there are. */
static int read_all (const MtColumns *c)
{
   static const char *const names[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "none"};
   MtColumnsSeen verified = {0};
   int found = 0;
   for (int i = 0; i < 11; i++) {
      MtStoredColumn col;
      bool has;
      if (!mt_columns_find (c, (MtColumnLevel) {0, ROWS}, &verified, names[i], &col, &has))
         return -1;
      for (uint32_t r = 0; has && r < ROWS; r++) {
         MtVal v = mt_stored_at (&col, r);
         if (v.type == MT_STRING)
            assert_int_equal (v.p[v.len], 0);
      }
      found += has;
   }
   return found;
}

/* Each damaged byte is noticed: of the directory by its hash, of a column by its own. */
static void test_damage (void **unused)
{
   uint8_t *data = calloc (1, 1 << 20);
   MtColumnMaker *maker = NULL;
   bool whole;
   MtColumns c = mt_columns_make (&maker, data, documents (data), ROWS, &whole);
   assert_int_equal (read_all (&c) > 3, true);
   uint8_t *bytes = malloc (c.bytes);
   MtColumns copy = c;
   copy.p = bytes;
   int noticed = 0, all = 0;
   for (uint32_t at = 0; at < c.bytes; at += 1 + below (3), all++) {
      memcpy (bytes, c.p, c.bytes);
      bytes[at] ^= (uint8_t) (1u << below (8));
      noticed += read_all (&copy) < 0;
   }
   assert_true (noticed > all * 9 / 10); /* the rest are zeros between the directory and columns */
   free (bytes);
   free (data);
   mt_column_maker_free (maker);
}

/* ---- rebuilding documents ---- */

enum { MOST_ROWS = 500, MOST_KINDS = 16 };

/* What the documents of a block have in common. */
typedef struct Plan {
   int fields, kinds[MOST_KINDS];
   uint32_t
      odd[MOST_KINDS]; /* one of how many values is missing, null or of another kind; 0: none */
   uint32_t oid_gap;   /* the counter of ObjectIds jumps by less than this */
   bool strangers;     /* ObjectIds of several programs */
   bool scalars;       /* some arrays have numbers, too */
   bool gaps;          /* the keys of arrays have gaps */
} Plan;

static void put_oid (bson_t *d, const char *name, const Plan *plan, int row)
{
   static uint32_t counter;
   uint8_t bytes[12] = {0x65, 1, 2, (uint8_t) (row / 50), 9, 8, 7, 6, 5};
   bson_oid_t oid;
   counter = row ? counter + 1 + (plan->oid_gap ? below (plan->oid_gap) : 0) : below (1u << 24);
   for (int i = 0; i < 3; i++)
      bytes[9 + i] = (uint8_t) (counter >> (16 - 8 * i));
   if (plan->strangers && below (9) == 0)
      bytes[6] = (uint8_t) below (256);
   bson_oid_init_from_data (&oid, bytes);
   bson_append_oid (d, name, -1, &oid);
}

/* Appends an array, mostly of documents. */
static void put_array (bson_t *d, const char *name, const Plan *plan, int depth)
{
   bson_t list = BSON_INITIALIZER;
   uint32_t n = below (8) ? below (5) : below (130);
   for (uint32_t i = 0; i < n; i++) {
      char key[12];
      bson_t one = BSON_INITIALIZER;
      snprintf (key, sizeof key, "%u", plan->gaps ? 2 * i : i);
      put (&one, "x", (Kind) (plan->kinds[1] % KINDS), plan->odd[1]);
      put_text (&one, "a_name_of_some_length", 300);
      if (depth < 3 && below (4) == 0)
         put_array (&one, "l", plan, depth + 1);
      if (plan->scalars && below (50) == 0)
         bson_append_int32 (&list, key, -1, 7);
      else
         bson_append_document (&list, key, -1, &one);
      bson_destroy (&one);
   }
   bson_append_array (d, name, -1, &list);
   bson_destroy (&list);
}

/* Appends a value: kinds from KINDS on can't be read from columns. */
static void put_any (bson_t *d, const char *name, const Plan *plan, int i, int row)
{
   bson_t inner = BSON_INITIALIZER;
   bson_decimal128_t tenth;
   int kind = plan->kinds[i];
   if (plan->odd[i] && below (plan->odd[i]) == 0) {
      if (below (3) == 0)
         return;
      kind = below (2) ? KINDS + 4 : (int) below (KINDS + 5);
   }
   switch (kind - KINDS) {
   case 0: put_oid (d, name, plan, row); break;
   case 1:
      put_text (&inner, "t", 9);
      bson_append_document (d, name, -1, &inner);
      break;
   case 2:
      bson_decimal128_from_string ("0.1", &tenth);
      bson_append_decimal128 (d, name, -1, &tenth);
      break;
   case 3: put_text (d, name, 100000); break;
   case 4: bson_append_null (d, name, -1); break;
   case 5: bson_append_minkey (d, name, -1); break;
   case 6: put_array (d, name, plan, 0); break;
   default: put (d, name, (Kind) kind, 0);
   }
   bson_destroy (&inner);
}

static size_t random_documents (uint8_t *data, const Plan *plan, uint32_t rows)
{
   static const char *const names[] = {
      "_id", "a", "field_7", "field_of_16_char", "field_of_15_chr", "a_very_long_name_indeed",
      "",    "é"};
   size_t n = 0;
   for (uint32_t row = 0; row < rows; row++) {
      bson_t d = BSON_INITIALIZER;
      for (int i = 0; i < plan->fields; i++)
         put_any (&d, names[i], plan, i, (int) row);
      if (plan->odd[0] == 7 && below (200) == 0)
         bson_append_int32 (&d, names[0], -1, 1); /* twice, or in another order */
      memcpy (data + n, bson_get_data (&d), d.len);
      n += d.len;
      bson_destroy (&d);
   }
   return n;
}

static void expect_same (MtRebuilt **m, const MtColumns *c, const uint8_t *data, size_t n,
                         uint32_t rows)
{
   MtColumnsSeen verified = {0};
   assert_true (mt_rebuild_begin (m, c, rows, (uint32_t) n, &verified));
   for (int i = 0; i < 30; i++) {
      size_t from = below ((uint32_t) n), to = from + 1 + below ((uint32_t) (n - from));
      assert_true (mt_rebuild (*m, &from, &to));
      if (to > n || memcmp (mt_rebuilt_data (*m) + from, data + from, to - from) != 0)
         fail_msg ("seed %llu: other bytes from %zu to %zu", (unsigned long long) seed, from, to);
   }
}

/* Damages bytes. Rebuilding notices it, or gives the same documents. */
static void damage (MtRebuilt **m, const MtColumns *c, const uint8_t *data, size_t n, uint32_t rows)
{
   uint8_t *bytes = malloc (c->bytes);
   MtColumns copy = *c;
   copy.p = bytes;
   for (int i = 0; i < 20; i++) {
      MtColumnsSeen verified = {0};
      size_t from = 0, to = n;
      memcpy (bytes, c->p, c->bytes);
      bytes[below (c->bytes)] ^= (uint8_t) (1u << below (8));
      mt_rebuilt_free (*m); /* it may have these columns from before the damage */
      *m = NULL;
      assert_true (mt_rebuild_begin (m, &copy, rows, (uint32_t) n, &verified));
      if (mt_rebuild (*m, &from, &to))
         assert_memory_equal (mt_rebuilt_data (*m), data, n);
   }
   /* bytes that change after they were verified, or have wrong checksums on purpose: no crash */
   for (int i = 0; i < 10; i++) {
      MtColumnsSeen verified = {UINT64_MAX, UINT64_MAX};
      size_t from = 0, to = n, at = c->directory + below (c->bytes - c->directory);
      memcpy (bytes, c->p, c->bytes);
      if (i == 0)
         memset (bytes + at, 0, c->bytes - at);
      for (size_t k = at; i && k < c->bytes; k += 1 + below (40))
         bytes[k] = (uint8_t) below (256);
      mt_rebuilt_free (*m);
      *m = NULL;
      assert_true (mt_rebuild_begin (m, &copy, rows, (uint32_t) n, &verified));
      (void) mt_rebuild (*m, &from, &to);
   }
   mt_rebuilt_free (*m);
   *m = NULL;
   free (bytes);
}

static void test_rebuild (void **unused)
{
   uint8_t *data = calloc (1, 64 << 20);
   MtColumnMaker *maker = NULL;
   MtRebuilt *m = NULL;
   int all = 40 * rounds, rebuilt = 0;
   for (int r = 0; r < all; r++, seed++) {
      state = seed;
      bool packed = below (3) == 0; /* few large documents */
      uint32_t rows = packed ? 1 + below (20) : 64 + below (MOST_ROWS - 64);
      Plan plan = {.fields = 1 + (int) below (8),
                   .oid_gap = below (2) ? 0 : below (5000),
                   .strangers = below (4) == 0,
                   .scalars = below (6) == 0,
                   .gaps = below (12) == 0};
      for (int i = 0; i < plan.fields; i++) {
         plan.kinds[i] = i ? (int) below (KINDS + 8) : KINDS;
         if (i && (packed || plan.kinds[i] == KINDS + 7))
            plan.kinds[i] = below (3) ? KINDS + 6 : (int) below (KINDS);
         plan.odd[i] = below (2) ? 0 : 2 + below (200);
      }
      size_t n = random_documents (data, &plan, rows);
      bool whole;
      MtColumns c = mt_columns_make (&maker, data, n, rows, &whole);
      rebuilt += whole;
      if (!whole)
         continue;
      expect_same (&m, &c, data, n, rows);
      damage (&m, &c, data, n, rows);
   }
   assert_in_range (rebuilt, all / 3, all - 1); /* else nothing was tested */
   mt_rebuilt_free (m);
   mt_column_maker_free (maker);
   free (data);
}

int main (int argc, char **argv)
{
   if (argc > 1)
      seed = strtoull (argv[1], NULL, 10);
   if (argc > 2)
      rounds = atoi (argv[2]);
   const struct CMUnitTest tests[] = {cmocka_unit_test (test_pipelines),
                                      cmocka_unit_test (test_lists), cmocka_unit_test (test_damage),
                                      cmocka_unit_test (test_rebuild)};
   return cmocka_run_group_tests (tests, NULL, NULL);
}
