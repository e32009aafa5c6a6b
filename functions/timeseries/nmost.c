/* min_n, max_n, min_n_by, max_n_by: the n least or greatest values of a group, the latter two with
 * data of the same rows. */
#include "functions/core/rows.h"
#include "functions/timeseries/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The maximum n. A state with more values would not fit into a document. */
#define MOST 1000000

/* A value; for min_n_by and max_n_by, with the data of its row. */
typedef struct Item {
   int64_t key; /* the value as a number by which the first value of the result is the least */
   MtKept data;
} Item;

/* The state: a heap whose root is the value that comes last in the result. */
typedef struct Most {
   int64_t n; /* 0: no rows yet */
   bool largest;
   MtTypeId state, data; /* the types of the state, and of the data */
   Item *items;
   size_t count, cap;
} Most;

/* ---- types of states ---- */

/* A type of state: the type of its values, and whether it has data with them (the _by
 * aggregates). */
typedef struct Form {
   MtTypeId value;
   bool by;
} Form;

static const Form FORMS[] = {
   {MT_T_INT8, false}, {MT_T_FLOAT8, false}, {MT_T_TIMESTAMPTZ, false},
   {MT_T_INT8, true},  {MT_T_FLOAT8, true},  {MT_T_TIMESTAMPTZ, true},
};

static const Form *form_of (const Most *m) { return &FORMS[m->state - MT_T_MINMAXNINTS]; }

/* Returns a number that sorts like the value v; for the greatest values, in reverse. NaN is the
 * greatest number, as in PostgreSQL. */
static int64_t key_of (const Most *m, MtVal v)
{
   int64_t key = v.i;
   if (v.type == MT_DOUBLE) {
      double d = isnan (v.d) ? (double) NAN : v.d;
      memcpy (&key, &d, sizeof key);
      key ^= (key >> 63) & INT64_MAX;
   }
   return m->largest ? ~key : key;
}

static MtVal value_of (const Most *m, const Item *item)
{
   int64_t key = m->largest ? ~item->key : item->key;
   double d;
   switch (form_of (m)->value) {
   case MT_T_INT8: return mt_v_int64 (key);
   case MT_T_TIMESTAMPTZ: return mt_v_date (key);
   default:
      key ^= (key >> 63) & INT64_MAX;
      memcpy (&d, &key, sizeof d);
      return mt_v_double (d);
   }
}

/* ---- the heap ---- */

/* Compares an item with a value and its data in the order of the result. Equal values are sorted by
 * their data, so that the result does not depend on the order of rows. */
static int compare (const Item *a, int64_t key, MtVal data)
{
   return a->key != key ? (a->key > key) - (a->key < key) : mt_kept_compare (a->data.v, data);
}

static int compare_items (const void *a, const void *b)
{
   const Item *item = b;
   return compare (a, item->key, item->data.v);
}

static void swap (Most *m, size_t i, size_t j)
{
   Item item = m->items[i];
   m->items[i] = m->items[j];
   m->items[j] = item;
}

static void move_up (Most *m, size_t i)
{
   for (; i && compare_items (&m->items[i], &m->items[(i - 1) / 2]) > 0; i = (i - 1) / 2)
      swap (m, i, (i - 1) / 2);
}

static void move_down (Most *m, size_t i)
{
   for (size_t child; (child = 2 * i + 1) < m->count; i = child) {
      child += child + 1 < m->count && compare_items (&m->items[child + 1], &m->items[child]) > 0;
      if (compare_items (&m->items[i], &m->items[child]) >= 0)
         return;
      swap (m, i, child);
   }
}

static void add (MtArena *a, Most *m, int64_t key, MtVal data)
{
   bool full = m->count == (size_t) m->n;
   if (full && compare (&m->items[0], key, data) <= 0)
      return;
   if (!full && !MT_TRY_GROW_IN (a, m->items, m->count, m->cap, 4))
      return;
   size_t at = full ? 0 : m->count++;
   m->items[at].key = key;
   mt_keep (a, &m->items[at].data, data);
   if (full)
      move_down (m, 0);
   else
      move_up (m, at);
}

/* ---- states ---- */

/* Initializes an empty state m like `other`; otherwise checks that both were made by calls with the
 * same parameters. */
