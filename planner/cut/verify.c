/* For layouts with presums = verify: builds an expression over a document that compares the stored
 * numbers with those computed from the records below them. */
#include "engine/pipe.h"
#include "planner/cut/scan.h"
#include "planner/cut/shape.h"

#include <string.h>

typedef enum Stored { STORED_N, STORED_NONNULL, STORED_SUM, STORED_MIN, STORED_MAX } Stored;

typedef struct Verify {
   MtArena *a;
   const MtTable *t;
   Stored what;
   int column; /* the measure's column; undefined for STORED_N */
   int depth;
   bson_t *list; /* the comparisons, combined by $and */
   int count;
} Verify;

static const bson_t *number (Verify *v, int64_t i) { return mt_mql_int (v->a, i); }

static const bson_t *null_expr (Verify *v) { return mt_doc_of (v->a, mt_v_null ()); }

static const char *measure_path (const MtMeasureAgg *m, Stored what)
{
   switch (what) {
   case STORED_SUM: return m->sum;
   case STORED_MIN: return m->min;
   case STORED_MAX: return m->max;
   default: return m->nonnull;
   }
}

/* Returns the path at which an entry of level n stores the number that is checked. NULL: it does
 * not store it. */
static const char *stored_path (const Verify *v, const MtNode *n)
{
   if (v->what == STORED_N)
      return n->agg.present ? n->agg.n : NULL;
   for (size_t i = 0; i < n->agg.measure_count; i++) {
      const MtMeasureAgg *m = &n->agg.measures[i];
      if (m->column == v->column)
         return measure_path (m, v->what);
   }
   return NULL;
}

static const char *operator_of (Stored what)
{
   switch (what) {
   case STORED_MIN: return "$min";
   case STORED_MAX: return "$max";
   default: return "$sum";
   }
}

/* Returns an expression for what one record contributes to the checked number. */
static const bson_t *of_record (Verify *v, const MtNode *n, const char *record)
{
   if (v->what == STORED_N && (n->raw.many || !mt_null_is_no_cell (n)))
      return number (v, 1);
   if (v->what == STORED_N)
      return mt_mql_op (v->a, "$cond",
                        mt_mql_op (v->a, "$gt", mt_mql_path (v->a, record), null_expr (v), NULL),
                        number (v, 1), number (v, 0), NULL);
   for (size_t i = 0; i < n->raw.count; i++) {
      if (n->raw.columns[i] != v->column)
         continue;
      const bson_t *value = mt_mql_path (v->a, mt_dotted (v->a, record, n->raw.paths[i]));
      if (v->what != STORED_NONNULL)
         return value;
      return mt_mql_op (v->a, "$cond", mt_mql_op (v->a, "$gt", value, null_expr (v), NULL),
                        number (v, 1), number (v, 0), NULL);
   }
   return NULL;
}

static const bson_t *total (Verify *v, const MtNode *n, const char *value, bool below);

/* Returns an expression for the checked number's total (or minimum, or maximum) over all elements
 * of the array `input`. records: the elements are records. NULL: they don't have the number. */
static const bson_t *over_elements (Verify *v, const bson_t *input, const MtNode *n, bool records)
{
   const char *name = mt_printf (v->a, "e%d", v->depth++), *element = mt_printf (v->a, "$%s", name);
   const bson_t *one = records ? of_record (v, n, element)
                               : total (v, n,
                                        n->kind == MT_NODE_MAP ? mt_printf (v->a, "%s.v", element)
                                                               : element,
                                        false);
   v->depth--;
   if (!one)
      return NULL;
   bson_t *map = mt_doc_new (v->a), *body = mt_doc_new (v->a), *wrapped = mt_doc_new (v->a);
   mt_doc_add (map, "input", mt_doc_value (input));
   mt_doc_add_text (map, "as", name);
   mt_doc_add (map, "in", mt_doc_value (one));
   mt_doc_add_doc (body, "$map", map);
   mt_doc_add_doc (wrapped, "", body);
   return mt_mql_op1 (v->a, operator_of (v->what), wrapped);
}

static const bson_t *empty_array (Verify *v)
{
   bson_t *d = mt_doc_new (v->a);
   mt_doc_add_array (d, "", mt_doc_new (v->a));
   return d;
}

/* Returns an expression for the checked number's total over all entries of level n. parent: path of
 * the enclosing entry. */
static const bson_t *of_level (Verify *v, const MtNode *n, const char *parent)
{
   const char *path = mt_dotted (v->a, parent, n->at);
   const bson_t *value = mt_mql_path (v->a, path);
   switch (n->kind) {
   case MT_NODE_DOCUMENT: return NULL;
   case MT_NODE_SCALAR: return total (v, n, path, false);
   case MT_NODE_LIST:
   case MT_NODE_SLOTS:
      return over_elements (v, mt_mql_op (v->a, "$ifNull", value, empty_array (v), NULL), n, false);
   case MT_NODE_PAIRS:
   case MT_NODE_ARRAYS:
      return over_elements (
         v, mt_mql_op (v->a, "$ifNull", mt_flat_cells (v->a, n, parent), empty_array (v), NULL), n,
         false);
   case MT_NODE_MAP:
      return over_elements (v,
                            mt_mql_op (v->a, "$ifNull", mt_mql_op1 (v->a, "$objectToArray", value),
                                       empty_array (v), NULL),
                            n, false);
   }
   return NULL;
}

/* Returns an expression for the checked number of the entry at `value`: the stored number, or, if
 * `below` or none is stored, the total of its records or nested level. NULL: not available. */
