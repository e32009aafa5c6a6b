#include "layouts/read/walk.h"

#include "layouts/read/cells.h"
#include "layouts/stored.h"
#include "types/numeric.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- errors ---- */

bool mt_walk_misfit (MtWalk *w, const MtNode *n, const char *path, const char *fmt, ...)
{
   char what[256];
   MtBuf where = {0}, id = {0};
   va_list ap;
   va_start (ap, fmt);
   vsnprintf (what, sizeof what, fmt, ap);
   va_end (ap);
   for (const MtNode *p = n; p; p = p->parent)
      if (*p->at) {
         MtBuf longer = {0};
         mt_buf_printf (&longer, "%s%s%s", p->at, where.n ? "." : "", where.n ? where.p : "");
         mt_buf_free (&where);
         where = longer;
      }
   if (path && *path)
      mt_buf_printf (&where, "%s%s", where.n ? "." : "", path);
   mt_v_to_json (w->id, false, &id);
   mt_error (w->err, MT_E_CORRUPT,
             "a document of collection \"%s\" doesn't have the shape of layout \"%s\"",
             w->s->collection, w->l->name);
   mt_error_detail (w->err, "Document %.200s, at \"%.150s\": %s.", id.p, where.n ? where.p : "",
                    what);
   mt_buf_free (&where);
   mt_buf_free (&id);
   return false;
}

/* If the stored text is a time in another format, adds a hint to the error: how to declare this
 * format. */
static void hint_format (MtWalk *w, MtType t, MtVal stored)
{
   const char *format = stored.type == MT_STRING && mt_type_is_datetime (t.id)
                           ? mt_format_of ((MtStr) {(const char *) stored.p, stored.len})
                           : NULL;
   if (format && w->l->preset)
      mt_error_hint (
         w->err, "If all times are such texts, add time_encoding = '%s' to the options.", format);
   else if (format)
      mt_error_hint (
         w->err, "If all times are such texts, give them the encoding {format: \"%s\"}.", format);
}

/* Sets error XX001 for a stored value that can't be decoded, and returns false. The message names
 * the encoding only if it is not the type's default. */
static bool unreadable (MtWalk *w, const MtNode *n, const char *path, const MtEncoding *e, MtType t,
                        MtVal stored)
{
   const char *type = mt_type_info (t.id)->display, *found = mt_v_type_name (stored);
   if (e->kind == MT_ENC_NATIVE)
      return mt_walk_misfit (w, n, path, "a value of type %s can't be read as %s", found, type);
   if (e->kind == MT_ENC_FORMAT)
      mt_walk_misfit (w, n, path, "a value of type %s can't be read as %s (format \"%s\")", found,
                      type, e->format);
   else
      mt_walk_misfit (w, n, path, "a value of type %s can't be read as %s (encoding \"%s\")", found,
                      type, mt_encoding_words[e->kind]);
   hint_format (w, t, stored);
   return false;
}

/* ---- the time of the current cell ---- */

/* Handles a key or index that is not an existing time, such as June 31. A level of sums may have a
 * preallocated cell (array or map element) for it, so it is an error only if the cell has records
 * or sums; that is checked later (w->beyond). */
static bool no_such_time (MtWalk *w, const MtNode *n, const MtBinding *b, const char *fmt, ...)
   __attribute__ ((format (printf, 4, 5)));
static bool no_such_time (MtWalk *w, const MtNode *n, const MtBinding *b, const char *fmt, ...)
{
   char what[sizeof w->beyond_why];
   va_list ap;
   va_start (ap, fmt);
   vsnprintf (what, sizeof what, fmt, ap);
   va_end (ap);
   if (b->from == MT_FROM_FIELD || !n || !mt_keeps_sums_alone (n))
      return mt_walk_misfit (w, n, b->at, "%s", what);
   if (!w->beyond) {
      memcpy (w->beyond_why, what, sizeof what);
      w->beyond = n;
   }
   return true;
}

/* The greatest time that can be represented, in milliseconds since 1970, and, negated, the
 * least. */
#define MOST_MS INT64_C (9224318016000000)

static bool add_part (MtWalk *w, const MtNode *n, const MtBinding *b, int64_t part)
{
   int64_t most = mt_unit_ms (b->unit) ? MOST_MS / mt_unit_ms (b->unit) : 12;
   if (part > most || part < -most)
      return mt_walk_misfit (w, n, b->at, "the time is out of range");
   int64_t time = mt_utc_add (mt_utc_floor (w->time.start, b->of), b->unit, part);
   if (w->time.known && mt_utc_floor (time, w->time.unit) != w->time.start)
      return no_such_time (w, n, b, "the %s is outside the %s above it", mt_unit_name (b->unit),
                           mt_unit_name (w->time.unit));
   w->time = (MtWalkTime) {true, time, b->unit};
   return true;
}

