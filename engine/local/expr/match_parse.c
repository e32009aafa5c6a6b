/* Parses conditions of $match into a tree of tests (MtMatch). $ne, $nin and $not become $nor of a
 * single test. */
#include "engine/local/expr/expr.h"
#include "engine/local/expr/match_int.h"
#include "engine/local/expr/regex.h"
#include "engine/local/expr/schema.h"
#include "engine/local/expr/shape.h"

static MtMatch *node (MtCompile *c, MtMatchKind kind, uint32_t kids)
{
   MtMatch *m = MT_NEW (c->arena, MtMatch);
   m->kind = kind;
   m->kids = kids ? MT_NEW_N (c->arena, MtMatch *, kids) : NULL;
   m->slot = MT_NO_SLOT;
   return m;
}

static MtMatch *fail (MtCompile *c, int32_t code, const char *fmt, const char *what)
{
   mt_error_coded (c->err, MT_E_PARAMETER, code, fmt, what);
   return NULL;
}

static MtMatch *nor (MtCompile *c, MtMatch *kid)
{
   if (!kid)
      return NULL;
   MtMatch *m = node (c, MT_M_NOR, 1);
   m->kids[m->count++] = kid;
   return m;
}

static MtMatch *leaf (MtCompile *c, MtMatchKind kind, const MtPath *path, MtVal v)
{
   MtMatch *m = node (c, kind, 0);
   m->path = *path;
   m->from = 0;
   m->value = mt_v_copy (c->arena, v);
   m->test = mt_match_test_of (kind, v);
   return m;
}

/* ---- conditions with special arguments ---- */

static MtMatch *parse_regex (MtCompile *c, const MtPath *path, MtVal pattern, MtVal options)
{
   MtStr p = {(const char *) pattern.p, pattern.len}, o = {"", 0};
   if (pattern.type == MT_REGEX) {
      p.n = strnlen (p.p, pattern.len);
      o = mt_str (p.p + p.n + 1);
   } else if (pattern.type != MT_STRING)
      return fail (c, MT_CODE_BAD_VALUE, "$regex has to be a string%s", "");
   if (options.type == MT_STRING)
      o = (MtStr) {(const char *) options.p, options.len};
   else if (options.type != MT_MISSING)
      return fail (c, MT_CODE_BAD_VALUE, "$options has to be a string%s", "");
   MtPcre compiled; /* compiled only to check the pattern; each worker compiles its own */
   if (!mt_regex_new (&compiled, "$regex", p, o, c->err))
      return NULL;
   mt_pcre_free (&compiled);
   MtMatch *m = leaf (c, MT_M_REGEX, path, pattern);
   m->pattern = (MtStr) {mt_strndup (c->arena, p.p, p.n), p.n};
   m->options = (MtStr) {mt_strndup (c->arena, o.p, o.n), o.n};
   m->regex = c->regex_count++;
   return m;
}

static MtMatch *parse_in (MtCompile *c, const MtPath *path, MtVal v)
{
   if (v.type != MT_ARRAY)
      return fail (c, MT_CODE_BAD_VALUE, "$in needs an array%s", "");
   size_t n;
   MtVal *vals = mt_v_elements (c->arena, v, &n);
   MtMatch *m = leaf (c, MT_M_IN, path, v);
   m->set = MT_NEW_N (c->arena, MtVal, n + 1);
   m->set_regex = MT_NEW_N (c->arena, MtMatch *, n + 1);
   for (size_t i = 0; i < n; i++) {
      if (vals[i].type == MT_REGEX) {
         if (!(m->set_regex[m->set_regex_count++] = parse_regex (c, path, vals[i],
                                                                 mt_v_missing ())))
            return NULL;
      } else if (mt_is_nullish (vals[i]))
         m->set_null = true;
      else
         m->set[m->set_count++] = mt_v_copy (c->arena, vals[i]);
   }
   mt_match_index_set (c->arena, m);
   return m;
}

