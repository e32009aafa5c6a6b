#include "planner/plan/unnest.h"

#include "planner/emit/emit.h"

/* Names of the fields that are added to those of the input: u is the row of the set (u0, u1 … if
 * there are several sets), and o is its index, from 0. */

static const char *set_field (MtArena *a, const MtUnnest *u, int call)
{
   return u->count == 1 ? "u" : mt_printf (a, "u%d", call);
}

/* Appends an array that combines several sets row by row: [row of the first set, row of the second
 * …]. Shorter sets are filled with NULLs. */
static bool zipped (MtEmit *e, const MtUnnest *u, bson_t *fields)
{
   bson_t *zip = mt_doc_new (e->a), *inputs = mt_doc_new (e->a), *op = mt_doc_new (e->a);
   for (int i = 0; i < u->count; i++) {
      bson_t *set = mt_doc_new (e->a);
      if (!mt_emit_x (e, u->calls[i], set, ""))
         return false;
      const bson_t *none = mt_doc_new (e->a), *nothing = mt_doc_of (e->a, mt_v_array (none));
      mt_doc_add (inputs, mt_printf (e->a, "%d", i),
                  mt_doc_value (mt_mql_op (e->a, "$ifNull", set, nothing, NULL)));
   }
   mt_doc_add_array (zip, "inputs", inputs);
   mt_doc_add (zip, "useLongestLength", mt_v_bool (true));
   mt_doc_add_doc (op, "$zip", zip);
   mt_doc_add_doc (fields, "u", op);
   return true;
}

static void take_apart (MtArena *a, const MtUnnest *u, MtPipe *pipe)
{
   bson_t *fields = mt_doc_new (a);
   for (int i = 0; i < u->count; i++)
      mt_doc_add (fields, set_field (a, u, i),
                  mt_doc_value (
                     mt_mql_op (a, "$arrayElemAt", mt_mql_path (a, "u"), mt_mql_int (a, i), NULL)));
   mt_pipe_add (pipe, "$addFields", fields);
}

static void unwind (MtArena *a, const MtUnnest *u, MtPipe *pipe)
{
   bson_t *spec = mt_doc_new (a);
   if (!u->ordinality && !u->keep) {
      mt_pipe_add_value (pipe, "$unwind", mt_v_cstr ("$u"));
      return;
   }
   mt_doc_add_path (a, spec, "path", "u");
   if (u->ordinality)
      mt_doc_add_text (spec, "includeArrayIndex", "o");
   if (u->keep)
      mt_doc_add (spec, "preserveNullAndEmptyArrays", mt_v_bool (true));
   mt_pipe_add (pipe, "$unwind", spec);
}

/* Returns whether a value of type t may be an array, because $match would compare the array's
 * elements. */
static bool may_be_array (MtTypeId t)
{
   return mt_type_is_array (t) || t == MT_T_JSONB || t == MT_T_DOCUMENT;
}

static void set_places (MtArena *a, const MtRel *rel, MtPlace *places)
{
   const MtUnnest *u = rel->unnest;
   int first = u->input->column_count;
   for (int i = 0; i < u->column_count; i++) {
      const MtUnnestColumn *c = &u->columns[i];
      const char *path = mt_dotted (a, set_field (a, u, c->call), c->field ? c->field : "");
      places[first + i] = (MtPlace) {.path = path,
                                     .nullable = true,
                                     .may_be_missing = true,
                                     .can_match = !may_be_array (rel->columns[first + i].type.id)};
   }
   if (u->ordinality)
      places[first + u->column_count] = (MtPlace) {
         .expr = mt_mql_op (a, "$add", mt_mql_path (a, "o"), mt_doc_of (a, mt_v_int64 (1)), NULL),
         .nullable = u->keep};
}

bool mt_unnest_emit (MtArena *a, const MtRel *rel, const MtTextStyle *style, MtPlace *places,
                     MtPipe *pipe, MtError *err)
{
   const MtUnnest *u = rel->unnest;
   MtEmit e = {.a = a, .err = err, .style = style, .columns = places};
   bson_t *fields = mt_doc_new (a);
   if (u->count == 1 ? !mt_emit_value (&e, u->calls[0], fields, "u") : !zipped (&e, u, fields))
      return false;
   mt_pipe_add (pipe, "$addFields", fields);
   unwind (a, u, pipe);
   if (u->count > 1)
      take_apart (a, u, pipe);
   set_places (a, rel, places);
   return true;
}
