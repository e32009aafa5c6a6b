/* $jsonSchema: the keywords of JSON Schema draft 4 that MongoDB supports. A schema is parsed into a
 * tree. An operator with one argument, the document, tests it. */
#include "engine/local/expr/schema.h"
#include "base/bid.h"
#include "base/memory.h"
#include "engine/local/expr/core.h"
#include "engine/local/expr/expr.h"
#include "engine/local/expr/op_int.h"
#include "engine/local/expr/regex.h"
#include "engine/local/expr/shape.h"

#include <stdlib.h>
#include <string.h>

typedef struct Schema Schema;

/* A named entry of `properties`, `patternProperties` (the name is a pattern) or `dependencies`. */
typedef struct Part {
   MtStr name;
   Schema *schema; /* NULL: a dependency, which requires the fields in `names` */
   MtStr *names;
   size_t count;
} Part;

typedef struct Parts {
   Part *at;
   size_t n;
} Parts;

typedef struct Schemas {
   Schema **at;
   size_t n;
} Schemas;

/* The schema for fields that `properties` does not name (additionalProperties), or for array
 * elements after those with their own schemas (additionalItems). none: there must not be any. */
typedef struct Rest {
   Schema *schema;
   bool none;
} Rest;

/* The allowed numbers of characters, elements or fields. -1: no limit. */
typedef struct Range {
   int64_t least, most;
} Range;

struct Schema {
   bool typed;
   uint32_t types[8]; /* a bit for each BSON type */
   MtVal minimum, maximum, multiple;
   bool above, below; /* minimum or maximum is itself excluded (exclusiveMinimum, …) */
   Range length, items, fields;
   MtVal pattern, list; /* list: the values of `enum` */
   bool unique, by_item;
   Schema *item;   /* `items` as an object */
   Schemas places; /* `items` as an array; then `by_item` is set */
   Rest more_items, more_fields;
   Parts properties, patterns, dependencies;
   MtStr *required;
   size_t required_count;
   Schemas all, any, one;
   bool has_any, has_one;
   Schema * not;
};

/* ---- parsing ---- */

static Schema *parse (MtCompile *c, MtVal v);

static bool mistyped (MtCompile *c, const char *word, const char *what)
{
   return mt_bad (c, MT_CODE_TYPE_MISMATCH, "$jsonSchema keyword '%s' must be %s", word, what);
}

static bool refused (MtCompile *c, const char *word, const char *what)
{
   return mt_bad (c, MT_CODE_FAILED_TO_PARSE, "$jsonSchema keyword '%s' %s", word, what);
}

static bool parse_number (MtCompile *c, const char *word, MtVal v, MtVal *out)
{
   *out = mt_v_copy (c->arena, v);
   return mt_is_number (v) || mistyped (c, word, "a number");
}

static bool parse_flag (MtCompile *c, const char *word, MtVal v, bool *out)
{
   *out = v.type == MT_BOOL && v.i;
   return v.type == MT_BOOL || mistyped (c, word, "a boolean");
}

static bool parse_count (MtCompile *c, const char *word, MtVal v, int64_t *out)
{
   return (mt_is_number (v) && mt_op_whole (v, out) && *out >= 0) ||
          refused (c, word, "must be a whole number that is not negative");
}

static bool parse_types (MtCompile *c, const char *word, MtVal v, Schema *s)
{
   size_t n = 1;
   MtVal *names = v.type == MT_ARRAY ? mt_v_elements (c->arena, v, &n) : &v;
   bool json = strcmp (word, "type") == 0;
   if (s->typed)
      return mt_bad (c, MT_CODE_FAILED_TO_PARSE,
                     "cannot specify both $jsonSchema keywords 'type' and 'bsonType'");
   if (v.type != MT_ARRAY && v.type != MT_STRING)
      return mistyped (c, word, "either a string or an array of strings");
   if (!n)
      return refused (c, word, "must name at least one type");
   for (size_t i = 0; i < n; i++) {
      if (names[i].type != MT_STRING)
         return mistyped (c, word, "an array of strings");
      for (size_t k = 0; k < i; k++)
         if (mt_v_compare (names[i], names[k]) == 0)
            return refused (c, word, "has a duplicate value");
      if (json && mt_v_is_text (names[i], "integer"))
         return refused (c, word,
                         "does not support \"integer\"; use bsonType: \"int\" or \"long\"");
      if (!mt_match_add_type (c, s->types, names[i], json))
         return false;
   }
   s->typed = true;
   return true;
}