static const bson_t *total (Verify *v, const MtNode *n, const char *value, bool below)
{
   const char *path = stored_path (v, n);
   if (path && !below)
      return mt_mql_path (v->a, mt_dotted (v->a, value, path));
   if (n->raw.present && n->raw.many)
      return over_elements (v, mt_mql_path (v->a, mt_dotted (v->a, value, n->raw.at)), n, true);
   if (n->raw.present)
      return of_record (v, n, value);
   return n->sub_count ? of_level (v, n->subs[n->sub_count - 1], value) : NULL;
}

static bool is_float (MtTypeId id) { return id == MT_T_FLOAT4 || id == MT_T_FLOAT8; }

/* Returns an expression that is true if two numbers are equal. Sums of doubles may differ by a
 * factor of 1e-9, because they depend on the order of addition. */
static const bson_t *agree (Verify *v, const bson_t *x, const bson_t *y)
{
   MtArena *a = v->a;
   const bson_t *none = v->what == STORED_MIN || v->what == STORED_MAX ? null_expr (v)
                                                                       : number (v, 0);
   x = mt_mql_op (a, "$ifNull", x, none, NULL);
   y = mt_mql_op (a, "$ifNull", y, none, NULL);
   const bson_t *equal = mt_mql_op (a, "$eq", x, y, NULL);
   if (v->what != STORED_SUM || !is_float (v->t->columns[v->column].type.id))
      return equal;
   const bson_t *apart = mt_mql_op1 (a, "$abs", mt_mql_op (a, "$subtract", x, y, NULL));
   const bson_t *most = mt_mql_op (a, "$multiply", mt_mql_op1 (a, "$abs", x),
                                   mt_doc_of (a, mt_v_double (1e-9)), NULL);
   return mt_mql_op (a, "$or", equal, mt_mql_op (a, "$lte", apart, most, NULL), NULL);
}

static void require (Verify *v, const bson_t *expr)
{
   mt_doc_add (v->list, mt_printf (v->a, "%d", v->count++), mt_doc_value (expr));
}

static void verify_cell (Verify *v, const MtNode *n, const char *value);

/* Adds a check of each element of the array `input`, as {$allElementsTrue: [{$map: …}]}. */
static void verify_elements (Verify *v, const MtNode *n, const bson_t *input)
{
   const char *name = mt_printf (v->a, "e%d", v->depth++), *element = mt_printf (v->a, "$%s", name);
   Verify inner = *v;
   inner.list = mt_doc_new (v->a);
   inner.count = 0;
   verify_cell (&inner, n, n->kind == MT_NODE_MAP ? mt_printf (v->a, "%s.v", element) : element);
   v->depth--;
   if (!inner.count)
      return;
   bson_t *all = mt_doc_new (v->a), *map = mt_doc_new (v->a), *body = mt_doc_new (v->a),
          *list = mt_doc_new (v->a), *wrapped = mt_doc_new (v->a);
   mt_doc_add_array (all, "$and", inner.list);
   mt_doc_add (map, "input", mt_doc_value (input));
   mt_doc_add_text (map, "as", name);
   mt_doc_add_doc (map, "in", all);
   mt_doc_add_doc (body, "$map", map);
   mt_doc_add_doc (list, "0", body);
   mt_doc_add_array (wrapped, "", list);
   require (v, mt_mql_op1 (v->a, "$allElementsTrue", wrapped));
}

static void verify_level (Verify *v, const MtNode *n, const char *parent)
{
   const char *path = mt_dotted (v->a, parent, n->at);
   const bson_t *value = mt_mql_path (v->a, path);
   switch (n->kind) {
   case MT_NODE_DOCUMENT: break;
   case MT_NODE_SCALAR: verify_cell (v, n, path); break;
   case MT_NODE_LIST:
   case MT_NODE_SLOTS:
      verify_elements (v, n, mt_mql_op (v->a, "$ifNull", value, empty_array (v), NULL));
      break;
   case MT_NODE_PAIRS:
   case MT_NODE_ARRAYS:
      verify_elements (
         v, n, mt_mql_op (v->a, "$ifNull", mt_flat_cells (v->a, n, parent), empty_array (v), NULL));
      break;
   case MT_NODE_MAP:
      verify_elements (v, n,
                       mt_mql_op (v->a, "$ifNull", mt_mql_op1 (v->a, "$objectToArray", value),
                                  empty_array (v), NULL));
      break;
   }
}

static void verify_cell (Verify *v, const MtNode *n, const char *value)
{
   const bson_t *below = stored_path (v, n) ? total (v, n, value, true) : NULL;
   if (below)
      require (v, agree (v, total (v, n, value, false), below));
   /* Redundant copies must have equal totals. */
   const bson_t *last = n->sub_count > 1 ? of_level (v, n->subs[n->sub_count - 1], value) : NULL;
   for (size_t i = 0; last && i + 1 < n->sub_count; i++) {
      const bson_t *copy = of_level (v, n->subs[i], value);
      if (copy)
         require (v, agree (v, copy, last));
   }
   for (size_t i = 0; i < n->sub_count; i++)
      verify_level (v, n->subs[i], value);
}

const bson_t *mt_sums_agree (MtArena *a, const MtTable *t, const MtStoreDesc *store)
{
   Verify v = {.a = a, .t = t, .list = mt_doc_new (a)};
   verify_cell (&v, store->root, "");
   static const Stored measures[] = {STORED_NONNULL, STORED_SUM, STORED_MIN, STORED_MAX};
   for (size_t c = 0; c < t->column_count; c++) {
      v.column = (int) c;
      for (size_t i = 0; i < sizeof measures / sizeof *measures; i++) {
         v.what = measures[i];
         verify_cell (&v, store->root, "");
      }
   }
   bson_t *body = mt_doc_new (a), *out = mt_doc_new (a);
   mt_doc_add_array (body, "$and", v.list);
   mt_doc_add_doc (out, "", body);
   return out;
}
