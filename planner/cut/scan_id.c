#include "planner/cut/scan_id.h"

#include "layouts/stored.h"
#include "query/condition.h"
#include "query/function.h"
#include "query/x.h"
#include "planner/cut/scan.h"

#include <string.h>

/* ---- splitting a composed _id ---- */

const char *mt_id_part_name (MtArena *a, size_t part) { return mt_printf (a, "p%zu", part); }

const MtEncoding *mt_id_part_encoding (const MtTable *t, const MtStoreDesc *s, size_t part)
{
   static const MtEncoding native = {.kind = MT_ENC_NATIVE}, date = {.kind = MT_ENC_DATE};
   return mt_type_is_datetime (mt_binding_type (t, &s->id[part].bind).id) ? &date : &native;
}

/* Appends n bytes of text to a regular expression, with special characters escaped. */
static void quote (MtBuf *to, const char *p, size_t n)
{
   for (size_t i = 0; i < n; i++) {
      if (strchr ("\\^$.|?*+()[]{}-", p[i]))
         mt_buf_addc (to, '\\');
      mt_buf_addc (to, p[i]);
   }
}

/* Appends a capture group for text that contains none of the n bytes; if n is 0, for any text. */
static void text_without (MtBuf *b, const char *bytes, size_t n)
{
   if (!n) {
      mt_buf_adds (b, "(.*)");
      return;
   }
   mt_buf_adds (b, "([^");
   quote (b, bytes, n);
   mt_buf_adds (b, "]*)");
}

/* Appends a capture group for one part of a composed _id without escapes. Numbers and times have a
 * fixed form; other text ends at the next separator. */
static void plain_part (MtBuf *b, const MtTable *t, const MtStoreDesc *s, size_t part,
                        const MtIdStops *stops)
{
   const MtEncoding *e = &s->id[part].bind.encoding;
   if (mt_id_is_free (t, s, part)) {
      text_without (b, stops->bytes, stops->count);
      return;
   }
   if (e->kind != MT_ENC_FORMAT) {
      mt_buf_adds (b, part < stops->sole ? "(-?[0-9]+)" : "([0-9]+)");
      return;
   }
   int digits = 0;
   mt_buf_addc (b, '(');
   for (const char *f = e->format; *f; f++) {
      bool number = *f == '%' && *++f != '%';
      if (number)
         digits += mt_format_digits (*f);
      if (digits && (!number || f[1] != '%')) {
         mt_buf_printf (b, "[0-9]{%d}", digits);
         digits = 0;
      }
      if (!number)
         quote (b, f, 1);
   }
   mt_buf_addc (b, ')');
}

/* Returns a regular expression that matches the store's composed _ids, with a capture group for
 * each part. */
static const char *pattern (MtArena *a, const MtTable *t, const MtStoreDesc *s)
{
   MtBuf b = {0};
   MtIdStops stops;
   bool plain = s->escape == MT_ESCAPE_NONE;
   mt_id_stops (t, s, &stops);
   mt_buf_addc (&b, '^');
   for (size_t i = 0; i < s->id_count; i++) {
      char stop = s->id[i].literal ? 0 : mt_id_stop (s, i);
      if (s->id[i].literal)
         quote (&b, s->id[i].literal, strlen (s->id[i].literal));
      else if (plain)
         plain_part (&b, t, s, i, &stops);
      else
         text_without (&b, &stop, stop != 0);
   }
   if (s->id[s->id_count - 1].literal || (plain && stops.sole != s->id_count - 1))
      /* end of text; `$` would also match before a final line feed */
      mt_buf_adds (&b, "(?![\\s\\S])");
   const char *out = mt_strndup (a, b.p, b.n);
   mt_buf_free (&b);
   return out;
}

static const bson_t *replace_all (MtArena *a, const bson_t *text, const char *find, const char *by)
{
   bson_t *body = mt_doc_new (a);
   mt_doc_add (body, "input", mt_doc_value (text));
   mt_doc_add_text (body, "find", find);
   mt_doc_add (body, "replacement",
               /* a literal, because `by` may be "$" */
               mt_doc_value (mt_mql_const (a, mt_v_cstr (by))));
   return mt_mql_op1 (a, "$replaceAll", mt_doc_of (a, mt_v_doc (body)));
}