static bool parse_pattern (MtCompile *c, const char *word, MtVal v, MtVal *out)
{
   MtPcre compiled; /* compiled only to check the pattern */
   if (v.type != MT_STRING)
      return mistyped (c, word, "a string");
   if (!mt_regex_new (&compiled, "$regex", (MtStr) {(const char *) v.p, v.len}, MT_STR (""),
                      c->err))
      return false;
   mt_pcre_free (&compiled);
   *out = mt_v_copy (c->arena, v);
   return true;
}

static bool parse_names (MtCompile *c, const char *word, MtVal v, MtStr **out, size_t *n)
{
   MtVal *names = mt_v_elements (c->arena, v, n);
   if (v.type != MT_ARRAY)
      return mistyped (c, word, "an array");
   if (!*n)
      return refused (c, word, "cannot be an empty array");
   *out = MT_NEW_N (c->arena, MtStr, *n);
   for (size_t i = 0; i < *n; i++) {
      if (names[i].type != MT_STRING)
         return mistyped (c, word, "an array of strings");
      (*out)[i] = (MtStr) {mt_strndup (c->arena, (const char *) names[i].p, names[i].len),
                           names[i].len};
      for (size_t k = 0; k < i; k++)
         if (mt_v_compare (names[i], names[k]) == 0)
            return refused (c, word, "has a duplicate value");
   }
   return true;
}

/* Parses an object whose fields are schemas, such as `properties`. word: the keyword. */
static bool parse_parts (MtCompile *c, const char *word, MtVal v, Parts *out)
{
   MtStr key;
   MtVal part, ignored;
   if (v.type != MT_DOC)
      return mistyped (c, word, "an object");
   out->at = MT_NEW_N (c->arena, Part, mt_doc_count (v) + 1);
   for (MtDocIter it = mt_doc_iter (v); mt_doc_next (&it, &key, &part); out->n++) {
      Part *p = &out->at[out->n];
      p->name = (MtStr) {mt_strndup (c->arena, key.p, key.n), key.n};
      bool listed = part.type == MT_ARRAY && strcmp (word, "dependencies") == 0;
      if (part.type != MT_DOC && !listed)
         return mistyped (c, word, "an object of schemas");
      if (strcmp (word, "patternProperties") == 0 &&
          !parse_pattern (c, word, mt_v_str (key.p, key.n), &ignored))
         return false;
      if (listed ? !parse_names (c, word, part, &p->names, &p->count)
                 : !(p->schema = parse (c, part)))
         return false;
   }
   return true;
}

static bool parse_schemas (MtCompile *c, const char *word, MtVal v, Schemas *out)
{
   MtVal *parts = mt_v_elements (c->arena, v, &out->n);
   if (v.type != MT_ARRAY)
      return mistyped (c, word, "an array");
   if (!out->n && strcmp (word, "items") != 0)
      return mt_bad (c, MT_CODE_BAD_VALUE, "$jsonSchema keyword '%s' cannot be an empty array",
                     word);
   out->at = MT_NEW_N (c->arena, Schema *, out->n + 1);
   for (size_t i = 0; i < out->n; i++) {
      if (parts[i].type != MT_DOC)
         return mistyped (c, word, "an array of objects");
      if (!(out->at[i] = parse (c, parts[i])))
         return false;
   }
   return true;
}

static bool parse_rest (MtCompile *c, const char *word, MtVal v, Rest *out)
{
   if (v.type == MT_BOOL) {
      out->none = !v.i;
      return true;
   }
   return v.type == MT_DOC ? (out->schema = parse (c, v)) != NULL
                           : mistyped (c, word, "an object or a boolean");
}

static bool parse_items (MtCompile *c, const char *word, MtVal v, Schema *s)
{
   s->by_item = v.type == MT_ARRAY;
   if (v.type == MT_DOC)
      return (s->item = parse (c, v)) != NULL;
   return v.type == MT_ARRAY ? parse_schemas (c, word, v, &s->places)
                             : mistyped (c, word, "an array or an object");
}

static bool parse_not (MtCompile *c, const char *word, MtVal v, Schema **out)
{
   return v.type == MT_DOC ? (*out = parse (c, v)) != NULL : mistyped (c, word, "an object");
}

static bool same (MtVal a, MtVal b);