/* Narrows w->time, the time interval of the nesting levels above, by value v of a binding of level
 * n: a truncated time, or a part of the time such as the hour. False on an error. */
static bool compose (MtWalk *w, const MtNode *n, const MtBinding *b, MtVal v)
{
   if (mt_is_nullish (v))
      return mt_walk_misfit (w, n, b->at, "the time's %s is missing", mt_unit_name (b->unit));
   if (b->kind == MT_BIND_TIME_TRUNC) {
      if (mt_utc_floor (v.i, b->unit) != v.i)
         return mt_walk_misfit (w, n, b->at, "the time is not the start of a %s",
                                mt_unit_name (b->unit));
      w->time = (MtWalkTime) {true, v.i, b->unit};
      return true;
   }
   int64_t count = mt_part_count (b->unit, b->of), part = v.i - b->base;
   if (b->of != MT_UNIT_EPOCH && (part < 0 || part >= count))
      return no_such_time (w, n, b, "%lld is no %s of the %s", (long long) v.i,
                           mt_unit_name (b->unit), mt_unit_name (b->of));
   return add_part (w, n, b, part);
}

/* Returns whether time ms is outside the interval that the nesting levels above give (w->time). */
static bool outside (const MtWalk *w, int64_t ms)
{
   return w->time.known && w->time.unit != MT_UNIT_MS &&
          mt_utc_floor (ms, w->time.unit) != w->time.start;
}

/* Checks the exact time v at `path`: it must be in the interval that the nesting levels above give,
 * and not NULL if the time column is NOT NULL. */
static bool check_time (MtWalk *w, const MtNode *n, const char *path, MtVal v)
{
   if (mt_is_nullish (v) && w->t->columns[w->t->time_column].not_null)
      return mt_walk_misfit (w, n, path, "there is no time");
   if (v.type == MT_DATE && outside (w, v.i))
      return mt_walk_misfit (w, n, path, "the time is outside the %s above it",
                             mt_unit_name (w->time.unit));
   return true;
}

/* ---- bindings ---- */

static bool bound (MtWalk *w, const MtNode *n, const MtBinding *b, MtVal v)
{
   w->key[w->key_count++] = v;
   if (b->kind != MT_BIND_COLUMN)
      return compose (w, n, b, v);
   w->row[b->column] = v;
   if (b->column != w->t->time_column)
      return true;
   if (!check_time (w, n, b->at, v))
      return false;
   if (v.type == MT_DATE)
      w->time = (MtWalkTime) {true, v.i, MT_UNIT_MS};
   return true;
}

static bool bind_id (MtWalk *w, const MtBinding *b)
{
   MtVal v;
   if (!mt_id_value (w->a, w->t, w->s, b->id_part, w->id, &v))
      return mt_walk_misfit (
         w, NULL, "_id", "it isn't composed as \"id\" says, %swith %s where %s is",
         w->s->escape == MT_ESCAPE_NONE ? "without escapes, " : "",
         mt_type_info (mt_binding_type (w->t, b).id)->display,
         b->kind == MT_BIND_COLUMN ? w->t->columns[b->column].name : mt_unit_name (b->unit));
   w->found.present++;
   return bound (w, NULL, b, v);
}

static bool bind (MtWalk *w, const MtNode *n, const MtBinding *b, MtStr key, size_t index,
                  MtVal cell)
{
   MtVal stored = mt_v_missing (), v;
   switch (b->from) {
   case MT_FROM_ID: return bind_id (w, b);
   case MT_FROM_KEY: stored = mt_v_str (key.p, key.n); break;
   case MT_FROM_INDEX: stored = mt_v_int64 ((int64_t) index); break;
   case MT_FROM_FIELD: stored = mt_path_get (cell, b->at); break;
   }
   MtType t = mt_binding_type (w->t, b);
   if (!mt_decode (w->a, &b->encoding, t, stored, &v))
      return unreadable (w, n, b->from == MT_FROM_FIELD ? b->at : "", &b->encoding, t, stored);
   w->found.present += stored.type != MT_MISSING;
   return bound (w, n, b, v);
}

/* ---- records ---- */

static void see_time (MtWalkCounts *f, int64_t t)
{
   f->min_time = !f->any_time || t < f->min_time ? t : f->min_time;
   f->max_time = !f->any_time || t > f->max_time ? t : f->max_time;
   f->any_time = true;
}

/* Widens the found range of times by the time interval of the current cell (array or map
 * element). */