/* Returns an expression that replaces the escapes in a part of an _id. The separator's escape is
 * replaced before "%25", because the latter produces new "%". */
static const bson_t *unescaped (MtArena *a, const MtTable *t, const MtStoreDesc *s, size_t part,
                                const bson_t *text)
{
   const MtBinding *b = &s->id[part].bind;
   char stop[2] = {mt_id_stop (s, part), 0};
   bool any = b->kind == MT_BIND_COLUMN && mt_is_text_type (t->columns[b->column].type.id);
   bool writes_stop = any || (b->encoding.kind == MT_ENC_FORMAT
                                 ? strchr (b->encoding.format, *stop) != NULL
                                 : *stop == '-');
   if (*stop && writes_stop)
      text = replace_all (a, text, mt_printf (a, "%%%02X", (unsigned char) *stop), stop);
   /* A bug of DocumentDB: after $replaceAll has shortened a text, conversions still read the
    * removed bytes. */
   if (*stop && writes_stop && !any)
      text = mt_mql_op (a, "$concat", text, mt_doc_of (a, mt_v_cstr ("")), NULL);
   return any ? replace_all (a, text, "%25", "%") : text;
}

/* Returns an expression that converts a text to a number or date (`type`). lenient: null for
 * malformed text, instead of an error. */
static const bson_t *converted (MtArena *a, const bson_t *value, const char *type, bool lenient)
{
   if (!lenient && strcmp (type, "date") != 0)
      return mt_mql_op1 (a, strcmp (type, "int") == 0 ? "$toInt" : "$toLong", value);
   if (!lenient)
      return mt_mql_op1 (a, "$toDate", value);
   bson_t *body = mt_doc_new (a);
   mt_doc_add (body, "input", mt_doc_value (value));
   mt_doc_add_text (body, "to", type);
   mt_doc_add (body, "onError", mt_v_null ());
   return mt_mql_op1 (a, "$convert", mt_doc_of (a, mt_v_doc (body)));
}

static const bson_t *part_value (MtArena *a, const MtTable *t, const MtStoreDesc *s, size_t part,
                                 int group, bool lenient)
{
   const MtBinding *b = &s->id[part].bind;
   const bson_t *v = mt_mql_op (a, "$arrayElemAt", mt_mql_path (a, "$m.captures"),
                                mt_mql_int (a, group), NULL);
   v = s->escape == MT_ESCAPE_NONE ? v : unescaped (a, t, s, part, v);
   MtTypeId id = mt_binding_type (t, b).id;
   if (b->encoding.kind == MT_ENC_FORMAT)
      return mt_mql_time_of (a, v, b->encoding.format, lenient ? mt_v_null () : mt_v_missing ());
   if (mt_is_text_type (id))
      return v;
   v = converted (a, v, id == MT_T_INT2 || id == MT_T_INT4 ? "int" : "long", lenient);
   if (b->encoding.kind == MT_ENC_EPOCH_S)
      v = mt_mql_op (a, "$multiply", v, mt_mql_int (a, 1000), NULL);
   return mt_type_is_datetime (id) ? converted (a, v, "date", lenient) : v;
}

static bool reads_part (const MtStoreDesc *s, size_t part, const bool *columns)
{
   for (size_t i = 0; i < s->root->bind_count; i++) {
      const MtBinding *b = &s->root->binds[i];
      if (b->from == MT_FROM_ID && b->id_part == part && (!columns || columns[b->column]))
         return true;
   }
   return false;
}

static const bson_t *find_groups (MtArena *a, const MtTable *t, const MtStoreDesc *s, bool lenient)
{
   bson_t *body = mt_doc_new (a);
   const char *regex = pattern (a, t, s);
   mt_doc_add_path (a, body, "input", "_id");
   mt_doc_add_text (body, "regex", regex);
   mt_doc_add_text (body, "options", "s");
   const bson_t *find = mt_mql_op1 (a, "$regexFind", mt_doc_of (a, mt_v_doc (body)));
   if (!lenient)
      return find;
   const bson_t *is_text = mt_mql_op (a, "$eq", mt_mql_op1 (a, "$type", mt_mql_path (a, "_id")),
                                      mt_doc_of (a, mt_v_cstr ("string")), NULL);
   return mt_mql_op (a, "$cond", is_text, find, mt_doc_of (a, mt_v_null ()), NULL);
}

