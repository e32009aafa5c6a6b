/* The stages $out and $merge, which write the documents of a pipeline into a collection of the
 * store. A cursor runs the pipeline up to that stage. Its first call writes all documents in one
 * commit, so an error leaves the collection unchanged. The cursor returns no documents. */
#include "engine/local/stage/write.h"
#include "base/bson.h"
#include "base/memory.h"
#include "engine/implement.h"
#include "engine/local/exec/run.h"
#include "engine/local/expr/bson_value.h"
#include "engine/local/expr/codes.h"
#include "engine/local/stage/stage.h"

#include <stdlib.h>
#include <string.h>

typedef enum Matched { REPLACE, KEEP, MERGE, FAIL_MATCHED, PIPELINE } Matched;
typedef enum NotMatched { INSERT, DISCARD, FAIL } NotMatched;

typedef struct Spec {
   MtArena *arena;
   MtError *err;
   const char *stage, *into;
   bool out; /* $out */
   Matched matched;
   NotMatched not_matched;
   MtVal let, pipeline;
} Spec;

typedef struct Writing {
   MtCursor cursor;
   MtEngine *engine;
   MtCursor *run; /* the pipeline before the stage */
   Spec spec;
   MtArena *rows;
   /* The cursor of the pipeline in whenMatched. Its input is the stored document `old`; its
    * variables are those of let, in `values`. */
   MtCursor *update;
   MtExecGiven given;
   MtVal *values;
   bson_t old;
   bool fed, ended;
} Writing;

static bool wrong (Spec *s, int32_t code, const char *fmt, ...)
   __attribute__ ((format (printf, 3, 4)));
static bool wrong (Spec *s, int32_t code, const char *fmt, ...)
{
   char text[300];
   va_list ap;
   va_start (ap, fmt);
   vsnprintf (text, sizeof text, fmt, ap);
   va_end (ap);
   return mt_error_coded (s->err, MT_E_PARAMETER, code, "%s", text);
}

/* ---- parsing ---- */

static bool set_target (Spec *s, MtVal v, int32_t code)
{
   if (v.type == MT_DOC) {
      mt_error_coded (s->err, MT_E_FEATURE, 115, "%s into another database is not supported",
                      s->stage);
      return mt_error_hint (s->err, "Name only the collection.");
   }
   if (v.type != MT_STRING || !v.len || memchr (v.p, 0, v.len) || v.p[0] == '$')
      return wrong (s, v.type == MT_STRING ? MT_CODE_NAMESPACE : code,
                    "%s needs the name of a collection", s->stage);
   s->into = mt_strndup (s->arena, (const char *) v.p, v.len);
   if (strncmp (s->into, "system.", 7) == 0 || strncmp (s->into, "_mtsql_", 7) == 0 ||
       mt_is_temporary (s->into))
      return wrong (s, s->out ? 17385 : 31319, "cannot %s to special collection: \"%s\"", s->stage,
                    s->into);
   return true;
}

/* Sets *out to the index of v in `names`, a list that ends with NULL. A missing v leaves *out
 * unchanged. Fails if v is not in the list. */
static bool choose (Spec *s, const char *name, MtVal v, const char *const *names, int *out)
{
   if (v.type == MT_MISSING)
      return true;
   for (int i = 0; names[i]; i++)
      if (mt_v_is_text (v, names[i])) {
         *out = i;
         return true;
      }
   return wrong (s, v.type == MT_STRING ? MT_CODE_BAD_VALUE : 51191,
                 "enumeration value for %s.%s is not a valid value", s->stage, name);
}

/* Checks that the pipeline in whenMatched has only stages that are allowed in an update. */
static bool check_update (Spec *s)
{
   static const char *const allowed[] = {"$addFields", "$set",         "$project",
                                         "$unset",     "$replaceRoot", "$replaceWith"};
   MtStr key;
   MtVal stage;
   for (MtDocIter it = mt_doc_iter (s->pipeline); mt_doc_next (&it, &key, &stage);) {
      bool ok = false;
      for (size_t i = 0; i < sizeof allowed / sizeof *allowed && !ok; i++)
         ok = mt_doc_field (stage, allowed[i]).type != MT_MISSING;
      if (!ok)
         return wrong (s, 72, "a stage of whenMatched is not allowed within an update");
   }
   return true;
}

