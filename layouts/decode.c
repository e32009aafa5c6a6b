/* Reading documents by a descriptor: cell by cell down the tree. Merging, attaching and ANALYZE
 * stand on it. */
#include "layouts/cells.h"
#include "layouts/partition.h"
#include "layouts/attach.h"
#include "layouts/leaves.h"
#include "layouts/patch.h"
#include "layouts/writer_int.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Decode {
   MtArena *a;
   const MtTable *t;
   const MtLayout *l;
   const MtStoreDesc *s;
   const MtNode *leaf;    /* only the way to this leaf; NULL: all */
   const MtWriteWay *way; /* extras are made for it; NULL: none */
   MtVal part;            /* their first key, where the way has partitions */
   MtVal id;
   MtVal *key; /* bindings on the way down */
   int key_count;
   MtVal *row; /* by column: what the current record has */
   bool timed;
   int64_t time;         /* start of the interval, as far as it is composed */
   const MtNode *beyond; /* the level whose key says a time that there isn't, which is a fault when
                            something lies there; NULL: none */
   char beyond_why[96];
   MtUnit unit;      /* its length, once it is timed by a trunc or a part */
   uint64_t present; /* fields of the descriptor that were found */
   uint64_t leaves;
   bool ahead; /* a cell was there that was made ahead of its records */
   bool whole; /* a copy that is left out is a misfit */
   double records;
   bool counting; /* on the first way: records are counted there */
   bool any_time;
   int64_t min_time, max_time;
   MtNodeStats *stats; /* by node; NULL: not wanted */
   MtExtra *extras;
   size_t extra_count, extra_cap;
   const MtNode *source; /* rows are made of this node's records; NULL: none */
   MtVal **rows;
   size_t row_count, row_cap;
   bool summed; /* rows are made of the sums of leaf `source`, too, with: */
   int64_t *row_n, **row_nonnull;
   MtError *err;
} Decode;

static bool misfit (Decode *d, const MtNode *n, const char *path, const char *fmt, ...)
   __attribute__ ((format (printf, 4, 5)));
static bool misfit (Decode *d, const MtNode *n, const char *path, const char *fmt, ...)
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
   mt_v_to_json (d->id, false, &id);
   mt_error (d->err, MT_E_CORRUPT,
             "a document of collection \"%s\" doesn't have the shape of layout \"%s\"",
             d->s->collection, d->l->name);
   mt_error_detail (d->err, "Document %.200s, at \"%.150s\": %s.", id.p, where.n ? where.p : "",
                    what);
   mt_buf_free (&where);
   mt_buf_free (&id);
   return false;
}

/* The encoding is named where it isn't the type's own. */
static bool unreadable (Decode *d, const MtNode *n, const char *path, const MtEncoding *e, MtType t,
                        MtVal stored)
{
   const char *type = mt_type_info (t.id)->display, *found = mt_v_type_name (stored);
   if (e->kind == MT_ENC_NATIVE)
      return misfit (d, n, path, "a value of type %s can't be read as %s", found, type);
   return misfit (d, n, path, "a value of type %s can't be read as %s (encoding \"%s\")", found,
                  type, mt_encoding_words[e->kind]);
}

/* ---- bindings ---- */

/* Of sums, a cell without any may have been made beforehand for a 31st of June. */
static bool no_such_time (Decode *d, const MtNode *n, const MtBinding *b, const char *fmt, ...)
   __attribute__ ((format (printf, 4, 5)));
static bool no_such_time (Decode *d, const MtNode *n, const MtBinding *b, const char *fmt, ...)
{
   char what[sizeof d->beyond_why];
   va_list ap;
   va_start (ap, fmt);
   vsnprintf (what, sizeof what, fmt, ap);
   va_end (ap);
   if (b->from == MT_FROM_FIELD || !n || !mt_keeps_sums_alone (n))
      return misfit (d, n, b->at, "%s", what);
   if (!d->beyond)
      memcpy (d->beyond_why, what, sizeof what);
   d->beyond = d->beyond ? d->beyond : n;
   return true;
}

