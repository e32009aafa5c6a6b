/* Compares two layouts. The records or sums of both are added up by the finest key that both have,
 * in one $group, which can spill to disk when it exceeds work_mem. */
#include "layouts/expire.h"
#include "layouts/collections/partition.h"
#include "layouts/read/decode.h"
#include "session/maintain/compare_int.h"
#include "types/numeric.h"
#include "engine/pipe.h"
#include "planner/cut/range.h"
#include "session/core/core.h"

#include <math.h>
#include <string.h>

typedef struct Compare {
   MtStatement *st;
   const MtTable *t;
   const MtLeafWay *side[2];
   int at;       /* the layout that is read: 0 or 1 */
   bool records; /* both layouts keep records, so all columns are the key */
   /* the second layout keeps the newest record of each key, and the comparison uses this key */
   bool newest;
   /* the columns by which rows are grouped, except the time, which is truncated to the interval
    * `grain` */
   int *keys;
   size_t key_count;
   bool timed;
   MtUnit grain;
   bool counts;   /* both layouts count their records */
   int *measures; /* the columns of which both layouts have sums */
   bool *counted; /* parallel to measures: both layouts also count the column's values */
   size_t measure_count;
   const MtPreagg *kept;     /* what a roll-up keeps, to be compared with records; else NULL */
   MtArena *a;               /* owns the data of the current document */
   const char *const *names; /* the collections of the layout that is read */
   size_t name_count, name_at;
   MtCursor *cursor;
   MtLeaves leaves;
   size_t pos;
   MtVal id;
   MtBson out;
   bson_t view; /* the bytes of `out`, as a bson_t */
   uint64_t done[2], total[2];
   int64_t reported_ms;
   MtFoundDifference found;
   void *ctx;
   uint64_t differences;
   int64_t horizon; /* earlier rows have expired in one layout, and are not compared */
} Compare;

bool mt_comparable (const MtLeafWay *right, const MtLeafWay *other)
{
   bool units = !right->timed || !other->timed || mt_unit_within (right->grain, other->grain) ||
                mt_unit_within (other->grain, right->grain);
   return other->l->keeps == MT_KEEPS_LATEST ? right->records : units;
}

/* ---- the key and the sums ---- */

/* Returns the time (in ms) from which neither layout has lost rows by expiry. Only rows from this
 * time on are compared. */
static int64_t compared_from (MtStatement *st, const MtTable *t, const MtLeafWay *right,
                              const MtLeafWay *other)
{
   int64_t now = st->env.style.now_ms, a = mt_layout_horizon (t, right->l, now),
           b = mt_layout_horizon (t, other->l, now);
   return a > b ? a : b;
}

/* Returns whether a layout has sums of the column. *counted: it also has the count of the column's
 * values that are not NULL. */
static bool has_sum (const MtLeafWay *w, int column, bool *counted)
{
   const MtMeasureAgg *m = mt_leaf_sum (w, column);
   *counted = w->records || (m && m->nonnull);
   return w->records ? mt_leaf_binds (w, column) : m && m->sum;
}

static void find_measures (Compare *c)
{
   const MtLeafWay *right = c->side[0], *other = c->side[1];
   for (size_t i = 0; i < c->t->column_count && !c->records; i++) {
      bool counted, also;
      bool key = mt_leaf_binds (right, (int) i) && mt_leaf_binds (other, (int) i);
      if (key || (int) i == c->t->time_column || !has_sum (right, (int) i, &counted) ||
          !has_sum (other, (int) i, &also))
         continue;
      c->counted[c->measure_count] = counted && also;
      c->measures[c->measure_count++] = (int) i;
   }
   c->counts = (right->records || right->leaf->agg.n) && (other->records || other->leaf->agg.n);
}