bool mt_match_add_type (MtCompile *c, uint32_t *types, MtVal t, bool json)
{
   static const struct {
      const char *name;
      uint8_t type;
   } names[] = {{"double", MT_DOUBLE},   {"string", MT_STRING},       {"object", MT_DOC},
                {"array", MT_ARRAY},     {"binData", MT_BINARY},      {"undefined", MT_UNDEFINED},
                {"objectId", MT_OID},    {"bool", MT_BOOL},           {"date", MT_DATE},
                {"null", MT_NULL},       {"regex", MT_REGEX},         {"dbPointer", 0x0C},
                {"javascript", MT_CODE}, {"symbol", MT_SYMBOL},       {"javascriptWithScope", 0x0F},
                {"int", MT_INT32},       {"timestamp", MT_TIMESTAMP}, {"long", MT_INT64},
                {"decimal", MT_DECIMAL}, {"minKey", MT_MINKEY},       {"maxKey", MT_MAXKEY},
                {"number", MT_INT32},    {"number", MT_INT64},        {"number", MT_DOUBLE},
                {"number", MT_DECIMAL}};
   static const char *const json_names[] = {"array",  "boolean", "null",
                                            "number", "object",  "string"};
   bool known = false;
   if (json) {
      for (size_t i = 0; i < sizeof json_names / sizeof *json_names; i++)
         known |= mt_v_is_text (t, json_names[i]);
      if (known && mt_v_is_text (t, "boolean"))
         t = mt_v_cstr ("bool");
      if (!known)
         return mt_bad (c, MT_CODE_BAD_VALUE, "unknown type name alias: %.*s",
                        (int) (t.len > 60 ? 60 : t.len), (const char *) t.p);
   }
   if (mt_is_number (t)) {
      int64_t n = t.type == MT_DOUBLE ? (int64_t) t.d : t.i;
      known = t.type != MT_DECIMAL && ((n > 0 && n <= 19) || n == -1 || n == 127 || n == 255);
      if (known)
         types[(uint8_t) n / 32] |= 1u << ((uint8_t) n % 32);
   }
   for (size_t i = 0; t.type == MT_STRING && i < sizeof names / sizeof *names; i++)
      if (mt_str_is ((MtStr) {(const char *) t.p, t.len}, names[i].name)) {
         types[names[i].type / 32] |= 1u << (names[i].type % 32);
         known = true;
      }
   return known || mt_bad (c, MT_CODE_BAD_VALUE, "unknown type given to $type");
}

static MtMatch *parse_type (MtCompile *c, const MtPath *path, MtVal v)
{
   MtMatch *m = leaf (c, MT_M_TYPE, path, v);
   size_t n = 1;
   MtVal *vals = v.type == MT_ARRAY ? mt_v_elements (c->arena, v, &n) : &v;
   for (size_t i = 0; i < n; i++)
      if (!mt_match_add_type (c, m->types, vals[i], false))
         return NULL;
   return m;
}

static bool whole_number (MtVal v, int64_t *out)
{
   if (v.type == MT_DOUBLE && v.d > -9e18 && v.d < 9e18)
      *out = (int64_t) v.d;
   else if (v.type == MT_INT32 || v.type == MT_INT64)
      *out = v.i;
   else
      return false;
   return true;
}

static MtMatch *parse_mod (MtCompile *c, const MtPath *path, MtVal v)
{
   MtMatch *m = leaf (c, MT_M_MOD, path, v);
   if (v.type != MT_ARRAY || mt_doc_count (v) != 2 || !whole_number (mt_doc_at (v, 0), &m->mod) ||
       !whole_number (mt_doc_at (v, 1), &m->rest))
      return fail (c, MT_CODE_BAD_VALUE, "malformed mod, needs to be an array of two numbers%s",
                   "");
   return m->mod ? m : fail (c, MT_CODE_BAD_VALUE, "divisor cannot be 0%s", "");
}

static MtMatch *parse_size (MtCompile *c, const MtPath *path, MtVal v)
{
   MtMatch *m = leaf (c, MT_M_SIZE, path, v);
   if (!whole_number (v, &m->rest) || m->rest < 0 ||
       (v.type == MT_DOUBLE && v.d != (double) m->rest))
      return fail (c, MT_CODE_BAD_VALUE, "$size must be a whole number that is not negative%s", "");
   return m;
}

static MtMatch *parse_bits (MtCompile *c, const char *name, const MtPath *path, MtVal v)
{
   MtMatch *m = leaf (c, MT_M_BITS, path, v);
   return (m->bits = mt_match_bits (c, name, v)) ? m : NULL;
}

static bool is_operators (MtVal v)
{
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal e;
   return v.type == MT_DOC && mt_doc_next (&it, &key, &e) && key.n && key.p[0] == '$';
}