const bson_t *mt_id_parts (MtArena *a, const MtTable *t, const MtStoreDesc *s, const bool *columns,
                           bool lenient)
{
   bson_t *in = mt_doc_new (a);
   int group = 0;
   for (size_t i = 0; i < s->id_count; i++) {
      if (s->id[i].literal)
         continue;
      if (reads_part (s, i, columns))
         mt_doc_add (in, mt_id_part_name (a, i),
                     mt_doc_value (part_value (a, t, s, i, group, lenient)));
      group++;
   }
   if (bson_empty (in))
      return NULL;
   return mt_mql_let (a, "m", find_groups (a, t, s, lenient), mt_doc_of (a, mt_v_doc (in)));
}

/* ---- conditions on the _id ---- */

enum {
   MOST_IDS = 1000,  /* greatest number of _ids that a condition lists */
   MOST_RANGES = 32, /* greatest number of _id ranges in a condition */
};

typedef struct Ids {
   MtArena *a;
   const MtWay *w;
   const MtNeed *need;
   MtRangeSet ranges;
   /* prefixes of the _ids that can match; each document to read has one of them */
   const char **text;
   size_t count;
   int bound; /* number of parts of the _id that the prefixes consist of */
} Ids;

/* Returns whether a part of the _id always equals its column: the column is read from the _id, or
 * mtsql wrote the documents. */
static bool is_trusted (const Ids *ids, size_t part)
{
   return !ids->w->layout->attached || reads_part (ids->w->store, part, NULL);
}

static void append (Ids *ids, const char *text)
{
   for (size_t i = 0; i < ids->count; i++)
      ids->text[i] = mt_printf (ids->a, "%s%s", ids->text[i], text);
}

/* Replaces the list of prefixes: combines each prefix with each of the n texts of the next part. */
static void multiply (Ids *ids, const char *const *texts, size_t n)
{
   const char **all = MT_NEW_N (ids->a, const char *, ids->count *n + 1);
   size_t k = 0;
   for (size_t i = 0; i < ids->count; i++)
      for (size_t j = 0; j < n; j++)
         all[k++] = mt_printf (ids->a, "%s%s", ids->text[i], texts[j]);
   ids->text = all;
   ids->count = k;
   ids->bound++;
}

/* Sets *out to the text of value v in a part of the _id. False: documents of other programs may
 * write this value in several ways. */
static bool part_text (const Ids *ids, size_t part, MtVal v, const char **out)
{
   const MtStoreDesc *s = ids->w->store;
   const MtBinding *b = &s->id[part].bind;
   MtType type = mt_binding_type (ids->w->table, b);
   bool is_text = b->kind == MT_BIND_COLUMN && mt_is_text_type (type.id),
        is_format = b->encoding.kind == MT_ENC_FORMAT;
   MtBuf plain = {0}, escaped = {0};
   MtError ignored;
   bool fits = v.type == MT_INT32 || v.type == MT_INT64;
   if (is_text)
      fits = v.type == MT_STRING;
   else if (is_format || b->kind == MT_BIND_TIME_TRUNC)
      fits = v.type == MT_DATE;
   bool ok = fits && mt_encode_text (&b->encoding, type, v, &plain, &ignored);
   bool escapes = s->escape != MT_ESCAPE_NONE;
   /* Other programs may write leading zeros, or an unescaped "%". */
   if (ok && ids->w->layout->attached)
      ok = is_format || (is_text && !(escapes && memchr (plain.p ? plain.p : "", '%', plain.n)));
   ok = ok &&
        mt_id_add_part (ids->w->table, s, part, (MtStr) {plain.p, plain.n}, &escaped, &ignored);
   if (ok) {
      *out = mt_strndup (ids->a, escaped.p ? escaped.p : "", escaped.n);
   }
   mt_buf_free (&plain);
   mt_buf_free (&escaped);
   return ok;
}

/* Returns a filter `column = constant` or `column IN (constants)` on the column. The constants are
 * its children from index 1 on. NULL: there is none. */
static const MtX *constants (const Ids *ids, int column)
{
   int n;
   for (int i = 0; i < ids->need->filter_count; i++) {
      const MtX *x = ids->need->filters[i];
      bool equal = mt_x_is_equality (x);
      bool constant = equal || x->kind == MT_X_IN;
      MtX *const *kids = mt_x_kids (x, &n);
      for (int k = 1; k < n && constant; k++)
         constant = kids[k]->kind == MT_X_CONST;
      if (constant && kids[0]->kind == MT_X_COLUMN && kids[0]->column == column)
         return x;
   }
   return NULL;
}

