/* The options of read_csv. */
#include "session/files/files_int.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct Reading {
   MtArena *a;
   const MtFileOption *o;
   MtSniffGiven *out;
   MtError *err;
} Reading;

static bool bad (const Reading *r, const char *wanted)
{
   return mt_error_at (r->err, r->o->span, MT_E_PARAMETER, "option \"%s\" must be %s", r->o->name,
                       wanted);
}

static bool one_char (const Reading *r, char *out)
{
   MtStr v = r->o->values[0];
   if (mt_str_is (v, "\\t"))
      v = MT_STR ("\t");
   if (r->o->count != 1 || v.n != 1 || *v.p == '\n' || *v.p == '\r')
      return bad (r, "a single character");
   *out = *v.p;
   return true;
}

static bool one_of (const Reading *r, const char *const *words, size_t *at, const char *wanted)
{
   for (*at = 0; r->o->count == 1 && words[*at]; ++*at)
      if (mt_str_ieq (r->o->values[0], mt_str (words[*at])))
         return true;
   return bad (r, wanted);
}

static bool yes_or_no (const Reading *r, bool *out)
{
   static const char *const words[] = {"true", "t", "on", "1", "false", "f", "off", "0", NULL};
   size_t at;
   if (!one_of (r, words, &at, "true or false"))
      return false;
   *out = at < 4;
   return true;
}

static bool delimiter (Reading *r) { return one_char (r, &r->out->delimiter); }
static bool escape (Reading *r) { return one_char (r, &r->out->escape); }

static bool quote (Reading *r)
{
   r->out->no_quote = r->o->count == 1 && !r->o->values[0].n;
   return r->out->no_quote || one_char (r, &r->out->quote);
}

static bool header (Reading *r)
{
   bool yes;
   if (!yes_or_no (r, &yes))
      return false;
   r->out->header = yes ? MT_KNOWN_YES : MT_KNOWN_NO;
   return true;
}

static bool all_text (Reading *r) { return yes_or_no (r, &r->out->all_text); }

static bool counters (Reading *r)
{
   bool yes;
   if (!yes_or_no (r, &yes))
      return false;
   r->out->no_counters = !yes;
   return true;
}

static bool skip (Reading *r)
{
   const char *text = mt_strndup (r->a, r->o->values[0].p, r->o->values[0].n);
   char *end;
   errno = 0;
   r->out->skip = strtoll (text, &end, 10);
   r->out->has_skip = true;
   return (r->o->count == 1 && *text && !*end && !errno && r->out->skip >= 0) ||
          bad (r, "a number of lines");
}

static bool encoding (Reading *r)
{
   MtPresetOption o = {"encoding", mt_strndup (r->a, r->o->values[0].p, r->o->values[0].n),
                       r->o->span};
   return mt_encoding_named (&o, &r->out->encoding, r->err);
}

static const char **texts (const Reading *r)
{
   const char **list = MT_NEW_N (r->a, const char *, r->o->count + 1);
   for (size_t i = 0; i < r->o->count; i++)
      list[i] = mt_strndup (r->a, r->o->values[i].p, r->o->values[i].n);
   return list;
}

static bool nulls (Reading *r)
{
   r->out->nulls = texts (r);
   r->out->null_count = r->o->count;
   return true;
}

static bool names (Reading *r)
{
   r->out->names = texts (r);
   r->out->name_count = r->o->count;
   return true;
}

static bool epoch (Reading *r)
{
   size_t at;
   if (!one_of (r, mt_epoch_words, &at, "s, ms, us or ns"))
      return false;
   r->out->epoch = mt_epoch_units[at];
   return true;
}

static bool datestyle (Reading *r)
{
   size_t at;
   if (!one_of (r, mt_order_words, &at, "mdy, dmy or ymd"))
      return false;
   r->out->order = (MtDateOrder) at;
   return r->out->has_order = true;
}

static bool decimal (Reading *r)
{
   return one_char (r, &r->out->decimal) &&
          (r->out->decimal == '.' || r->out->decimal == ',' || bad (r, "\".\" or \",\""));
}

/* Adds the column in `text`, 'name type', to the list of columns with a given type. A name with
 * blanks is in double quotes. */
static bool add_type (Reading *r, MtStr text)
{
   MtSniffType *list = (MtSniffType *) r->out->types;
   text = mt_str_trim (text, " ");
   bool quoted = text.n && *text.p == '"';
   const char *end = text.n ? memchr (text.p + quoted, quoted ? '"' : ' ', text.n - quoted) : NULL;
   if (!end)
      return bad (r, "a list of columns with their types, such as 'id text, v bigint'");
   MtStr type = mt_str_trim ((MtStr) {end + 1, text.n - (size_t) (end + 1 - text.p)}, " ");
   MtTypeId id;
   if (!mt_type_by_name (type, &id))
      return mt_error_at (r->err, r->o->span, MT_E_UNDEFINED_OBJECT, "type \"%.*s\" does not exist",
                          (int) type.n, type.p);
   list[r->out->type_count++] = (MtSniffType) {
      mt_strndup (r->a, text.p + quoted, (size_t) (end - text.p) - quoted), mt_type (id)};
   return true;
}

static bool types (Reading *r)
{
   size_t n = 0;
   for (size_t i = 0; i < r->o->count; i++) {
      n++;
      for (size_t k = 0; k < r->o->values[i].n; k++)
         n += r->o->values[i].p[k] == ',';
   }
   r->out->types = MT_NEW_N (r->a, MtSniffType, n + 1);
   for (size_t i = 0; i < r->o->count; i++) {
      const char *p = r->o->values[i].p, *end = p + r->o->values[i].n, *comma;
      for (;; p = comma + 1) {
         comma = memchr (p, ',', (size_t) (end - p));
         if (!add_type (r, (MtStr) {p, (size_t) ((comma ? comma : end) - p)}))
            return false;
         if (!comma)
            break;
      }
   }
   return true;
}

static const struct {
   const char *name;
   bool (*read) (Reading *r);
} rows[] = {{"delimiter", delimiter}, {"delim", delimiter},
            {"sep", delimiter},       {"quote", quote},
            {"escape", escape},       {"header", header},
            {"skip", skip},           {"encoding", encoding},
            {"nullstr", nulls},       {"epoch", epoch},
            {"datestyle", datestyle}, {"names", names},
            {"types", types},         {"decimal_separator", decimal},
            {"all_text", all_text},   {"all_varchar", all_text},
            {"counters", counters},   {NULL, NULL}};

bool mt_file_csv_options (MtArena *a, const MtFileCall *call, MtSniffGiven *out, MtError *err)
{
   *out = (MtSniffGiven) {0};
   for (size_t i = 0; i < call->option_count; i++) {
      Reading r = {a, &call->options[i], out, err};
      size_t k = 0;
      while (rows[k].name && strcmp (rows[k].name, r.o->name) != 0)
         k++;
      if (rows[k].name) {
         if (!r.o->count)
            return bad (&r, "given a value");
         if (!rows[k].read (&r))
            return false;
         continue;
      }
      const char *near = mt_nearest_of_rows (r.o->name, &rows->name, sizeof *rows);
      mt_error_at (err, r.o->span, MT_E_PARAMETER, "option \"%s\" of %s not recognized", r.o->name,
                   call->function);
      return near ? mt_error_hint (err, "Perhaps you meant \"%s\".", near) : false;
   }
   return true;
}