static bool parse_enum (MtCompile *c, const char *word, MtVal v, Schema *s)
{
   size_t n;
   MtVal *values = mt_v_elements (c->arena, v, &n);
   if (v.type != MT_ARRAY)
      return mistyped (c, word, "an array");
   if (!n)
      return refused (c, word, "cannot be an empty array");
   for (size_t i = 0; i < n && n < 1000; i++)
      for (size_t k = 0; k < i; k++)
         if (same (values[i], values[k]))
            return refused (c, word, "cannot contain duplicate values");
   s->list = mt_v_copy (c->arena, v);
   return true;
}

static bool parse_text (MtCompile *c, const char *word, MtVal v)
{
   return v.type == MT_STRING || mistyped (c, word, "a string");
}

typedef enum Word {
   ADDITIONAL_ITEMS,
   ADDITIONAL_PROPERTIES,
   ALL_OF,
   ANY_OF,
   BSON_TYPE,
   DEPENDENCIES,
   DESCRIPTION,
   ENUM,
   EXCLUSIVE_MAXIMUM,
   EXCLUSIVE_MINIMUM,
   ITEMS,
   MAX_ITEMS,
   MAX_LENGTH,
   MAX_PROPERTIES,
   MAXIMUM,
   MIN_ITEMS,
   MIN_LENGTH,
   MIN_PROPERTIES,
   MINIMUM,
   MULTIPLE_OF,
   NOT,
   ONE_OF,
   PATTERN,
   PATTERN_PROPERTIES,
   PROPERTIES,
   REQUIRED,
   TITLE,
   TYPE,
   UNIQUE_ITEMS,
   WORD_COUNT
} Word;

static const char *const words[WORD_COUNT] = {"additionalItems",
                                              "additionalProperties",
                                              "allOf",
                                              "anyOf",
                                              "bsonType",
                                              "dependencies",
                                              "description",
                                              "enum",
                                              "exclusiveMaximum",
                                              "exclusiveMinimum",
                                              "items",
                                              "maxItems",
                                              "maxLength",
                                              "maxProperties",
                                              "maximum",
                                              "minItems",
                                              "minLength",
                                              "minProperties",
                                              "minimum",
                                              "multipleOf",
                                              "not",
                                              "oneOf",
                                              "pattern",
                                              "patternProperties",
                                              "properties",
                                              "required",
                                              "title",
                                              "type",
                                              "uniqueItems"};

static bool parse_word (MtCompile *c, Word word, MtVal v, Schema *s)
{
   const char *name = words[word];
   switch (word) {
   case ADDITIONAL_ITEMS: return parse_rest (c, name, v, &s->more_items);
   case ADDITIONAL_PROPERTIES: return parse_rest (c, name, v, &s->more_fields);
   case ALL_OF: return parse_schemas (c, name, v, &s->all);
   case ANY_OF: return s->has_any = parse_schemas (c, name, v, &s->any);
   case ONE_OF: return s->has_one = parse_schemas (c, name, v, &s->one);
   case NOT: return parse_not (c, name, v, &s->not);
   case TYPE:
   case BSON_TYPE: return parse_types (c, name, v, s);
   case DEPENDENCIES: return parse_parts (c, name, v, &s->dependencies);
   case PROPERTIES: return parse_parts (c, name, v, &s->properties);
   case PATTERN_PROPERTIES: return parse_parts (c, name, v, &s->patterns);
   case TITLE:
   case DESCRIPTION: return parse_text (c, name, v);
   case ENUM: return parse_enum (c, name, v, s);
   case EXCLUSIVE_MAXIMUM: return parse_flag (c, name, v, &s->below);
   case EXCLUSIVE_MINIMUM: return parse_flag (c, name, v, &s->above);
   case ITEMS: return parse_items (c, name, v, s);
   case MAX_ITEMS: return parse_count (c, name, v, &s->items.most);
   case MIN_ITEMS: return parse_count (c, name, v, &s->items.least);
   case MAX_LENGTH: return parse_count (c, name, v, &s->length.most);
   case MIN_LENGTH: return parse_count (c, name, v, &s->length.least);
   case MAX_PROPERTIES: return parse_count (c, name, v, &s->fields.most);
   case MIN_PROPERTIES: return parse_count (c, name, v, &s->fields.least);
   case MAXIMUM: return parse_number (c, name, v, &s->maximum);
   case MINIMUM: return parse_number (c, name, v, &s->minimum);
   case MULTIPLE_OF:
      return parse_number (c, name, v, &s->multiple) &&
             (mt_v_compare_numbers (v, mt_v_int32 (0)) > 0 ||
              refused (c, name, "must have a positive value"));
   case PATTERN: return parse_pattern (c, name, v, &s->pattern);
   case REQUIRED: return parse_names (c, name, v, &s->required, &s->required_count);
   case UNIQUE_ITEMS: return parse_flag (c, name, v, &s->unique);
   case WORD_COUNT: break;
   }
   return false;
}