/* Checks the option `on` of $merge. It must be _id, because the store has no other unique index. */
static bool check_on (Spec *s, MtVal on)
{
   size_t n = 1;
   MtVal *names = on.type == MT_ARRAY ? mt_v_elements (s->arena, on, &n) : &on;
   if (on.type == MT_MISSING)
      return true;
   if (on.type != MT_ARRAY && on.type != MT_STRING)
      return wrong (s, 51186, "$merge 'on' field must be either a string or an array of strings");
   if (!n)
      return wrong (s, 51187, "if $merge has an 'on' field, it must have at least one field");
   for (size_t i = 0; i < n; i++) {
      if (names[i].type != MT_STRING)
         return wrong (s, 51134, "$merge 'on' array elements must be strings");
      for (size_t k = 0; k < i; k++)
         if (mt_v_compare (names[i], names[k]) == 0)
            return wrong (s, 31465, "$merge found a duplicate field in 'on'");
   }
   if (n == 1 && mt_v_is_text (names[0], "_id"))
      return true;
   wrong (s, 51183, "cannot find an index to verify that the fields of 'on' are unique");
   return mt_error_hint (s->err, "In process there is only the index on _id.");
}

static bool parse_matched (Spec *s, MtVal v)
{
   static const char *const names[] = {"replace", "keepExisting", "merge", "fail", NULL};
   int matched = s->matched;
   if (v.type == MT_ARRAY) {
      s->pipeline = v;
      s->matched = PIPELINE;
      return check_update (s);
   }
   if (!choose (s, "whenMatched", v, names, &matched))
      return false;
   s->matched = (Matched) matched;
   return true;
}

static bool parse_merge (Spec *s, MtVal v)
{
   static const char *const fields[] = {"into", "on", "let", "whenMatched", "whenNotMatched"},
                            *const names[] = {"insert", "discard", "fail", NULL};
   int not_matched = INSERT;
   MtStr key;
   MtVal ignored;
   if (v.type == MT_STRING)
      return set_target (s, v, 51178);
   if (v.type != MT_DOC)
      return wrong (s, MT_CODE_TYPE_MISMATCH,
                    "$merge requires a string or object argument, but found %s",
                    mt_v_type_name (v));
   for (MtDocIter it = mt_doc_iter (v); mt_doc_next (&it, &key, &ignored);) {
      bool known = false;
      for (size_t i = 0; i < sizeof fields / sizeof *fields && !known; i++)
         known = mt_str_is (key, fields[i]);
      if (!known)
         return wrong (s, 40415, "$merge has an unknown field '%.*s'",
                       (int) (key.n > 60 ? 60 : key.n), key.p);
   }
   MtVal into = mt_doc_field (v, "into");
   s->let = mt_doc_field (v, "let");
   if (!set_target (s, into, into.type == MT_MISSING ? 40414 : 51178) ||
       !check_on (s, mt_doc_field (v, "on")) ||
       !parse_matched (s, mt_doc_field (v, "whenMatched")) ||
       !choose (s, "whenNotMatched", mt_doc_field (v, "whenNotMatched"), names, &not_matched))
      return false;
   s->not_matched = (NotMatched) not_matched;
   if ((s->matched == KEEP || s->matched == FAIL_MATCHED) && s->not_matched != INSERT)
      return wrong (s, 51181,
                    "this combination of whenMatched and whenNotMatched is not supported");
   if (s->let.type != MT_MISSING && s->matched != PIPELINE)
      return wrong (s, 51199, "cannot use 'let' without a pipeline in whenMatched");
   if (s->let.type != MT_MISSING && s->let.type != MT_DOC)
      return wrong (s, MT_CODE_TYPE_MISMATCH, "'let' of $merge must be an object");
   MtVal new = mt_doc_field (s->let, "new");
   return new.type == MT_MISSING || mt_v_is_text (new, "$$ROOT") ||
          wrong (s, 51273,
                 "'let' may not define a value for the reserved 'new' variable other "
                 "than '$$ROOT'");
}