static MtMatch *parse_operators (MtCompile *c, const MtPath *path, MtVal v);

static MtMatch *parse_elem (MtCompile *c, const MtPath *path, MtVal v)
{
   static const MtPath itself = {NULL, 0};
   if (v.type != MT_DOC)
      return fail (c, MT_CODE_BAD_VALUE, "$elemMatch needs an Object%s", "");
   MtStr key = {"", 0};
   MtVal e;
   MtDocIter it = mt_doc_iter (v);
   bool logical = mt_doc_next (&it, &key, &e) &&
                  (mt_str_is (key, "$and") || mt_str_is (key, "$or") || mt_str_is (key, "$nor") ||
                   mt_str_is (key, "$expr"));
   bool value = is_operators (v) && !logical;
   MtMatch *m = leaf (c, value ? MT_M_ELEM_VALUE : MT_M_ELEM_OBJECT, path, v);
   m->kids = MT_NEW_N (c->arena, MtMatch *, 1);
   m->count = 1;
   c->in_elem++;
   m->kids[0] = value ? parse_operators (c, &itself, v) : mt_match_parse (c, v);
   c->in_elem--;
   return m->kids[0] ? m : NULL;
}

/* Parses the condition v on the value at `path`: a document of operators, a regular expression, or
 * a value that it must equal. */
static MtMatch *parse_value (MtCompile *c, const MtPath *path, MtVal v)
{
   if (is_operators (v))
      return parse_operators (c, path, v);
   return v.type == MT_REGEX ? parse_regex (c, path, v, mt_v_missing ())
                             : leaf (c, MT_M_EQ, path, v);
}

static MtMatch *parse_all (MtCompile *c, const MtPath *path, MtVal v)
{
   if (v.type != MT_ARRAY)
      return fail (c, MT_CODE_BAD_VALUE, "$all needs an array%s", "");
   size_t n;
   MtVal *vals = mt_v_elements (c->arena, v, &n);
   MtMatch *m = node (c, n ? MT_M_AND : MT_M_FALSE, (uint32_t) n);
   for (size_t i = 0; i < n; i++) {
      MtMatch *kid = parse_value (c, path, vals[i]);
      if (!kid)
         return NULL;
      m->kids[m->count++] = kid;
   }
   return m;
}

static MtMatch *parse_not (MtCompile *c, const MtPath *path, MtVal v)
{
   if (v.type == MT_REGEX)
      return nor (c, parse_regex (c, path, v, mt_v_missing ()));
   if (!is_operators (v))
      return fail (c, MT_CODE_BAD_VALUE, "$not needs a regex or a document%s", "");
   return nor (c, parse_operators (c, path, v));
}

static MtMatch *parse_exists (MtCompile *c, const MtPath *path, MtVal v)
{
   MtMatch *m = leaf (c, MT_M_EXISTS, path, v);
   return mt_truthy (v) ? m : nor (c, m);
}

/* ---- operators of a field ---- */

static MtMatch *parse_compare (MtCompile *c, MtMatchKind kind, const MtPath *path, MtVal v)
{
   if (v.type == MT_UNDEFINED)
      return fail (c, MT_CODE_BAD_VALUE, "cannot compare to undefined%s", "");
   if (v.type == MT_REGEX && kind != MT_M_EQ)
      return fail (c, MT_CODE_BAD_VALUE, "can't have regex as arg to a comparison%s", "");
   return leaf (c, kind, path, v);
}

static MtMatch *unknown_operator (MtCompile *c, MtStr op)
{
   static const char *const names[] = {
      "$eq",    "$ne",         "$lt",           "$lte",        "$gt",
      "$gte",   "$in",         "$nin",          "$exists",     "$type",
      "$mod",   "$size",       "$all",          "$elemMatch",  "$not",
      "$regex", "$bitsAllSet", "$bitsAllClear", "$bitsAnySet", "$bitsAnyClear"};
   char *name = mt_strndup (c->arena, op.p, op.n);
   if (mt_refused (c, name))
      return NULL;
   const char *near = mt_nearest (name, names, sizeof names / sizeof *names);
   mt_error_coded (c->err, MT_E_FEATURE, MT_CODE_BAD_VALUE, "unknown operator: %s", name);
   if (near)
      mt_error_hint (c->err, "Perhaps you meant \"%s\".", near);
   return NULL;
}

