/* Makes and visits expressions of the typed tree. */
#include "query/x.h"

#include "types/datetime.h"
#include "layouts/stored.h"

#include <string.h>

MtX *mt_x_new (MtArena *a, MtXKind kind, MtType type, MtSpan span)
{
   MtX *x = MT_NEW (a, MtX);
   x->kind = kind;
   x->type = type;
   x->span = span;
   x->nullable = true;
   x->depth = 1;
   return x;
}

static bool has_times (MtTypeId t)
{
   return mt_type_is_datetime (mt_type_is_array (t) ? mt_type_element (t) : t);
}

static bool is_finite_value (MtVal v)
{
   if (v.type != MT_ARRAY)
      return v.type != MT_DATE || mt_ts_is_finite (v.i);
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   bool finite = true;
   while (finite && mt_doc_next (&it, &key, &v))
      finite = is_finite_value (v);
   return finite;
}

MtX *mt_x_const (MtArena *a, MtType type, MtVal v, MtSpan span)
{
   MtX *x = mt_x_new (a, MT_X_CONST, type, span);
   x->value = mt_is_nullish (v) ? mt_v_null () : v;
   x->nullable = mt_is_nullish (v);
   x->finite = !has_times (type.id) || is_finite_value (v);
   return x;
}

MtX *mt_x_text (MtArena *a, const char *s, MtSpan span)
{
   return mt_x_const (a, mt_type (MT_T_TEXT), mt_v_cstr (s), span);
}

MtX *mt_x_null (MtArena *a, MtType type, MtSpan span)
{
   return mt_x_const (a, type, mt_v_null (), span);
}

MtX **mt_x_children (MtX *x, int *count)
{
   *count = 0;
   switch (x->kind) {
   case MT_X_CALL: *count = x->call.argc; return x->call.args;
   case MT_X_AND:
   case MT_X_OR:
   case MT_X_NOT:
   case MT_X_IS_NULL:
   case MT_X_IN:
   case MT_X_CASE:
   case MT_X_COALESCE: *count = x->count; return x->list;
   case MT_X_CONST:
   case MT_X_COLUMN:
   case MT_X_KEY:
   case MT_X_AGG:
   case MT_X_TARGET:
   case MT_X_WINDOW:
   case MT_X_OUTER: break;
   }
   return NULL;
}

const MtX *mt_x_find (const MtX *x, bool (*wanted) (void *ctx, const MtX *x), void *ctx)
{
   int n;
   MtX **kids = mt_x_children ((MtX *) x, &n);
   const MtX *found = wanted (ctx, x) ? x : NULL;
   for (int i = 0; i < n && !found; i++)
      found = mt_x_find (kids[i], wanted, ctx);
   return found;
}

MtX *mt_x_copy (MtArena *a, const MtX *x, MtX ***children, int *count)
{
   MtX *copy = MT_NEW (a, MtX), **kids = mt_x_children ((MtX *) x, count);
   *copy = *x;
   *children = MT_NEW_N (a, MtX *, (size_t) *count + 1);
   if (!*count)
      return copy;
   memcpy (*children, kids, (size_t) *count * sizeof *kids);
   if (x->kind == MT_X_CALL)
      copy->call.args = *children;
   else
      copy->list = *children;
   return copy;
}

static bool any_nullable (MtX *const *list, int count)
{
   for (int i = 0; i < count; i++)
      if (list[i]->nullable)
         return true;
   return false;
}

static bool case_nullable (const MtX *x)
{
   for (int i = 1; i < x->count; i += 2)
      if (x->list[i]->nullable)
         return true;
   return x->list[x->count - 1]->nullable;
}

static bool call_nullable (const MtX *x)
{
   unsigned f = x->call.fn->flags;
   if (f & MT_F_NOT_STRICT)
      return !(f & MT_F_NEVER_NULL);
   return !(f & MT_F_NEVER_NULL) || any_nullable (x->call.args, x->call.argc);
}

