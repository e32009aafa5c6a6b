/* JOIN … ON with correlated sub-selects. Analysis joins such a sub-select as a third side, but ON
 * can refer to only two sides. So the condition is moved to the WHERE of a sub-select. For an inner
 * join, this sub-select contains the whole join. For an outer join, it contains only the side that
 * may be filled with NULLs, and it is LATERAL. */
#include "analyze/from/from_int.h"
#include "analyze/state/outer.h"
#include "analyze/types/coerce.h"

static bool bind_condition (MtBinder *b, const MtFrom *f, MtRel *rel, MtX **out)
{
   MtScope s = {.rel = rel, .own = rel, .clause = MT_CLAUSE_ON};
   return mt_bind_bool (b, &s, f->join.on, "JOIN/ON", out);
}

MtQuery *mt_query_over (MtBinder *b, const MtRel *rel, int count, MtX *where)
{
   MtQuery *q = MT_NEW (b->a, MtQuery);
   q->rel = *rel;
   q->where = where;
   q->limit = -1;
   q->targets = MT_NEW_N (b->a, MtTargetX, (size_t) count + 1);
   q->target_count = q->visible_count = count;
   for (int i = 0; i < count; i++) {
      MtX *x = mt_x_new (b->a, MT_X_COLUMN, rel->columns[i].type, MT_NO_SPAN);
      x->column = i;
      mt_x_refers_column (x, &rel->columns[i]);
      q->targets[i] = (MtTargetX) {rel->columns[i].name ? rel->columns[i].name : "", x};
   }
   return q;
}

void mt_become_query (MtRel *rel, MtQuery *q)
{
   rel->kind = MT_REL_QUERY;
   rel->query = q;
   rel->join = NULL;
   rel->unnest = NULL;
   rel->table = NULL;
}

static bool inner_join (MtBinder *b, const MtFrom *f, MtRel *rel)
{
   MtX *where;
   if (!mt_join_unnest (b, f->join.right->span, rel))
      return false;
   MtRel pairs = *rel;
   if (!bind_condition (b, f, &pairs, &where))
      return false;
   mt_become_query (rel, mt_query_over (b, &pairs, rel->column_count, where));
   return true;
}

/* Replaces `side`, the nullable side of an outer join, by a LATERAL sub-select that filters it by
 * the ON condition for each row of `other`. */
static bool side_where (MtBinder *b, const MtFrom *f, const MtRel *other, MtRel *side, int *apply)
{
   MtScope around = {.rel = other, .clause = MT_CLAUSE_WHERE, .id = *apply};
   MtOuter frame = {.scope = &around, .next = b->outer, .query = b->query};
   MtRel chosen = *side;
   MtX *where;
   b->outer = &frame;
   bool ok = bind_condition (b, f, &chosen, &where);
   b->outer = frame.next;
   *apply = around.id;
   if (!ok)
      return false;
   MtRel *query = MT_NEW (b->a, MtRel);
   *query = *side;
   mt_become_query (query, mt_query_over (b, &chosen, side->column_count, where));
   *side = *query;
   return true;
}

static void apply_join (MtBinder *b, MtJoin *j, int apply)
{
   j->let_count = 0;
   j->lets = NULL;
   if (apply)
      mt_join_apply (b, j, apply);
}

static bool left_join (MtBinder *b, const MtFrom *f, MtRel *rel)
{
   MtJoin *j = rel->join;
   MtRel *right = MT_NEW (b->a, MtRel);
   int apply = j->apply;
   *right = *j->right;
   if (!side_where (b, f, j->left, right, &apply))
      return false;
   j->right = right;
   apply_join (b, j, apply);
   return true;
}

/* Converts RIGHT JOIN to LEFT JOIN with exchanged sides, and puts the columns into the original
 * order. */
static bool right_join (MtBinder *b, const MtFrom *f, MtRel *rel)
{
   MtJoin *j = rel->join;
   MtRel *chosen = MT_NEW (b->a, MtRel), turned = {.kind = MT_REL_JOIN};
   int l = j->left->column_count, r = j->right->column_count, apply = 0;
   *chosen = *j->left;
   if (!side_where (b, f, j->right, chosen, &apply))
      return false;
   turned.column_count = l + r;
   turned.columns = MT_NEW_N (b->a, MtRelColumn, (size_t) (l + r) + 1);
   for (int i = 0; i < l + r; i++)
      turned.columns[i] = rel->columns[i < r ? l + i : i - r];
   turned.join = MT_NEW (b->a, MtJoin);
   *turned.join = (MtJoin) {.left = j->right, .right = chosen, .keep_left = true};
   apply_join (b, turned.join, apply);
   MtQuery *q = mt_query_over (b, &turned, l + r, NULL);
   MtTargetX *targets = MT_NEW_N (b->a, MtTargetX, (size_t) (l + r) + 1);
   for (int i = 0; i < l + r; i++)
      targets[i] = q->targets[i < l ? r + i : i - l];
   q->targets = targets;
   mt_become_query (rel, q);
   return true;
}

bool mt_bind_on (MtBinder *b, const MtFrom *f, MtRel *rel)
{
   MtJoin *j = rel->join;
   MtRel attempt = *rel;
   MtX *on;
   if (j->asof) {
      MtScope s = {.rel = rel, .clause = MT_CLAUSE_ON};
      return mt_bind_bool (b, &s, f->join.on, "JOIN/ON", &j->on);
   }
   if (!bind_condition (b, f, &attempt, &on))
      return false;
   if (attempt.join == j) {
      j->on = on;
      return true;
   }
   if (j->keep_left && j->keep_right)
      return mt_error_at (
         b->err, f->join.on->span, MT_E_FEATURE,
         "FULL JOIN is only supported with merge-joinable or hash-joinable join conditions");
   if (j->keep_left)
      return left_join (b, f, rel);
   return j->keep_right ? right_join (b, f, rel) : inner_join (b, f, rel);
}