/* ---- writing ---- */

static bool next_old (void *ctx, const bson_t **doc, MtError *err)
{
   Writing *w = ctx;
   *doc = w->fed ? NULL : &w->old;
   w->fed = true;
   return true;
}

/* Copies the values of the let variables from the document `variables` to w->values. */
static void take_variables (Writing *w, MtVal variables)
{
   for (uint32_t i = 0; i < w->given.count; i++)
      w->values[i] = mt_doc_field (variables, w->given.names[i]);
}

/* Runs the pipeline of whenMatched over the stored document w->old, and sets *out to its result.
 * Fails if the result has another _id. */
static bool update (Writing *w, MtVal variables, MtVal *out, MtError *err)
{
   const bson_t *doc;
   w->fed = false;
   take_variables (w, variables);
   mt_sub_rewind (w->update);
   if (!mt_cursor_next (w->update, &doc, err))
      return false;
   MtVal id = mt_doc_field (mt_v_doc (&w->old), "_id"), made = mt_doc_field (mt_v_doc (doc), "_id");
   if (made.type != MT_MISSING && (made.type != id.type || mt_v_compare_strict (made, id) != 0))
      return mt_error_coded (err, MT_E_PARAMETER, 66,
                             "$merge failed to update the matching document: it may not change "
                             "the _id");
   MtBson b = {.arena = w->rows};
   size_t start = mt_bson_begin (&b);
   MtStr key;
   MtVal v;
   mt_bson_put (&b, "_id", id);
   for (MtDocIter it = mt_doc_iter (mt_v_doc (doc)); mt_doc_next (&it, &key, &v);)
      if (!mt_str_is (key, "_id"))
         mt_bson_add (&b, key.p, key.n, v);
   mt_bson_end (&b, start);
   *out = mt_bson_part (&b, start, MT_DOC);
   return mt_memory_check (err);
}

static bool merge_fields (Writing *w, MtVal new, MtVal *out, MtError *err)
{
   MtFieldList f = {0};
   MtVal both[] = {mt_v_doc (&w->old), new};
   for (int i = 0; i < 2; i++) {
      MtStr key;
      MtVal v;
      for (MtDocIter it = mt_doc_iter (both[i]); mt_doc_next (&it, &key, &v);)
         mt_field_list_set (w->rows, &f, key, v);
   }
   return mt_v_make_doc (w->rows, f.keys, f.vals, f.n, out, err);
}

static bool write_matched (Writing *w, MtVal new, MtVal variables, MtError *err)
{
   bson_t doc;
   MtVal made = new;
   switch (w->spec.matched) {
   case KEEP: return true;
   case FAIL_MATCHED:
      return mt_error_coded (err, MT_E_UNIQUE, 11000,
                             "$merge with whenMatched: fail found an existing document with the "
                             "same _id");
   case REPLACE: break;
   case MERGE:
      if (!merge_fields (w, new, &made, err))
         return false;
      break;
   case PIPELINE:
      if (!update (w, variables, &made, err))
         return false;
      break;
   }
   return bson_init_static (&doc, made.p, made.len)
             ? mt_engine_replace (w->engine, w->spec.into, &doc, err)
             : mt_error (err, MT_E_INTERNAL, "$merge made no valid document");
}