static void find_keys (Compare *c, MtArena *a)
{
   const MtLeafWay *right = c->side[0], *other = c->side[1];
   size_t n = c->t->column_count;
   c->keys = MT_NEW_N (a, int, n + 1);
   c->measures = MT_NEW_N (a, int, n + 1);
   c->counted = MT_NEW_N (a, bool, n + 1);
   c->newest = other->l->keeps == MT_KEEPS_LATEST;
   c->records = right->records && other->records;
   c->timed = right->timed && other->timed && !c->newest;
   if (c->timed)
      c->grain = mt_unit_within (right->grain, other->grain) ? other->grain : right->grain;
   if (c->timed &&
       !mt_on_unit (
          c->horizon,
          c->grain)) /* one layout lacks a part of the interval in which the horizon lies */
      c->horizon = mt_unit_next (c->horizon, c->grain);
   for (size_t i = 0; i < n; i++)
      if ((int) i != c->t->time_column && mt_leaf_binds (right, (int) i) &&
          mt_leaf_binds (other, (int) i) &&
          (!c->newest || mt_in_key (other->l->key, other->l->key_count, (int) i)))
         c->keys[c->key_count++] = (int) i;
   if (other->l->keeps == MT_KEEPS_ROLLUP && right->records)
      c->kept = &other->leaf->agg;
   find_measures (c);
}

/* ---- leaves as documents for $group ---- */

const char *mt_compare_numbered (MtArena *a, const char *name, int side, size_t i)
{
   return mt_printf (a, "%s%d_%zu", name, side, i);
}

static void append_key (Compare *c, const MtLeaf *leaf)
{
   int tc = c->t->time_column;
   size_t key = mt_bson_doc (&c->out, "k");
   if (c->timed) {
      MtVal ts = leaf->row[tc];
      mt_bson_put (&c->out, "t",
                   ts.type == MT_DATE ? mt_v_date (mt_utc_floor (ts.i, c->grain)) : mt_v_null ());
   }
   for (size_t i = 0; i < c->key_count; i++) {
      MtVal v = leaf->row[c->keys[i]];
      mt_bson_put (&c->out, mt_printf (c->a, "k%zu", i), v.type == MT_MISSING ? mt_v_null () : v);
   }
   mt_bson_end (&c->out, key);
}

static void append_measure (Compare *c, const MtLeaf *leaf, size_t i)
{
   int column = c->measures[i];
   MtTypeId type = c->t->columns[column].type.id;
   MtVal v = leaf->row[column];
   MtNum n;
   double d;
   if (mt_is_nullish (v) || !mt_is_number (v))
      return;
   if (type == MT_T_FLOAT4 || type == MT_T_FLOAT8) {
      if (v.type == MT_DOUBLE)
         d = v.d;
      else
         d = v.type == MT_DECIMAL && mt_num_from_val (v, &n) ? mt_num_to_double (n) : (double) v.i;
      mt_bson_put (&c->out, mt_compare_numbered (c->a, "s", c->at, i), mt_v_double (d));
      mt_bson_put (&c->out, mt_compare_numbered (c->a, "m", c->at, i), mt_v_double (fabs (d)));
   } else if (mt_num_from_val (v, &n)) {
      mt_bson_put (&c->out, mt_compare_numbered (c->a, "s", c->at, i),
                   (MtVal) {.type = MT_DECIMAL, .len = 16, .p = (const uint8_t *) &n});
   }
   if (c->counted[i])
      mt_bson_put (&c->out, mt_compare_numbered (c->a, "c", c->at, i),
                   mt_v_int64 (leaf->nonnull ? leaf->nonnull[column] : 1));
}

/* Returns the i-th column by which the newest record of a key is chosen: the time column, then the
 * columns that decide between records of the same time. */
static int order_column (const Compare *c, size_t i)
{
   return i == 0 ? c->t->time_column : c->side[1]->l->tie[i - 1];
}

/* Appends value i to the document `order`. Such documents are compared as a whole by $max: NULL
 * comes first, NaN last, and binary data are ordered by their bytes. */
static void append_ordered (MtArena *a, MtBson *order, size_t i, MtVal v)
{
   bool null = mt_is_nullish (v), nan = mt_is_number (v) && mt_v_is_nan (v);
   char *hex = v.type == MT_BINARY ? MT_NEW_N (a, char, 2 * (size_t) v.len + 1) : NULL;
   for (uint32_t k = 0; hex && k < v.len; k++)
      snprintf (hex + 2 * k, 3, "%02x", v.p[k]);
   int rank = nan ? 2 : 1;
   if (null)
      rank = 0;
   if (null || nan)
      v = mt_v_null ();
   else if (hex)
      v = mt_v_str (hex, 2 * (size_t) v.len);
   mt_bson_put (order, mt_printf (a, "r%zu", i), mt_v_int32 (rank));
   mt_bson_put (order, mt_printf (a, "v%zu", i), v);
}

/* Appends a record's values in the order of order_column as a document (see append_ordered). The
 * newest record of a key has the greatest one. */
