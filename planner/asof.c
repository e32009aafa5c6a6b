/* Both sides' rows in one list, sorted by the keys and the time; where times are equal, in the order that the operator asks for. A row of the left
 * side then finds its partner in the last row of the right one before it. */
#include "planner/asof.h"

#include "planner/function.h"
#include "planner/push.h"

#include <string.h>

/* Types whose order is that of their documents' values. */
static bool is_plain_time (MtTypeId a, MtTypeId b)
{
   switch (a) {
   case MT_T_DATE: case MT_T_TIME: case MT_T_TIMESTAMP: case MT_T_TIMESTAMPTZ:
      return a == b;
   default:
      return mt_type_is_integer (a) && mt_type_is_integer (b);
   }
}

/* The operator between a value of the left side and one of the right; NULL: it is something else. */
static const char *sides_of (const MtX *x, int left, MtX **l, MtX **r)
{
   static const char *const swapped[][2] = {{"<", ">"}, {"<=", ">="}, {">", "<"}, {">=", "<="}, {"=", "="}};
   if (x->kind != MT_X_CALL || x->call.argc != 2 || !(x->call.fn->flags & MT_F_OPERATOR))
      return NULL;
   MtSide a = mt_x_side (x->call.args[0], left), b = mt_x_side (x->call.args[1], left);
   bool straight = a == MT_SIDE_LEFT && b == MT_SIDE_RIGHT;
   if (!straight && !(a == MT_SIDE_RIGHT && b == MT_SIDE_LEFT))
      return NULL;
   *l = x->call.args[!straight];
   *r = x->call.args[straight];
   for (size_t i = 0; i < sizeof swapped / sizeof *swapped; i++)
      if (strcmp (x->call.fn->name, swapped[i][0]) == 0)
         return swapped[i][!straight];
   return NULL;
}

bool mt_asof_parts (MtArena *a, const MtJoin *j, MtAsof *out, const char **why)
{
   int n;
   MtX **parts = mt_conjuncts (a, j->on, &n), *l = NULL, *r = NULL;
   *out = (MtAsof){.left = MT_NEW_N (a, MtX *, (size_t) n + 1), .right = MT_NEW_N (a, MtX *, (size_t) n + 1)};
   *why = "Its condition has one of <, <=, > and >= between times or whole numbers of both sides, and equalities between both sides beside it, joined by AND.";
   for (int i = 0; i < n; i++) {
      const char *op = sides_of (parts[i], j->left->column_count, &l, &r);
      if (!op)
         return false;
      if (*op == '=') {
         if (!mt_plain_equality (l->type.id, r->type.id))
            return false;
         out->left[out->count] = l;
         out->right[out->count++] = r;
         continue;
      }
      if (out->left_time || !is_plain_time (l->type.id, r->type.id))
         return false;
      out->left_time = l;
      out->right_time = r;
      out->forward = *op == '<';
      out->strict = !op[1];
   }
   return out->left_time != NULL;
}

static const char *key_field (MtArena *a, int i)
{
   return mt_printf (a, "k%d", i);
}

bool mt_asof_mark (MtEmit *e, const MtAsof *s, bool right, MtPipe *pipe, MtError *err)
{
   bson_t *fields = mt_doc_new (e->a);
   for (int i = 0; i < s->count; i++)
      if (!mt_emit_value (e, right ? s->right[i] : s->left[i], fields, key_field (e->a, i), err))
         return false;
   if (!mt_emit_value (e, right ? s->right_time : s->left_time, fields, "kt", err))
      return false;
   mt_doc_add (fields, "ks", mt_v_bool (right));
   mt_pipe_add (pipe, "$addFields", fields);
   return true;
}

void mt_asof_pair (MtArena *a, const MtAsof *s, const MtRel *rel, const MtPlace *places, MtPipe *pipe)
{
   bson_t *sort = mt_doc_new (a), *spec = mt_doc_new (a), *keys = mt_doc_new (a), *input = mt_doc_new (a), *fields = mt_doc_new (a);
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
         mt_doc_add (to, mt_printf (a, "%u", bson_count_keys (to)), mt_v_str (places[i].path, strlen (places[i].path)));
   }
   mt_doc_add_array (spec, "keys", keys);
   mt_doc_add_path (a, spec, "time", "kt");
   mt_doc_add_path (a, spec, "other", "ks");
   mt_doc_add_array (spec, "input", input);
   mt_doc_add_array (spec, "fields", fields);
   if (rel->join->keep_left)
      mt_doc_add (spec, "keepLeft", mt_v_bool (true));
   mt_pipe_add (pipe, "$_mtAsof", spec);
}
