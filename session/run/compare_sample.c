/* \compare: prints a document of each layout as lines, and marks the fields that the query
 * reads. */
#include "session/run/compare_int.h"
#include "base/bson.h"
#include "engine/shell_text.h"
#include "layouts/collections/partition.h"
#include "session/state/session.h"

#include <string.h>

/* The limits of a sample, so that it fits on a screen. */
enum {
   FEW_FIELDS = 12,    /* documents with at most so many fields are shown whole */
   FIRST_FIELDS = 3,   /* of larger documents: so many fields, and those that the query reads */
   FIRST_PARTS = 2,    /* the same limit if the fields' values are documents or arrays */
   FIRST_ELEMENTS = 2, /* of an array of the document; of an array within an array: one */
   FIRST_VALUES = 4,   /* of an array that has only plain values */
   DEEPEST = 16,
   TEXT_BYTES = 60
};

typedef struct Sampler {
   MtArena *a;
   const MtFieldsOf *fields;
   MtSample *out;
   size_t cap;
   MtStr path[DEEPEST + 1];
   size_t names; /* the number of names in `path` */
   /* not 0: the value is in a further element of an array or map whose first element is shown
    * whole, so inner documents and arrays are left out */
   size_t brief;
} Sampler;

static void add_value (Sampler *s, const char *name, MtVal v, size_t depth);

static const char *dotted (const Sampler *s)
{
   MtBuf b = {0};
   for (size_t i = 0; i < s->names; i++) {
      mt_buf_adds (&b, i ? "." : "");
      mt_buf_add (&b, s->path[i].p, s->path[i].n);
   }
   const char *out = mt_strndup (s->a, b.p ? b.p : "", b.n);
   mt_buf_free (&b);
   return out;
}

static MtSampleUse use_of (const Sampler *s)
{
   static const MtSampleUse uses[] = {[MT_PART_UNREAD] = MT_SAMPLE_UNREAD,
                                      [MT_PART_ENTRIES] = MT_SAMPLE_ENTRIES,
                                      [MT_PART_READ] = MT_SAMPLE_READ};
   return uses[mt_part_use (s->fields, s->path, s->names)];
}

static MtSampleLine *add_line (Sampler *s, const char *name, size_t depth)
{
   MtSample *out = s->out;
   MT_GROW_IN (s->a, out->lines, out->line_count, s->cap, 32);
   MtSampleLine *l = &out->lines[out->line_count++];
   *l = (MtSampleLine) {.depth = depth, .name = name, .path = dotted (s), .use = use_of (s)};
   return l;
}

static void add_more (Sampler *s, size_t count, MtSampleUse use, size_t depth)
{
   if (!count)
      return;
   MtSampleLine *l = add_line (s, NULL, depth);
   l->more = count;
   l->use = use;
}

/* Returns a value as text: numbers as mongosh prints them, other values as mongosh reads them. Long
 * texts are cut. */
static const char *value_text (const Sampler *s, MtVal v)
{
   MtBuf b = {0};
   if (v.type == MT_INT64 || v.type == MT_DOUBLE)
      mt_v_to_json (v, false, &b);
   else
      mt_shell_value (v, &b);
   size_t n = b.n;
   if (n > TEXT_BYTES) {
      n = TEXT_BYTES;
      while (n && ((uint8_t) b.p[n] & 0xC0) == 0x80) /* not within a character */
         n--;
   }
   const char *out = mt_printf (s->a, "%.*s%s", (int) n, b.p ? b.p : "", n < b.n ? "…" : "");
   mt_buf_free (&b);
   return out;
}

static bool is_nested (MtVal v) { return v.type == MT_DOC || v.type == MT_ARRAY; }

/* If `path`, which the query reads, begins with s->path, returns the rest of it; else NULL. *last:
 * the last name of `path` that was compared, perhaps "*", which stands for any name. */