static bool compose (Decode *d, const MtNode *n, const MtBinding *b, MtVal v)
{
   if (mt_is_nullish (v))
      return misfit (d, n, b->at, "the time's %s is missing", mt_unit_name (b->unit));
   if (b->kind == MT_BIND_TIME_TRUNC) {
      if (mt_utc_floor (v.i, b->unit) != v.i)
         return misfit (d, n, b->at, "the time is not the start of a %s", mt_unit_name (b->unit));
      d->time = v.i;
   } else {
      int64_t count = mt_part_count (b->unit, b->of), part = v.i - b->base;
      if (b->of != MT_UNIT_EPOCH && (part < 0 || part >= count))
         return no_such_time (d, n, b, "%lld is no %s of the %s", (long long) v.i,
                              mt_unit_name (b->unit), mt_unit_name (b->of));
      int64_t most = mt_unit_ms (b->unit) ? INT64_C (9224318016000000) / mt_unit_ms (b->unit) : 12;
      if (part > most || part < -most)
         return misfit (d, n, b->at, "the time is out of range");
      int64_t time = mt_utc_add (mt_utc_floor (d->time, b->of), b->unit, part);
      if (d->timed && mt_utc_floor (time, d->unit) != d->time)
         return no_such_time (d, n, b, "the %s is outside the %s above it", mt_unit_name (b->unit),
                              mt_unit_name (d->unit));
      d->time = time;
   }
   d->timed = true;
   d->unit = b->unit;
   return true;
}

/* Whether a time isn't within the unit that the levels above it say. */
static bool outside (const Decode *d, int64_t ms)
{
   return d->timed && d->unit != MT_UNIT_MS && mt_utc_floor (ms, d->unit) != d->time;
}

static bool bound (Decode *d, const MtNode *n, const MtBinding *b, MtVal v)
{
   d->key[d->key_count++] = v;
   if (b->kind != MT_BIND_COLUMN)
      return compose (d, n, b, v);
   d->row[b->column] = v;
   if (b->column == d->t->time_column && mt_is_nullish (v) && d->t->columns[b->column].not_null)
      return misfit (d, n, b->at, "there is no time");
   if (b->column == d->t->time_column && v.type == MT_DATE) {
      if (outside (d, v.i))
         return misfit (d, n, b->at, "the time is outside the %s above it", mt_unit_name (d->unit));
      d->time = v.i;
      d->unit = MT_UNIT_MS;
      d->timed = true;
   }
   return true;
}

static bool bind_id (Decode *d, const MtBinding *b)
{
   MtVal v;
   if (!mt_id_value (d->a, d->t, d->s, b->id_part, d->id, &v))
      return misfit (d, NULL, "_id", "it isn't composed as \"id\" says, %swith %s where %s is",
                     d->s->escape == MT_ESCAPE_NONE ? "without escapes, " : "",
                     mt_type_info (mt_binding_type (d->t, b).id)->display,
                     b->kind == MT_BIND_COLUMN ? d->t->columns[b->column].name
                                               : mt_unit_name (b->unit));
   d->present++;
   return bound (d, NULL, b, v);
}

static bool bind (Decode *d, const MtNode *n, const MtBinding *b, MtStr key, size_t index,
                  MtVal cell)
{
   MtVal stored, v;
   if (b->from == MT_FROM_ID)
      return bind_id (d, b);
   if (b->from == MT_FROM_KEY)
      stored = mt_v_str (key.p, key.n);
   else if (b->from == MT_FROM_INDEX)
      stored = mt_v_int64 ((int64_t) index);
   else
      stored = mt_path_get (cell, b->at);
   MtType t = mt_binding_type (d->t, b);
   /* A map's key is text whatever the encoding says of it. */
   if (!mt_decode (d->a, &b->encoding, t, stored, &v))
      return unreadable (d, n, b->from == MT_FROM_FIELD ? b->at : "", &b->encoding, t, stored);
   d->present += stored.type != MT_MISSING;
   return bound (d, n, b, v);
}

/* ---- leaves ---- */

static void add_extra (Decode *d, MtVal *pay, int64_t *nonnull, int64_t n)
{
   MT_GROW_IN (d->a, d->extras, d->extra_count, d->extra_cap, 64);
   MtVal *key = MT_NEW_N (d->a, MtVal, d->key_count + 1);
   memcpy (key, d->key, (size_t) d->key_count * sizeof *key);
   d->extras[d->extra_count++] = (MtExtra) {
      .key = key, .pay = pay, .n = n, .nonnull = nonnull, .time = d->time};
}

static void see_time (Decode *d, int64_t t)
{
   d->min_time = !d->any_time || t < d->min_time ? t : d->min_time;
   d->max_time = !d->any_time || t > d->max_time ? t : d->max_time;
   d->any_time = true;
}

/* Records somewhere in the interval that the cells on the way say. */
static void see_cell (Decode *d)
{
   see_time (d, d->time);
   see_time (d, mt_utc_next (d->time, d->unit) - 1);
}

