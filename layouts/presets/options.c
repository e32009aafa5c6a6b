/* Reads a preset's options, and appends to the JSON of the descriptor. */
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

const char *mt_preset_next_word (MtArena *a, const char **p)
{
   const char *from = *p + strspn (*p, " \t"), *comma = strchrnul (from, ','), *end = comma;
   while (end > from && (end[-1] == ' ' || end[-1] == '\t'))
      end--;
   *p = *comma ? comma + 1 : comma;
   return mt_strndup (a, from, (size_t) (end - from));
}

/* Returns whether a word names a unit of time by which a nesting level can be divided, from minute
 * to year. Sets *unit. */
static bool is_level_unit (const MtPresetBuild *b, const char *word, MtUnit *unit)
{
   return b->t->time_column >= 0 && mt_unit_by_name (mt_str (word), unit) &&
          *unit >= MT_UNIT_MINUTE && *unit <= MT_UNIT_YEAR && !mt_unit_is_multiple (*unit);
}

static bool read_keys (MtPresetBuild *b, const char *name, bool units, MtPresetKey **out,
                       size_t *count)
{
   const MtPresetOption *o = mt_preset_option (b, name);
   *count = 0;
   *out = MT_NEW_N (b->a, MtPresetKey, b->t->column_count + MT_UNIT_EPOCH + 1);
   for (const char *p = o ? o->value : ""; *p;) {
      const char *word = mt_preset_next_word (b->a, &p);
      MtPresetKey k = {mt_table_column (b->t, word, false), MT_UNIT_MS};
      if (k.column == -1 && units && is_level_unit (b, word, &k.unit))
         k.column = b->t->time_column;
      if (k.column == -2)
         return mt_error_at (b->err, o->span, MT_E_AMBIGUOUS_COLUMN,
                             "column reference \"%s\" is ambiguous", word);
      if (k.column < 0)
         return mt_error_at (b->err, o->span, MT_E_UNDEFINED_COLUMN, "column \"%s\" does not exist",
                             word);
      for (size_t i = 0; i < *count; i++)
         if ((*out)[i].column == k.column && (*out)[i].unit == k.unit)
            return mt_error_at (b->err, o->span, MT_E_DUPLICATE_COLUMN,
                                "column \"%s\" specified more than once", word);
      (*out)[(*count)++] = k;
   }
   return true;
}

bool mt_preset_any_columns (MtPresetBuild *b, const char *name, int **out, size_t *count)
{
   MtPresetKey *keys;
   if (!read_keys (b, name, false, &keys, count))
      return false;
   *out = MT_NEW_N (b->a, int, b->t->column_count + 1);
   for (size_t i = 0; i < *count; i++)
      (*out)[i] = keys[i].column;
   return true;
}

static bool is_key_column (MtPresetBuild *b, const char *option, int column)
{
   const MtColumn *c = &b->t->columns[column];
   if (c->role == MT_COL_DIMENSION || column == b->t->time_column)
      return true;
   return mt_error_at (b->err, mt_preset_option (b, option)->span, MT_E_PARAMETER,
                       "column \"%s\" in option \"%s\" is neither a dimension nor the time",
                       c->name, option);
}

static bool key_columns (MtPresetBuild *b, const char *name, int **out, size_t *count)
{
   if (!mt_preset_any_columns (b, name, out, count))
      return false;
   for (size_t i = 0; i < *count; i++)
      if (!is_key_column (b, name, (*out)[i]))
         return false;
   return true;
}

bool mt_preset_key (MtPresetBuild *b, const char *name, int **out, size_t *count)
{
   if (!key_columns (b, name, out, count))
      return false;
   for (size_t i = 0; i < b->t->column_count && !mt_preset_option (b, name); i++)
      if (b->t->columns[i].role == MT_COL_DIMENSION)
         (*out)[(*count)++] = (int) i;
   return true;
}

bool mt_preset_keys (MtPresetBuild *b, const char *name, MtPresetKey **out, size_t *count)
{
   if (!read_keys (b, name, true, out, count))
      return false;
   for (size_t i = 0; i < *count; i++)
      if (!is_key_column (b, name, (*out)[i].column))
         return false;
   return true;
}

/* Reads option time_encoding. "text" means ISO 8601, with as many digits as the column's times
 * need. */
static bool time_option (MtPresetBuild *b, const MtPresetOption *o, bool seconds)
{
   static const char *const words[] = {"date", "epoch_s", "epoch_ms"};
   int tc = b->t->time_column;
   MtTypeId type = tc < 0 ? MT_T_TIMESTAMPTZ : b->t->columns[tc].type.id;
   for (size_t i = 0; i < sizeof words / sizeof *words; i++)
      if (!strcmp (o->value, words[i])) {
         b->time_encoding = o->value;
         return true;
      }
   if (!strcmp (o->value, "text") && type == MT_T_DATE)
      b->time_encoding = "%Y-%m-%d";
   else if (!strcmp (o->value, "text"))
      b->time_encoding = mt_printf (b->a, "%%Y-%%m-%%dT%%H:%%M:%%S%s%s", seconds ? "" : ".%L",
                                    type == MT_T_TIMESTAMPTZ ? "Z" : "");
   else if (mt_format_grain (o->value) != MT_UNIT_EPOCH)
      b->time_encoding = o->value;
   else
      return mt_preset_bad_value (b, o,
                                  "It must be date, epoch_s, epoch_ms, text, or a format such as "
                                  "%Y-%m-%dT%H:%M:%SZ.");
   return true;
}

bool mt_preset_time_is_text (const MtPresetBuild *b) { return strchr (b->time_encoding, '%'); }

const char *mt_preset_time (const MtPresetBuild *b)
{
   const char *name = mt_preset_quoted (b, b->time_encoding);
   return mt_preset_time_is_text (b) ? mt_printf (b->a, "{\"format\": %s}", name) : name;
}

bool mt_preset_read_common (MtPresetBuild *b)
{
   const MtPresetOption *o = mt_preset_option (b, "time_encoding");
   int tc = b->t->time_column;
   bool seconds = tc >= 0 && b->t->columns[tc].period_ms && b->t->columns[tc].period_ms % 1000 == 0;
   b->time_encoding = seconds && b->t->columns[tc].type.id != MT_T_DATE ? "epoch_s" : "date";
   if (o && !time_option (b, o, seconds))
      return false;
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

const char *mt_preset_quoted (const MtPresetBuild *b, const char *s)
{
   MtBuf text = {0};
   mt_json_string (&text, s, strlen (s));
   const char *out = mt_strndup (b->a, text.p, text.n);
   mt_buf_free (&text);
   return out;
}

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