static const char *behind (const Sampler *s, const char *path, MtStr *last)
{
   *last = (MtStr) {0};
   for (size_t i = 0; i < s->names; i++) {
      if (!mt_path_next (&path, last))
         return NULL;
      if (!*path && last->n > 2 && memcmp (last->p + last->n - 2, "[]", 2) == 0)
         last->n -= 2;
      if (!mt_str_is (*last, "*") && !mt_str_eq (*last, s->path[i]))
         return NULL;
   }
   return path;
}

/* Returns whether the query reads only a part of the value at s->path, that is, one of its inner
 * fields. */
static bool is_entered (const Sampler *s)
{
   bool found = false;
   MtStr last;
   for (size_t i = 0; s->fields && i < s->fields->count && !found; i++) {
      const char *rest = behind (s, s->fields->paths[i], &last);
      found = rest && *rest;
   }
   return found;
}

/* Returns how the query uses the value at s->path, whose inner fields are not shown.
 * MT_SAMPLE_READ: also if it reads only an inner field. */
static MtSampleUse use_of_rest (const Sampler *s)
{
   MtSampleUse use = use_of (s);
   return use == MT_SAMPLE_UNREAD && is_entered (s) ? MT_SAMPLE_READ : use;
}

/* Returns whether the query reads the field at s->path (or an inner field) by its name, not by
 * "*". */
static bool is_named (const Sampler *s)
{
   bool found = false;
   MtStr last;
   for (size_t i = 0; s->fields && i < s->fields->count && !found; i++)
      found = behind (s, s->fields->paths[i], &last) && !mt_str_is (last, "*");
   return found;
}

static void add_fields (Sampler *s, MtVal doc, size_t depth)
{
   size_t n = mt_doc_count (doc), shown = 0, left_out = 0;
   MtSampleUse use = MT_SAMPLE_UNREAD;
   MtDocIter it = mt_doc_iter (doc);
   MtStr name;
   MtVal v;
   for (size_t i = 0; mt_doc_next (&it, &name, &v); i++) {
      size_t most = is_nested (v) ? FIRST_PARTS : FIRST_FIELDS;
      s->path[s->names++] = name;
      if (n <= FEW_FIELDS || i < most || (shown < FEW_FIELDS && is_named (s))) {
         bool alike = n > FEW_FIELDS && i > 0 && !is_named (s);
         s->brief += alike;
         add_value (s, mt_strndup (s->a, name.p, name.n), v, depth);
         s->brief -= alike;
         shown++;
      } else {
         use = use_of_rest (s) > use ? use_of_rest (s) : use;
         left_out++;
      }
      s->names--;
   }
   add_more (s, left_out, use, depth);
}

static void add_elements (Sampler *s, MtVal array, size_t depth)
{
   MtDocIter it = mt_doc_iter (array);
   size_t n = mt_doc_count (array), shown = 0;
   MtStr key;
   MtVal v;
   while (mt_doc_next (&it, &key, &v)) {
      size_t most = depth > 2 ? 1 : FIRST_ELEMENTS;
      if (shown == (is_nested (v) ? most : FIRST_VALUES))
         break;
      s->brief += shown > 0;
      add_value (s, NULL, v, depth);
      s->brief -= shown > 0;
      shown++;
   }
   add_more (s, n - shown, use_of_rest (s), depth);
}

/* Adds the lines that show a value and its inner values. s->path is the path of the value, or of
 * the array that has it as an element. */
static void add_value (Sampler *s, const char *name, MtVal v, size_t depth)
{
   MtSampleLine *l = add_line (s, name, depth);
   bool nested = is_nested (v) && depth < DEEPEST && mt_doc_count (v);
   l->array = v.type == MT_ARRAY;
   if (nested && s->brief && name) {
      l->more = mt_doc_count (v);
      l->use = use_of_rest (s);
      return;
   }
   if (!nested)
      l->text = is_nested (v) && depth == DEEPEST ? "…" : value_text (s, v);
   else if (v.type == MT_ARRAY)
      add_elements (s, v, depth + 1);
   else
      add_fields (s, v, depth + 1);
}

/* ---- documents ---- */

/* Returns the condition of the $match with which the plan starts to read a collection. MT_MISSING:
 * it starts without one. */