static void add_row (Decode *d)
{
   size_t n = d->t->column_count;
   int tc = d->t->time_column;
   MT_GROW_IN (d->a, d->rows, d->row_count, d->row_cap, 16);
   MtVal *row = MT_NEW_N (d->a, MtVal, n + 1);
   memcpy (row, d->row, n * sizeof *row);
   if (tc >= 0 && row[tc].type != MT_DATE && d->timed)
      row[tc] = mt_v_date (d->time);
   d->rows[d->row_count++] = row;
}

static int64_t whole (MtVal v)
{
   int64_t i;
   return mt_whole_number (v, &i) ? i : 0;
}

/* A leaf that keeps sums, as a row that has them in its measures' places. */
static void add_sums (Decode *d, const MtNode *n, MtVal cell, int64_t count)
{
   size_t width = d->t->column_count, at = d->row_count, cap = d->row_cap;
   int64_t *nonnull = MT_NEW_N (d->a, int64_t, width + 1);
   for (size_t i = 0; i < n->agg.measure_count; i++) {
      const MtMeasureAgg *m = &n->agg.measures[i];
      MtVal sum = m->sum ? mt_path_get (cell, m->sum) : mt_v_null ();
      d->row[m->column] = sum.type == MT_MISSING ? mt_v_null () : sum;
      nonnull[m->column] = m->nonnull            ? whole (mt_path_get (cell, m->nonnull))
                           : mt_is_nullish (sum) ? 0
                           : count > 0           ? count
                                                 : 1;
   }
   add_row (d);
   if (cap != d->row_cap) {
      int64_t *counts = MT_NEW_N (d->a, int64_t, d->row_cap),
              **lists = MT_NEW_N (d->a, int64_t *, d->row_cap);
      if (at) {
         memcpy (counts, d->row_n, at * sizeof *counts);
         memcpy (lists, d->row_nonnull, at * sizeof *lists);
      }
      d->row_n = counts;
      d->row_nonnull = lists;
   }
   d->row_n[at] = count > 0 ? count : 0;
   d->row_nonnull[at] = nonnull;
   for (size_t i = 0; i < n->agg.measure_count; i++)
      d->row[n->agg.measures[i].column] = mt_v_null ();
}

static bool take_record (Decode *d, const MtNode *n, MtVal rec)
{
   const MtRaw *r = &n->raw;
   int tc = d->t->time_column;
   for (size_t i = 0; i < r->count; i++) {
      MtVal stored = mt_path_get (rec, r->paths[i]);
      MtType t = d->t->columns[r->columns[i]].type;
      if (!mt_decode (d->a, &r->encodings[i], t, stored, &d->row[r->columns[i]]))
         return unreadable (d, n, r->paths[i], &r->encodings[i], t, stored);
      d->present += stored.type != MT_MISSING;
      if (r->columns[i] == tc && mt_is_nullish (d->row[tc]) && d->t->columns[tc].not_null)
         return misfit (d, n, r->paths[i], "there is no time");
      if (r->columns[i] == tc && d->row[tc].type == MT_DATE && outside (d, d->row[tc].i))
         return misfit (d, n, r->paths[i], "the time is outside the %s above it",
                        mt_unit_name (d->unit));
   }
   d->leaves++;
   d->records += d->counting;
   if (tc >= 0 && d->row[tc].type == MT_DATE)
      see_time (d, d->row[tc].i);
   else if (d->timed)
      see_cell (d);
   if (n == d->source)
      add_row (d);
   if (!d->way)
      return true;
   MtVal *pay = MT_NEW_N (d->a, MtVal, d->way->pay_count + 1);
   for (int i = 0; i < d->way->pay_count; i++) {
      int c = d->way->pay[i];
      pay[i] = c == tc && d->row[c].type != MT_DATE && d->timed ? mt_v_date (d->time) : d->row[c];
   }
   add_extra (d, pay, NULL, 1);
   return true;
}

static bool take_records (Decode *d, const MtNode *n, MtVal cell)
{
   if (!n->raw.many)
      return take_record (d, n, cell);
   MtVal array = mt_path_get (cell, n->raw.at), rec;
   if (mt_is_nullish (array))
      return true;
   if (array.type != MT_ARRAY)
      return misfit (d, n, n->raw.at, "it is of type %s, not an array", mt_v_type_name (array));
   MtDocIter it = mt_doc_iter (array);
   MtStr key;
   bool whole = n->raw.count == 1 && !*n->raw.paths[0];
   while (mt_doc_next (&it, &key, &rec)) {
      if (!whole && rec.type != MT_DOC)
         return misfit (d, n, n->raw.at, "a record is of type %s, not a document",
                        mt_v_type_name (rec));
      if (!take_record (d, n, rec))
         return false;
   }
   return true;
}