static bool same_call (Most *m, const Most *other, MtError *err)
{
   if (!m->n)
      *m = (Most) {other->n, other->largest, other->state, other->data, NULL, 0, 0};
   if (m->largest != other->largest)
      return mt_error (err, MT_E_PARAMETER, "states of least and greatest values can't be merged");
   if (m->data != other->data)
      return mt_error (err, MT_E_DATATYPE_MISMATCH, "data of types %s and %s can't be merged",
                       mt_type_info (m->data)->display, mt_type_info (other->data)->display);
   if (m->n == other->n)
      return true;
   return mt_error (err, MT_E_PARAMETER, "n must be the same in all rows and states");
}

static bool merge (MtEval *ev, void *into, const void *from)
{
   Most *m = into;
   const Most *other = from;
   if (other->n && !same_call (m, other, ev->err))
      return false;
   for (size_t i = 0; i < other->count; i++)
      add (ev->arena, m, other->items[i].key, other->items[i].data.v);
   return true;
}

/* Sorts `items`, the items of m or a copy of them, and returns them. m must not be used as a heap
 * afterwards. */
static const Item *sorted (const Most *m, Item *items)
{
   qsort (items, m->count, sizeof *items, compare_items);
   return items;
}

static bool write_state (MtEval *ev, const void *state, MtBson *b)
{
   const Most *m = state;
   Item *own = mt_try_alloc_n (ev->arena, m->count + 1, sizeof *own);
   if (!m->n || !own)
      return false;
   memcpy (own, m->items, m->count * sizeof *own);
   const Item *items = sorted (m, own);
   mt_bson_put (b, "n", mt_v_int64 (m->n));
   mt_bson_put (b, "order", mt_v_int32 (m->largest ? -1 : 1));
   size_t list = mt_bson_array (b, "values");
   for (size_t i = 0; i < m->count; i++)
      mt_bson_put_at (b, (uint32_t) i, value_of (m, &items[i]));
   mt_bson_end (b, list);
   if (!form_of (m)->by)
      return true;
   mt_bson_put (b, "type", mt_v_cstr (mt_type_handle (m->data)));
   list = mt_bson_array (b, "data");
   for (size_t i = 0; i < m->count; i++)
      mt_bson_put_at (b, (uint32_t) i, items[i].data.v);
   mt_bson_end (b, list);
   return true;
}

/* Reads the values and their data from a stored state. Sets r->ok to false unless they are
 * sorted. */
static void read_items (MtEval *ev, MtSummaryReader *r, Most *m)
{
   const Form *form = form_of (m);
   MtVal values = mt_read_array (r, "values"), v,
         data = form->by ? mt_read_array (r, "data") : mt_v_missing (), d = mt_v_missing ();
   MtDocIter vs = mt_doc_iter (values), ds = mt_doc_iter (data);
   MtStr name;
   Item last = {0};
   r->ok &= mt_doc_count (values) > 0 && mt_doc_count (values) <= (uint64_t) m->n;
   r->ok &= !form->by || mt_doc_count (values) == mt_doc_count (data);
   while (r->ok && mt_doc_next (&vs, &name, &v)) {
      v = mt_read_element (r, ev->arena, form->value, v);
      if (form->by && mt_doc_next (&ds, &name, &d))
         d = mt_read_element (r, ev->arena, m->data, d);
      Item item = {.key = key_of (m, v), .data = {.v = d}};
      r->ok &= !m->count || compare_items (&last, &item) <= 0;
      if (r->ok)
         add (ev->arena, m, item.key, d);
      last = item;
   }
}

static void read_state (MtEval *ev, MtSummaryReader *r, void *state)
{
   Most *m = state;
   int64_t order = mt_read_int (r, "order");
   m->n = mt_read_int (r, "n");
   m->state = r->type;
   m->largest = order < 0;
   m->data = form_of (m)->by ? mt_read_type (r, "type") : MT_T_UNKNOWN;
   r->ok &= (order == 1 || order == -1) && m->n > 0 && m->n <= MOST;
   if (r->ok)
      read_items (ev, r, m);
}

#define KIND(type_) {type_, sizeof (Most), merge, write_state, read_state}
static const MtStateKind KINDS[] = {
   KIND (MT_T_MINMAXNINTS),   KIND (MT_T_MINMAXNFLOATS),   KIND (MT_T_MINMAXNTIMES),
   KIND (MT_T_MINMAXNBYINTS), KIND (MT_T_MINMAXNBYFLOATS), KIND (MT_T_MINMAXNBYTIMES),
};