static void append_order (Compare *c, const MtLeaf *leaf)
{
   size_t order = mt_bson_doc (&c->out, c->at ? "o1" : "o0");
   for (size_t i = 0; i <= c->side[1]->l->tie_count; i++)
      append_ordered (c->a, &c->out, i, leaf->row[order_column (c, i)]);
   mt_bson_end (&c->out, order);
}

static void report_progress (Compare *c)
{
   MtProgress *p = &c->st->session->progress;
   int64_t now = mt_now_ms ();
   if (now - c->reported_ms < 100)
      return;
   c->reported_ms = now;
   p->report (p->ctx, "comparing", c->done[0] + c->done[1], c->total[0] + c->total[1], 0);
}

/* Reads the next document of the current layout, and decodes its records or sums into c->leaves.
 * *more is false if there are no more documents. */
static bool next_document (Compare *c, bool *more, MtError *err)
{
   const MtLeafWay *w = c->side[c->at];
   const bson_t *doc;
   mt_arena_reset (c->a);
   if (!mt_cursor_next (c->cursor, &doc, err) || !mt_cancel_check (&c->st->session->cancel, err))
      return false;
   *more = doc != NULL;
   c->leaves.count = c->pos = 0;
   if (!doc)
      return true;
   c->done[c->at]++;
   report_progress (c);
   bson_iter_t it;
   c->id = bson_iter_init_find (&it, doc, "_id") ? mt_v_copy (c->a, mt_v_from_iter (&it))
                                                 : mt_v_null ();
   MtVal copy = mt_v_copy (c->a, mt_v_doc (doc));
   if (mt_decode_leaves (c->a, c->t, w, copy, &c->leaves, err))
      return true;
   /* the check of the stored sums reports malformed documents; here they have no records */
   c->leaves.count = 0;
   if (!mt_error_is (err, MT_E_CORRUPT))
      return false;
   mt_error_clear (err);
   return true;
}

/* Starts to read layout `side` (0 or 1). A partitioned store without partitions reads the
 * collection with the store's own name, which does not exist and so is empty. */
static void choose_side (Compare *c, int side)
{
   c->at = side;
   c->name_at = 0;
   c->names = mt_store_collections_of (c->st->arena, c->side[side]->s, &c->name_count);
   c->name_count += c->name_count == 0;
}

static bool open_next (Compare *c, MtError *err)
{
   MtEngine *e = c->st->session->engine;
   const char *collection = c->names[c->name_at++];
   bson_t none = BSON_INITIALIZER;
   MtCollStats stats = {0};
   if (c->cursor)
      mt_cursor_free (c->cursor);
   c->cursor = NULL;
   if (mt_engine_stats (e, collection, &stats, NULL))
      c->total[c->at] += stats.documents;
   bool ok = mt_engine_aggregate (
      e, &(MtAggregateArgs) {.collection = collection, .pipeline = &none}, &c->cursor, err);
   bson_destroy (&none);
   return ok;
}

/* Moves c->pos to the next record or sum of the current document that has not expired. */
static void skip_expired (Compare *c)
{
   while (c->pos < c->leaves.count &&
          mt_leaf_expired (c->t, c->side[c->at], &c->leaves.list[c->pos], c->horizon))
      c->pos++;
}

static bool next_leaf (void *ctx, const bson_t **doc, MtError *err)
{
   Compare *c = ctx;
   bool more;
   *doc = NULL;
   for (skip_expired (c); c->pos == c->leaves.count; skip_expired (c)) {
      if (!next_document (c, &more, err))
         return false;
      bool last = !more && c->name_at == c->name_count;
      if (last && c->at == 1)
         return true;
      if (last)
         choose_side (c, 1);
      if (!more && !open_next (c, err))
         return false;
   }
   const MtLeaf *leaf = &c->leaves.list[c->pos++];
   mt_bson_start (&c->out);
   append_key (c, leaf);
   if (c->at == 1)
      mt_bson_put (&c->out, "d", c->id);
   mt_bson_put (&c->out, c->at ? "n1" : "n0", mt_v_int64 (leaf->n));
   for (size_t i = 0; i < c->measure_count; i++)
      append_measure (c, leaf, i);
   if (c->kept)
      mt_rollup_append (c->a, c->kept, c->at, leaf, &c->out);
   if (c->newest)
      append_order (c, leaf);
   *doc = &c->view;
   return mt_bson_finish (&c->out, &c->view) ||
          mt_error (err, MT_E_LIMIT, "a document is too large");
}