static void see_interval (MtWalk *w)
{
   see_time (&w->found, w->time.start);
   see_time (&w->found, mt_utc_next (w->time.start, w->time.unit) - 1);
}

MtVal mt_walk_row_time (const MtWalk *w)
{
   int tc = w->t->time_column;
   if (tc < 0)
      return mt_v_null ();
   return w->row[tc].type != MT_DATE && w->time.known ? mt_v_date (w->time.start) : w->row[tc];
}

static bool take_record (MtWalk *w, const MtNode *n, MtVal rec)
{
   const MtRaw *r = &n->raw;
   int tc = w->t->time_column;
   for (size_t i = 0; i < r->count; i++) {
      int c = r->columns[i];
      MtVal stored = mt_path_get (rec, r->paths[i]);
      MtType t = w->t->columns[c].type;
      if (!mt_decode (w->a, &r->encodings[i], t, stored, &w->row[c]))
         return unreadable (w, n, r->paths[i], &r->encodings[i], t, stored);
      w->found.present += stored.type != MT_MISSING;
      if (c == tc && !check_time (w, n, r->paths[i], w->row[c]))
         return false;
   }
   w->found.leaves++;
   w->found.records += w->counting;
   if (tc >= 0 && w->row[tc].type == MT_DATE)
      see_time (&w->found, w->row[tc].i);
   else if (w->time.known)
      see_interval (w);
   if (w->taker.record)
      w->taker.record (w->taker.ctx, w, n);
   return true;
}

static bool take_records (MtWalk *w, const MtNode *n, MtVal cell)
{
   if (!n->raw.many)
      return take_record (w, n, cell);
   MtVal array = mt_path_get (cell, n->raw.at), rec;
   if (mt_is_nullish (array))
      return true;
   if (array.type != MT_ARRAY)
      return mt_walk_misfit (w, n, n->raw.at, "it is of type %s, not an array",
                             mt_v_type_name (array));
   MtDocIter it = mt_doc_iter (array);
   MtStr key;
   bool whole = n->raw.count == 1 && !*n->raw.paths[0];
   while (mt_doc_next (&it, &key, &rec)) {
      if (!whole && rec.type != MT_DOC)
         return mt_walk_misfit (w, n, n->raw.at, "a record is of type %s, not a document",
                                mt_v_type_name (rec));
      if (!take_record (w, n, rec))
         return false;
   }
   return true;
}

/* ---- sums ---- */

int64_t mt_stored_count (MtVal v)
{
   int64_t i;
   return mt_whole_number (v, &i) ? i : 0;
}

int64_t mt_stored_nonnull (const MtMeasureAgg *m, MtVal cell, int64_t count)
{
   if (m->nonnull)
      return mt_stored_count (mt_path_get (cell, m->nonnull));
   return count > 0 ? count : 1;
}

/* A cell's stored count, and whether it has any sums. */
typedef struct CellSums {
   int64_t count; /* stored number of records; -1: not stored */
   bool zero;     /* all sums are 0 or missing */
} CellSums;

/* Checks that the stored counts and sums of a cell (array or map element) are numbers, and sets
 * *out. */
static bool read_agg (MtWalk *w, const MtNode *n, MtVal cell, CellSums *out)
{
   *out = (CellSums) {-1, true};
   if (n->agg.n) {
      MtVal v = mt_path_get (cell, n->agg.n);
      if (!mt_is_nullish (v) && !mt_is_number (v))
         return mt_walk_misfit (w, n, n->agg.n, "a count is of type %s", mt_v_type_name (v));
      w->found.present += !mt_is_nullish (v);
      out->count = mt_stored_count (v);
   }
   for (size_t i = 0; i < n->agg.measure_count; i++) {
      const MtMeasureAgg *m = &n->agg.measures[i];
      if (!m->sum)
         continue;
      MtVal v = mt_path_get (cell, m->sum);
      if (!mt_is_nullish (v) && !mt_is_number (v))
         return mt_walk_misfit (w, n, m->sum, "a sum is of type %s", mt_v_type_name (v));
      w->found.present += !mt_is_nullish (v);
      out->zero = out->zero && (mt_is_nullish (v) || mt_v_compare_numbers (v, mt_v_int32 (0)) == 0);
   }
   return true;
}

/* Returns whether n is the finest copy of its data. Where a level has several redundant copies
 * nested in it, the last one is the finest. */
static bool is_finest (const MtNode *n)
{
   for (; n->parent; n = n->parent)
      if (n != n->parent->subs[n->parent->sub_count - 1])
         return false;
   return true;
}

