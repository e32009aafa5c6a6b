/* Finds faults in a document: stored counts, sums, extremes and times that differ from the values
 * computed from the records (or finest sums) below them. */
#include "layouts/read/faults.h"
#include "layouts/read/cells.h"
#include "layouts/read/decode.h"
#include "layouts/read/states.h"
#include "layouts/read/walk.h"
#include "layouts/stored.h"
#include "layouts/sums.h"

#include <math.h>

/* The sum, extremes and count of one measure, computed so far. */
typedef struct Part {
   MtSums sum, extremes;
   double mass; /* sum of the absolute values, for the tolerance */
   int64_t nonnull;
} Part;

typedef struct Total {
   int64_t n;
   Part *parts; /* one for each measure of the store */
} Total;

typedef struct Look {
   MtArena *a;
   const MtTable *t;
   const MtStoreDesc *s;
   int *measures; /* the columns for which some level stores sums or counts */
   size_t measure_count;
   Total *below;         /* for each depth: the total of all levels below the current cell */
   Total *one;           /* for each depth: the total of the last finished cell */
   MtRecords records;    /* all records of the document */
   size_t next_record;   /* index in `records` of the next record */
   MtStateCheck *states; /* NULL: no level stores aggregate states */
   MtBuf path;           /* path of the current cell */
   MtFault *faults;
   size_t count, capacity;
   bool failed;
   MtError *err;
} Look;

/* ---- the counts, sums and extremes that a level stores ---- */

static const MtMeasureAgg *kept (const MtNode *n, int column)
{
   for (size_t i = 0; i < n->agg.measure_count; i++)
      if (n->agg.measures[i].column == column)
         return &n->agg.measures[i];
   return NULL;
}

/* Returns the path at which nesting level n stores the number `kind` of a column; NULL: it does not
 * store this number. */
static const char *stored_at (const MtNode *n, MtFaultKind kind, int column)
{
   const MtMeasureAgg *m = column >= 0 ? kept (n, column) : NULL;
   switch (kind) {
   case MT_FAULT_COUNT: return n->agg.present ? n->agg.n : NULL;
   case MT_FAULT_NONNULL: return m ? m->nonnull : NULL;
   case MT_FAULT_SUM: return m ? m->sum : NULL;
   case MT_FAULT_MIN: return m ? m->min : NULL;
   case MT_FAULT_MAX: return m ? m->max : NULL;
   case MT_FAULT_FIRST:
   case MT_FAULT_LAST:
   case MT_FAULT_COPY:
   case MT_FAULT_STATE: break;
   }
   return NULL;
}

/* Returns the nested level from whose cells (array or map elements) the counts and sums of level n
 * are computed; NULL: n is a leaf. If n has several redundant ones, it is the last, which is the
 * finest. */
static const MtNode *refined (const MtNode *n)
{
   return n->sub_count ? n->subs[n->sub_count - 1] : NULL;
}

/* Returns whether a stored number of node n, such as a sum, can be computed: from its own fields,
 * or from records or nesting levels below. */
static bool gives (const MtNode *n, MtFaultKind kind, int column);

/* Returns whether a stored number of level n, such as a sum, can be computed from the level's
 * records, or from nested levels. */
static bool below_gives (const MtNode *n, MtFaultKind kind, int column)
{
   if (n->raw.present) {
      for (size_t i = 0; i < n->raw.count; i++)
         if (n->raw.columns[i] == column)
            return true;
      return kind == MT_FAULT_COUNT;
   }
   return n->sub_count && gives (refined (n), kind, column);
}

static bool gives (const MtNode *n, MtFaultKind kind, int column)
{
   return stored_at (n, kind, column) || below_gives (n, kind, column);
}

/* ---- computing totals ---- */

static void clear (const Look *k, Total *x)
{
   x->n = 0;
   for (size_t i = 0; i < k->measure_count; i++) {
      mt_sums_clear (&x->parts[i].sum);
      mt_sums_clear (&x->parts[i].extremes);
      x->parts[i].mass = 0;
      x->parts[i].nonnull = 0;
   }
}

static double magnitude (MtVal v)
{
   MtNum n;
   if (v.type == MT_DECIMAL)
      return mt_num_from_val (v, &n) ? fabs (mt_num_to_double (n)) : 0;
   return v.type == MT_DOUBLE ? fabs (v.d) : fabs ((double) v.i);
}