/* ---- steps ---- */

/* Adds a row to the state. Arguments: value, n; or value, data, n, name of the data's type. */
static bool step (MtEval *ev, Most *m, const MtVal *args, bool largest)
{
   const MtStateKind *kind = ev->user;
   Most call = {.largest = largest, .state = kind->type, .data = m->data};
   bool by = form_of (&call)->by;
   call.n = args[by ? 2 : 1].i;
   if (by && !m->n)
      mt_type_by_name (mt_v_text (args[3]), &call.data);
   if (call.n < 1 || call.n > MOST)
      return mt_error (ev->err, MT_E_PARAMETER, "n must be between 1 and %d", MOST);
   if (!same_call (m, &call, ev->err))
      return false;
   add (ev->arena, m, key_of (m, args[0]), by ? args[1] : mt_v_missing ());
   return true;
}

static bool step_min (MtEval *ev, void *state, const MtVal *args, int argc)
{
   (void) argc;
   return step (ev, state, args, false);
}

static bool step_max (MtEval *ev, void *state, const MtVal *args, int argc)
{
   (void) argc;
   return step (ev, state, args, true);
}

/* ---- accessors ---- */

/* Computes into_array and into_values: the values as a sorted array, which also serves as the rows
 * of a set. */
static bool fn_nmost_values (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Most m = {0};
   (void) n;
   if (!mt_summary_read (ev, &KINDS[MT_USER (ev)], a[0], &m))
      return false;
   const Item *items = sorted (&m, m.items);
   MtVal *list = MT_NEW_N (ev->arena, MtVal, m.count + 1);
   for (size_t i = 0; i < m.count; i++)
      list[i] = value_of (&m, &items[i]);
   return mt_v_make_array (ev->arena, list, m.count, out, ev->err);
}

/* Computes the rows (value, data) of a state. Arguments: state, NULL with the data's type, name of
 * that type. */
static bool fn_nmost_rows (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   static const MtStr names[] = {{"value", 5}, {"data", 4}};
   Most m = {0};
   (void) n;
   *out = mt_v_null ();
   if (mt_is_nullish (a[0]))
      return true;
   if (!mt_summary_read (ev, &KINDS[MT_USER (ev)], a[0], &m) ||
       !mt_summary_type (m.data, a[2], ev->err))
      return false;
   const Item *items = sorted (&m, m.items);
   MtVal *rows = MT_NEW_N (ev->arena, MtVal, m.count + 1);
   for (size_t i = 0; i < m.count; i++) {
      MtVal row[] = {value_of (&m, &items[i]), items[i].data.v};
      if (!mt_v_make_doc (ev->arena, names, row, 2, &rows[i], ev->err))
         return false;
   }
   return mt_v_make_array (ev->arena, rows, m.count, out, ev->err);
}

/* ---- rows ---- */

#define OF_INTS " FROM (VALUES (3::bigint), (1), (2)) AS t (x)"
#define OF_FLOATS " FROM (VALUES (3.5), (1.5), (2.5)) AS t (x)"
#define OF_TIMES \
   " FROM (VALUES (timestamptz '2020-01-03'), ('2020-01-01'), ('2020-01-02')) AS t (x)"
#define OF_INTS_BY " FROM (VALUES (3::bigint, 'c'), (1, 'a'), (2, 'b')) AS t (x, y)"
#define OF_FLOATS_BY " FROM (VALUES (3.5, 'c'), (1.5, 'a'), (2.5, 'b')) AS t (x, y)"
#define OF_TIMES_BY \
   " FROM (VALUES (timestamptz '2020-01-03', 'c'), ('2020-01-01', 'a'), ('2020-01-02', 'b')) AS t " \
   "(x, y)"

#define VALUES(kind_, state_, type_, of_, array_, first_) \
   MT_ROW ("into_array", "state " state_ " -> " type_ "[]", MT_F_FLAT, NULL, \
           MT_OPN (state_ "_values", nmost_values, kind_), \
           "the values of min_n or max_n as an array, the least or greatest first", \
           "SELECT into_array(max_n(x, 2))" of_ " => " array_), \
      MT_ROW_SET ("into_values", "state " state_ " -> " type_, 0, NULL, NULL, \
                  MT_OPN (state_ "_values", nmost_values, kind_), \
                  "the values of min_n or max_n as rows, the least or greatest first", \
                  "SELECT into_values(s) FROM (SELECT max_n(x, 2) AS s" of_ ") AS u => " first_)