/* Returns whether v can be a sum of a column of type t. A sum of integers can be out of the range
 * of t, but must be an integer. */
static bool is_sum_of (MtVal v, MtType t)
{
   MtNum x;
   int64_t i;
   if (!mt_type_is_integer (t.id) || mt_whole_number (v, &i))
      return true;
   if (v.type == MT_DOUBLE)
      return isfinite (v.d) && v.d == floor (v.d);
   return mt_num_from_val (v, &x) && !mt_num_is_nan (x) && !mt_num_is_inf (x) &&
          mt_num_compare (mt_num_round (x, 0), x) == 0;
}

static bool misfit_number (MtWalk *w, const MtNode *n, const char *path, const char *what, MtVal v)
{
   MtBuf text = {0};
   mt_v_to_json (v, false, &text);
   mt_walk_misfit (w, n, path, "%s is %s", what, text.p);
   mt_buf_free (&text);
   return false;
}

static bool check_sum (MtWalk *w, const MtNode *n, MtVal cell, int64_t count, const MtMeasureAgg *m)
{
   const MtColumn *c = &w->t->columns[m->column];
   MtVal sum = m->sum ? mt_path_get (cell, m->sum) : mt_v_null (),
         nonnull = m->nonnull ? mt_path_get (cell, m->nonnull) : mt_v_null ();
   int64_t i;
   if (!mt_is_nullish (sum) && !is_sum_of (sum, c->type))
      return misfit_number (w, n, m->sum, "a sum of whole numbers", sum);
   if (m->sum && mt_is_nullish (sum) && c->not_null && !n->agg.zero_is_absent &&
       (!n->agg.n || count > 0))
      return mt_walk_misfit (w, n, m->sum, "there is a count, and no sum");
   if (!mt_is_nullish (nonnull) && !mt_whole_number (nonnull, &i))
      return misfit_number (w, n, m->nonnull, "a count", nonnull);
   return true;
}

/* Checks the stored count and sums of a cell (array or map element) of leaf n: the sums must be
 * valid, and a sum needs a count. */
static bool check_sums (MtWalk *w, const MtNode *n, MtVal cell, CellSums sums)
{
   MtVal stored = n->agg.n ? mt_path_get (cell, n->agg.n) : mt_v_null ();
   int64_t i;
   if (n->agg.n && mt_is_nullish (stored) && !sums.zero)
      return mt_walk_misfit (w, n, n->agg.n, "there is a sum, and no count");
   if (!mt_is_nullish (stored) && (!mt_whole_number (stored, &i) || i < 0))
      return misfit_number (w, n, n->agg.n, "a count", stored);
   for (size_t k = 0; k < n->agg.measure_count; k++)
      if (!check_sum (w, n, cell, sums.count, &n->agg.measures[k]))
         return false;
   return true;
}

static bool take_sums (MtWalk *w, const MtNode *n, MtVal cell, CellSums sums)
{
   if ((w->whole || w->leaf == n || is_finest (n)) && !check_sums (w, n, cell, sums))
      return false;
   if (sums.count == 0 || (sums.count < 0 && n->agg.zero_is_absent && sums.zero)) {
      w->found.ahead = true;
      return true;
   }
   if (w->beyond)
      return mt_walk_misfit (w, w->beyond, "", "%s", w->beyond_why);
   w->found.leaves++;
   if (w->counting)
      w->found.records += sums.count > 0 ? (double) sums.count : 1;
   if (w->time.known)
      see_interval (w);
   if (w->taker.sums)
      w->taker.sums (w->taker.ctx, w, n, cell, sums.count);
   return true;
}

/* ---- levels ---- */

static bool walk_level (MtWalk *w, const MtNode *n, MtVal parent, bool counting);

/* Returns whether the walk visits nesting level n. If the walk is for one leaf (w->leaf), it visits
 * this leaf and the levels above it; else all levels. */
static bool follows (const MtWalk *w, const MtNode *n)
{
   for (const MtNode *p = w->leaf; p; p = p->parent)
      if (p == n)
         return true;
   return !w->leaf;
}

static double value_size (MtVal v)
{
   switch (v.type) {
   case MT_DOC:
   case MT_ARRAY: return v.len;
   case MT_STRING: return v.len + 5;
   case MT_INT32: return 4;
   case MT_NULL: return 0;
   }
   return 8;
}

static bool is_left_out (MtVal v) { return mt_is_nullish (v) || (v.type == MT_DOC && v.len == 5); }

/* Walks the levels nested in a cell (array or map element) with value v. If w->whole, it is an
 * error that one redundant copy of the sums is missing while another has data. */