static MtVal first_condition (const MtPlanArm *arm, const char *collection)
{
   MtVal found = mt_v_missing ();
   for (int i = 0; i < arm->arm_count && found.type == MT_MISSING; i++)
      found = first_condition (&arm->arms[i], collection);
   if (arm->remote && arm->collection && strcmp (arm->collection, collection) == 0)
      found = mt_doc_field (mt_doc_at (mt_v_array (arm->remote), 0), "$match");
   return found;
}

/* Sets *doc to a document of a collection that meets the condition; MT_MISSING: there is none. */
static bool find (MtStatement *st, const char *collection, MtVal condition, MtVal *doc,
                  MtError *err)
{
   MtBson b = {.arena = st->arena};
   const bson_t *found = NULL;
   bson_t pipeline;
   MtCursor *c;
   mt_bson_start (&b);
   if (condition.type == MT_DOC)
      mt_bson_printf (&b, "0: {$match: %p}, 1: {$limit: 1}", (void *) &condition);
   else
      mt_bson_printf (&b, "0: {$limit: 1}");
   *doc = mt_v_missing ();
   if (!mt_bson_finish (&b, &pipeline))
      return mt_memory_check (err);
   MtAggregateArgs args = {.collection = collection, .pipeline = &pipeline};
   if (!mt_engine_aggregate (st->session->engine, &args, &c, err))
      return false;
   bool ok = mt_cursor_next (c, &found, err);
   if (ok && found)
      *doc = mt_v_copy (st->arena, mt_v_doc (found));
   mt_cursor_free (c);
   return ok;
}

static bool add_sample (MtStatement *st, const char *collection, const MtPlan *plan,
                        const MtFieldsOf *fields, MtComparison *row, MtError *err)
{
   MtSample *out = &row->samples[row->sample_count];
   MtVal condition = mt_v_missing (), doc;
   if (plan) {
      MtPlanArm whole = mt_whole_plan (plan);
      condition = first_condition (&whole, collection);
   }
   if (!find (st, collection, condition, &doc, err))
      return false;
   if (doc.type == MT_MISSING && condition.type == MT_DOC &&
       !find (st, collection, mt_v_missing (), &doc, err))
      return false;
   Sampler s = {.a = st->arena, .fields = fields, .out = out};
   *out = (MtSample) {.collection = collection, .bytes = doc.len};
   if (fields) {
      out->paths = fields->paths;
      out->path_count = fields->count;
   }
   if (doc.type == MT_DOC)
      add_value (&s, NULL, doc, 0);
   row->sample_count++;
   return true;
}

/* Returns the first of a store's collections that the plan reads; NULL: it reads none. *fields: the
 * fields that it reads of any of these collections. */
static const char *collection_read (MtArena *a, const MtStoreDesc *store, const MtFieldsRead *read,
                                    MtFieldsOf *fields)
{
   size_t n;
   const char *const *names = mt_store_collections_of (a, store, &n);
   const char *first = NULL;
   *fields = (MtFieldsOf) {.collection = NULL};
   for (size_t i = 0; i < n; i++) {
      const MtFieldsOf *of = mt_fields_of (read, names[i]);
      if (!of)
         continue;
      first = first ? first : names[i];
      mt_fields_join (a, fields, of);
   }
   return first;
}

bool mt_compare_samples (MtStatement *st, const MtLayout *l, const MtPlan *plan, MtComparison *row,
                         MtError *err)
{
   MtFieldsRead read = {0};
   if (plan)
      read = mt_plan_fields (st->arena, plan);
   row->samples = MT_NEW_N (st->arena, MtSample, l->store_count + 1);
   for (size_t i = 0; i < l->store_count; i++) {
      MtFieldsOf *fields = MT_NEW (st->arena, MtFieldsOf);
      const char *name = collection_read (st->arena, &l->stores[i], &read, fields);
      if (name && !add_sample (st, name, plan, fields, row, err))
         return false;
   }
   if (row->sample_count || !l->store_count)
      return true;
   size_t n;
   const char *const *names = mt_store_collections_of (st->arena, &l->stores[0], &n);
   return !n || add_sample (st, names[0], NULL, NULL, row, err);
}
