/* Translates joins to $lookup. A $lookup gives the same pairs as a join, if its pipeline is that of
 * the other side, followed by the join condition. In the condition, fields of the incoming row are
 * variables. localField and foreignField are added only so that the server finds candidates by an
 * index; servers rarely use an index for $expr. */
#include "planner/plan/lookup.h"

#include "planner/plan/split.h"

#include <string.h>

#define PARTNER "jr" /* field with the matching row; the fields of both sides are j0, j1 … */

static bool array_of (MtVal v, bson_t *view)
{
   return v.type == MT_ARRAY && bson_init_static (view, v.p, v.len);
}

static MtVal part (const bson_t *doc, const char *name)
{
   return mt_doc_field (mt_v_doc (doc), name);
}

bool mt_lookup_can (MtArena *a, const MtCaps *caps, const bson_t *join)
{
   if (caps->local_operators || mt_caps_lack (caps, "$lookup") ||
       part (join, "coll").type != MT_STRING)
      return false;
   if (bson_has_field (join, "keepRight") || bson_has_field (join, "single") ||
       (bson_has_field (join, "mark") && !bson_has_field (join, "keepLeft")))
      return false;
   return mt_server_has (a, caps, part (join, "pipeline")) &&
          mt_server_has (a, caps, part (join, "left")) &&
          mt_server_has (a, caps, part (join, "right")) &&
          mt_server_has (a, caps, part (join, "on"));
}

/* ---- the stored field of a join key ---- */

static const char *path_of (MtArena *a, MtVal v)
{
   return v.type == MT_STRING && v.len > 1 && v.p[0] == '$' && v.p[1] != '$'
             ? mt_strndup (a, (const char *) v.p + 1, v.len - 1)
             : NULL;
}

/* If v is a reference to a field, "$a" or {$ifNull: ["$a", null]}, returns the field's path, else
 * NULL. */
static const char *field_of (MtArena *a, MtVal v)
{
   MtVal choice = v.type == MT_DOC ? mt_doc_field (v, "$ifNull") : mt_v_missing ();
   if (choice.type == MT_ARRAY && mt_doc_count (choice) == 2 &&
       mt_doc_at (choice, 1).type == MT_NULL)
      v = mt_doc_at (choice, 0);
   return path_of (a, v);
}

/* Returns the path that a $project copies to the field `name`. NULL: the field is computed. */
static const char *projected (MtArena *a, MtVal project, const char *name)
{
   MtVal v = mt_doc_field (project, name);
   return v.type == MT_INT32 && v.i == 1 ? name : field_of (a, v);
}

const char *mt_lookup_field (MtArena *a, const bson_t *join)
{
   size_t n;
   MtVal *stages = mt_v_elements (a, part (join, "pipeline"), &n),
         left = mt_doc_at (part (join, "left"), 0);
   const char *name = field_of (a, left) ? field_of (a, mt_doc_at (part (join, "right"), 0)) : NULL;
   while (name && n--) {
      MtVal project = mt_doc_field (stages[n], "$project");
      if (strchr (name, '.'))
         return NULL; /* the $project computes the field */
      if (project.type == MT_DOC)
         name = projected (a, project, name);
      else if (mt_doc_field (stages[n], "$match").type != MT_DOC)
         return NULL;
      if (n == 0)
         return name;
   }
   return NULL;
}

/* ---- the stages of a $lookup ---- */

/* The names of those fields of the incoming row that are variables in the pipeline of $lookup. */
typedef struct Variables {
   MtArena *a;
   MtVal names; /* array of field names */
} Variables;

static bool is_variable (const Variables *s, const uint8_t *name, size_t n)
{
   MtDocIter it = mt_doc_iter (s->names);
   MtStr key;
   MtVal v;
   while (mt_doc_next (&it, &key, &v))
      if (v.len == n && memcmp (v.p, name, n) == 0)
         return true;
   return false;
}

static const char *variable_text (const Variables *s, MtVal v)
{
   size_t n = 1;
   if (v.type != MT_STRING || v.len < 2 || v.p[0] != '$')
      return NULL;
   while (n < v.len && v.p[n] != '.')
      n++;
   return is_variable (s, v.p + 1, n - 1)
             ? mt_printf (s->a, "$%.*s", (int) v.len, (const char *) v.p)
             : NULL;
}

/* Adds v under `name` to `out`, with fields of the incoming row replaced by variables of $lookup
 * ("$$…"). */
static void add_with_variables (const Variables *s, bson_t *out, const char *name, MtVal v)
{
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal each;
   const char *text = variable_text (s, v);
   if (text)
      mt_doc_add_text (out, name, text);
   if (text || (v.type != MT_DOC && v.type != MT_ARRAY) || strcmp (name, "$literal") == 0) {
      if (!text)
         mt_doc_add (out, name, v);
      return;
   }
   bson_t *copy = mt_doc_new (s->a);
   while (mt_doc_next (&it, &key, &each))
      add_with_variables (s, copy, mt_strndup (s->a, key.p, key.n), each);
   if (v.type == MT_DOC)
      mt_doc_add_doc (out, name, copy);
   else
      mt_doc_add_array (out, name, copy);
}

static bson_t *with_variables (const Variables *s, MtVal v)
{
   bson_t *out = mt_doc_new (s->a);
   add_with_variables (s, out, "", v);
   return out;
}

/* Returns the join condition as an expression. NULL keys are excluded explicitly, because $eq of
 * two nulls is true, unlike = in SQL. */