/* Stored numbers are numbers; *n is the cell's count, -1 when it isn't kept; *zero: all sums are 0
 * or missing. */
static bool check_agg (Decode *d, const MtNode *n, MtVal cell, int64_t *count, bool *zero)
{
   *count = -1;
   *zero = true;
   if (n->agg.n) {
      MtVal v = mt_path_get (cell, n->agg.n);
      if (!mt_is_nullish (v) && !mt_is_number (v))
         return misfit (d, n, n->agg.n, "a count is of type %s", mt_v_type_name (v));
      d->present += !mt_is_nullish (v);
      *count = whole (v);
   }
   for (size_t i = 0; i < n->agg.measure_count; i++) {
      const MtMeasureAgg *m = &n->agg.measures[i];
      if (!m->sum)
         continue;
      MtVal v = mt_path_get (cell, m->sum);
      if (!mt_is_nullish (v) && !mt_is_number (v))
         return misfit (d, n, m->sum, "a sum is of type %s", mt_v_type_name (v));
      d->present += !mt_is_nullish (v);
      *zero = *zero && (mt_is_nullish (v) || mt_v_compare_numbers (v, mt_v_int32 (0)) == 0);
   }
   return true;
}

/* The copy that tells most, with all above it: what the others say can be made of it again. */
static bool is_finest (const MtNode *n)
{
   for (; n->parent; n = n->parent)
      if (n != n->parent->subs[n->parent->sub_count - 1])
         return false;
   return true;
}

/* The sum of a column of whole numbers may be larger than they, but is none of halves, and no
 * NaN. */
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

static bool misfit_number (Decode *d, const MtNode *n, const char *path, const char *what, MtVal v)
{
   MtBuf text = {0};
   mt_v_to_json (v, false, &text);
   misfit (d, n, path, "%s is %s", what, text.p);
   mt_buf_free (&text);
   return false;
}

/* What a leaf has counted and added up is taken as it is, so it is numbers that can be counts and
 * sums. */
static bool check_sums (Decode *d, const MtNode *n, MtVal cell, int64_t count, bool zero)
{
   MtVal stored = n->agg.n ? mt_path_get (cell, n->agg.n) : mt_v_null ();
   int64_t i;
   if (n->agg.n && mt_is_nullish (stored) && !zero)
      return misfit (d, n, n->agg.n, "there is a sum, and no count");
   if (!mt_is_nullish (stored) && (!mt_whole_number (stored, &i) || i < 0))
      return misfit_number (d, n, n->agg.n, "a count", stored);
   for (size_t k = 0; k < n->agg.measure_count; k++) {
      const MtMeasureAgg *m = &n->agg.measures[k];
      const MtColumn *c = &d->t->columns[m->column];
      MtVal sum = m->sum ? mt_path_get (cell, m->sum) : mt_v_null (),
            nonnull = m->nonnull ? mt_path_get (cell, m->nonnull) : mt_v_null ();
      if (!mt_is_nullish (sum) && !is_sum_of (sum, c->type))
         return misfit_number (d, n, m->sum, "a sum of whole numbers", sum);
      if (m->sum && mt_is_nullish (sum) && c->not_null && !n->agg.zero_is_absent &&
          (!n->agg.n || count > 0))
         return misfit (d, n, m->sum, "there is a count, and no sum");
      if (!mt_is_nullish (nonnull) && !mt_whole_number (nonnull, &i))
         return misfit_number (d, n, m->nonnull, "a count", nonnull);
   }
   return true;
}

static bool take_sums (Decode *d, const MtNode *n, MtVal cell, int64_t count, bool zero)
{
   if ((d->whole || d->leaf == n || is_finest (n)) && !check_sums (d, n, cell, count, zero))
      return false;
   if (count == 0 || (count < 0 && n->agg.zero_is_absent && zero)) {
      d->ahead = true;
      return true;
   }
   if (d->beyond)
      return misfit (d, d->beyond, "", "%s", d->beyond_why);
   d->leaves++;
   if (d->counting)
      d->records += count > 0 ? (double) count : 1;
   if (d->timed)
      see_cell (d);
   if (d->summed && n == d->source)
      add_sums (d, n, cell, count);
   if (!d->way)
      return true;
   MtVal *pay = MT_NEW_N (d->a, MtVal, d->way->pay_count + 1);
   int64_t *nonnull = MT_NEW_N (d->a, int64_t, d->way->pay_count + 1);
   for (int i = 0; i < d->way->pay_count; i++) {
      int c = d->way->pay[i];
      pay[i] = c == d->t->time_column && d->timed ? mt_v_date (d->time) : mt_v_null ();
      for (size_t k = 0; k < n->agg.measure_count; k++) {
         const MtMeasureAgg *m = &n->agg.measures[k];
         if (m->column != c)
            continue;
         pay[i] = m->sum ? mt_path_get (cell, m->sum) : mt_v_int32 (0);
         nonnull[i] = m->nonnull ? whole (mt_path_get (cell, m->nonnull)) : count > 0 ? count : 1;
      }
   }
   add_extra (d, pay, nonnull, count > 0 ? count : 0);
   return true;
}

