#include "planner/plan/stored_order.h"

#include "query/condition.h"
#include "query/x.h"

#include <string.h>

/* Returns the column that is sort key s. NULL: s is another expression. */
static const MtX *column_of (const MtQuery *q, const MtSortX *s)
{
   const MtX *x = mt_sort_expr (q, s);
   return x->kind == MT_X_COLUMN ? x : NULL;
}

static bool only_matches (const MtPipe *pipe)
{
   bson_iter_t it, stage;
   for (bson_iter_init (&it, pipe->stages); bson_iter_next (&it);)
      if (!bson_iter_recurse (&it, &stage) || !bson_iter_find (&stage, "$match"))
         return false;
   return true;
}

/* ---- sort keys that are never NULL or NaN ---- */

/* Returns whether each document has a value at p. stored: the documents are from one collection,
 * not from a union, whose other collections could lack the value. */
static bool always_stored (const MtPlace *p, bool stored)
{
   return stored && p->path && !p->nullable && !p->may_be_missing;
}

static void narrow_key (MtArena *a, const MtQuery *q, const MtEmit *emit, bool stored, MtSortX *s)
{
   const MtX *x = column_of (q, s);
   if (!x)
      return;
   s->never_nan = q->where && mt_excludes_nan (q->where, x->column);
   if (s->expr->nullable && (always_stored (&emit->columns[x->column], stored) ||
                             (q->where && mt_excludes_null (q->where, x->column)))) {
      MtX *own = MT_NEW (a, MtX);
      *own = *s->expr;
      own->nullable = false;
      s->expr = own;
   }
}

const MtQuery *mt_narrow_sort (MtArena *a, const MtQuery *q, const MtEmit *emit, const MtPipe *pipe)
{
   if (!q->sort_count || q->grouped || !emit->columns)
      return q;
   MtQuery *own = MT_NEW (a, MtQuery);
   *own = *q;
   own->sort = MT_NEW_N (a, MtSortX, (size_t) q->sort_count);
   memcpy (own->sort, q->sort, (size_t) q->sort_count * sizeof *own->sort);
   for (int i = 0; i < q->sort_count; i++)
      narrow_key (a, q, emit, only_matches (pipe), &own->sort[i]);
   return own;
}

/* ---- sorting by stored fields ---- */

/* Returns the stored field by which MongoDB sorts rows as sort key i of q does. NULL: there is
 * none. */
static const char *field_of_key (MtArena *a, const MtQuery *q, const MtEmit *emit, int i)
{
   const MtX *x = column_of (q, &q->sort[i]);
   const MtPlace *p = x ? &emit->columns[x->column] : NULL;
   if (!p || !p->path || !p->can_match || mt_sort_rank (a, &q->sort[i], mt_mql_path (a, p->path)))
      return NULL;
   /* If a time can be stored as different numbers, sorting by the field orders rows of equal times
    * by these numbers. But a further sort key must order them. */
   return p->several && i + 1 < q->sort_count ? NULL : p->path;
}

const bson_t *mt_stored_sort (MtArena *a, const MtQuery *q, const MtEmit *emit, const MtPipe *pipe)
{
   bson_t *sort = mt_doc_new (a);
   if (!q->sort_count || q->limit <= 0 || q->with_ties || q->distinct || q->on_count ||
       q->grouped || !emit->columns || !only_matches (pipe))
      return NULL;
   for (int i = 0; i < q->sort_count; i++) {
      const char *field = field_of_key (a, q, emit, i);
      if (!field)
         return NULL;
      if (!bson_has_field (sort, field))
         mt_doc_add_int (sort, field, q->sort[i].descending ? -1 : 1);
   }
   return sort;
}