static MtMatch *parse_operator (MtCompile *c, const MtPath *path, MtStr op, MtVal v, MtVal whole)
{
   static const struct {
      const char *name;
      MtMatchKind kind;
   } plain[] = {
      {"$eq", MT_M_EQ}, {"$lt", MT_M_LT}, {"$lte", MT_M_LTE}, {"$gt", MT_M_GT}, {"$gte", MT_M_GTE}};
   static const struct {
      const char *name;
      MtMatch *(*parse) (MtCompile *, const MtPath *, MtVal);
   } others[] = {{"$in", parse_in},          {"$exists", parse_exists}, {"$type", parse_type},
                 {"$mod", parse_mod},        {"$size", parse_size},     {"$all", parse_all},
                 {"$elemMatch", parse_elem}, {"$not", parse_not}};
   for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
      if (mt_str_is (op, plain[i].name))
         return parse_compare (c, plain[i].kind, path, v);
   for (size_t i = 0; i < sizeof others / sizeof *others; i++)
      if (mt_str_is (op, others[i].name))
         return others[i].parse (c, path, v);
   if (mt_str_is (op, "$ne"))
      return nor (c, parse_compare (c, MT_M_EQ, path, v));
   if (mt_str_is (op, "$nin"))
      return nor (c, parse_in (c, path, v));
   if (mt_str_is (op, "$regex"))
      return parse_regex (c, path, v, mt_doc_field (whole, "$options"));
   static const char *const bits[] = {"$bitsAllSet", "$bitsAllClear", "$bitsAnySet",
                                      "$bitsAnyClear"};
   for (size_t i = 0; i < sizeof bits / sizeof *bits; i++)
      if (mt_str_is (op, bits[i]))
         return parse_bits (c, bits[i], path, v);
   return unknown_operator (c, op);
}

static MtMatch *parse_operators (MtCompile *c, const MtPath *path, MtVal v)
{
   MtMatch *m = node (c, MT_M_AND, (uint32_t) mt_doc_count (v));
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal e;
   if (++c->depth > MT_MAX_EXPR_DEPTH) {
      mt_error_coded (c->err, MT_E_TOO_COMPLEX, MT_CODE_OVERFLOW, "query is nested too deeply");
      return NULL;
   }
   while (mt_doc_next (&it, &key, &e)) {
      if (mt_str_is (key, "$options")) {
         if (mt_doc_field (v, "$regex").type == MT_MISSING)
            return fail (c, MT_CODE_BAD_VALUE, "$options needs a $regex%s", "");
         continue;
      }
      MtMatch *kid = parse_operator (c, path, key, e, v);
      if (!kid)
         return NULL;
      m->kids[m->count++] = kid;
   }
   c->depth--;
   return m->count == 1 ? m->kids[0] : m;
}

/* ---- whole conditions ---- */

static MtMatch *parse_list (MtCompile *c, MtMatchKind kind, const char *name, MtVal v)
{
   size_t n;
   MtVal *vals = mt_v_elements (c->arena, v, &n);
   if (v.type != MT_ARRAY || n == 0)
      return fail (c, MT_CODE_BAD_VALUE, "%s must be a nonempty array", name);
   MtMatch *m = node (c, kind, (uint32_t) n);
   for (size_t i = 0; i < n; i++) {
      if (vals[i].type != MT_DOC)
         return fail (c, MT_CODE_BAD_VALUE, "%s argument's entries must be objects", name);
      if (!(m->kids[m->count++] = mt_match_parse (c, vals[i])))
         return NULL;
   }
   return m;
}

/* Parses $sampleRate: {$expr: {$lt: [{$rand: {}}, rate]}}. */
static MtMatch *parse_sample_rate (MtCompile *c, MtVal rate)
{
   MtBson b = {.arena = c->arena};
   MtMatch *m = node (c, MT_M_EXPR, 0);
   if (!mt_is_number (rate) || mt_v_compare (rate, mt_v_int32 (0)) < 0 ||
       mt_v_compare (rate, mt_v_int32 (1)) > 0)
      return fail (c, MT_CODE_BAD_VALUE, "$sampleRate must be a number from 0 to 1%s", "");
   mt_bson_begin (&b);
   mt_bson_printf (&b, "$lt: [{$rand: {}}, %p]", (void *) &rate);
   mt_bson_end (&b, 0);
   if (!mt_memory_check (c->err))
      return NULL;
   return (m->expr = mt_expr_parse (c, mt_bson_part (&b, 0, MT_DOC))) ? m : NULL;
}