static bool unknown_word (MtCompile *c, const char *word)
{
   static const char *const draft4[] = {"$ref",   "$schema", "default", "definitions",
                                        "format", "id",      "encrypt", "encryptMetadata"};
   for (size_t i = 0; i < sizeof draft4 / sizeof *draft4; i++)
      if (strcmp (word, draft4[i]) == 0)
         return refused (c, word, "is not supported");
   mt_bad (c, MT_CODE_FAILED_TO_PARSE, "unknown $jsonSchema keyword: %s", word);
   return mt_error_near (c->err, word, words, WORD_COUNT);
}

static bool check_bounds (MtCompile *c, const Schema *s, MtVal v)
{
   if (mt_doc_field (v, "exclusiveMaximum").type != MT_MISSING && s->maximum.type == MT_MISSING)
      return refused (c, "maximum", "must be present if exclusiveMaximum is present");
   return mt_doc_field (v, "exclusiveMinimum").type == MT_MISSING ||
          s->minimum.type != MT_MISSING ||
          refused (c, "minimum", "must be present if exclusiveMinimum is present");
}

static Schema *parse (MtCompile *c, MtVal v)
{
   Schema *s = MT_NEW (c->arena, Schema);
   MtStr key;
   MtVal value;
   *s = (Schema) {.length = {-1, -1}, .items = {-1, -1}, .fields = {-1, -1}};
   s->minimum = s->maximum = s->multiple = s->pattern = s->list = mt_v_missing ();
   if (++c->depth > MT_MAX_EXPR_DEPTH) {
      mt_error_coded (c->err, MT_E_TOO_COMPLEX, MT_CODE_OVERFLOW, "query is nested too deeply");
      return NULL;
   }
   for (MtDocIter it = mt_doc_iter (v); mt_doc_next (&it, &key, &value);) {
      int word = 0;
      while (word < WORD_COUNT && !mt_str_is (key, words[word]))
         word++;
      if (word == WORD_COUNT ? !unknown_word (c, mt_strndup (c->arena, key.p, key.n))
                             : !parse_word (c, (Word) word, value, s))
         return NULL;
   }
   c->depth--;
   return check_bounds (c, s, v) ? s : NULL;
}

/* ---- equality: the order of fields in objects does not matter ---- */

static bool same_fields (MtVal a, MtVal b)
{
   MtStr key;
   MtVal v;
   if (mt_doc_count (a) != mt_doc_count (b))
      return false;
   for (MtDocIter it = mt_doc_iter (a); mt_doc_next (&it, &key, &v);) {
      MtVal other = mt_doc_get (b, key.p, key.n);
      if (other.type == MT_MISSING || !same (v, other))
         return false;
   }
   return true;
}

static bool same (MtVal a, MtVal b)
{
   if (a.type != b.type || (a.type != MT_DOC && a.type != MT_ARRAY))
      return mt_v_compare (a, b) == 0;
   if (a.type == MT_DOC)
      return same_fields (a, b);
   MtDocIter x = mt_doc_iter (a), y = mt_doc_iter (b);
   MtStr key;
   MtVal v, w;
   while (mt_doc_next (&x, &key, &v))
      if (!mt_doc_next (&y, &key, &w) || !same (v, w))
         return false;
   return !mt_doc_next (&y, &key, &w);
}

/* Returns a hash of v. Values that are equal by the rules above have the same hash. */
static uint64_t hash_of (MtVal v)
{
   uint64_t h = v.type;
   MtStr key;
   MtVal part;
   if (v.type != MT_DOC && v.type != MT_ARRAY)
      return mt_v_hash (v, 7);
   for (MtDocIter it = mt_doc_iter (v); mt_doc_next (&it, &key, &part);) {
      uint64_t name = v.type == MT_DOC ? mt_v_hash (mt_v_str (key.p, key.n), 11) : 31;
      h = v.type == MT_DOC ? h + name * (hash_of (part) | 1) : h * name + hash_of (part);
   }
   return h;
}