static bool walk_below (MtWalk *w, const MtNode *n, MtVal v, bool counting)
{
   const MtNode *missing = NULL;
   bool any = false;
   for (size_t i = 0; i < n->sub_count; i++) {
      const MtNode *sub = n->subs[i];
      uint64_t before = w->found.leaves;
      if (follows (w, sub) && !walk_level (w, sub, v, counting && i == 0))
         return false;
      any = any || w->found.leaves > before;
      if (*sub->at && mt_keeps_sums_alone (sub) && is_left_out (mt_path_get (v, sub->at)))
         missing = sub;
   }
   if (!w->whole || n->sub_count < 2 || !any || !missing)
      return true;
   mt_walk_misfit (w, missing, "", "there is nothing, but other levels have counted something");
   return mt_error_hint (
      w->err,
      "A layout with presums = 'ignore' reads the finest of its levels only; SET on_malformed = "
      "'skip' leaves such documents out with a warning.");
}

static void count_cell (MtWalk *w, const MtNode *n, MtStr key, MtVal v)
{
   if (!w->found.nodes)
      return;
   w->found.nodes[n->id].cells++;
   w->found.nodes[n->id].bytes += value_size (v) + (double) key.n + 2;
}

static bool walk_cell (MtWalk *w, const MtNode *n, MtStr key, size_t index, MtVal v, bool counting)
{
   int keys = w->key_count;
   MtWalkTime time = w->time;
   const MtNode *beyond = w->beyond;
   CellSums sums;
   if (mt_is_listed (n) && v.type != MT_DOC)
      return mt_walk_misfit (w, n, "", "an element is of type %s, not a document",
                             mt_v_type_name (v));
   for (size_t i = 0; i < n->bind_count; i++)
      if (!bind (w, n, &n->binds[i], key, index, v))
         return false;
   if (!read_agg (w, n, v, &sums))
      return false;
   count_cell (w, n, key, v);
   w->counting = counting;
   if (n->raw.present && !take_records (w, n, v))
      return false;
   if (!n->raw.present && !n->sub_count && !take_sums (w, n, v, sums))
      return false;
   if (!walk_below (w, n, v, counting))
      return false;
   for (size_t i = 0; i < n->bind_count; i++)
      if (n->binds[i].kind == MT_BIND_COLUMN)
         w->row[n->binds[i].column] = mt_v_null ();
   w->key_count = keys;
   w->time = time;
   w->beyond = beyond;
   return true;
}

static bool walk_level (MtWalk *w, const MtNode *n, MtVal parent, bool counting)
{
   MtVal v = mt_level_value (n, parent), x;
   MtCells cells;
   const char *why;
   if (mt_is_nullish (v))
      return true;
   if (n->kind == MT_NODE_SCALAR)
      return walk_cell (w, n, (MtStr) {"", 0}, 0, v, counting);
   if (!mt_cells_begin (w->a, n, v, &cells, &why))
      return mt_walk_misfit (w, n, "", "%s", why);
   if (w->found.nodes && n->parent && *n->at)
      w->found.nodes[n->parent->id].bytes -= value_size (v);
   MtStr key;
   for (size_t i = 0; mt_cells_next (&cells, &key, &x); i++) {
      if (mt_null_is_no_cell (n) && mt_is_nullish (x))
         continue;
      if (!walk_cell (w, n, key, i, x, counting))
         return false;
   }
   return true;
}

/* ---- documents ---- */

void mt_walk_init (MtWalk *w, MtArena *a, const MtTableStore *of, MtError *err)
{
   size_t keys = 0;
   for (size_t i = 0; i < of->s->node_count; i++)
      keys += of->s->nodes[i]->bind_count;
   *w = (MtWalk) {.a = a, .t = of->t, .l = of->l, .s = of->s, .err = err};
   w->key = MT_NEW_N (a, MtVal, keys + 1);
   w->row = MT_NEW_N (a, MtVal, of->t->column_count + 1);
}

bool mt_walk_document (MtWalk *w, MtVal doc)
{
   w->id = mt_doc_field (doc, "_id");
   w->key_count = 0;
   w->beyond = NULL;
   w->time.known = false;
   for (size_t i = 0; i < w->t->column_count; i++)
      w->row[i] = mt_v_null ();
   MtWalkCounts *f = &w->found, before = *f;
   f->any_time = false;
   bool ok = walk_cell (w, w->s->root, (MtStr) {"", 0}, 0, doc, true);
   if (f->any_time)
      f->spans_ms += (double) (f->max_time - f->min_time);
   if (before.any_time) {
      see_time (f, before.min_time);
      see_time (f, before.max_time);
   }
   return ok;
}