/* ---- levels ---- */

static bool walk (Decode *d, const MtNode *n, MtVal parent, bool counting);

static bool follows (const Decode *d, const MtNode *n)
{
   for (const MtNode *p = d->leaf; p; p = p->parent)
      if (p == n)
         return true;
   return !d->leaf;
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

/* The levels below a cell. Of copies of sums none is left out while another has some. */
static bool walk_below (Decode *d, const MtNode *n, MtVal v, bool counting)
{
   const MtNode *missing = NULL;
   bool any = false;
   for (size_t i = 0; i < n->sub_count; i++) {
      const MtNode *sub = n->subs[i];
      uint64_t before = d->leaves;
      if (follows (d, sub) && !walk (d, sub, v, counting && i == 0))
         return false;
      any = any || d->leaves > before;
      if (*sub->at && mt_keeps_sums_alone (sub) && is_left_out (mt_path_get (v, sub->at)))
         missing = sub;
   }
   if (!d->whole || n->sub_count < 2 || !any || !missing)
      return true;
   misfit (d, missing, "", "there is nothing, but other levels have counted something");
   return mt_error_hint (
      d->err,
      "A layout with presums = 'ignore' reads the finest of its levels only; SET on_malformed = 'skip' leaves such documents out with a warning.");
}

static bool cell (Decode *d, const MtNode *n, MtStr key, size_t index, MtVal v, bool counting)
{
   int keys = d->key_count;
   bool timed = d->timed, zero;
   int64_t time = d->time, count;
   MtUnit unit = d->unit;
   const MtNode *beyond = d->beyond;
   bool needs_doc = mt_is_listed (n);
   if (needs_doc && v.type != MT_DOC)
      return misfit (d, n, "", "an element is of type %s, not a document", mt_v_type_name (v));
   for (size_t i = 0; i < n->bind_count; i++)
      if (!bind (d, n, &n->binds[i], key, index, v))
         return false;
   if (!check_agg (d, n, v, &count, &zero))
      return false;
   if (d->stats) {
      d->stats[n->id].cells++;
      d->stats[n->id].bytes += value_size (v) + (double) key.n + 2;
   }
   d->counting = counting;
   if (n->raw.present) {
      if (!take_records (d, n, v))
         return false;
   } else if (!n->sub_count && !take_sums (d, n, v, count, zero))
      return false;
   if (!walk_below (d, n, v, counting))
      return false;
   for (size_t i = 0; i < n->bind_count; i++)
      if (n->binds[i].kind == MT_BIND_COLUMN)
         d->row[n->binds[i].column] = mt_v_null ();
   d->key_count = keys;
   d->timed = timed;
   d->time = time;
   d->unit = unit;
   d->beyond = beyond;
   return true;
}

static bool walk (Decode *d, const MtNode *n, MtVal parent, bool counting)
{
   MtVal v = mt_level_value (n, parent), x;
   MtCells cells;
   const char *why;
   if (mt_is_nullish (v))
      return true;
   if (n->kind == MT_NODE_SCALAR)
      return cell (d, n, (MtStr) {"", 0}, 0, v, counting);
   if (!mt_cells_begin (d->a, n, v, &cells, &why))
      return misfit (d, n, "", "%s", why);
   if (d->stats && n->parent && *n->at)
      d->stats[n->parent->id].bytes -= value_size (v);
   MtStr key;
   for (size_t i = 0; mt_cells_next (&cells, &key, &x); i++) {
      if (mt_null_is_no_cell (n) && mt_is_nullish (x))
         continue;
      if (!cell (d, n, key, i, x, counting))
         return false;
   }
   return true;
}

static void decode_init (Decode *d, MtArena *a, const MtTable *t, const MtLayout *l,
                         const MtStoreDesc *s, MtError *err)
{
   size_t keys = 0;
   for (size_t i = 0; i < s->node_count; i++)
      keys += s->nodes[i]->bind_count;
   *d = (Decode) {.a = a, .t = t, .l = l, .s = s, .err = err};
   d->key = MT_NEW_N (a, MtVal, keys + 2);
   d->row = MT_NEW_N (a, MtVal, t->column_count + 1);
}

static bool decode_doc (Decode *d, MtVal doc)
{
   d->id = mt_doc_get (doc, "_id", 3);
   d->key_count = 0;
   d->beyond = NULL;
   if (d->way && d->way->part)
      d->key[d->key_count++] = d->part;
   d->timed = false;
   for (size_t i = 0; i < d->t->column_count; i++)
      d->row[i] = mt_v_null ();
   return cell (d, d->s->root, (MtStr) {"", 0}, 0, doc, true);
}

/* ---- the records of a document ---- */

const MtNode *mt_store_records (const MtStoreDesc *s)
{
   for (size_t i = 0; i < s->node_count; i++)
      if (s->nodes[i]->raw.present)
         return s->nodes[i];
   return NULL;
}

bool mt_decode_records (MtArena *a, const MtTable *t, const MtLayout *l, const MtStoreDesc *s,
                        MtVal doc, MtVal ***rows, size_t *count, MtStoreStats *seen, MtError *err)
{
   Decode d;
   decode_init (&d, a, t, l, s, err);
   d.source = mt_store_records (s);
   d.stats = MT_NEW_N (a, MtNodeStats, s->node_count);
   if (!decode_doc (&d, doc))
      return false;
   *rows = d.rows;
   *count = d.row_count;
   *seen = (MtStoreStats) {
      .present = true, .documents = 1, .bytes = doc.len, .records = d.records, .nodes = d.stats};
   return true;
}

bool mt_decode_leaves (MtArena *a, const MtTable *t, const MtLayout *l, const MtStoreDesc *s,
                       const MtNode *leaf, MtVal doc, MtLeaf **out, size_t *count, MtError *err)
{
   Decode d;
   decode_init (&d, a, t, l, s, err);
   d.leaf = d.source = leaf;
   d.summed = !leaf->raw.present;
   if (!decode_doc (&d, doc))
      return false;
   *out = MT_NEW_N (a, MtLeaf, d.row_count + 1);
   *count = d.row_count;
   for (size_t i = 0; i < d.row_count; i++)
      (*out)[i] = d.summed ? (MtLeaf) {d.rows[i], d.row_n[i], d.row_nonnull[i]}
                           : (MtLeaf) {d.rows[i], 1, NULL};
   return true;
}

/* ---- merging ---- */

static int compare_extras (const void *a, const void *b, void *ctx)
{
   const MtExtra *x = a, *y = b;
   int diff, c = mt_keys_compare (x->key, y->key, ((const MtWriteWay *) ctx)->key_count, &diff);
   return c ? c : (a > b) - (a < b);
}

/* The leaves of a way that has no records, made of those that the document has elsewhere: sums
 * alone don't tell an extreme. */
static bool decode_other_records (Decode *d, MtVal doc)
{
   const MtWriteWay *w = d->way;
   d->way = NULL;
   d->leaf = d->source = mt_store_records (d->s);
   if (!decode_doc (d, doc))
      return false;
   d->extras = MT_NEW_N (d->a, MtExtra, d->row_count + 1);
   for (size_t i = 0; i < d->row_count; i++) {
      const MtVal *row = d->rows[i];
      MtExtra *x = &d->extras[d->extra_count++];
      *x = (MtExtra) {.key = MT_NEW_N (d->a, MtVal, w->key_count + 1),
                      .pay = MT_NEW_N (d->a, MtVal, w->pay_count + 1),
                      .n = 1};
      for (int k = 0; k < w->key_count; k++)
         x->key[k] = mt_binding_value (d->t, w->keys[k].bind, row);
      for (int k = 0; k < w->pay_count; k++)
         x->pay[k] = row[w->pay[k]];
      x->time = d->t->time_column >= 0 && row[d->t->time_column].type == MT_DATE
                   ? row[d->t->time_column].i
                   : 0;
   }
   return true;
}

bool mt_decode_way (MtArena *a, const MtTable *t, const MtLayout *l, const MtWriteWay *w,
                    MtVal part, MtVal doc, MtExtra **out, size_t *count, MtError *err)
{
   Decode d;
   decode_init (&d, a, t, l, w->store, err);
   d.leaf = w->leaf;
   d.way = w;
   d.part = part;
   bool elsewhere = !w->leaf->raw.present && mt_store_records (w->store);
   if (!(elsewhere ? decode_other_records (&d, doc) : decode_doc (&d, doc)))
      return false;
   /* Ours are in order already; others' are sorted, equal ones as they come: qsort_r of glibc
    * merges, so it is stable. */
   if (d.extra_count)
      qsort_r (d.extras, d.extra_count, sizeof *d.extras, compare_extras, (void *) (uintptr_t) w);
   *out = d.extras;
   *count = d.extra_count;
   return true;
}

/* ---- attaching ---- */

/* Documents of a new series have nothing yet: so many of them may be a collection's first. */
#define MOST_EMPTY 100

/* Of a collection's documents the first ones, or all (0). */
static bool open_scan (MtEngine *e, const char *collection, int64_t limit, MtCursor **out,
                       MtError *err)
{
   bson_t pipeline = BSON_INITIALIZER, stage;
   if (limit) {
      bson_append_document_begin (&pipeline, "0", 1, &stage);
      bson_append_int64 (&stage, "$limit", 6, limit);
      bson_append_document_end (&pipeline, &stage);
   }
   bool ok = mt_engine_aggregate (
      e, &(MtAggregateArgs) {.collection = collection, .pipeline = &pipeline}, out, err);
   bson_destroy (&pipeline);
   return ok;
}

/* Documents fit, from the first to one that has a record, or a cell for some; where none has, the
 * records may lie elsewhere. */
static bool first_fit (Decode *d, MtCursor *c, const bson_t *doc, bool *fits, MtError *err)
{
   MtVal first = mt_v_copy (d->a, mt_doc_get (mt_v_doc (doc), "_id", 3));
   while (doc && !d->leaves && !d->ahead) {
      d->present = 0;
      *fits = decode_doc (d, mt_v_doc (doc)) &&
              (d->present || misfit (d, NULL, "", "none of the descriptor's fields is there"));
      if (!*fits)
         return true;
      if (!mt_cursor_next (c, &doc, err))
         return false;
   }
   d->id = first;
   *fits = d->leaves || d->ahead || misfit (d, NULL, "", "there is no record in it");
   return true;
}

/* A partition's name says of which time its records are. */
static bool first_lies_within (Decode *d, const MtPartition *p)
{
   return !p || !d->any_time || (p->start_ms <= d->min_time && d->max_time < p->end_ms) ||
          misfit (d, NULL, "", "its time isn't that of the collection's name");
}

static bool check_store (MtEngine *e, const MtTable *t, const MtLayout *l, const MtStoreDesc *s,
                         const MtPartition *part, MtArena *a, MtError *err)
{
   bool has, fits = true;
   MtCursor *c;
   const bson_t *doc = NULL;
   if (!mt_engine_has_collection (e, s->collection, &has, err))
      return false;
   if (!has)
      return true;
   if (!open_scan (e, s->collection, MOST_EMPTY, &c, err))
      return false;
   MtArena *each = mt_arena_new ("sample", a);
   bool ok = mt_cursor_next (c, &doc, err);
   if (ok && doc) {
      Decode d;
      decode_init (&d, each, t, l, s, err);
      ok = first_fit (&d, c, doc, &fits, err);
      fits = fits && first_lies_within (&d, part);
      if (ok && !fits)
         memcpy (err->sqlstate, MT_E_INVALID_DEFINITION, sizeof err->sqlstate);
   }
   mt_arena_free (each);
   mt_cursor_free (c);
   return ok && fits;
}

bool mt_document_fits (MtArena *a, const MtTable *t, const MtLayout *l, const MtStoreDesc *s,
                       MtVal doc, MtError *err)
{
   Decode d;
   decode_init (&d, a, t, l, s, err);
   d.whole = l->presums != MT_PRESUMS_IGNORE;
   return decode_doc (&d, doc);
}

bool mt_layout_check_first (MtEngine *e, const MtTable *t, const MtLayout *l, MtArena *a,
                            MtError *err)
{
   for (size_t i = 0; i < l->store_count; i++) {
      size_t n;
      const char *const *names = mt_store_collections_of (a, &l->stores[i], &n);
      for (size_t k = 0; k < n; k++) {
         MtStoreDesc s = mt_store_alone (&l->stores[i], names[k]);
         if (!check_store (e, t, l, &s, l->stores[i].parts ? &l->stores[i].parts->list[k] : NULL, a,
                           err))
            return false;
      }
   }
   return true;
}

static bool each_lies_within (MtCursor *c, const MtTable *t, const MtLayout *l,
                              const MtStoreDesc *s, const MtPartition *part, MtArena *each,
                              MtError *err)
{
   const bson_t *doc;
   bool ok;
   while ((ok = mt_cursor_next (c, &doc, err)) && doc) {
      Decode d;
      decode_init (&d, each, t, l, s, err);
      d.whole = l->presums != MT_PRESUMS_IGNORE;
      d.id = mt_doc_get (mt_v_doc (doc), "_id", 3);
      if (!decode_doc (&d, mt_v_doc (doc)) || !first_lies_within (&d, part))
         return false;
      mt_arena_reset (each);
   }
   return ok;
}

bool mt_layout_check_partitions (MtEngine *e, const MtTable *t, const MtLayout *l, MtArena *a,
                                 MtError *err)
{
   bool ok = true;
   for (size_t i = 0; i < l->store_count && ok; i++) {
      const MtStoreDesc *s = &l->stores[i];
      for (size_t k = 0; s->parts && k < s->parts->count && ok; k++) {
         MtStoreDesc alone = mt_store_alone (s, s->parts->list[k].collection);
         MtCursor *c;
         if (!open_scan (e, alone.collection, 0, &c, err))
            return false;
         MtArena *each = mt_arena_new ("partition", a);
         ok = each_lies_within (c, t, l, &alone, &s->parts->list[k], each, err);
         mt_arena_free (each);
         mt_cursor_free (c);
      }
   }
   return ok;
}

/* ---- ANALYZE ---- */

static void scale (MtStoreStats *st, const MtStoreDesc *s, const Decode *d, double read,
                   const MtCollStats *all)
{
   double factor = read > 0 && (double) all->documents > read ? (double) all->documents / read : 1;
   st->present = true;
   st->documents = read * factor;
   st->bytes = all->bytes ? (double) all->bytes : 0;
   st->records = d->records * factor;
   st->has_time = d->any_time && factor == 1;
   st->min_ms = d->min_time;
   st->max_ms = d->max_time;
   st->nodes = d->stats;
   for (size_t i = 0; i < s->node_count; i++) {
      st->nodes[i].cells *= factor;
      st->nodes[i].bytes = st->nodes[i].bytes > 0 ? st->nodes[i].bytes * factor : 0;
   }
}

static bool analyze_collection (MtEngine *e, const MtTable *t, const MtLayout *l,
                                const MtStoreDesc *s, MtArena *a, MtStoreStats *st,
                                uint64_t *malformed, MtError *err)
{
   MtCollStats all = {0};
   MtCursor *c;
   const bson_t *doc;
   if (!mt_engine_stats (e, s->collection, &all, err) || !open_scan (e, s->collection, 0, &c, err))
      return false;
   MtArena *each = mt_arena_new ("analyze", a);
   Decode d;
   MtError lost;
   decode_init (&d, a, t, l, s, &lost);
   d.stats = MT_NEW_N (a, MtNodeStats, s->node_count);
   d.a = each;
   double read = 0;
   bool ok;
   while ((ok = mt_cursor_next (c, &doc, err)) && doc) {
      if (decode_doc (&d, mt_v_doc (doc)))
         read++;
      else
         ++*malformed;
      mt_arena_reset (each);
   }
   mt_cursor_free (c);
   mt_arena_free (each);
   if (ok)
      scale (st, s, &d, read, &all);
   return ok;
}

static bool analyze_store (MtEngine *e, const MtTable *t, const MtLayout *l, const MtStoreDesc *s,
                           MtArena *a, MtStoreStats *st, uint64_t *malformed, MtError *err)
{
   size_t n;
   const char *const *names = mt_store_collections_of (a, s, &n);
   bool timed = true;
   for (size_t i = 0; i < n; i++) {
      MtStoreDesc alone = mt_store_alone (s, names[i]);
      MtStoreStats one = {0};
      if (!analyze_collection (e, t, l, &alone, a, &one, malformed, err))
         return false;
      timed = timed && (one.has_time || one.documents == 0);
      mt_stats_add (a, s, st, &one);
   }
   st->has_time = st->has_time && timed;
   if (!st->present)
      *st = (MtStoreStats) {.present = true, .nodes = MT_NEW_N (a, MtNodeStats, s->node_count)};
   return true;
}

bool mt_layout_analyze (MtEngine *e, const MtTable *t, const MtLayout *l, MtArena *a,
                        MtStoreStats *stats, uint64_t *malformed, MtError *err)
{
   uint64_t bad = 0;
   for (size_t i = 0; i < l->store_count; i++) {
      stats[i] = (MtStoreStats) {0};
      if (!analyze_store (e, t, l, &l->stores[i], a, &stats[i], &bad, err))
         return false;
   }
   if (malformed)
      *malformed = bad;
   return true;
}