typedef struct Hashed {
   uint64_t hash;
   MtVal value;
} Hashed;

static int by_hash (const void *a, const void *b)
{
   uint64_t x = ((const Hashed *) a)->hash, y = ((const Hashed *) b)->hash;
   return (x > y) - (x < y);
}

static bool all_differ (MtEval *ev, MtVal array)
{
   size_t n, i = 0;
   MtVal *values = mt_v_elements (ev->arena, array, &n);
   Hashed *h = MT_NEW_N (ev->arena, Hashed, n + 1);
   for (; i < n; i++)
      h[i] = (Hashed) {hash_of (values[i]), values[i]};
   qsort (h, n, sizeof *h, by_hash);
   for (i = 1; i < n; i++)
      for (size_t k = i; k-- > 0 && h[k].hash == h[i].hash;)
         if (same (h[k].value, h[i].value))
            return false;
   return true;
}

/* ---- testing. The result is 1 if the value matches, 0 if not, -1 with ev->err set ---- */

static int test (MtEval *ev, const Schema *s, MtVal v);

static bool within (Range r, size_t n)
{
   return (r.least < 0 || n >= (uint64_t) r.least) && (r.most < 0 || n <= (uint64_t) r.most);
}

static bool is_nan (MtVal v)
{
   return (v.type == MT_DOUBLE && isnan (v.d)) ||
          (v.type == MT_DECIMAL && bid128_isNaN (mt_bid_load (v.p)));
}

/* Returns whether the number v violates a bound. sign: 1 for a maximum, -1 for a minimum.
 * exclusive: v must not equal the bound. As with $lte, NaN is within a bound only if the bound is
 * NaN. */
static bool beyond (MtVal v, MtVal bound, int sign, bool exclusive)
{
   if (bound.type == MT_MISSING)
      return false;
   int order = mt_v_compare_numbers (v, bound) * sign;
   return is_nan (v) != is_nan (bound) || order > 0 || (order == 0 && exclusive);
}

static bool is_multiple (MtVal v, MtVal of)
{
   unsigned flags = 0;
   BID_UINT128 x = mt_op_decimal (v), y = mt_op_decimal (of);
   (void) flags;
   return bid128_isFinite (x) && bid128_isFinite (y) && bid128_isZero (bid128_fmod (x, y, &flags));
}

static int test_pattern (MtEval *ev, MtVal text, MtVal pattern)
{
   MtVal args[] = {text, pattern, mt_v_missing ()}, out;
   return mt_op_regex_match (ev, args, 3, &out) ? out.i != 0 : -1;
}

static int test_scalar (MtEval *ev, const Schema *s, MtVal v)
{
   if (mt_is_number (v))
      return !beyond (v, s->maximum, 1, s->below) && !beyond (v, s->minimum, -1, s->above) &&
             (s->multiple.type == MT_MISSING || is_multiple (v, s->multiple));
   if (v.type != MT_STRING)
      return 1;
   if (!within (s->length, mt_utf8_length ((const char *) v.p, v.len)))
      return 0;
   return s->pattern.type == MT_MISSING ? 1 : test_pattern (ev, v, s->pattern);
}

static int test_rest (MtEval *ev, const Rest *rest, MtVal v)
{
   if (rest->none)
      return 0;
   return rest->schema ? test (ev, rest->schema, v) : 1;
}

static int test_array (MtEval *ev, const Schema *s, MtVal array)
{
   size_t i = 0;
   int ok = within (s->items, mt_doc_count (array)) && (!s->unique || all_differ (ev, array));
   MtStr key;
   MtVal v;
   for (MtDocIter it = mt_doc_iter (array); ok > 0 && mt_doc_next (&it, &key, &v); i++)
      if (s->item)
         ok = test (ev, s->item, v);
      else if (s->by_item)
         ok = i < s->places.n ? test (ev, s->places.at[i], v) : test_rest (ev, &s->more_items, v);
   return ok;
}

/* Tests the value v of field `key` by all schemas for this name, or if there are none, by the
 * schema for other fields. */
