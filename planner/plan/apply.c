/* Builds the stage $_mtApply. The stages of the join's right side are split before the first stage
 * that uses a left column: the stages before it run once, the others for each left row. */
#include "planner/plan/apply.h"

#include "query/x.h"
#include "planner/plan/split.h"

#include <string.h>

bool mt_is_outer (MtVal v)
{
   return v.type == MT_STRING && v.len > 3 && memcmp (v.p, "$$o", 3) == 0 && v.p[3] >= '0' &&
          v.p[3] <= '9';
}

bool mt_names_outer (const bson_t *stages)
{
   bson_iter_t it;
   bson_t view;
   if (!bson_iter_init (&it, stages))
      return false;
   while (bson_iter_next (&it)) {
      MtVal v = mt_v_from_iter (&it);
      if (strcmp (bson_iter_key (&it), "$literal") == 0)
         continue;
      if (mt_is_outer (v))
         return true;
      if ((v.type == MT_DOC || v.type == MT_ARRAY) && bson_init_static (&view, v.p, v.len) &&
          mt_names_outer (&view))
         return true;
   }
   return false;
}

static bool stays_behind (const void *ctx, const bson_t *condition)
{
   (void) ctx;
   return mt_names_outer (condition);
}

static void cut_stages (MtArena *a, const bson_t *stages, bool at_once, MtPipe *prepare,
                        MtPipe *each)
{
   bson_iter_t it, stage;
   bson_t view;
   bool same = true;
   bson_iter_init (&it, stages);
   while (bson_iter_next (&it) && bson_iter_recurse (&it, &stage) && bson_iter_next (&stage)) {
      MtVal v = mt_v_from_iter (&it), spec = mt_v_from_iter (&stage);
      bool before = same;
      same = same && bson_init_static (&view, v.p, v.len) && !mt_names_outer (&view) &&
             (!at_once || strcmp (bson_iter_key (&stage), "$documents") == 0);
      if (before && !same && !at_once && strcmp (bson_iter_key (&stage), "$match") == 0)
         spec = mt_split_match (a, spec, stays_behind, NULL, prepare);
      mt_pipe_add_value (same ? prepare : each, bson_iter_key (&stage), spec);
   }
}

static void add_name (MtArena *a, bson_t *list, const char *name)
{
   mt_doc_add (list, mt_printf (a, "%u", bson_count_keys (list)), mt_v_cstr (name));
}

static void add_fields (MtEmit *e, const MtRel *rel, const MtPlace *places, bson_t *spec)
{
   bson_t *input = mt_doc_new (e->a), *fields = mt_doc_new (e->a);
   int left = rel->join->left->column_count;
   for (int i = 0; i < rel->column_count - rel->join->mark; i++)
      if (places[i].path)
         add_name (e->a, i < left ? input : fields, places[i].path);
   mt_doc_add_array (spec, "input", input);
   mt_doc_add_array (spec, "fields", fields);
}

static void add_stages (MtEmit *e, const MtJoin *j, const char *collection, const bson_t *stages,
                        bson_t *spec)
{
   MtQuery probe = {.rel = *j->right, .limit = -1};
   bool is_volatile = mt_query_is_volatile (&probe);
   MtPipe *prepare = mt_pipe_new (e->a), *each = mt_pipe_new (e->a);
   cut_stages (e->a, stages, is_volatile, prepare, each);
   bson_t *wanted = collection ? mt_wanted_fields (e->a, prepare, each) : NULL;
   if (wanted)
      mt_pipe_add (prepare, "$project", wanted);
   if (collection)
      mt_doc_add_text (spec, "coll", collection);
   if (collection || prepare->count)
      mt_doc_add_array (spec, "prepare", prepare->stages);
   mt_doc_add_array (spec, "pipeline", each->stages);
   if (is_volatile)
      mt_doc_add (spec, "volatile", mt_v_bool (true));
}

bool mt_apply_emit (MtEmit *e, const MtRel *rel, const MtPlace *places, const MtApplied *right,
                    bson_t *spec)
{
   const MtJoin *j = rel->join;
   bson_t *let = mt_doc_new (e->a);
   for (int i = 0; i < j->let_count; i++)
      if (!mt_emit_value (e, j->lets[i].x, let, mt_outer_name (e->a, j->apply, j->lets[i].column)))
         return false;
   mt_doc_add_doc (spec, "let", let);
   add_stages (e, j, right->collection, right->stages, spec);
   if ((j->on && !mt_emit_condition (e, j->on, spec, "on")) ||
       (j->when && !mt_emit_condition (e, j->when, spec, "when")))
      return false;
   add_fields (e, rel, places, spec);
   if (j->keep_left)
      mt_doc_add (spec, "keepLeft", mt_v_bool (true));
   if (right->mark)
      mt_doc_add_text (spec, "mark", right->mark);
   if (j->single)
      mt_doc_add (spec, "single", mt_v_bool (true));
   return true;
}