#define ROWS(kind_, state_, type_, of_, first_) \
   MT_ROW_SET ("into_values", "state " state_ ", data anyelement, _type text -> anyelement", \
               MT_F_NOT_STRICT, "value " type_ ", data anyelement", NULL, \
               MT_OPN (state_ "_rows", nmost_rows, kind_), \
               "rows of min_n_by or max_n_by: value and data; the second argument is NULL of the " \
               "data's type", \
               "SELECT value FROM (SELECT max_n_by(x, y, 2) AS s" of_ \
               ") AS u, into_values(s, NULL::text) => " first_)

const MtFunc mt_fn_nmost[] = {
   VALUES (0, "minmaxnints", "int8", OF_INTS, "{3,2}", "3"),
   VALUES (1, "minmaxnfloats", "float8", OF_FLOATS, "{3.5,2.5}", "3.5"),
   VALUES (2, "minmaxntimes", "timestamptz", OF_TIMES,
           "{\"2020-01-03 00:00:00+00\",\"2020-01-02 00:00:00+00\"}", "2020-01-03 00:00:00+00"),
   ROWS (3, "minmaxnbyints", "int8", OF_INTS_BY, "3"),
   ROWS (4, "minmaxnbyfloats", "float8", OF_FLOATS_BY, "3.5"),
   ROWS (5, "minmaxnbytimes", "timestamptz", OF_TIMES_BY, "2020-01-03 00:00:00+00"),
   {.name = NULL},
};

#define AGGS(kind_, state_, type_, of_, min_, max_) \
   MT_SUMMARY_AGG ("min_n", "value " type_ ", n int8 -> " state_, step_min, Most, KINDS[kind_], \
                   "state of the n least values: into_array, into_values", \
                   "SELECT into_array(min_n(x, 2))" of_ " => " min_), \
      MT_SUMMARY_AGG ("max_n", "value " type_ ", n int8 -> " state_, step_max, Most, KINDS[kind_], \
                      "state of the n greatest values: into_array, into_values", \
                      "SELECT into_array(max_n(x, 2))" of_ " => " max_), \
      MT_SUMMARY_ROLLUP (state_, Most, KINDS[kind_], \
                         "SELECT into_array(rollup(s)) FROM (SELECT max_n(x, 2) AS s" of_ \
                         " GROUP BY x) AS u => " max_)
#define AGGS_BY(kind_, state_, type_, of_) \
   MT_SUMMARY_AGG ("min_n_by", "value " type_ ", data anyelement, n int8, _type text -> " state_, \
                   step_min, Most, KINDS[kind_], \
                   "state of the n rows with the least values: into_values", \
                   "SELECT min_n_by(x, y, 1)::jsonb ->> 'data'" of_ " => [\"a\"]"), \
      MT_SUMMARY_AGG ("max_n_by", \
                      "value " type_ ", data anyelement, n int8, _type text -> " state_, step_max, \
                      Most, KINDS[kind_], \
                      "state of the n rows with the greatest values: into_values", \
                      "SELECT max_n_by(x, y, 1)::jsonb ->> 'data'" of_ " => [\"c\"]"), \
      MT_SUMMARY_ROLLUP ( \
         state_, Most, KINDS[kind_], \
         "SELECT rollup(s)::jsonb ->> 'data' FROM (SELECT max_n_by(x, y, 1) AS s" of_ \
         " GROUP BY x) AS u => [\"c\"]")

const MtAgg mt_agg_nmost[] = {
   AGGS (0, "minmaxnints", "int8", OF_INTS, "{1,2}", "{3,2}"),
   AGGS (1, "minmaxnfloats", "float8", OF_FLOATS, "{1.5,2.5}", "{3.5,2.5}"),
   AGGS (2, "minmaxntimes", "timestamptz", OF_TIMES,
         "{\"2020-01-01 00:00:00+00\",\"2020-01-02 00:00:00+00\"}",
         "{\"2020-01-03 00:00:00+00\",\"2020-01-02 00:00:00+00\"}"),
   AGGS_BY (3, "minmaxnbyints", "int8", OF_INTS_BY),
   AGGS_BY (4, "minmaxnbyfloats", "float8", OF_FLOATS_BY),
   AGGS_BY (5, "minmaxnbytimes", "timestamptz", OF_TIMES_BY),
   {.name = NULL},
};