static int test_field (MtEval *ev, const Schema *s, MtStr key, MtVal v)
{
   bool named = false;
   int ok = 1;
   for (size_t i = 0; ok > 0 && i < s->properties.n; i++) {
      const Part *p = &s->properties.at[i];
      if (p->name.n == key.n && memcmp (p->name.p, key.p, key.n) == 0) {
         named = true;
         ok = test (ev, p->schema, v);
      }
   }
   for (size_t i = 0; ok > 0 && i < s->patterns.n; i++) {
      const Part *p = &s->patterns.at[i];
      int found = test_pattern (ev, mt_v_str (key.p, key.n), mt_v_str (p->name.p, p->name.n));
      named |= found > 0;
      ok = found > 0 ? test (ev, p->schema, v) : found + 1;
   }
   return ok > 0 && !named ? test_rest (ev, &s->more_fields, v) : ok;
}

static bool has_all (MtVal doc, const MtStr *names, size_t n)
{
   for (size_t i = 0; i < n; i++)
      if (mt_doc_get (doc, names[i].p, names[i].n).type == MT_MISSING)
         return false;
   return true;
}

static int test_object (MtEval *ev, const Schema *s, MtVal doc)
{
   int ok = within (s->fields, mt_doc_count (doc)) && has_all (doc, s->required, s->required_count);
   MtStr key;
   MtVal v;
   for (MtDocIter it = mt_doc_iter (doc); ok > 0 && mt_doc_next (&it, &key, &v);)
      ok = test_field (ev, s, key, v);
   for (size_t i = 0; ok > 0 && i < s->dependencies.n; i++) {
      const Part *p = &s->dependencies.at[i];
      if (mt_doc_get (doc, p->name.p, p->name.n).type != MT_MISSING)
         ok = p->schema ? test (ev, p->schema, doc) : has_all (doc, p->names, p->count);
   }
   return ok;
}

/* Returns how many schemas of the list v matches. Stops counting at `most`. -1: ev->err is set. */
static int count_matching (MtEval *ev, const Schemas *list, MtVal v, int most)
{
   int found = 0;
   for (size_t i = 0; i < list->n && found < most; i++) {
      int ok = test (ev, list->at[i], v);
      if (ok < 0)
         return -1;
      found += ok;
   }
   return found;
}

static int test_logic (MtEval *ev, const Schema *s, MtVal v)
{
   int ok = 1, found;
   for (size_t i = 0; ok > 0 && i < s->all.n; i++)
      ok = test (ev, s->all.at[i], v);
   if (ok > 0 && s->has_any)
      ok = count_matching (ev, &s->any, v, 1);
   if (ok > 0 && s->has_one && (found = count_matching (ev, &s->one, v, 2)) != 1)
      ok = found < 0 ? -1 : 0;
   if (ok > 0 && s->not&&(ok = test (ev, s->not, v)) >= 0)
      ok = !ok;
   return ok;
}

static bool is_listed (const Schema *s, MtVal v)
{
   MtStr key;
   MtVal one;
   for (MtDocIter it = mt_doc_iter (s->list); mt_doc_next (&it, &key, &one);)
      if (same (v, one))
         return true;
   return s->list.type == MT_MISSING;
}

static int test (MtEval *ev, const Schema *s, MtVal v)
{
   int ok;
   if ((s->typed && !(s->types[(uint8_t) v.type / 32] >> ((uint8_t) v.type % 32) & 1)) ||
       !is_listed (s, v))
      return 0;
   if (v.type == MT_DOC)
      ok = test_object (ev, s, v);
   else
      ok = v.type == MT_ARRAY ? test_array (ev, s, v) : test_scalar (ev, s, v);
   return ok > 0 ? test_logic (ev, s, v) : ok;
}

static bool op_schema (MT_OP_ARGS)
{
   int ok = test (ev, ev->user, args[0]);
   return ok >= 0 && mt_op_put (out, mt_v_bool (ok));
}

MtExecExpr *mt_schema_parse (MtCompile *c, MtVal v)
{
   MtOpRow *row = MT_NEW (c->arena, MtOpRow);
   if (v.type != MT_DOC) {
      mt_bad (c, MT_CODE_TYPE_MISMATCH, "$jsonSchema must be an object");
      return NULL;
   }
   *row = (MtOpRow) MT_OP_ROW ("$_mtSchema", 1, 1, op_schema, "whether a schema matches", NULL);
   row->flags = 0;
   if (!(row->user = parse (c, v)))
      return NULL;
   MtExecExpr *e = mt_expr_new (c, MT_EX_OP, mt_ev_op, 1);
   e->row = row;
   e->args[0] = mt_expr_new (c, MT_EX_FIELD, NULL, 0);
   e->args[0]->var = "CURRENT";
   return e;
}
