#include "planner/plan/join.h"

#include "query/condition.h"
#include "query/function.h"

#include <string.h>

/* Recognizes x as an equality between an expression *l of the join's left side and an expression *r
 * of its right side. */
static bool key_of (const MtX *x, int left, const MtX **l, const MtX **r)
{
   if (!mt_x_is_equality (x))
      return false;
   *l = x->call.args[0];
   *r = x->call.args[1];
   if (!mt_plain_equality ((*l)->type.id, (*r)->type.id))
      return false;
   MtSide a = mt_x_side (*l, left), b = mt_x_side (*r, left);
   if (a == MT_SIDE_RIGHT && b == MT_SIDE_LEFT) {
      const MtX *t = *l;
      *l = *r;
      *r = t;
      return true;
   }
   return a == MT_SIDE_LEFT && b == MT_SIDE_RIGHT;
}

bool mt_join_key (const MtX *x, int left)
{
   const MtX *l, *r;
   return key_of (x, left, &l, &r);
}

static bool add_key (MtEmit *e, bson_t *list, const MtX *x)
{
   return mt_emit_value (e, x, list, mt_printf (e->a, "%u", bson_count_keys (list)));
}

static void add_name (MtArena *a, bson_t *list, const char *name)
{
   mt_doc_add (list, mt_printf (a, "%u", bson_count_keys (list)), mt_v_cstr (name));
}

bool mt_join_emit (MtEmit *e, const MtJoinStage *j, const MtRel *rel, const MtPlace *places,
                   bson_t *spec)
{
   bson_t *left = mt_doc_new (e->a), *right = mt_doc_new (e->a), *fields = mt_doc_new (e->a),
          *input = mt_doc_new (e->a);
   int n, others = 0;
   MtX **parts = mt_conjuncts (e->a, j->on, &n), **rest = MT_NEW_N (e->a, MtX *, (size_t) n + 1);
   for (int i = 0; i < n; i++) {
      const MtX *l, *r;
      if (!key_of (parts[i], j->left_count, &l, &r))
         rest[others++] = parts[i];
      else if (!add_key (e, left, j->swapped ? r : l) || !add_key (e, right, j->swapped ? l : r))
         return false;
   }
   for (int i = 0; i < rel->column_count - (j->mark != NULL); i++)
      if (places[i].path) /* unused columns have no path */
         add_name (e->a, (i < j->left_count) == j->swapped ? fields : input, places[i].path);
   if (j->collection)
      mt_doc_add_text (spec, "coll", j->collection);
   mt_doc_add_array (spec, "pipeline", j->pipeline);
   mt_doc_add_array (spec, "left", left);
   mt_doc_add_array (spec, "right", right);
   if (others && !mt_emit_condition (e, mt_conjunction (e->a, rest, others), spec, "on"))
      return false;
   mt_doc_add_array (spec, "input", input);
   mt_doc_add_array (spec, "fields", fields);
   if (j->keep_left)
      mt_doc_add (spec, "keepLeft", mt_v_bool (true));
   if (j->keep_right)
      mt_doc_add (spec, "keepRight", mt_v_bool (true));
   if (j->mark)
      mt_doc_add_text (spec, "mark", j->mark);
   if (j->single)
      mt_doc_add (spec, "single", mt_v_bool (true));
   return true;
}