static MtMatch *parse_top (MtCompile *c, const char *name, MtVal v)
{
   if (strcmp (name, "$and") == 0)
      return parse_list (c, MT_M_AND, name, v);
   if (strcmp (name, "$or") == 0)
      return parse_list (c, MT_M_OR, name, v);
   if (strcmp (name, "$nor") == 0)
      return parse_list (c, MT_M_NOR, name, v);
   if (strcmp (name, "$comment") == 0)
      return node (c, MT_M_TRUE, 0);
   if (strcmp (name, "$expr") == 0) {
      if (c->in_elem)
         return fail (c, MT_CODE_BAD_VALUE, "%s can only be applied to the top-level document",
                      name);
      MtMatch *m = node (c, MT_M_EXPR, 0);
      return (m->expr = mt_expr_parse (c, v)) ? m : NULL;
   }
   if (strcmp (name, "$jsonSchema") == 0) {
      if (c->in_elem)
         return fail (c, MT_CODE_BAD_VALUE, "%s can only be applied to the top-level document",
                      name);
      MtMatch *m = node (c, MT_M_EXPR, 0);
      return (m->expr = mt_schema_parse (c, v)) ? m : NULL;
   }
   if (strcmp (name, "$sampleRate") == 0)
      return parse_sample_rate (c, v);
   if (mt_refused (c, name))
      return NULL;
   mt_error_coded (c->err, MT_E_FEATURE, MT_CODE_BAD_VALUE, "unknown top level operator: %s", name);
   return NULL;
}

static MtMatch *parse_field (MtCompile *c, const char *name, MtVal v)
{
   MtPath path;
   return mt_path_parse (c, name, &path) ? parse_value (c, &path, v) : NULL;
}

MtMatch *mt_match_parse (MtCompile *c, MtVal doc)
{
   if (doc.type != MT_DOC)
      return fail (c, 15959, "the match filter must be an expression in an object%s", "");
   if (++c->depth > MT_MAX_EXPR_DEPTH) {
      mt_error_coded (c->err, MT_E_TOO_COMPLEX, MT_CODE_OVERFLOW, "query is nested too deeply");
      return NULL;
   }
   MtMatch *m = node (c, MT_M_AND, (uint32_t) mt_doc_count (doc));
   MtDocIter it = mt_doc_iter (doc);
   MtStr key;
   MtVal v;
   while (mt_doc_next (&it, &key, &v)) {
      char *name = mt_strndup (c->arena, key.p, key.n);
      MtMatch *kid = name[0] == '$' ? parse_top (c, name, v) : parse_field (c, name, v);
      if (!kid)
         return NULL;
      m->kids[m->count++] = kid;
   }
   c->depth--;
   return m->count == 1 ? m->kids[0] : m;
}

/* ---- binding: paths become slots (positions in the row) ---- */

static bool bind_leaf (MtCompile *c, MtMatch *m, MtShape *root, int pos)
{
   MtShape *s = mt_shape_path (c, root, &m->path);
   if (c->failed)
      return false;
   if (s->kind == MT_SH_PATH && s->path.count) {
      m->slot = mt_shape_match_slot (c, s->var, &s->path, pos);
      m->path = s->path;
   } else {
      m->slot = mt_shape_slot (c, s, pos);
      m->path = (MtPath) {NULL, 0};
   }
   m->from = m->path.count;
   return m->slot != MT_NO_SLOT;
}

bool mt_match_bind (MtCompile *c, MtMatch *m, MtShape *root, int pos)
{
   switch (m->kind) {
   case MT_M_AND:
   case MT_M_OR:
   case MT_M_NOR:
      for (uint32_t i = 0; i < m->count; i++)
         if (!mt_match_bind (c, m->kids[i], root, pos))
            return false;
      return true;
   case MT_M_TRUE:
   case MT_M_FALSE: return true;
   case MT_M_EXPR: return mt_expr_bind (c, m->expr, root, c->scope, pos);
   default: return bind_leaf (c, m, root, pos);
   }
}