static void add_value (Part *p, MtVal v, MtTypeId type, int64_t nonnull)
{
   if (mt_is_nullish (v))
      return;
   mt_sums_value (&p->sum, v, type, false);
   p->mass += mt_is_number (v) ? magnitude (v) : 0;
   p->nonnull += nonnull;
}

static void add_total (const Look *k, Total *to, const Total *more)
{
   to->n += more->n;
   for (size_t i = 0; i < k->measure_count; i++) {
      MtTypeId type = k->t->columns[k->measures[i]].type.id;
      mt_sums_fold (&to->parts[i].sum, &more->parts[i].sum, type);
      mt_sums_fold (&to->parts[i].extremes, &more->parts[i].extremes, type);
      to->parts[i].mass += more->parts[i].mass;
      to->parts[i].nonnull += more->parts[i].nonnull;
   }
}

/* Adds the next record of the document to the aggregate states of the current cells (array or map
 * elements). The walk visits records in the order of k->records. */
static void add_to_states (Look *k, const MtNode *n)
{
   if (!k->states || n != mt_store_records (k->s) || k->next_record >= k->records.count)
      return;
   k->failed = k->failed ||
               !mt_state_check_add (k->states, n, k->records.rows[k->next_record++], k->err);
}

static void add_record (Look *k, const MtNode *n, MtVal rec, Total *to)
{
   to->n++;
   add_to_states (k, n);
   for (size_t i = 0; i < k->measure_count; i++)
      for (size_t j = 0; j < n->raw.count; j++)
         if (n->raw.columns[j] == k->measures[i]) {
            MtType type = k->t->columns[k->measures[i]].type;
            MtVal v;
            if (!mt_decode (k->a, &n->raw.encodings[j], type, mt_path_get (rec, n->raw.paths[j]),
                            &v))
               continue; /* can't happen: mt_decode_records has already decoded all values */
            add_value (&to->parts[i], v, type.id, 1);
            mt_sums_value (&to->parts[i].extremes, v, type.id, true);
         }
}

/* Adds those of the cell's stored numbers to total `to` that can't be computed from nested
 * levels. */
static void add_stored (const Look *k, const MtNode *n, MtVal cell, Total *to)
{
   if (stored_at (n, MT_FAULT_COUNT, -1) && !below_gives (n, MT_FAULT_COUNT, -1))
      to->n += mt_stored_count (mt_path_get (cell, n->agg.n));
   for (size_t i = 0; i < k->measure_count; i++) {
      int c = k->measures[i];
      MtTypeId type = k->t->columns[c].type.id;
      Part *p = &to->parts[i];
      const char *sum = stored_at (n, MT_FAULT_SUM, c),
                 *nonnull = stored_at (n, MT_FAULT_NONNULL, c),
                 *min = stored_at (n, MT_FAULT_MIN, c), *max = stored_at (n, MT_FAULT_MAX, c);
      if (sum && !below_gives (n, MT_FAULT_SUM, c))
         add_value (p, mt_path_get (cell, sum), type, 0);
      if (nonnull && !below_gives (n, MT_FAULT_NONNULL, c))
         p->nonnull += mt_stored_count (mt_path_get (cell, nonnull));
      if (min && !below_gives (n, MT_FAULT_MIN, c))
         mt_sums_value (&p->extremes, mt_path_get (cell, min), type, true);
      if (max && !below_gives (n, MT_FAULT_MAX, c))
         mt_sums_value (&p->extremes, mt_path_get (cell, max), type, true);
   }
}

/* ---- faults ---- */

/* Appends `path` to the current path, k->path. Returns the former length, by which the caller
 * restores it. */
static size_t go (Look *k, const char *path, size_t n)
{
   size_t back = k->path.n;
   if (!n)
      return back;
   if (back)
      mt_buf_addc (&k->path, MT_FAULT_SEPARATOR);
   size_t at = k->path.n;
   mt_buf_add (&k->path, path, n);
   for (size_t i = at; i < k->path.n; i++)
      if (k->path.p[i] == '.')
         k->path.p[i] = MT_FAULT_SEPARATOR;
   return back;
}

