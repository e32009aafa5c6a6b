/* Plans ASOF joins. The rows of both sides are sorted together by the join's keys and the time. A
 * left row is joined with the last right row before it. For equal times, the join's comparison
 * operator decides which side is first. */
#include "planner/plan/asof.h"

#include "query/condition.h"
#include "query/function.h"
#include "types/datetime.h"

#include <string.h>

static const char *key_field (MtArena *a, int i) { return mt_printf (a, "k%d", i); }

/* Converts a TOLERANCE to milliseconds, rounded down, because stored times are whole milliseconds.
 * An integer is returned unchanged. */
static int64_t distance (const MtX *x)
{
   if (x->type.id != MT_T_INTERVAL)
      return x->value.i;
   MtInterval iv = mt_v_to_interval (x->value);
   return iv.days * INT64_C (86400000) + iv.us / 1000;
}

bool mt_asof_mark (MtEmit *e, const MtAsof *s, bool right, MtPipe *pipe)
{
   bson_t *fields = mt_doc_new (e->a);
   for (int i = 0; i < s->count; i++)
      if (!mt_emit_value (e, right ? s->right[i] : s->left[i], fields, key_field (e->a, i)))
         return false;
   if (!mt_emit_value (e, right ? s->right_time : s->left_time, fields, "kt"))
      return false;
   mt_doc_add (fields, "ks", mt_v_bool (right));
   mt_pipe_add (pipe, "$addFields", fields);
   return true;
}

void mt_asof_pair (MtArena *a, const MtAsof *s, const MtRel *rel, const MtPlace *places,
                   MtPipe *pipe)
{
   bson_t *sort = mt_doc_new (a), *spec = mt_doc_new (a), *keys = mt_doc_new (a),
          *input = mt_doc_new (a), *fields = mt_doc_new (a);
   for (int i = 0; i < s->count; i++) {
      const char *key = key_field (a, i);
      mt_doc_add_int (sort, key, 1);
      mt_doc_add_path (a, keys, mt_printf (a, "%d", i), key);
   }
   mt_doc_add_int (sort, "kt", s->forward ? -1 : 1);
   mt_doc_add_int (sort, "ks", s->strict ? 1 : -1);
   mt_pipe_add (pipe, "$sort", sort);
   for (int i = 0; i < rel->column_count; i++) {
      bson_t *to = i < rel->join->left->column_count ? input : fields;
      if (places[i].path)
         mt_doc_add (to, mt_printf (a, "%u", bson_count_keys (to)), mt_v_cstr (places[i].path));
   }
   mt_doc_add_array (spec, "keys", keys);
   mt_doc_add_path (a, spec, "time", "kt");
   mt_doc_add_path (a, spec, "other", "ks");
   mt_doc_add_array (spec, "input", input);
   mt_doc_add_array (spec, "fields", fields);
   if (rel->join->tolerance)
      mt_doc_add (spec, "tolerance", mt_v_int64 (distance (rel->join->tolerance)));
   if (rel->join->keep_left)
      mt_doc_add (spec, "keepLeft", mt_v_bool (true));
   mt_pipe_add (pipe, "$_mtAsof", spec);
}