void mt_compare_accumulate (MtArena *a, bson_t *group, const char *name, const char *op)
{
   bson_t *x = mt_doc_new (a);
   mt_doc_add_path (a, x, op, name);
   mt_doc_add_doc (group, name, x);
}

static bson_t *grouping_pipeline (Compare *c, MtArena *a)
{
   static const char *const numbers[] = {"s", "m", "c"};
   bson_t *group = mt_doc_new (a), *order = mt_doc_new (a);
   MtPipe *p = mt_pipe_new (a);
   mt_doc_add_path (a, group, "_id", "k");
   mt_compare_accumulate (a, group, "d", "$max");
   for (int side = 0; side < 2; side++) {
      mt_compare_accumulate (a, group, side ? "n1" : "n0", "$sum");
      if (c->newest)
         mt_compare_accumulate (a, group, side ? "o1" : "o0", "$max");
      for (size_t i = 0; i < c->measure_count; i++)
         for (size_t k = 0; k < 3; k++)
            mt_compare_accumulate (a, group, mt_compare_numbered (a, numbers[k], side, i), "$sum");
   }
   if (c->kept)
      mt_rollup_group (a, c->kept, group);
   mt_pipe_add (p, "$group", group);
   mt_doc_add_int (order, "_id", 1);
   mt_pipe_add (p, "$sort", order);
   return p->stages;
}

/* ---- groups ---- */

static const char *value_text (Compare *c, MtArena *a, MtType type, MtVal v)
{
   MtBuf text = {0};
   if (mt_is_nullish (v))
      return "NULL";
   if (!mt_value_print (type, v, &c->st->env.style, &text, NULL))
      mt_v_to_json (v, false, &text);
   const char *out = mt_strndup (a, text.p ? text.p : "", text.n);
   mt_buf_free (&text);
   return out;
}

/* Returns the key of a group as "(time, column, …)", with the columns in the order of the table. */
static const char *cell_text (Compare *c, MtArena *a, MtVal group)
{
   MtVal key = mt_doc_field (group, "_id");
   const char *text = "";
   size_t at = 0;
   for (size_t i = 0; i < c->t->column_count; i++) {
      bool time = (int) i == c->t->time_column,
           is_key = at < c->key_count && c->keys[at] == (int) i;
      if (!(time && c->timed) && !is_key)
         continue;
      const char *name = time ? "t" : mt_printf (a, "k%zu", at);
      at += is_key;
      text = mt_printf (a, "%s%s%s", text, *text ? ", " : "",
                        value_text (c, a, c->t->columns[i].type, mt_doc_field (key, name)));
   }
   return mt_printf (a, "(%s)", text);
}

static MtVal group_number (MtArena *a, MtVal group, const char *name, int side, size_t i)
{
   const char *at = mt_compare_numbered (a, name, side, i);
   return mt_doc_field (group, at);
}

static void report_difference (void *ctx, MtArena *a, const MtDiffering *x)
{
   Compare *c = ctx;
   c->differences++;
   if (!c->found)
      return;
   MtVal id = mt_doc_field (x->group, "d");
   MtDifference d = {.way = c->side[1],
                     .document = mt_is_nullish (id) ? mt_v_missing () : id,
                     .cell = cell_text (c, a, x->group),
                     .what = x->what};
   d.stored = value_text (c, a, x->type, x->stored);
   d.expected = value_text (c, a, x->type, x->expected);
   c->found (c->ctx, &d);
}

/* Returns whether the i-th sum of a group is equal in both layouts. Sums of doubles may differ
 * slightly, because they depend on the order of addition. */
static bool same_sum (Compare *c, MtArena *a, MtVal group, size_t i)
{
   MtVal x = group_number (a, group, "s", 0, i), y = group_number (a, group, "s", 1, i),
         mass = group_number (a, group, "m", 0, i);
   if (mt_v_compare (x, y) == 0)
      return true;
   double most = mass.type == MT_DOUBLE ? mass.d : 0;
   return x.type == MT_DOUBLE && y.type == MT_DOUBLE && fabs (x.d - y.d) <= 1e-9 * most;
}

