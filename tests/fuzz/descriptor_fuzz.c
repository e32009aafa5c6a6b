/* libFuzzer: any text is a layout's descriptor, or is refused at a place within it. A descriptor
 * that a table can have keeps the table's rows: it is written and read again, packs rows, and CHECK
 * TABLE finds no fault in them. */
#include "types/mongosh.h"
#include "tests/fuzz/fuzz.h"
#include "layouts/descriptor/descriptor.h"

typedef struct Kind {
   const char *table, *columns, *rows;
} Kind;

static const Kind kinds[] = {
   {"calls",
    "ts timestamptz TIME PERIOD '60 s' FIELD 'timestamp' NOT NULL, iResult text DIMENSION, vCmdid "
    "text DIMENSION, vAppid text DIMENSION, totalCount bigint MEASURE NOT NULL, "
    "dProcessTime double precision MEASURE NOT NULL",
    "timestamptz '2015-04-10 23:58+00' + i * interval '1 min', (i % 2)::text, '100' || i % 3, 'a', "
    "i * 3, i / 4.0"},
   {"memory",
    "ts timestamptz TIME PERIOD '1 s' NOT NULL, type text DIMENSION, value bigint MEASURE",
    "timestamptz '2024-02-29 23:59:57+00' + i * interval '1 s', 'm' || i % 2, i"},
   {"hits",
    "ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION, hits bigint MEASURE "
    "COUNTER",
    "timestamptz '2023-12-31 23:58+00' + i * interval '1 min', 'm' || i % 2, i"},
   {"regions",
    "ts timestamptz TIME PERIOD '1 h' NOT NULL, host text DIMENSION, region text DIMENSION, total "
    "bigint MEASURE NOT NULL",
    "timestamptz '2024-01-31 22:00+00' + i * interval '1 h', 'h' || i % 2, 'r.' || i % 3, i"},
   {"samples",
    "ts timestamptz TIME PERIOD '1 min' NOT NULL, item text DIMENSION, grp text DIMENSION, host "
    "text DIMENSION, total bigint MEASURE NOT NULL",
    "timestamptz '2024-01-31 23:58+00' + i * interval '1 min', 'i' || i % 2, 'g', 'h$' || i % 2, "
    "i"},
   {"odd",
    "ts timestamptz TIME NOT NULL, host text DIMENSION, code integer DIMENSION, price numeric "
    "MEASURE, note text, ratio double precision DIMENSION",
    "timestamptz '1969-12-31 23:59:59.5+00' + i * interval '500 ms', NULLIF('h' || i % 2, 'h1'), i "
    "% 3, i * 1.25, CASE WHEN i % 2 = 0 THEN 'n' END, i / 8.0"},
};

enum { ROWS = 6 };

static MtSession *open_tables (void)
{
   MtSession *s = fuzz_store (NULL, 0);
   for (size_t i = 0; i < FUZZ_COUNT (kinds); i++) {
      char *sql = NULL;
      if (asprintf (&sql,
                    "CREATE TABLE %s (%s) USING rows; INSERT INTO %s SELECT %s FROM "
                    "generate_series(1, %d) i",
                    kinds[i].table, kinds[i].columns, kinds[i].table, kinds[i].rows, ROWS) < 0)
         abort ();
      fuzz_must (s, sql);
      free (sql);
   }
   return s;
}

/* Whether the table could have the layout; if so it prints as a descriptor that reads as the same.
 */
static bool fits (MtArena *a, const MtTable *t, const bson_t *descriptor)
{
   MtLayout l = {0}, again = {0};
   MtError err;
   bson_t once, twice;
   mt_error_clear (&err);
   if (!mt_layout_parse (a, t, "fuzz", descriptor, &l, &err)) {
      fuzz_check_error (&err, -1);
      return false;
   }
   bson_init (&once);
   bson_init (&twice);
   if (!mt_layout_to_bson (t, &l, &once, &err) ||
       !mt_layout_parse (a, t, "fuzz", &once, &again, &err) ||
       !mt_layout_to_bson (t, &again, &twice, &err))
      fuzz_fail ("a layout's own descriptor isn't read: %s", err.message);
   if (!bson_equal (&once, &twice))
      fuzz_fail ("a layout's own descriptor reads as another layout");
   bson_destroy (&once);
   bson_destroy (&twice);
   return true;
}

/* The table of the catalog. */
static const MtTable *table_of (MtSession *s, const char *name)
{
   MtError err;
   const MtTable *t = NULL;
   mt_error_clear (&err);
   if (!mt_catalog_find (s->catalog, name, true, &t, &err) || !t)
      fuzz_fail ("no table %s", name);
   return t;
}

static void answer (MtSession *s, const char *sql)
{
   MtError err;
   if (!fuzz_run (s, sql, strlen (sql), &err) && strcmp (err.sqlstate, "0A000") != 0 &&
       strcmp (err.sqlstate, "22023") != 0 && strcmp (err.sqlstate, "57014") != 0)
      fuzz_fail ("%s: %s %s", sql, err.sqlstate, err.message);
}

/* Adds the layout to a table of rows, which fills it; CHECK compares both. All of it is undone. */
static void pack (MtSession *s, const char *text, const char *table)
{
   MtError err;
   char *sql = NULL;
   fuzz_must (s, "BEGIN");
   if (asprintf (
          &sql, "CREATE LAYOUT fuzz AS $fuzz$%s$fuzz$; ALTER TABLE %s ADD LAYOUT packed USING fuzz",
          text, table) < 0)
      abort ();
   bool added = fuzz_run (s, sql, strlen (sql), &err);
   free (sql);
   if (added) {
      if (asprintf (&sql, "CHECK TABLE %s; SET layout = 'packed'; SELECT count(*) FROM %s", table,
                    table) < 0)
         abort ();
      answer (s, sql);
      free (sql);
   }
   fuzz_must (s, "ROLLBACK");
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
   static MtSession *s;
   static size_t served;
   if (s && ++served > 2000) {
      fuzz_close (s);
      s = NULL;
   }
   if (!s) {
      s = open_tables ();
      served = 0;
   }
   MtArena *a = mt_arena_new ("fuzz", NULL);
   char *copy = fuzz_copy (data, size);
   MtError err;
   mt_error_clear (&err);
   bson_t *descriptor = mt_mongosh_wrapped ((MtStr) {copy, size}, &err), inner;
   bson_iter_t it;
   const uint8_t *p;
   uint32_t n;
   if (!descriptor) {
      fuzz_check_error (&err, (long) size);
   } else if (bson_iter_init_find (&it, descriptor, "") && BSON_ITER_HOLDS_DOCUMENT (&it)) {
      bson_iter_document (&it, &n, &p);
      MtBlame blame = {.layout = "fuzz", .err = &err};
      bool good = bson_init_static (&inner, p, n) &&
                  mt_descriptor_check (a, "fuzz", &inner, &blame);
      if (!good)
         fuzz_check_error (&err, -1);
      char *text = fuzz_text (data, size);
      for (size_t i = 0; i < FUZZ_COUNT (kinds); i++)
         if (fits (a, table_of (s, kinds[i].table), &inner) && strlen (text) == size &&
             !strstr (text, "$fuzz$"))
            pack (s, text, kinds[i].table);
      free (text);
   }
   if (descriptor)
      bson_destroy (descriptor);
   free (copy);
   mt_arena_free (a);
   return 0;
}
