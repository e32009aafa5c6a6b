/* Recognizes well-known forms of counter documents by the names of their fields. For each form
 * there is a preset. */
#include "layouts/infer/infer.h"

#include <string.h>

static bool is_number (const MtSeen *s)
{
   MtTypeId t = s ? mt_seen_column_type (s) : MT_T_UNKNOWN;
   return t == MT_T_INT8 || t == MT_T_FLOAT8 || t == MT_T_NUMERIC;
}

static bool is_text (const MtSeen *s) { return s && mt_seen_column_type (s) == MT_T_TEXT; }

/* Returns the common form of the values of map s; NULL: s is not a map. A map with few keys, which
 * so far looks like a document with fixed fields, is converted. */
static const MtSeen *values_of (MtArena *a, const MtSeen *s)
{
   return s && s->all_digits && s->types[MT_SEEN_DOC] ? mt_seen_values (a, s) : NULL;
}

/* Returns whether s has the form {t: …, n: …}: a total, and the number of values in it. */
static bool is_total (const MtSeen *s)
{
   return s && is_number (mt_seen_at (s, "t")) && is_number (mt_seen_at (s, "n"));
}

static MtColumn *add (MtTable *t, const char *name, MtTypeId type, MtRole role)
{
   MtColumn *c = &t->columns[t->column_count++];
   *c = (MtColumn) {
      .name = name, .field = name, .type = mt_type (type), .role = role, .not_null = true};
   return c;
}

static void begin (MtArena *a, const char *collection, size_t columns, MtTable *t)
{
   *t = (MtTable) {
      .name = collection, .columns = MT_NEW_N (a, MtColumn, columns + 3), .time_column = 0};
   add (t, "ts", MT_T_TIMESTAMPTZ, MT_COL_TIME)->period_ms = 60000;
}

static void option (MtPresetGuess *g, const char *name, const char *value)
{
   g->options[g->count++] = (MtPresetOption) {.name = name, .value = value};
}

/* Recognizes a map of minutes, or a map of hours that each have a map of minutes. is_cell tests the
 * form of a minute's value. Adds the preset's options for the form to g. False: the map has neither
 * form. */
static bool minutes (MtArena *a, MtPresetGuess *g, const MtSeen *map,
                     bool (*is_cell) (const MtSeen *), bool inner_key)
{
   const MtSeen *cell = values_of (a, map), *inner = cell ? values_of (a, cell) : NULL;
   if (!cell || is_cell (cell))
      return cell != NULL;
   if (!inner || !is_cell (inner))
      return false;
   option (g, "style", "hierarchical");
   if (inner_key && cell->key_high >= 60)
      option (g, "inner_key", "minute of day");
   return true;
}

static bool is_daily_metrics (MtArena *a, const char *collection, const MtSeen *root,
                              MtPresetGuess *g)
{
   const MtSeen *metadata = mt_seen_at (root, "metadata"),
                *hours = values_of (a, mt_seen_at (root, "hourly"));
   g->preset = "daily_metrics";
   if (!is_text (mt_seen_at (root, "_id")) || !is_number (mt_seen_at (root, "daily")) ||
       !is_number (hours) || !metadata ||
       !minutes (a, g, mt_seen_at (root, "minute"), is_number, true))
      return false;
   if (mt_seen_at (root, "hourly")->key_digits < 2)
      option (g, "padded", "false");
   begin (a, collection, metadata->field_count, &g->table);
   for (const MtSeen *s = metadata->fields; s; s = s->next)
      if (strcmp (s->name, "date") != 0 && is_text (s))
         add (&g->table, s->name, MT_T_TEXT, MT_COL_DIMENSION);
   MtColumn *hits = add (&g->table, "hits", mt_seen_column_type (mt_seen_at (root, "daily")),
                         MT_COL_MEASURE);
   hits->counter = true;
   hits->not_null = false;
   return true;
}

static bool is_mms (MtArena *a, const char *collection, const MtSeen *root, MtPresetGuess *g)
{
   const MtSeen *hours = values_of (a, mt_seen_at (root, "hy"));
   g->preset = "mms";
   if (!is_text (mt_seen_at (root, "_id")) || !is_total (mt_seen_at (root, "dy")) ||
       !is_total (hours) || !minutes (a, g, mt_seen_at (root, "mn"), is_total, false))
      return false;
   begin (a, collection, 4, &g->table);
   add (&g->table, "item", MT_T_TEXT, MT_COL_DIMENSION);
   add (&g->table, "grp", MT_T_TEXT, MT_COL_DIMENSION);
   add (&g->table, "host", MT_T_TEXT, MT_COL_DIMENSION);
   add (&g->table, "total", mt_seen_column_type (mt_seen_at (mt_seen_at (root, "dy"), "t")),
        MT_COL_MEASURE);
   return true;
}

bool mt_infer_preset (MtArena *a, const char *collection, const MtSeen *root, bool trust_fields,
                      MtPresetGuess *out)
{
   static bool (*const shapes[]) (MtArena *, const char *, const MtSeen *,
                                  MtPresetGuess *) = {is_daily_metrics, is_mms};
   for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
      *out = (MtPresetGuess) {.count = 0};
      if (!shapes[i](a, collection, root, out))
         continue;
      if (trust_fields)
         option (out, "trust", "fields");
      return true;
   }
   return false;
}