/* Returns value i of a document that append_ordered made. */
static MtVal ordered_value (MtArena *a, MtVal order, size_t i)
{
   const char *rank = mt_printf (a, "r%zu", i), *value = mt_printf (a, "v%zu", i);
   MtVal r = mt_doc_field (order, rank);
   return r.type == MT_INT32 && r.i == 2 ? mt_v_double (NAN) : mt_doc_field (order, value);
}

static void compare_newest (Compare *c, MtArena *a, MtVal group)
{
   MtVal right = mt_doc_field (group, "o0"), other = mt_doc_field (group, "o1");
   if (mt_v_compare (right, other) == 0)
      return;
   for (size_t i = 0; i <= c->side[1]->l->tie_count; i++) {
      const MtColumn *column = &c->t->columns[order_column (c, i)];
      MtVal stored = other.type == MT_DOC ? ordered_value (a, other, i) : mt_v_null (),
            expected = right.type == MT_DOC ? ordered_value (a, right, i) : mt_v_null ();
      if (right.type == other.type && mt_v_compare (stored, expected) == 0)
         continue;
      bool hex = column->type.id == MT_T_BYTEA || column->type.id == MT_T_UUID;
      MtDiffering d = {group, mt_printf (a, "newest(%s)", column->name), stored, expected,
                       hex ? mt_type (MT_T_TEXT) : column->type};
      report_difference (c, a, &d);
      return;
   }
}

static void compare_group (Compare *c, MtArena *a, MtVal group)
{
   MtVal n0 = mt_doc_field (group, "n0"), n1 = mt_doc_field (group, "n1");
   MtType whole = mt_type (MT_T_INT8);
   if (c->counts && mt_v_compare (n0, n1))
      report_difference (c, a,
                         &(MtDiffering) {group, c->records ? "record" : "count(*)", n1, n0, whole});
   for (size_t i = 0; i < c->measure_count; i++) {
      const MtColumn *m = &c->t->columns[c->measures[i]];
      bool doubles = m->type.id == MT_T_FLOAT4 || m->type.id == MT_T_FLOAT8;
      if (!same_sum (c, a, group, i))
         report_difference (c, a,
                            &(MtDiffering) {group, mt_printf (a, "sum(%s)", m->name),
                                            group_number (a, group, "s", 1, i),
                                            group_number (a, group, "s", 0, i),
                                            mt_type (doubles ? MT_T_FLOAT8 : MT_T_NUMERIC)});
      MtVal c0 = group_number (a, group, "c", 0, i), c1 = group_number (a, group, "c", 1, i);
      if (c->counted[i] && mt_v_compare (c0, c1))
         report_difference (
            c, a, &(MtDiffering) {group, mt_printf (a, "count(%s)", m->name), c1, c0, whole});
   }
   if (c->kept)
      mt_rollup_compare (a, c->t, c->kept, group, &(MtRollupFound) {c, report_difference});
}

static bool run_comparison (Compare *c, MtArena *a, MtError *err)
{
   MtCursor *groups;
   const bson_t *doc;
   choose_side (c, 0);
   if (!open_next (c, err))
      return false;
   MtOverArgs over = {.next = next_leaf, .ctx = c, .pipeline = grouping_pipeline (c, a)};
   if (!mt_engine_aggregate_over (c->st->session->engine, &over, &groups, err))
      return false;
   MtArena *each = mt_arena_new ("group", a);
   bool ok;
   while ((ok = mt_cursor_next (groups, &doc, err)) && doc) {
      (c->newest ? compare_newest : compare_group) (c, each, mt_v_doc (doc));
      mt_arena_reset (each);
   }
   mt_arena_free (each);
   mt_cursor_free (groups);
   return ok;
}

bool mt_compare_leaves (MtStatement *st, const MtLeafComparison *x, uint64_t *count, MtError *err)
{
   MtArena *a = mt_arena_new ("comparison", st->arena);
   Compare c = {.st = st,
                .t = x->table,
                .side = {x->right, x->other},
                .found = x->found,
                .ctx = x->ctx,
                .horizon = compared_from (st, x->table, x->right, x->other)};
   c.a = mt_arena_new ("document", a);
   find_keys (&c, a);
   st->session->telling++;
   bool ok = run_comparison (&c, a, err);
   st->session->telling--;
   *count = c.differences;
   if (c.cursor)
      mt_cursor_free (c.cursor);
   mt_bson_free (&c.out);
   mt_arena_free (c.a);
   mt_arena_free (a);
   return ok;
}