static bool node_nullable (const MtX *x)
{
   switch (x->kind) {
   case MT_X_CALL: return call_nullable (x);
   case MT_X_AND:
   case MT_X_OR:
   case MT_X_NOT:
   case MT_X_IN: return any_nullable (x->list, x->count);
   case MT_X_IS_NULL: return false;
   case MT_X_CASE: return case_nullable (x);
   case MT_X_COALESCE:
      for (int i = 0; i < x->count; i++)
         if (!x->list[i]->nullable)
            return false;
      return true;
   case MT_X_CONST:
   case MT_X_COLUMN:
   case MT_X_KEY:
   case MT_X_AGG:
   case MT_X_TARGET:
   case MT_X_WINDOW:
   case MT_X_OUTER: break;
   }
   return x->nullable;
}

bool mt_x_all_finite (MtX *const *list, int count)
{
   for (int i = 0; i < count; i++)
      if (has_times (list[i]->type.id) && !list[i]->finite)
         return false;
   return true;
}

/* Computes MtX.finite: whether x is certainly not an infinite time. It is true for types other than
 * times. */
static bool node_finite (const MtX *x)
{
   if (!has_times (x->type.id))
      return true;
   if (x->kind != MT_X_CALL)
      return mt_x_all_finite (x->list, x->count);
   return !(x->call.fn->flags & MT_F_INFINITE) && mt_x_all_finite (x->call.args, x->call.argc);
}

void mt_x_update (MtX *x)
{
   int n;
   MtX **kids = mt_x_children (x, &n);
   if (!kids)
      return;
   x->depth = x->size = 1;
   x->is_volatile = x->kind == MT_X_CALL && (x->call.fn->flags & MT_F_VOLATILE);
   for (int i = 0; i < n; i++) {
      if (kids[i]->depth >= x->depth)
         x->depth = kids[i]->depth + 1;
      x->is_volatile |= kids[i]->is_volatile;
      x->size = x->size < INT32_MAX / 2 && kids[i]->size < INT32_MAX / 2 ? x->size + kids[i]->size
                                                                         : INT32_MAX;
   }
   x->nullable = node_nullable (x);
   x->finite = node_finite (x);
}

MtX *mt_x_list (MtArena *a, MtXKind kind, MtType type, MtX **list, int count, MtSpan span)
{
   MtX *x = mt_x_new (a, kind, type, span);
   x->list = list;
   x->count = count;
   mt_x_update (x);
   return x;
}

const MtFunc mt_agg_row = {
   .name = "$row", .signature = "any -> jsonb", .flags = MT_F_NOT_STRICT | MT_F_VARIADIC};

MtX *mt_x_call (MtArena *a, const MtFunc *fn, MtType type, MtX **args, int argc, MtSpan span)
{
   MtX *x = mt_x_new (a, MT_X_CALL, type, span);
   x->call.fn = fn;
   x->call.args = args;
   x->call.argc = argc;
   mt_x_update (x);
   return x;
}

MtX *mt_x_null_test (MtArena *a, MtX *x, MtSpan span)
{
   MtX **list = MT_NEW_N (a, MtX *, 1);
   list[0] = x;
   return mt_x_list (a, MT_X_IS_NULL, mt_type (MT_T_BOOL), list, 1, span);
}

MtX *mt_x_both (MtArena *a, MtX *x, MtX *y)
{
   if (!x || !y)
      return x ? x : y;
   MtX **list = MT_NEW_N (a, MtX *, 2);
   list[0] = x;
   list[1] = y;
   return mt_x_list (a, MT_X_AND, mt_type (MT_T_BOOL), list, 2, y->span);
}

MtX *mt_x_not (MtArena *a, MtX *x)
{
   if (x->kind == MT_X_NOT)
      return x->list[0];
   MtX **list = MT_NEW_N (a, MtX *, 1);
   list[0] = x;
   return mt_x_list (a, MT_X_NOT, mt_type (MT_T_BOOL), list, 1, x->span);
}

static bool same_value (MtVal a, MtVal b)
{
   if (mt_is_nullish (a) || mt_is_nullish (b))
      return mt_is_nullish (a) && mt_is_nullish (b);
   if (a.type != b.type)
      return false;
   if (a.type == MT_DECIMAL)
      return memcmp (a.p, b.p, 16) == 0; /* 1.0 and 1.00 differ, because they print differently */
   return mt_v_compare (a, b) == 0 && (a.type != MT_DATE || a.len == b.len);
}