static void fault (Look *k, MtFaultKind kind, int column, const char *at, MtVal stored,
                   MtVal expected)
{
   MT_GROW_IN (k->a, k->faults, k->count, k->capacity, 8);
   size_t back = go (k, at, strlen (at));
   k->faults[k->count++] = (MtFault) {.kind = kind,
                                      .column = column,
                                      .path = mt_strndup (k->a, k->path.p ? k->path.p : "",
                                                          k->path.n),
                                      .stored = stored,
                                      .expected = mt_v_copy (k->a, expected)};
   k->path.n = back;
}

static MtVal count_value (int64_t n, uint8_t as)
{
   if (as == MT_DOUBLE)
      return mt_v_double ((double) n);
   return as == MT_INT32 && n <= INT32_MAX ? mt_v_int32 ((int32_t) n) : mt_v_int64 (n);
}

static bool equal_sums (MtVal x, MtVal y, bool doubles, double mass)
{
   MtVal zero = mt_v_int32 (0);
   x = mt_is_nullish (x) ? zero : x;
   y = mt_is_nullish (y) ? zero : y;
   if (!mt_is_number (x) || mt_v_compare_numbers (x, y) == 0)
      return mt_is_number (x);
   if (!doubles || x.type != MT_DOUBLE || y.type != MT_DOUBLE)
      return false;
   return fabs (x.d - y.d) <= 1e-9 * mass; /* false also for infinity and NaN */
}

static bool same_extreme (MtVal stored, MtVal expected)
{
   if (mt_is_nullish (stored) || mt_is_nullish (expected))
      return mt_is_nullish (stored) == mt_is_nullish (expected);
   return mt_v_compare (stored, expected) == 0;
}

static void compare_measure (Look *k, const MtNode *n, MtVal cell, const MtMeasureAgg *m,
                             const Part *p)
{
   MtTypeId type = k->t->columns[m->column].type.id;
   uint8_t decimal[16];
   if (m->nonnull && below_gives (n, MT_FAULT_NONNULL, m->column) &&
       mt_stored_count (mt_path_get (cell, m->nonnull)) != p->nonnull)
      fault (k, MT_FAULT_NONNULL, m->column, m->nonnull, mt_path_get (cell, m->nonnull),
             count_value (p->nonnull, n->agg.n_as ? n->agg.n_as : MT_INT32));
   if (m->sum && below_gives (n, MT_FAULT_SUM, m->column)) {
      MtVal stored = mt_path_get (cell, m->sum),
            expected = mt_sums_total (&p->sum, type, m->as, decimal);
      bool lacking = mt_is_nullish (stored) && !mt_is_nullish (expected) &&
                     !n->agg.zero_is_absent; /* then a missing sum is read as NULL */
      if (lacking ||
          !equal_sums (stored, expected, type == MT_T_FLOAT8 || type == MT_T_FLOAT4, p->mass))
         fault (k, MT_FAULT_SUM, m->column, m->sum, stored,
                mt_is_nullish (expected) && n->agg.zero_is_absent ? mt_v_int32 (0) : expected);
   }
   MtVal min = p->extremes.min.type == MT_MISSING ? mt_v_null () : p->extremes.min,
         max = p->extremes.max.type == MT_MISSING ? mt_v_null () : p->extremes.max;
   if (m->min && below_gives (n, MT_FAULT_MIN, m->column) &&
       !same_extreme (mt_path_get (cell, m->min), min))
      fault (k, MT_FAULT_MIN, m->column, m->min, mt_path_get (cell, m->min), min);
   if (m->max && below_gives (n, MT_FAULT_MAX, m->column) &&
       !same_extreme (mt_path_get (cell, m->max), max))
      fault (k, MT_FAULT_MAX, m->column, m->max, mt_path_get (cell, m->max), max);
}

static void compare (Look *k, const MtNode *n, MtVal cell, const Total *below)
{
   if (stored_at (n, MT_FAULT_COUNT, -1) && below_gives (n, MT_FAULT_COUNT, -1)) {
      MtVal stored = mt_path_get (cell, n->agg.n);
      if (mt_stored_count (stored) != below->n ||
          (!mt_is_nullish (stored) && !mt_is_number (stored)))
         fault (k, MT_FAULT_COUNT, -1, n->agg.n, stored, count_value (below->n, n->agg.n_as));
   }
   for (size_t i = 0; i < k->measure_count; i++) {
      const MtMeasureAgg *m = kept (n, k->measures[i]);
      if (m)
         compare_measure (k, n, cell, m, &below->parts[i]);
   }
}