static int constant_count (const MtX *x) { return x->kind == MT_X_IN ? x->count - 1 : 1; }

static bool name_values (Ids *ids, size_t part)
{
   const MtBinding *b = &ids->w->store->id[part].bind;
   const MtX *x = b->kind == MT_BIND_COLUMN ? constants (ids, b->column) : NULL;
   int count = 0;
   MtX *const *kids = x ? mt_x_kids (x, &count) : NULL;
   if (!x || !is_trusted (ids, part) || ids->count * (size_t) count > MOST_IDS)
      return false;
   const char **texts = MT_NEW_N (ids->a, const char *, (size_t) count + 1);
   size_t n = 0;
   for (int k = 1; k < count; k++) {
      MtVal v = kids[k]->value;
      if (!mt_is_nullish (v) && !part_text (ids, part, v, &texts[n++]))
         return false;
   }
   if (n)
      multiply (ids, texts, n);
   return n > 0;
}

/* Returns whether filters also fix the part of the _id after `part`, so that whole _ids can be
 * listed. */
static bool goes_on (const Ids *ids, size_t part)
{
   const MtStoreDesc *s = ids->w->store;
   for (size_t i = part + 1; i < s->id_count; i++)
      if (!s->id[i].literal)
         return s->id[i].bind.kind == MT_BIND_COLUMN &&
                constants (ids, s->id[i].bind.column) != NULL;
   return true;
}

/* Extends each prefix by the text of each unit of time (hour, day …) in the query's ranges. False:
 * there are too many, or the ranges are unbounded. */
static bool name_units (Ids *ids, size_t part)
{
   MtUnit unit = ids->w->store->id[part].bind.unit;
   size_t n = 0, most = goes_on (ids, part) ? MOST_IDS / ids->count : 1;
   const char **texts = MT_NEW_N (ids->a, const char *, most + 1);
   for (int i = 0; i < ids->ranges.count; i++) {
      MtRange r = ids->ranges.ranges[i];
      if (r.lo == MT_TIME_MIN || r.hi == MT_TIME_MAX)
         return false;
      for (int64_t at = mt_unit_floor (r.lo, unit); at < r.hi; at = mt_unit_next (at, unit)) {
         const char *text;
         if (!part_text (ids, part, mt_v_date (at), &text))
            return false;
         if (n && strcmp (texts[n - 1], text) == 0)
            continue;
         if (n == most)
            return false;
         texts[n++] = text;
      }
   }
   if (n)
      multiply (ids, texts, n);
   return n > 0;
}

static void add_bound (bson_t *to, const char *op, const char *text)
{
   mt_doc_add_text (to, op, text);
}

/* Returns the least text that sorts after all texts with the prefix `text`. NULL: it can't be
 * computed, because the last character is not ASCII. */
static const char *behind (MtArena *a, const char *text)
{
   size_t n = strlen (text);
   if (!n || (unsigned char) text[n - 1] >= 0x7e)
      return NULL;
   char *out = mt_strdup (a, text);
   out[n - 1]++;
   return out;
}

static const bson_t *any_of (MtArena *a, const bson_t *list, int count)
{
   bson_t *out = mt_doc_new (a);
   if (count == 0)
      return NULL;
   if (count > 1)
      mt_doc_add_array (out, "$or", list);
   else
      mt_doc_add (out, "_id", mt_doc_field (mt_doc_value (list), "_id"));
   return out;
}

static void add_range (MtArena *a, bson_t *list, int *count, const char *from, const char *op,
                       const char *to)
{
   bson_t *c = mt_doc_new (a), *ops = mt_doc_new (a);
   if (from)
      add_bound (ops, "$gte", from);
   if (to)
      add_bound (ops, op, to);
   if (bson_empty (ops))
      return;
   mt_doc_add_doc (c, "_id", ops);
   mt_doc_add_doc (list, mt_printf (a, "%d", (*count)++), c);
}

/* Returns a condition with ranges of _ids, for each prefix and each time range. Works if the texts
 * of the time part sort like the times. NULL: not possible. */
