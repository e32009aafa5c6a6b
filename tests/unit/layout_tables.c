#include "tests/unit/layout_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static MtColumn col (const char *name, MtTypeId type, MtRole role, bool not_null)
{
   return (MtColumn) {
      .name = name, .type = mt_type (type), .role = role, .not_null = not_null, .field = name};
}

static void calls (MtColumn *c)
{
   c[0] = col ("ts", MT_T_TIMESTAMPTZ, MT_COL_TIME, true);
   c[0].period_ms = 60000;
   c[0].field = "timestamp";
   c[1] = col ("iResult", MT_T_TEXT, MT_COL_DIMENSION, false);
   c[2] = col ("vCmdid", MT_T_TEXT, MT_COL_DIMENSION, false);
   c[3] = col ("vAppid", MT_T_TEXT, MT_COL_DIMENSION, false);
   c[4] = col ("totalCount", MT_T_INT8, MT_COL_MEASURE, true);
   c[5] = col ("dProcessTime", MT_T_FLOAT8, MT_COL_MEASURE, true);
}

static void odd (MtColumn *c)
{
   c[0] = col ("ts", MT_T_TIMESTAMPTZ, MT_COL_TIME, true);
   c[1] = col ("host", MT_T_TEXT, MT_COL_DIMENSION, false);
   c[2] = col ("code", MT_T_INT4, MT_COL_DIMENSION, false);
   c[3] = col ("price", MT_T_NUMERIC, MT_COL_MEASURE, false);
   c[4] = col ("note", MT_T_TEXT, MT_COL_PLAIN, false);
   c[5] = col ("ratio", MT_T_FLOAT8, MT_COL_DIMENSION, false);
}

MtTable *mt_test_table (MtArena *a, const char *name)
{
   MtTable *t = MT_NEW (a, MtTable);
   MtColumn *c = MT_NEW_N (a, MtColumn, 8);
   *t = (MtTable) {.name = name, .columns = c, .column_count = 6};
   if (!strcmp (name, "calls"))
      calls (c);
   else if (!strcmp (name, "odd"))
      odd (c);
   else if (!strcmp (name, "memory")) {
      c[0] = col ("ts", MT_T_TIMESTAMPTZ, MT_COL_TIME, true);
      c[0].period_ms = 1000;
      c[1] = col ("type", MT_T_TEXT, MT_COL_DIMENSION, false);
      c[2] = col ("value", MT_T_INT8, MT_COL_MEASURE, false);
      t->column_count = 3;
   } else if (!strcmp (name, "any")) {
      c[0] = col ("ts", MT_T_TIMESTAMPTZ, MT_COL_TIME, true);
      c[1] = col ("type", MT_T_TEXT, MT_COL_DIMENSION, false);
      c[2] = col ("value", MT_T_JSONB, MT_COL_PLAIN, false);
      t->column_count = 3;
   } else if (!strcmp (name, "hits")) {
      c[0] = col ("ts", MT_T_TIMESTAMPTZ, MT_COL_TIME, true);
      c[0].period_ms = 60000;
      c[1] = col ("metric", MT_T_TEXT, MT_COL_DIMENSION, false);
      c[2] = col ("hits", MT_T_INT8, MT_COL_MEASURE, false);
      c[2].counter = true;
      t->column_count = 3;
   } else if (!strcmp (name, "regions")) {
      c[0] = col ("ts", MT_T_TIMESTAMPTZ, MT_COL_TIME, true);
      c[0].period_ms = 3600000;
      c[1] = col ("host", MT_T_TEXT, MT_COL_DIMENSION, false);
      c[2] = col ("region", MT_T_TEXT, MT_COL_DIMENSION, false);
      c[3] = col ("total", MT_T_INT8, MT_COL_MEASURE, true);
      t->column_count = 4;
   } else if (!strcmp (name, "samples")) {
      c[0] = col ("ts", MT_T_TIMESTAMPTZ, MT_COL_TIME, true);
      c[0].period_ms = 60000;
      c[1] = col ("item", MT_T_TEXT, MT_COL_DIMENSION, false);
      c[2] = col ("grp", MT_T_TEXT, MT_COL_DIMENSION, false);
      c[3] = col ("host", MT_T_TEXT, MT_COL_DIMENSION, false);
      c[4] = col ("total", MT_T_INT8, MT_COL_MEASURE, true);
      t->column_count = 5;
   } else if (!strcmp (name, "locations")) {
      c[0] = col ("UserId", MT_T_TEXT, MT_COL_DIMENSION, true);
      c[1] = col ("T", MT_T_TIMESTAMPTZ, MT_COL_TIME, true);
      c[2] = col ("C", MT_T_TEXT, MT_COL_PLAIN, false);
      c[3] = col ("X", MT_T_FLOAT8, MT_COL_PLAIN, false);
      c[4] = col ("Y", MT_T_FLOAT8, MT_COL_PLAIN, false);
      t->column_count = 5;
      t->time_column = 1;
   } else
      abort ();
   return t;
}

static void destroy (void *b) { bson_destroy (b); }

bson_t *mt_test_json (MtArena *a, const char *text)
{
   char *copy = mt_strdup (a, text);
   bson_error_t e;
   if (!strchr (copy, '"'))
      for (char *p = copy; *p; p++)
         *p = *p == '\'' ? '"' : *p;
   bson_t *b = bson_new_from_json ((const uint8_t *) copy, -1, &e);
   if (!b) {
      fprintf (stderr, "bad JSON: %s\n%s\n", e.message, copy);
      abort ();
   }
   mt_arena_defer (a, destroy, b);
   return b;
}

size_t mt_test_examples (MtArena *a, const char **texts, size_t most)
{
   FILE *f = fopen ("docs/lemma.md", "r");
   char line[4096];
   MtBuf b = {0};
   size_t n = 0;
   bool in = false;
   if (!f) {
      perror ("docs/lemma.md");
      abort ();
   }
   while (fgets (line, sizeof line, f)) {
      in = in || !strncmp (line, "## 6.", 5);
      bool code = in && !strncmp (line, "    ", 4);
      if (code)
         mt_buf_adds (&b, line + 4);
      if (!code && b.n && n < most) {
         texts[n++] = mt_strdup (a, b.p);
         mt_buf_clear (&b);
      }
   }
   if (b.n && n < most)
      texts[n++] = mt_strdup (a, b.p);
   mt_buf_free (&b);
   fclose (f);
   return n;
}

const char *mt_test_table_of (const char *example)
{
   if (strstr (example, "\"memory\"") || strstr (example, "\"pairs\"") ||
       strstr (example, "\"arrays\""))
      return "memory";
   return strstr (example, "\"calls")         ? "calls"
          : strstr (example, "by_region")     ? "regions"
          : strstr (example, "\"samples\"")   ? "samples"
          : strstr (example, "\"lastknown\"") ? "locations"
                                              : "hits";
}