static void compare_states (Look *k, const MtNode *n, MtVal cell)
{
   bool decides = k->states && mt_state_check_decides (k->states, n);
   for (size_t i = 0; decides && i < n->agg.state_count && !k->failed; i++) {
      const MtCellState *s = &n->agg.states[i];
      MtVal stored = mt_path_get (cell, s->at), expected;
      k->failed = !mt_state_check_value (k->states, n, i, &expected, k->err);
      if (k->failed || mt_states_agree (s->acc->result, stored, expected))
         continue;
      fault (k, MT_FAULT_STATE, -1, s->at, stored, expected);
      k->faults[k->count - 1].state = s;
   }
}

/* ---- walking down the levels ---- */

/* Compares the stored counts, sums and extremes of all cells (array or map elements) of level n in
 * `parent` with computed ones, and adds the cells' totals to `to`, which may be NULL. */
static void level (Look *k, const MtNode *n, MtVal parent, Total *to);

/* Compares the stored counts, sums and extremes of one cell (array or map element) with totals of
 * its records and nested levels. The cell's total is stored in k->one[n->depth]. */
static void one_cell (Look *k, const MtNode *n, MtVal cell)
{
   Total *below = &k->below[n->depth], *out = &k->one[n->depth];
   clear (k, below);
   if (k->states)
      mt_state_check_open (k->states, n);
   if (n->raw.present && n->raw.many) {
      MtVal array = mt_path_get (cell, n->raw.at), rec;
      MtDocIter it = mt_doc_iter (array);
      MtStr key;
      while (array.type == MT_ARRAY && mt_doc_next (&it, &key, &rec))
         add_record (k, n, rec, below);
   } else if (n->raw.present) {
      add_record (k, n, cell, below);
   }
   for (size_t i = 0; i < n->sub_count; i++)
      level (k, n->subs[i], cell, n->subs[i] == refined (n) ? below : NULL);
   if (n->raw.present || n->sub_count)
      compare (k, n, cell, below);
   compare_states (k, n, cell);
   add_stored (k, n, cell, below);
   clear (k, out);
   add_total (k, out, below);
}

static void level (Look *k, const MtNode *n, MtVal parent, Total *to)
{
   MtVal v = mt_level_value (n, parent), x;
   size_t back = go (k, n->at, strlen (n->at));
   MtStr key;
   MtCells cells;
   const char *why;
   if (n->kind == MT_NODE_SCALAR && !mt_is_nullish (v)) {
      one_cell (k, n, v);
      if (to)
         add_total (k, to, &k->one[n->depth]);
   }
   bool any = n->kind != MT_NODE_SCALAR && !mt_is_nullish (v) &&
              mt_cells_begin (k->a, n, v, &cells, &why);
   while (any && mt_cells_next (&cells, &key, &x)) {
      if (mt_is_nullish (x))
         continue;
      size_t here = k->path.n;
      if (here)
         mt_buf_addc (&k->path, MT_FAULT_SEPARATOR);
      mt_buf_add (&k->path, key.p, key.n);
      one_cell (k, n, x);
      if (to)
         add_total (k, to, &k->one[n->depth]);
      k->path.n = here;
   }
   k->path.n = back;
}

/* ---- the range of time ---- */

static bool range_faults (Look *k, MtVal doc, MtVal **rows, size_t count, MtError *err)
{
   const MtTimeRange *r = &k->s->root->range;
   int tc = k->t->time_column;
   bool any = false;
   int64_t first = 0, last = 0;
   MtBuf text = {0};
   for (size_t i = 0; i < count; i++) {
      if (rows[i][tc].type != MT_DATE)
         continue;
      first = !any || rows[i][tc].i < first ? rows[i][tc].i : first;
      last = !any || rows[i][tc].i > last ? rows[i][tc].i : last;
      any = true;
   }
   for (int end = 0; end < 2 && any; end++) {
      const char *at = end ? r->max : r->min;
      int64_t want = end ? last : first;
      MtVal stored = mt_path_get (doc, at), v, right;
      bool read = mt_decode (k->a, &r->encoding, k->t->columns[tc].type, stored, &v) &&
                  v.type == MT_DATE;
      bool covers = end ? v.i >= want : v.i <= want;
      if (read && (r->exact ? v.i == want : covers))
         continue;
      if (!mt_encode (&r->encoding, k->t->columns[tc].type, mt_v_date (want), &text, &right, err)) {
         mt_buf_free (&text);
         return false;
      }
      fault (k, end ? MT_FAULT_LAST : MT_FAULT_FIRST, tc, at, stored, right);
   }
   mt_buf_free (&text);
   return true;
}