static const bson_t *time_ranges (Ids *ids, size_t part)
{
   const MtStoreDesc *s = ids->w->store;
   MtUnit unit = s->id[part].bind.unit;
   MtArena *a = ids->a;
   bson_t *list = mt_doc_new (a);
   int count = 0;
   if (ids->count * (size_t) ids->ranges.count > MOST_RANGES)
      return NULL;
   for (size_t i = 0; i < ids->count; i++)
      for (int k = 0; k < ids->ranges.count; k++) {
         MtRange r = ids->ranges.ranges[k];
         const char *begin = ids->text[i], *lo = "", *hi = NULL;
         bool all = r.hi == MT_TIME_MAX;
         if (r.lo != MT_TIME_MIN &&
             !part_text (ids, part, mt_v_date (mt_unit_floor (r.lo, unit)), &lo))
            return NULL;
         if (!all && !part_text (ids, part, mt_v_date (mt_unit_floor (r.hi - 1, unit)), &hi))
            return NULL;
         const char *from = r.lo == MT_TIME_MIN && !*begin ? NULL
                                                           : mt_printf (a, "%s%s", begin, lo);
         if (all)
            add_range (a, list, &count, from, "$lt", behind (a, begin));
         else if (mt_id_stop (s, part))
            add_range (a, list, &count, from, "$lt",
                       mt_printf (a, "%s%s%c", begin, hi, mt_id_stop (s, part) + 1));
         else
            add_range (a, list, &count, from, "$lte", mt_printf (a, "%s%s", begin, hi));
      }
   return any_of (a, list, count);
}

/* Returns a condition with a range of _ids for each prefix; NULL: there are too many, or none is
 * known. */
static const bson_t *prefix_ranges (Ids *ids)
{
   bson_t *list = mt_doc_new (ids->a);
   int count = 0;
   if (!ids->bound || ids->count > MOST_RANGES)
      return NULL;
   for (size_t i = 0; i < ids->count; i++)
      add_range (ids->a, list, &count, ids->text[i], "$lt", behind (ids->a, ids->text[i]));
   return any_of (ids->a, list, count);
}

static const bson_t *whole_ids (Ids *ids)
{
   bson_t *out = mt_doc_new (ids->a), *list = mt_doc_new (ids->a), *in = mt_doc_new (ids->a);
   if (!ids->bound)
      return NULL;
   for (size_t i = 0; i < ids->count; i++)
      add_bound (list, mt_printf (ids->a, "%zu", i), ids->text[i]);
   mt_doc_add_array (in, "$in", list);
   if (ids->count == 1)
      add_bound (out, "_id", ids->text[0]);
   else
      mt_doc_add_doc (out, "_id", in);
   return out;
}

/* Sets filters[i] for filters on the column of binding b that the condition on _id already
 * guarantees. Only for text and integers, of which each value has just one text in the _id. */
static void imply_filter (const Ids *ids, const MtBinding *b, bool *filters)
{
   const MtBinding *bound = ids->w->bound[b->column];
   MtTypeId t = ids->w->table->columns[b->column].type.id;
   bool same = mt_is_text_type (t) || t == MT_T_INT2 || t == MT_T_INT4 || t == MT_T_INT8;
   const MtX *x = constants (ids, b->column);
   for (int i = 0; i < ids->need->filter_count && same && bound && bound->from == MT_FROM_ID &&
                   ids->w->bound_at[b->column] == 0;
        i++)
      filters[i] |= ids->need->filters[i] == x;
}

/* Returns whether the units of time that the condition lists contain only times in the query's
 * ranges, so that the time needs no further check. */
static bool implies_time (const Ids *ids)
{
   const MtStoreDesc *s = ids->w->store;
   bool yes = true;
   int units = 0;
   for (size_t i = 0; i < s->id_count; i++) {
      if (s->id[i].literal || s->id[i].bind.kind != MT_BIND_TIME_TRUNC)
         continue;
      units++;
      yes &= reads_part (s, i, NULL);
      for (int k = 0; k < ids->ranges.count && ids->w->time_at == 0; k++)
         yes &= mt_unit_floor (ids->ranges.ranges[k].lo, s->id[i].bind.unit) ==
                ids->ranges.ranges[k].lo;
   }
   return yes && units == 1;
}