static bool equal_lists (MtX *const *a, MtX *const *b, int n)
{
   for (int i = 0; i < n; i++)
      if (!mt_x_equal (a[i], b[i]))
         return false;
   return true;
}

bool mt_x_equal (const MtX *a, const MtX *b)
{
   if (a == b)
      return true;
   if (a->kind != b->kind || a->type.id != b->type.id || a->depth != b->depth)
      return false;
   switch (a->kind) {
   case MT_X_CONST: return same_value (a->value, b->value);
   case MT_X_COLUMN: return a->column == b->column;
   case MT_X_KEY:
   case MT_X_AGG:
   case MT_X_TARGET:
   case MT_X_WINDOW: return a->index == b->index;
   case MT_X_OUTER: return a->outer.scope == b->outer.scope && a->outer.column == b->outer.column;
   case MT_X_CALL:
      return a->call.fn == b->call.fn && a->call.argc == b->call.argc &&
             equal_lists (a->call.args, b->call.args, a->call.argc);
   case MT_X_AND:
   case MT_X_OR:
   case MT_X_NOT:
   case MT_X_IS_NULL:
   case MT_X_IN:
   case MT_X_CASE:
   case MT_X_COALESCE: return a->count == b->count && equal_lists (a->list, b->list, a->count);
   }
   return false;
}

/* ---- columns of an expression ---- */

static bool is_column (void *ctx, const MtX *x) { return x->kind == MT_X_COLUMN; }

const MtX *mt_sort_expr (const MtQuery *q, const MtSortX *s)
{
   return s->expr->kind == MT_X_TARGET ? q->targets[s->expr->index].expr : s->expr;
}

const MtX *mt_x_first_column (const MtX *x) { return mt_x_find (x, is_column, NULL); }

MtX *mt_x_map_columns (MtArena *a, const MtX *x, MtX *(*fn) (void *ctx, const MtX *column),
                       void *ctx)
{
   int n;
   if (x->kind == MT_X_COLUMN)
      return fn (ctx, x);
   if (!mt_has_columns (x))
      return (MtX *) x;
   MtX **list, *copy = mt_x_copy (a, x, &list, &n);
   for (int i = 0; i < n; i++)
      list[i] = mt_x_map_columns (a, list[i], fn, ctx);
   mt_x_update (copy);
   return copy;
}

MtX *mt_x_map_leaves (MtArena *a, const MtX *x, MtX *(*fn) (void *ctx, const MtX *leaf), void *ctx)
{
   int n;
   if (x->kind == MT_X_COLUMN || x->kind == MT_X_OUTER)
      return fn (ctx, x);
   if (!mt_has_columns (x) && !mt_x_has_outer (x, 0))
      return (MtX *) x;
   MtX **list, *copy = mt_x_copy (a, x, &list, &n);
   for (int i = 0; i < n; i++)
      list[i] = mt_x_map_leaves (a, list[i], fn, ctx);
   mt_x_update (copy);
   return copy;
}

typedef struct Shift {
   MtArena *a;
   int offset;
} Shift;

static MtX *shifted (void *ctx, const MtX *column)
{
   const Shift *s = ctx;
   MtX *x = MT_NEW (s->a, MtX);
   *x = *column;
   x->column += s->offset;
   return x;
}

MtX *mt_x_shift (MtArena *a, const MtX *x, int offset)
{
   Shift s = {a, offset};
   return mt_x_map_columns (a, x, shifted, &s);
}

typedef struct EachColumn {
   void (*fn) (void *ctx, int column);
   void *ctx;
} EachColumn;

static bool each_column (void *ctx, const MtX *x)
{
   const EachColumn *e = ctx;
   if (x->kind == MT_X_COLUMN)
      e->fn (e->ctx, x->column);
   return false;
}

void mt_x_each_column (const MtX *x, void (*fn) (void *ctx, int column), void *ctx)
{
   EachColumn e = {fn, ctx};
   mt_x_find (x, each_column, &e);
}

static void mark_column (void *ctx, int column) { ((bool *) ctx)[column] = true; }

void mt_x_mark_columns (const MtX *x, bool *used) { mt_x_each_column (x, mark_column, used); }