/* ---- fields that copy parts of the id ---- */

/* Adds a fault for each field of the root that should be a copy of a part of the document's id, but
 * differs from it. */
static bool copy_faults (Look *k, MtVal doc, MtError *err)
{
   MtBuf text = {0};
   bool ok = true;
   for (size_t i = 0; i < k->s->root->bind_count && ok; i++) {
      const MtBinding *b = &k->s->root->binds[i];
      MtType type = mt_binding_type (k->t, b);
      MtVal stored = b->at ? mt_path_get (doc, b->at) : mt_v_null (), copy, want, right;
      if (b->from != MT_FROM_ID || mt_is_nullish (stored) ||
          !mt_root_value (k->a, k->t, k->s, b, doc, &want))
         continue;
      if (mt_decode (k->a, &b->encoding, type, stored, &copy) && mt_v_compare (copy, want) == 0)
         continue;
      mt_buf_clear (&text);
      ok = mt_encode (&b->encoding, type, want, &text, &right, err);
      if (ok)
         fault (k, MT_FAULT_COPY, b->column, b->at, stored, right);
   }
   mt_buf_free (&text);
   return ok;
}

/* ---- a document ---- */

static void list_measures (Look *k)
{
   k->measures = MT_NEW_N (k->a, int, k->t->column_count + 1);
   for (size_t c = 0; c < k->t->column_count; c++) {
      bool found = false;
      for (size_t i = 0; i < k->s->node_count; i++)
         found = found || kept (k->s->nodes[i], (int) c);
      if (found)
         k->measures[k->measure_count++] = (int) c;
   }
}

static Total *new_totals (Look *k, int depths)
{
   Total *x = MT_NEW_N (k->a, Total, depths + 1);
   for (int i = 0; i <= depths; i++)
      x[i].parts = MT_NEW_N (k->a, Part, k->measure_count + 1);
   return x;
}

/* Sets out->rows to the document's finest sums instead of records, for their times. Used if the
 * store keeps no records. */
static bool times_of_sums (MtArena *a, const MtTableStore *of, MtVal doc, MtRecords *out,
                           MtError *err)
{
   MtLeafWay finest = {.l = of->l, .s = of->s, .leaf = of->s->root};
   MtLeaves sums;
   while (finest.leaf->sub_count)
      finest.leaf = refined (finest.leaf);
   if (!mt_decode_leaves (a, of->t, &finest, doc, &sums, err))
      return false;
   out->rows = MT_NEW_N (a, MtVal *, sums.count + 1);
   out->count = sums.count;
   for (size_t i = 0; i < sums.count; i++)
      out->rows[i] = sums.list[i].row;
   return true;
}

bool mt_document_faults (MtArena *a, const MtTableStore *of, MtVal doc, MtFault **out,
                         size_t *count, MtError *err)
{
   const MtStoreDesc *s = of->s;
   Look k = {.a = a, .t = of->t, .s = s, .err = err};
   int depths = 0;
   if (!mt_decode_records (a, of, doc, &k.records, err))
      return false;
   if (s->root->range.present && !mt_store_records (s) &&
       !times_of_sums (a, of, doc, &k.records, err))
      return false;
   k.states = mt_state_check_new (a, s);
   list_measures (&k);
   for (size_t i = 0; i < s->node_count; i++)
      depths = s->nodes[i]->depth > depths ? s->nodes[i]->depth : depths;
   k.below = new_totals (&k, depths);
   k.one = new_totals (&k, depths);
   one_cell (&k, s->root, doc);
   bool ok = !k.failed &&
             (!s->root->range.present ||
              range_faults (&k, doc, k.records.rows, k.records.count, err)) &&
             copy_faults (&k, doc, err);
   mt_buf_free (&k.path);
   *out = k.faults;
   *count = k.count;
   return ok;
}