static const bson_t *condition (const Variables *s, const bson_t *join)
{
   bson_t *all = mt_doc_new (s->a), *and = mt_doc_new (s->a);
   MtVal left = part (join, "left"), right = part (join, "right"), on = part (join, "on");
   for (size_t i = 0; i < mt_doc_count (left); i++) {
      const bson_t *l = with_variables (s, mt_doc_at (left, i)),
                   *r = mt_doc_of (s->a, mt_doc_at (right, i));
      mt_doc_add (all, mt_printf (s->a, "%zu", 2 * i),
                  mt_doc_value (mt_mql_op (s->a, "$gt", l, mt_doc_of (s->a, mt_v_null ()), NULL)));
      mt_doc_add (all, mt_printf (s->a, "%zu", 2 * i + 1),
                  mt_doc_value (mt_mql_op (s->a, "$eq", r, l, NULL)));
   }
   if (on.type != MT_MISSING)
      add_with_variables (s, all, mt_printf (s->a, "%u", bson_count_keys (all)), on);
   mt_doc_add_array (and, "$and", all);
   return and;
}

static void add_lookup (MtArena *a, const bson_t *join, const char *field, MtPipe *pipe)
{
   Variables s = {a, part (join, "input")};
   bson_t *lookup = mt_doc_new (a), *let = mt_doc_new (a), *match = mt_doc_new (a), stages;
   MtPipe *inner = mt_pipe_new (a);
   MtDocIter it = mt_doc_iter (s.names);
   MtStr key;
   MtVal v;
   while (mt_doc_next (&it, &key, &v)) {
      const char *name = mt_strndup (a, (const char *) v.p, v.len);
      mt_doc_add_path (a, let, name, name);
   }
   mt_doc_add_doc (match, "$expr", condition (&s, join));
   if (array_of (part (join, "pipeline"), &stages))
      mt_pipe_append_bson (inner, &stages);
   if (bson_has_field (join, "on") || mt_doc_count (part (join, "left")))
      mt_pipe_add (inner, "$match", match);
   if (!mt_doc_count (part (join, "fields"))) { /* DocumentDB loses documents without fields */
      bson_t *some = mt_doc_new (a);
      mt_doc_add_int (some, "_id", 0);
      mt_doc_add (some, "j", mt_doc_value (mt_mql_op1 (a, "$literal", mt_mql_int (a, 1))));
      mt_pipe_add (inner, "$project", some);
   }
   if (bson_has_field (join, "mark"))
      mt_pipe_add_value (inner, "$limit", mt_v_int32 (1)); /* one match suffices */
   mt_doc_add (lookup, "from", part (join, "coll"));
   if (field) {
      const char *local = field_of (a, mt_doc_at (part (join, "left"), 0));
      mt_doc_add_text (lookup, "localField", local);
      mt_doc_add_text (lookup, "foreignField", field);
   }
   mt_doc_add_doc (lookup, "let", let);
   mt_doc_add_array (lookup, "pipeline", inner->stages);
   mt_doc_add_text (lookup, "as", PARTNER);
   mt_pipe_add (pipe, "$lookup", lookup);
}

/* Appends a $project of the incoming row, with a field that tells whether it has a match. */
static void add_mark (MtArena *a, const bson_t *join, bson_t *project, MtPipe *pipe)
{
   MtVal mark = part (join, "mark");
   const bson_t *count = mt_mql_op1 (a, "$size", mt_mql_path (a, PARTNER));
   mt_doc_add (project, mt_strndup (a, (const char *) mark.p, mark.len),
               mt_doc_value (mt_mql_op (a, "$gt", count, mt_mql_int (a, 0), NULL)));
   mt_pipe_add (pipe, "$project", project);
}

/* Appends stages that return a row for each match, with the fields of both sides. */
static void add_partners (MtArena *a, const bson_t *join, bson_t *project, MtPipe *pipe)
{
   bson_t *unwind = mt_doc_new (a);
   MtDocIter theirs = mt_doc_iter (part (join, "fields"));
   MtStr key;
   MtVal v;
   mt_doc_add_path (a, unwind, "path", PARTNER);
   if (bson_has_field (join, "keepLeft"))
      mt_doc_add (unwind, "preserveNullAndEmptyArrays", mt_v_bool (true));
   mt_pipe_add (pipe, "$unwind", unwind);
   while (mt_doc_next (&theirs, &key, &v)) {
      const char *name = mt_strndup (a, (const char *) v.p, v.len);
      mt_doc_add_path (a, project, name, mt_printf (a, PARTNER ".%s", name));
   }
   if (bson_count_keys (project) == 1)
      mt_doc_add (project, "j", mt_v_bool (true));
   mt_pipe_add (pipe, "$project", project);
}

void mt_lookup_emit (MtArena *a, const bson_t *join, const char *field, MtPipe *pipe)
{
   bson_t *project = mt_doc_new (a);
   MtDocIter mine = mt_doc_iter (part (join, "input"));
   MtStr key;
   MtVal v;
   add_lookup (a, join, field, pipe);
   mt_doc_add_int (project, "_id", 0);
   while (mt_doc_next (&mine, &key, &v))
      mt_doc_add_int (project, mt_strndup (a, (const char *) v.p, v.len), 1);
   if (bson_has_field (join, "mark"))
      add_mark (a, join, project, pipe);
   else
      add_partners (a, join, project, pipe);
}