static void imply (const Ids *ids, MtIdImplies *out)
{
   const MtStoreDesc *s = ids->w->store;
   for (size_t i = 0; i < s->id_count; i++)
      if (!s->id[i].literal && s->id[i].bind.kind == MT_BIND_COLUMN)
         imply_filter (ids, &s->id[i].bind, out->filters);
   out->time = implies_time (ids);
}

const bson_t *mt_id_condition (MtArena *a, const MtWay *w, const MtNeed *need, MtRangeSet ranges,
                               MtIdImplies *implies)
{
   const MtStoreDesc *s = w->store;
   const char *nothing[] = {""};
   Ids ids = {.a = a, .w = w, .need = need, .ranges = ranges, .text = nothing, .count = 1};
   *implies = (MtIdImplies) {MT_NEW_N (a, bool, (size_t) need->filter_count + 1), false};
   if (s->id_count < 2)
      return NULL;
   for (size_t i = 0; i < s->id_count; i++) {
      const MtBinding *b = &s->id[i].bind;
      if (s->id[i].literal)
         append (&ids, s->id[i].literal);
      else if (b->kind == MT_BIND_TIME_TRUNC && need->has_ranges && ranges.count &&
               is_trusted (&ids, i)) {
         if (name_units (&ids, i))
            continue;
         const bson_t *c = b->encoding.kind == MT_ENC_FORMAT && mt_format_sorts (b->encoding.format)
                              ? time_ranges (&ids, i)
                              : NULL;
         return c ? c : prefix_ranges (&ids);
      } else if (!name_values (&ids, i))
         return prefix_ranges (&ids);
   }
   imply (&ids, implies);
   return whole_ids (&ids);
}

/* Returns the number of units (hours, days …) that overlap the ranges, or more than `most` if there
 * are more. */
static double units_met (MtRangeSet ranges, MtUnit unit, size_t most)
{
   double n = 0;
   for (int i = 0; i < ranges.count; i++) {
      MtRange r = ranges.ranges[i];
      if (r.lo == MT_TIME_MIN || r.hi == MT_TIME_MAX)
         return (double) most + 1;
      for (int64_t at = mt_unit_floor (r.lo, unit); at < r.hi && n <= (double) most;
           at = mt_unit_next (at, unit))
         n++;
   }
   return n;
}

/* Returns the column that is the whole _id of each document; -1: there is none. */
static int id_column (const MtStoreDesc *s)
{
   for (size_t i = 0; i < s->root->bind_count && !s->id_count; i++) {
      const MtBinding *b = &s->root->binds[i];
      if (b->kind == MT_BIND_COLUMN && b->from == MT_FROM_FIELD && !strcmp (b->at, "_id"))
         return b->column;
   }
   return -1;
}

/* Returns the share of documents that `count` _ids select. *named: the statistics say so. */
static double share_of_ids (const MtWay *w, double count, double unknown, bool *named)
{
   *named = w->stats && w->stats->present && w->stats->documents > 0;
   if (!*named)
      return unknown;
   return count < w->stats->documents ? count / w->stats->documents : 1;
}

double mt_id_share (const MtWay *w, const MtNeed *need, MtRangeSet ranges, bool *named)
{
   const MtStoreDesc *s = w->store;
   Ids ids = {.w = w, .need = need, .ranges = ranges};
   double share = 1, count = 1;
   const MtX *whole = id_column (s) < 0 ? NULL : constants (&ids, id_column (s));
   *named = false;
   if (whole)
      return share_of_ids (w, constant_count (whole), 1, named);
   for (size_t i = 0; i < s->id_count && s->id_count > 1; i++) {
      const MtBinding *b = &s->id[i].bind;
      if (s->id[i].literal)
         continue;
      const MtX *x = b->kind == MT_BIND_COLUMN ? constants (&ids, b->column) : NULL;
      bool is_time = b->kind == MT_BIND_TIME_TRUNC && need->has_ranges;
      if (!(x || is_time) || !is_trusted (&ids, i))
         return share;
      double values = is_time ? units_met (ranges, b->unit, MOST_IDS) : constant_count (x),
             most = is_time ? 1 : 0.5;
      double part = is_time ? mt_time_share (w, ranges, b->unit) : 0.05 * values;
      share *= part < most ? part : most;
      count *= values;
      if (count > MOST_IDS)
         return share;
   }
   return s->id_count > 1 ? share_of_ids (w, count, share, named) : share;
}