static bool write_one (Writing *w, MtVal new, MtVal variables, MtError *err)
{
   bson_t doc, *old = NULL;
   MtVal id = mt_doc_field (new, "_id");
   if (new.type != MT_DOC || !bson_init_static (&doc, new.p, new.len))
      return mt_error (err, MT_E_INTERNAL, "a result row is no document");
   if (id.type == MT_ARRAY && !w->spec.out)
      return mt_error_coded (err, MT_E_PARAMETER, 51185,
                             "$merge write error: the 'on' field cannot be an array");
   if (!w->spec.out && id.type != MT_MISSING &&
       !mt_engine_find_id (w->engine, w->rows, w->spec.into, id, &old, err))
      return false;
   if (old)
      return (bson_init_static (&w->old, bson_get_data (old), old->len) ||
              mt_error (err, MT_E_CORRUPT, "malformed document")) &&
             write_matched (w, new, variables, err);
   if (w->spec.not_matched == DISCARD)
      return true;
   if (w->spec.not_matched == FAIL)
      return mt_error_coded (err, MT_E_PARAMETER, 13113,
                             "$merge could not find a matching document in the target collection");
   return mt_engine_insert (w->engine, w->spec.into, &doc, true, err) || mt_error_code (err, 11000);
}

static bool write_all (Writing *w, MtError *err)
{
   const bson_t *doc;
   bool ok;
   if (w->spec.out && !mt_engine_drop_collection (w->engine, w->spec.into, err))
      return false;
   if (w->spec.out && !mt_engine_create_collection (w->engine, w->spec.into, err))
      return false;
   while ((ok = mt_cursor_next (w->run, &doc, err)) && doc) {
      MtVal row = mt_v_doc (doc);
      bool pairs = w->spec.matched == PIPELINE;
      if (!write_one (w, pairs ? mt_doc_field (row, "doc") : row, mt_doc_field (row, "let"), err))
         return false;
      mt_arena_reset (w->rows);
   }
   return ok;
}

static bool next (MtCursor *cursor, const bson_t **doc, MtError *err)
{
   Writing *w = (Writing *) cursor;
   *doc = NULL;
   if (w->ended)
      return true;
   w->ended = true;
   if (!mt_engine_begin (w->engine, err))
      return false;
   if (write_all (w, err))
      return mt_engine_commit (w->engine, err);
   mt_engine_rollback (w->engine);
   return false;
}

static void stats (MtCursor *cursor, MtRunStats *out)
{
   mt_cursor_stats (((Writing *) cursor)->run, out);
}

static void writing_free (MtCursor *cursor)
{
   Writing *w = (Writing *) cursor;
   mt_cursor_free (w->update);
   mt_cursor_free (w->run);
   mt_arena_free (w->rows);
   mt_arena_free (w->spec.arena);
   free (w);
}

static const MtCursorVt writing_vt = {.next = next, .stats = stats, .free = writing_free};

/* ---- opening ---- */

/* Returns the specification of the last stage if it is $out or $merge, and sets *stage to its name.
 * Otherwise returns a missing value. */
static MtVal last_stage (const bson_t *pipeline, const char **stage)
{
   static const char *const names[] = {"$out", "$merge"};
   MtStr key;
   MtVal v = mt_v_missing (), found = mt_v_missing ();
   for (MtDocIter it = mt_doc_iter (mt_v_array (pipeline)); mt_doc_next (&it, &key, &v);)
      ;
   for (size_t i = 0; i < sizeof names / sizeof *names && found.type == MT_MISSING; i++) {
      *stage = names[i];
      found = v.type == MT_DOC && mt_doc_count (v) == 1 ? mt_doc_field (v, names[i]) : found;
   }
   return found;
}

bool mt_pipeline_writes (const bson_t *pipeline)
{
   const char *stage;
   return last_stage (pipeline, &stage).type != MT_MISSING;
}

/* Opens the pipeline without its last stage ($out or $merge). If whenMatched is a pipeline, a stage
 * is appended so that each document comes together with the values of the let variables. */
