/* The stage $fill, which replaces null and missing values. It is rewritten into other stages: into
 * $setWindowFields for the methods "locf" and "linear", and into $addFields for constant values. */
#include "engine/local/expr/core.h"
#include "engine/local/expr/shape.h"
#include "engine/local/stage/stage_int.h"

typedef struct Filling {
   MtBson windows, values; /* `output` of $setWindowFields, and the specification of $addFields */
   uint32_t window_count, value_count;
} Filling;

static bool add_output (MtCompile *c, Filling *f, const char *field, MtVal spec)
{
   MtVal method = spec.type == MT_DOC ? mt_doc_field (spec, "method") : mt_v_missing (),
         value = spec.type == MT_DOC ? mt_doc_field (spec, "value") : mt_v_missing ();
   const char *path = mt_printf (c->arena, "$%s", field);
   if (spec.type != MT_DOC || mt_doc_count (spec) != 1 ||
       (method.type == MT_MISSING && value.type == MT_MISSING))
      return mt_bad (c, 6050203,
                     "each fill output specification must have exactly one of 'method' and "
                     "'value'");
   if (value.type != MT_MISSING) {
      f->value_count++;
      mt_bson_printf (&f->values, "%s: {$ifNull: [%s, %p]}", field, path, (void *) &value);
      return true;
   }
   bool linear = mt_v_is_text (method, "linear");
   if (!linear && !mt_v_is_text (method, "locf"))
      return mt_bad (c, 6050202, "method must be either locf or linear");
   f->window_count++;
   mt_bson_printf (&f->windows, "%s: {%s: %s}", field, linear ? "$linearFill" : "$locf", path);
   return true;
}

/* Appends partitionBy of $setWindowFields to b, made of $fill's partitionBy or partitionByFields.
 * The latter become a document with generated field names, because a path may contain dots and a
 * field name may not. */
static bool add_partition (MtCompile *c, MtVal spec, MtBson *b)
{
   MtVal by = mt_doc_field (spec, "partitionBy"), fields = mt_doc_field (spec, "partitionByFields");
   size_t n;
   if (by.type != MT_MISSING && fields.type != MT_MISSING)
      return mt_bad (c, 6050204, "$fill takes only one of 'partitionBy' and 'partitionByFields'");
   if (by.type != MT_MISSING)
      mt_bson_put (b, "partitionBy", by);
   if (by.type != MT_MISSING || fields.type == MT_MISSING)
      return true;
   MtVal *names = mt_v_elements (c->arena, fields, &n);
   size_t doc = mt_bson_doc (b, "partitionBy");
   for (size_t i = 0; i < n; i++) {
      if (names[i].type != MT_STRING || !names[i].len || names[i].p[0] == '$')
         return mt_bad (c, MT_CODE_TYPE_MISMATCH,
                        "partitionByFields of $fill must be an array of field names");
      mt_bson_put (
         b, mt_printf (c->arena, "%zu", i),
         mt_v_cstr (mt_printf (c->arena, "$%.*s", (int) names[i].len, (const char *) names[i].p)));
   }
   mt_bson_end (b, doc);
   return fields.type == MT_ARRAY ||
          mt_bad (c, MT_CODE_TYPE_MISMATCH,
                  "partitionByFields of $fill must be an array of field names");
}

static bool run_windows (MtCompile *c, MtVal spec, Filling *f)
{
   MtBson b = {.arena = c->arena};
   MtVal sort = mt_doc_field (spec, "sortBy"), output = mt_bson_part (&f->windows, 0, MT_DOC);
   mt_bson_begin (&b);
   if (!add_partition (c, spec, &b))
      return false;
   if (sort.type != MT_MISSING)
      mt_bson_put (&b, "sortBy", sort);
   mt_bson_put (&b, "output", output);
   mt_bson_end (&b, 0);
   return mt_memory_check (c->err) &&
          (!f->window_count || mt_stage_set_window_fields (c, mt_bson_part (&b, 0, MT_DOC)));
}

bool mt_stage_fill (MtCompile *c, MtVal spec)
{
   static const char *const names[] = {"partitionBy", "partitionByFields", "sortBy", "output",
                                       NULL};
   Filling f = {.windows = {.arena = c->arena}, .values = {.arena = c->arena}};
   if (!mt_stage_fields (c, spec, names, 40201, 40415))
      return false;
   MtVal output = mt_doc_field (spec, "output"), v;
   MtDocIter it = mt_doc_iter (output);
   MtStr key;
   if (output.type != MT_DOC || !mt_doc_count (output))
      return mt_bad (c, output.type == MT_MISSING ? 40414 : MT_CODE_TYPE_MISMATCH,
                     "the output field of $fill must be an object with at least one element");
   mt_bson_begin (&f.windows);
   mt_bson_begin (&f.values);
   while (mt_doc_next (&it, &key, &v))
      if (!add_output (c, &f, mt_strndup (c->arena, key.p, key.n), v))
         return false;
   mt_bson_end (&f.windows, 0);
   mt_bson_end (&f.values, 0);
   return mt_memory_check (c->err) && run_windows (c, spec, &f) &&
          (!f.value_count || mt_stage_add_fields (c, mt_bson_part (&f.values, 0, MT_DOC)));
}
