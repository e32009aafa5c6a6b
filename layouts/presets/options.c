/* Reading a preset's options, and appending to the JSON of a descriptor. */
#include "layouts/presets/preset_int.h"

#include <string.h>

const MtPresetOption *mt_preset_option (const MtPresetBuild *b, const char *name)
{
   for (size_t i = 0; i < b->option_count; i++)
      if (mt_ieq (b->options[i].name, name))
         return &b->options[i];
   return NULL;
}

bool mt_preset_bad_value (MtPresetBuild *b, const MtPresetOption *o, const char *what)
{
   mt_error_at (b->err, o->span, MT_E_PARAMETER, "invalid value for option \"%s\": \"%s\"", o->name,
                o->value);
   return mt_error_hint (b->err, "%s", what);
}

bool mt_preset_bool (MtPresetBuild *b, const char *name, bool *out)
{
   const MtPresetOption *o = mt_preset_option (b, name);
   if (!o)
      return true;
   if (mt_ieq (o->value, "true") || mt_ieq (o->value, "on") || mt_ieq (o->value, "yes") ||
       !strcmp (o->value, "1"))
      *out = true;
   else if (mt_ieq (o->value, "false") || mt_ieq (o->value, "off") || mt_ieq (o->value, "no") ||
            !strcmp (o->value, "0"))
      *out = false;
   else
      return mt_preset_bad_value (b, o, "It must be true or false.");
   return true;
}

bool mt_preset_either (MtPresetBuild *b, const char *name, const char *first, const char *second,
                       bool *out_second)
{
   const MtPresetOption *o = mt_preset_option (b, name);
   if (!o)
      return true;
   if (!mt_ieq (o->value, first) && !mt_ieq (o->value, second))
      return mt_preset_bad_value (b, o, mt_printf (b->a, "It must be %s or %s.", first, second));
   *out_second = mt_ieq (o->value, second);
   return true;
}

bool mt_preset_any_columns (MtPresetBuild *b, const char *name, int **out, size_t *count)
{
   const MtPresetOption *o = mt_preset_option (b, name);
   *count = 0;
   *out = MT_NEW_N (b->a, int, b->t->column_count + 1);
   const char *p = o ? o->value : "";
   while (*p) {
      const char *end = p + strcspn (p, ",");
      const char *next = *end ? end + 1 : end;
      while (p < end && (*p == ' ' || *p == '\t'))
         p++;
      while (end > p && (end[-1] == ' ' || end[-1] == '\t'))
         end--;
      const char *word = mt_strndup (b->a, p, (size_t) (end - p));
      int c = mt_table_column (b->t, word, false);
      if (c < 0)
         return mt_error_at (
            b->err, o->span, c == -2 ? MT_E_AMBIGUOUS_COLUMN : MT_E_UNDEFINED_COLUMN,
            c == -2 ? "column reference \"%s\" is ambiguous" : "column \"%s\" does not exist",
            word);
      for (size_t i = 0; i < *count; i++)
         if ((*out)[i] == c)
            return mt_error_at (b->err, o->span, MT_E_DUPLICATE_COLUMN,
                                "column \"%s\" specified more than once", word);
      (*out)[(*count)++] = c;
      p = next;
   }
   return true;
}

bool mt_preset_columns (MtPresetBuild *b, const char *name, int **out, size_t *count)
{
   if (!mt_preset_any_columns (b, name, out, count))
      return false;
   for (size_t i = 0; i < *count; i++) {
      const MtColumn *c = &b->t->columns[(*out)[i]];
      if (c->role != MT_COL_DIMENSION && (*out)[i] != b->t->time_column)
         return mt_error_at (b->err, mt_preset_option (b, name)->span, MT_E_PARAMETER,
                             "column \"%s\" in option \"%s\" is neither a dimension nor the time",
                             c->name, name);
   }
   return true;
}

bool mt_preset_read_common (MtPresetBuild *b)
{
   const MtPresetOption *o = mt_preset_option (b, "time_encoding");
   int tc = b->t->time_column;
   bool seconds = tc >= 0 && b->t->columns[tc].period_ms && b->t->columns[tc].period_ms % 1000 == 0;
   b->time_encoding = seconds && b->t->columns[tc].type.id != MT_T_DATE ? "epoch_s" : "date";
   if (o) {
      if (strcmp (o->value, "date") && strcmp (o->value, "epoch_s") &&
          strcmp (o->value, "epoch_ms"))
         return mt_preset_bad_value (b, o, "It must be date, epoch_s or epoch_ms.");
      b->time_encoding = o->value;
   }
   o = mt_preset_option (b, "presums");
   if (o && strcmp (o->value, "trust") && strcmp (o->value, "verify") &&
       strcmp (o->value, "ignore"))
      return mt_preset_bad_value (b, o, "It must be trust, verify or ignore.");
   o = mt_preset_option (b, "partition_by");
   if (o && strcmp (o->value, "day") && strcmp (o->value, "month"))
      return mt_preset_bad_value (b, o, "It must be day or month.");
   if (o && tc < 0)
      return mt_preset_bad_value (b, o, "The table has no TIME column.");
   o = mt_preset_option (b, "collection");
   if (o)
      b->collection = o->value;
   return true;
}

bool mt_preset_need_time (MtPresetBuild *b)
{
   return b->t->time_column >= 0 ? true
                                 : mt_error (b->err, MT_E_INVALID_DEFINITION,
                                             "layout \"%s\" needs a time column in table \"%s\"",
                                             b->row->name, b->t->name);
}

/* ---- the descriptor's JSON ---- */

void mt_preset_raw (MtPresetBuild *b, const char *s) { mt_buf_adds (&b->json, s); }

void mt_preset_str (MtPresetBuild *b, const char *s) { mt_json_string (&b->json, s, strlen (s)); }

void mt_preset_collection (MtPresetBuild *b, const char *name)
{
   const MtPresetOption *by = mt_preset_option (b, "partition_by");
   mt_preset_raw (b, "\"collection\": ");
   mt_preset_str (b, name);
   if (!by)
      return;
   mt_preset_raw (b, ", \"partition\": ");
   mt_preset_str (b, by->value);
}

void mt_preset_begin (MtPresetBuild *b, const char *keeps)
{
   const MtPresetOption *presums = mt_preset_option (b, "presums");
   mt_preset_raw (b, "{\"keeps\": ");
   mt_preset_str (b, keeps);
   if (presums) {
      mt_preset_raw (b, ", \"presums\": ");
      mt_preset_str (b, presums->value);
   }
   if (!strcmp (keeps, "sums")) {
      mt_preset_raw (b, ", \"key\": [");
      for (size_t i = 0, n = 0; i < b->t->column_count; i++)
         if (b->t->columns[i].role == MT_COL_DIMENSION) {
            mt_preset_raw (b, n++ ? ", " : "");
            mt_preset_str (b, b->t->columns[i].name);
         }
      mt_preset_raw (b, "]");
   }
   mt_preset_raw (b, ", \"stores\": [{");
   mt_preset_collection (b, b->collection);
}