static bool open_run (Writing *w, const MtExecArgs *x, MtError *err)
{
   const bson_t *whole = x->pipeline;
   bson_t before = BSON_INITIALIZER, pair = BSON_INITIALIZER, let = BSON_INITIALIZER;
   MtVal stages = mt_v_array (whole), v, root = mt_v_cstr ("$$ROOT");
   size_t n = mt_doc_count (stages);
   MtStr key;
   for (MtDocIter it = mt_doc_iter (stages); n-- > 1 && mt_doc_next (&it, &key, &v);)
      mt_doc_push (&before, v);
   if (w->spec.matched == PIPELINE) {
      for (MtDocIter it = mt_doc_iter (w->spec.let); mt_doc_next (&it, &key, &v);)
         mt_doc_add (&let, mt_strndup (w->spec.arena, key.p, key.n), v);
      if (mt_doc_field (w->spec.let, "new").type == MT_MISSING)
         mt_doc_add (&let, "new", root);
      v = mt_v_doc (&let);
      mt_doc_printf (&pair, "$replaceWith: {doc: '$$ROOT', let: %p}", (void *) &v);
      mt_doc_push (&before, mt_v_doc (&pair));
   }
   MtExecArgs args = *x;
   args.pipeline = &before;
   bool ok = mt_exec_open (&args, &w->run, err);
   bson_destroy (&let);
   bson_destroy (&pair);
   bson_destroy (&before);
   return ok;
}

static bool open_update (Writing *w, const MtExecArgs *x, MtError *err)
{
   MtVal let = w->spec.let, v;
   size_t n = mt_doc_count (let);
   const char **names = MT_NEW_N (w->spec.arena, const char *, n + 1);
   MtStr key;
   bool has_new = false;
   bson_t pipeline;
   if (w->spec.matched != PIPELINE)
      return true;
   for (MtDocIter it = mt_doc_iter (let); mt_doc_next (&it, &key, &v); w->given.count++) {
      names[w->given.count] = mt_strndup (w->spec.arena, key.p, key.n);
      has_new |= mt_str_is (key, "new");
   }
   if (!has_new)
      names[w->given.count++] = "new";
   w->values = MT_NEW_N (w->spec.arena, MtVal, n + 1);
   w->given.names = names;
   w->given.values = w->values;
   if (!bson_init_static (&pipeline, w->spec.pipeline.p, w->spec.pipeline.len))
      return mt_error (err, MT_E_LIMIT, "the pipeline is too large");
   MtExecArgs args = {.next = next_old,
                      .next_ctx = w,
                      .pipeline = &pipeline,
                      .given = &w->given,
                      .collation = x->collation,
                      .ops = x->ops,
                      .threads = 1,
                      .work_mem = x->work_mem,
                      .cancel = x->cancel};
   return mt_exec_open (&args, &w->update, err);
}

bool mt_writing_open (MtEngine *e, const MtExecArgs *x, MtCursor **out, MtError *err)
{
   /* bson_t needs a larger alignment than calloc gives. */
   Writing *w = mt_aligned ("pipeline", _Alignof (Writing), sizeof *w);
   memset (w, 0, sizeof *w);
   w->cursor.vt = &writing_vt;
   w->engine = e;
   w->rows = mt_arena_new ("$merge", NULL);
   w->spec = (Spec) {.arena = mt_arena_new ("pipeline", NULL), .err = err, .matched = MERGE};
   MtVal v = mt_v_copy (w->spec.arena, last_stage (x->pipeline, &w->spec.stage));
   w->spec.out = strcmp (w->spec.stage, "$out") == 0;
   bool ok = w->spec.out ? set_target (&w->spec, v, 16990) : parse_merge (&w->spec, v);
   if (w->spec.out)
      w->spec.matched = REPLACE;
   if (ok && (e->in_txn || e->in_step || e->in_pieces))
      ok = mt_error_coded (err, MT_E_ACTIVE_TRANSACTION, 263, "%s cannot be used in a transaction",
                           w->spec.stage);
   else if (ok && e->target)
      ok = mt_error_coded (err, MT_E_FEATURE, 115,
                           "%s from temporary collections into a server is not supported",
                           w->spec.stage);
   else if (ok && e->caps.read_only)
      ok = mt_error_coded (err, MT_E_READ_ONLY, 13, "cannot write: the target is read-only");
   ok = ok && open_run (w, x, err) && open_update (w, x, err);
   w->spec.err = NULL;
   if (ok)
      *out = &w->cursor;
   else
      writing_free (&w->cursor);
   return ok;
}
