/* The stage $_mtApply: joins each input row with the rows that a pipeline returns for this row.
 * SQL's LATERAL and correlated sub-selects use this stage.
 *
 * {"$_mtApply": {"let": {name: expression over the input}, "coll": …, "prepare": […], "pipeline":
 * […], "on": condition, "when": condition, "input": [names], "fields": [names], "keepLeft": true,
 * "mark": name, "single": true, "volatile": true, "$_mtRemote": […]}}
 *
 * The pipeline `prepare` does not use the variables. It runs once, and its documents are stored: in
 * memory up to work_mem, beyond that in a file. The pipeline `pipeline` is compiled once, and runs
 * over the stored documents for each input row. It reads the variables of `let` and of enclosing
 * pipelines as $$name. If it begins with a $match that compares a field with a variable for
 * equality, only documents with that value are read. If this $match also limits a time by
 * variables, only documents within these limits are read.
 *
 * For the first few input rows, the documents are not stored, since this is cheaper: both pipelines
 * run over the collection itself, if it is local. Unless `volatile` is set, the results for a
 * combination of variables' values are cached, as far as work_mem allows. Without `coll` and
 * `prepare`, the pipeline begins with documents of its own.
 *
 * An input row and a row of the pipeline are a pair if `on` is true. For each pair, the output has
 * the input row's fields `input` and the other row's fields `fields`. keepLeft: input rows without
 * a partner are also pushed, without `fields`. mark (with keepLeft): each input row is pushed once,
 * and the field `mark` is true if the row had a partner. single: a second partner is an error
 * (21000). when: a condition over the input row; if it is not true, the pipeline does not run, and
 * the row has no partner. */
#include "engine/local/exec/apply_int.h"
#include "engine/local/expr/expr.h"
#include "engine/local/exec/run.h"
#include "engine/local/expr/shape.h"
#include "engine/local/exec/stages.h"

#include <stdlib.h>

typedef struct ApplyNode {
   MtExecNode n;
   const char *coll;
   MtVal remote, prepare, pipeline;
   /* `prepare` followed by `pipeline`, to run over the collection itself; missing: the documents
    * are stored from the first row on */
   MtVal whole;
   bool kept; /* the documents of `prepare` are kept for all rows */
   /* names of the variables: first those of `let`, then those of enclosing pipelines */
   const char **names;
   MtExecExpr **lets;
   uint32_t let_count, given_count;
   MtPath key;         /* path of the indexed field in the kept documents; count 0: no index */
   uint32_t key_given; /* index of the variable that the indexed field must equal */
   MtVal bounds; /* pipeline that makes bounds of the time MT_NEAR_FIELD; missing: no bounds */
   MtExecExpr *on, *when; /* the conditions `on` and `when`; NULL: not given */
   bool keep_left, single, is_volatile;
   MtExecVar *mark; /* the variable of the field `mark`; NULL: not given */
   MtExecVar *row;
} ApplyNode;

/* A cached result: the documents that the pipeline returned for some values of the variables. */
typedef struct Answer {
   uint64_t hash;
   size_t key, key_len; /* offset and length of the variables' values in `answers` */
   size_t docs, docs_len;
} Answer;

typedef struct ApplyState {
   MtArena *arena; /* memory that later stages use for a pair of rows */
   MtApplyRows rows;
   MtExecGiven given;
   MtVal *values;
   MtCursor *cursor; /* cursor over the kept documents; NULL: not opened yet */
   MtCursor *direct; /* cursor over the collection itself; NULL: not opened yet */
   MtCursor *bounds; /* cursor over the pipeline `bounds`; NULL: not opened yet, or none */
   uint32_t direct_runs;
   uint32_t pairs;
   MtBson key; /* the variables' values for the current row, as bytes */
   MtBson answers;
   Answer *list;
   uint32_t count, cap;
   /* hash table with open addressing, to find cached results by the variables' values: index + 1 in
    * `list` */
   uint32_t *slots, mask;
} ApplyState;

/* ---- storing the documents of `prepare` ---- */

static bool key_of (const ApplyNode *n, MtWork *w, const bson_t *doc, MtVal *key)
{
   return mt_x_walk (w, mt_v_doc (doc), &n->key, 0, key);
}

static bool fill (const ApplyNode *n, ApplyState *st, MtWork *w)
{
   MtCursor *cursor;
   const bson_t *doc;
   MtArena *outer = w->arena;
   bool ok;
   if (!mt_sub_open_split (w->exec, n->coll, n->remote, n->prepare, &cursor, &w->err))
      return false;
   w->arena = w->ev.arena = st->arena;
   while ((ok = mt_tick (w) && mt_cursor_next (cursor, &doc, &w->err)) && doc) {
      MtVal key, time = mt_doc_field (mt_v_doc (doc), MT_NEAR_FIELD);
      MtApplyKey keys = {n->key.count ? &key : NULL, n->bounds.type == MT_ARRAY ? &time : NULL};
      if ((keys.value && !key_of (n, w, doc, &key)) ||
          !mt_apply_add (&st->rows, bson_get_data (doc), keys, w->exec->args.work_mem, &w->err)) {
         ok = false;
         break;
      }
      mt_arena_reset (st->arena);
   }
   w->arena = w->ev.arena = outer;
   w->epoch++;
   mt_sub_close (w, &n->n, MT_WITHIN_KEPT, cursor);
   return ok && mt_apply_seal (&st->rows, &w->err);
}

static bool open_pipeline (const MtExec *x, const ApplyNode *n, const MtExecGiven *given,
                           MtApplyRows *rows, MtCursor **out, MtError *err)
{
   MtSubArgs args = {.next = n->kept ? mt_apply_next : NULL,
                     .next_ctx = rows,
                     .pipeline = n->pipeline,
                     .given = given};
   return mt_sub_open (x, &args, out, err);
}

static bool open_direct (const ApplyNode *n, ApplyState *st, MtWork *w)
{
   MtSubArgs args = {.collection = n->coll, .pipeline = n->whole, .given = &st->given};
   return mt_sub_open (w->exec, &args, &st->direct, &w->err);
}

/* For this many input rows, the pipeline runs over the collection itself. Storing the documents of
 * `prepare` costs about as much as these runs. */
enum { DIRECT_WITH_KEY = 16, DIRECT = 4 };

static bool open_kept (const ApplyNode *n, ApplyState *st, MtWork *w)
{
   MtSubArgs bounds = {.pipeline = n->bounds, .given = &st->given};
   return (!n->kept || fill (n, st, w)) &&
          (!st->rows.by_time || mt_sub_open (w->exec, &bounds, &st->bounds, &w->err)) &&
          open_pipeline (w->exec, n, &st->given, &st->rows, &st->cursor, &w->err);
}

/* Returns a cursor, at its beginning, over the documents that may be partners of the current input
 * row. NULL with w->err set on failure. */
static MtCursor *cursor_for_row (const ApplyNode *n, ApplyState *st, MtWork *w)
{
   if (n->whole.type == MT_ARRAY && !st->cursor &&
       st->direct_runs < (n->key.count ? DIRECT_WITH_KEY : DIRECT)) {
      if (!st->direct && !open_direct (n, st, w))
         return NULL;
      st->direct_runs++;
      mt_sub_rewind (st->direct);
      return st->direct;
   }
   int64_t from = INT64_MIN, until = INT64_MAX;
   if ((!st->cursor && !open_kept (n, st, w)) ||
       (st->bounds && !mt_apply_bounds (st->bounds, &from, &until, &w->err)))
      return NULL;
   mt_apply_rewind (&st->rows, n->key.count ? &st->values[n->key_given] : NULL, from, until);
   mt_sub_rewind (st->cursor);
   return st->cursor;
}

static ApplyState *state_of (const ApplyNode *n, MtWork *w)
{
   ApplyState *st = w->state[n->n.id];
   if (st)
      return st;
   /* The state contains a bson_t, which needs a larger alignment than calloc gives. */
   w->state[n->n.id] = st = mt_x_aligned (_Alignof (ApplyState), sizeof *st);
   st->arena = mt_arena_new ("apply", NULL);
   st->values = mt_x_calloc (n->given_count + 1u, sizeof *st->values);
   st->given = (MtExecGiven) {n->names, st->values, n->given_count};
   return st;
}

static void apply_drop (const MtExecNode *n, MtWork *w)
{
   ApplyState *st = w->state[n->id];
   if (st->cursor)
      mt_cursor_free (st->cursor);
   if (st->direct)
      mt_cursor_free (st->direct);
   if (st->bounds)
      mt_cursor_free (st->bounds);
   mt_apply_free (&st->rows);
   mt_arena_free (st->arena);
   free (st->values);
   free (st->key.p);
   free (st->answers.p);
   free (st->list);
   free (st->slots);
   free (st);
   w->state[n->id] = NULL;
}

/* ---- variables ---- */

static bool set_values (const ApplyNode *n, ApplyState *st, MtWork *w)
{
   const MtExecGiven *around = w->exec->args.given;
   for (uint32_t i = 0; i < n->let_count; i++)
      if (!mt_eval (n->lets[i], w, &st->values[i]) || !mt_x_verify (w, st->values[i]))
         return false;
   for (uint32_t i = n->let_count; i < n->given_count; i++)
      st->values[i] = around->values ? around->values[i - n->let_count] : mt_v_missing ();
   return true;
}

/* Writes the values of the `let` variables to st->key, by which results are cached. The variables
 * of enclosing pipelines do not change as long as this state exists. */
static void write_key (const ApplyNode *n, ApplyState *st)
{
   MtBson *b = &st->key;
   b->n = 0;
   for (uint32_t i = 0; i < n->let_count; i++) {
      MtVal v = st->values[i];
      uint32_t len = mt_bytes_len (v);
      if (!mt_bson_room (b, 16u + len))
         return;
      memset (b->p + b->n, 0, 16);
      b->p[b->n] = v.type;
      memcpy (b->p + b->n + 4, &len, 4);
      if (!len)
         memcpy (b->p + b->n + 8, &v.i, 8);
      else
         memcpy (b->p + b->n + 16, v.p, len);
      b->n += 16u + len;
   }
}

/* ---- cached results ---- */

static uint64_t hash_key (const MtBson *key)
{
   return mt_v_hash ((MtVal) {.type = MT_STRING, .len = (uint32_t) key->n, .p = key->p}, 3);
}

static void forget (ApplyState *st)
{
   st->answers.n = 0;
   st->count = 0;
   if (st->slots)
      memset (st->slots, 0, ((size_t) st->mask + 1) * sizeof *st->slots);
}

static const Answer *recall (const ApplyState *st, uint64_t hash)
{
   for (uint32_t k = (uint32_t) hash & st->mask; st->slots && st->slots[k];
        k = (k + 1) & st->mask) {
      const Answer *a = &st->list[st->slots[k] - 1];
      if (a->hash == hash && a->key_len == st->key.n &&
          (st->key.n == 0 || memcmp (st->answers.p + a->key, st->key.p, st->key.n) == 0))
         return a;
   }
   return NULL;
}

static void put_slot (ApplyState *st, uint32_t number)
{
   uint32_t k = (uint32_t) st->list[number].hash & st->mask;
   while (st->slots[k])
      k = (k + 1) & st->mask;
   st->slots[k] = number + 1;
}

static void grow (ApplyState *st)
{
   MT_GROW ("pipeline", st->list, st->count, st->cap, 64);
   free (st->slots);
   st->mask = st->cap * 2 - 1;
   st->slots = mt_x_calloc ((size_t) st->mask + 1, sizeof *st->slots);
   for (uint32_t i = 0; i < st->count; i++)
      put_slot (st, i);
}

/* Adds the documents in st->answers from offset `start` on to the cache, as the result for the
 * current values of the variables. */
static void remember (ApplyState *st, uint64_t hash, size_t start)
{
   Answer a = {.hash = hash,
               .docs = start,
               .docs_len = st->answers.n - start,
               .key = st->answers.n,
               .key_len = st->key.n};
   mt_bson_bytes (&st->answers, st->key.p, st->key.n);
   if (st->answers.failed || st->key.failed)
      return;
   if (st->count == st->cap)
      grow (st);
   st->list[st->count] = a;
   put_slot (st, st->count++);
}

static size_t memory_of (const ApplyState *st)
{
   return st->answers.n + st->cap * (sizeof *st->list + 2 * sizeof *st->slots);
}

/* ---- pairs ---- */

typedef struct Pairing {
   const ApplyNode *n;
   ApplyState *st;
   MtWork *w;
   bool any, over; /* any: the input row has had a partner; over: no more partners are needed */
} Pairing;

static bool bind_row (const ApplyNode *n, MtWork *w, const uint8_t *doc)
{
   w->slots[n->row->slot] = (MtVal) {.type = MT_DOC, .len = mt_get32 (doc), .p = doc};
   return mt_bind (w, n->row, &w->count[n->n.id]);
}

static MtFlow take (Pairing *p, const uint8_t *doc)
{
   const ApplyNode *n = p->n;
   MtWork *w = p->w;
   MtVal yes;
   if (!mt_tick (w) || !bind_row (n, w, doc) || (n->on && !mt_eval (n->on, w, &yes)))
      return MT_FAIL;
   if (n->on && !mt_truthy (yes))
      return MT_GO;
   if (p->any && n->single) {
      mt_error (&w->err, MT_E_CARDINALITY,
                "more than one row returned by a subquery used as an expression");
      return MT_FAIL;
   }
   p->any = true;
   p->over = n->mark != NULL;
   if (p->over) /* the caller pushes the input row with its mark */
      return MT_GO;
   MtFlow flow = mt_next (&n->n, w);
   if (mt_rows_weigh (p->st->arena, ++p->st->pairs)) {
      mt_arena_reset (p->st->arena);
      w->epoch++;
   }
   return flow;
}

static MtFlow take_answer (Pairing *p, const Answer *a)
{
   MtFlow flow = MT_GO;
   for (size_t at = 0; at < a->docs_len && flow == MT_GO && !p->over;) {
      const uint8_t *doc = p->st->answers.p + a->docs + at;
      at += mt_get32 (doc);
      flow = take (p, doc);
   }
   return flow;
}

/* Runs the pipeline for the current input row, pushes the pairs, and caches the documents. */
static MtFlow run (Pairing *p, uint64_t hash)
{
   const ApplyNode *n = p->n;
   ApplyState *st = p->st;
   const bson_t *doc = NULL;
   size_t limit = p->w->exec->args.work_mem / 2, start = st->answers.n;
   bool recording = !n->is_volatile, ok = true;
   MtFlow flow = MT_GO;
   MtCursor *cursor = cursor_for_row (n, st, p->w);
   if (!cursor)
      return MT_FAIL;
   while (flow == MT_GO && !p->over && (ok = mt_cursor_next (cursor, &doc, &p->w->err)) && doc) {
      if (recording && st->answers.n - start + doc->len > limit / 8)
         recording = false;
      if (recording)
         mt_bson_bytes (&st->answers, bson_get_data (doc), doc->len);
      flow = take (p, bson_get_data (doc));
   }
   if (cursor == st->direct)
      mt_sub_count (p->w, &n->n, MT_WITHIN_DIRECT, cursor);
   else
      mt_sub_note (p->w, &n->n, MT_WITHIN_ONCE, cursor);
   bool whole = recording && ok && flow == MT_GO && (!p->over || !n->on);
   if (!whole)
      st->answers.n = start;
   else if (memory_of (st) > limit)
      forget (st);
   else
      remember (st, hash, start);
   return ok ? flow : MT_FAIL;
}

static MtFlow all_pairs (Pairing *p)
{
   MtWork *w = p->w;
   MtArena *outer = w->arena;
   write_key (p->n, p->st);
   uint64_t hash = hash_key (&p->st->key);
   const Answer *known = p->n->is_volatile ? NULL : recall (p->st, hash);
   w->arena = w->ev.arena = p->st->arena;
   MtFlow flow = known ? take_answer (p, known) : run (p, hash);
   w->arena = w->ev.arena = outer;
   return flow;
}

/* Pushes an input row without the fields of a partner: it has no partner, or the stage only sets
 * the field `mark`. had: the row had a partner, which is the value of `mark`. */
static MtFlow alone (const ApplyNode *n, MtWork *w, bool had)
{
   static const uint8_t empty[5] = {5, 0, 0, 0, 0};
   if (n->mark)
      w->slots[n->mark->slot] = mt_v_bool (had);
   return bind_row (n, w, empty) ? mt_next (&n->n, w) : MT_FAIL;
}

static MtFlow apply_push (const MtExecNode *node, MtWork *w)
{
   const ApplyNode *n = (const ApplyNode *) node;
   MtVal wanted = mt_v_bool (true);
   w->count[node->id].in++;
   if (n->when && !mt_eval (n->when, w, &wanted))
      return MT_FAIL;
   if (!mt_truthy (wanted))
      return n->keep_left ? alone (n, w, false) : MT_GO;
   ApplyState *st = state_of (n, w);
   if (!st || !set_values (n, st, w))
      return MT_FAIL;
   Pairing p = {.n = n, .st = st, .w = w};
   MtFlow flow = all_pairs (&p);
   return flow == MT_GO && n->keep_left && (!p.any || n->mark) ? alone (n, w, p.any) : flow;
}

/* ---- compiling ---- */

/* If v is a text "$$name", stores the index of this variable in *which. Returns false otherwise. */
static bool names_given (const ApplyNode *n, MtVal v, uint32_t *which)
{
   if (v.type != MT_STRING || v.len < 3 || v.p[0] != '$' || v.p[1] != '$')
      return false;
   for (*which = 0; *which < n->given_count; ++*which)
      if (strlen (n->names[*which]) == v.len - 2u &&
          memcmp (n->names[*which], v.p + 2, v.len - 2u) == 0)
         return true;
   return false;
}

/* Searches e, the condition of an $expr, for an equality of a field with a variable. If there is
 * one, the stored documents are indexed by this field (n->key). */
static void key_in_expr (MtCompile *c, ApplyNode *n, MtVal e)
{
   MtVal and = e.type == MT_DOC ? mt_doc_field (e, "$and") : mt_v_missing (),
         eq = e.type == MT_DOC ? mt_doc_field (e, "$eq") : mt_v_missing ();
   size_t count;
   MtVal *list = mt_v_elements (c->arena, and.type == MT_ARRAY ? and : eq, &count);
   for (size_t i = 0; and.type == MT_ARRAY && i < count && !n->key.count; i++)
      key_in_expr (c, n, list[i]);
   for (int i = 0; eq.type == MT_ARRAY && count == 2 && i < 2 && !n->key.count; i++) {
      MtVal path = list[i];
      if (path.type != MT_STRING || path.len < 2 || path.p[0] != '$' || path.p[1] == '$' ||
          !names_given (n, list[1 - i], &n->key_given))
         continue;
      if (!mt_path_parse (c, mt_strndup (c->arena, (const char *) path.p + 1, path.len - 1u),
                          &n->key))
         n->key.count = 0;
   }
}

/* Searches a $match for an equality of a field with a variable. If there is one, the stored
 * documents are indexed by this field (n->key). */
static void key_in_match (MtCompile *c, ApplyNode *n, MtVal match)
{
   MtDocIter it = mt_doc_iter (match);
   MtStr name;
   MtVal v;
   while (match.type == MT_DOC && !n->key.count && mt_doc_next (&it, &name, &v)) {
      size_t count;
      MtVal *list = mt_str_is (name, "$and") ? mt_v_elements (c->arena, v, &count) : NULL;
      for (size_t i = 0; list && i < count && !n->key.count; i++)
         key_in_match (c, n, list[i]);
      if (mt_str_is (name, "$expr"))
         key_in_expr (c, n, v);
   }
}

static void find_key (MtCompile *c, ApplyNode *n)
{
   size_t count;
   MtVal *stages = mt_v_elements (c->arena, n->pipeline, &count);
   if (n->kept && count && stages[0].type == MT_DOC)
      key_in_match (c, n, mt_doc_field (stages[0], "$match"));
}

/* If the pipeline limits a time by variables, sets n->bounds to a pipeline that computes the
 * limits, and makes `prepare` add the time to the stored documents. */
static void find_bounds (MtCompile *c, ApplyNode *n)
{
   MtVal time;
   n->bounds = mt_v_missing ();
   if (n->kept && !n->is_volatile)
      n->bounds = mt_apply_near (c, (MtApplyNames) {n->names, n->given_count}, n->pipeline, &time);
   if (n->bounds.type == MT_ARRAY)
      n->prepare = mt_apply_with_near (c, n->prepare, time);
}

/* Sets n->whole to `prepare` followed by `pipeline`, if the collection is local, and `prepare`
 * returns the same documents for each row. */
static void join_pipelines (MtCompile *c, ApplyNode *n)
{
   size_t before, count;
   MtError ignored;
   if (!n->kept || !n->coll || n->remote.type == MT_ARRAY || n->is_volatile ||
       n->prepare.type != MT_ARRAY)
      return;
   MtVal *first = mt_v_elements (c->arena, n->prepare, &before),
         *then = mt_v_elements (c->arena, n->pipeline, &count), whole;
   MtVal *all = MT_NEW_N (c->arena, MtVal, before + count + 1);
   memcpy (all, first, before * sizeof *all);
   memcpy (all + before, then, count * sizeof *all);
   if (mt_v_make_array (c->arena, all, before + count, &whole, &ignored))
      n->whole = whole;
}

static bool parse_lets (MtCompile *c, ApplyNode *n, MtVal let)
{
   const MtExecGiven *around = c->exec->args.given;
   size_t count = let.type == MT_DOC ? mt_doc_count (let) : 0;
   MtDocIter it = mt_doc_iter (let);
   MtStr name;
   MtVal v;
   n->names = MT_NEW_N (c->arena, const char *, count + (around ? around->count : 0) + 1);
   n->lets = MT_NEW_N (c->arena, MtExecExpr *, count + 1);
   while (count && mt_doc_next (&it, &name, &v)) {
      n->names[n->let_count] = mt_strndup (c->arena, name.p, name.n);
      if (!(n->lets[n->let_count++] = mt_expr_parse (c, v)))
         return false;
   }
   n->given_count = n->let_count;
   for (uint32_t i = 0; around && i < around->count; i++)
      n->names[n->given_count++] = around->names[i];
   return true;
}

static bool parse_condition (MtCompile *c, MtVal v, MtExecExpr **out)
{
   return v.type == MT_MISSING || (*out = mt_expr_parse (c, v)) != NULL;
}

static bool parse_spec (MtCompile *c, MtVal spec, ApplyNode *n)
{
   static const uint8_t empty[5] = {5, 0, 0, 0, 0};
   MtVal coll = mt_doc_field (spec, "coll"), prepare = mt_doc_field (spec, "prepare");
   if (spec.type != MT_DOC || mt_doc_field (spec, "pipeline").type != MT_ARRAY ||
       mt_doc_field (spec, "input").type != MT_ARRAY)
      return mt_bad (c, 0,
                     "the $_mtApply stage needs a 'pipeline', and the names of its input's fields");
   n->coll = coll.type == MT_STRING ? mt_strndup (c->arena, (const char *) coll.p, coll.len) : NULL;
   n->remote = mt_v_copy (c->arena, mt_doc_field (spec, "$_mtRemote"));
   n->kept = n->coll || prepare.type == MT_ARRAY;
   n->prepare = mt_v_copy (c->arena, prepare.type == MT_ARRAY
                                        ? prepare
                                        : (MtVal) {.type = MT_ARRAY, .len = 5, .p = empty});
   n->pipeline = mt_v_copy (c->arena, mt_doc_field (spec, "pipeline"));
   n->keep_left = mt_truthy (mt_doc_field (spec, "keepLeft"));
   n->single = mt_truthy (mt_doc_field (spec, "single"));
   n->is_volatile = mt_truthy (mt_doc_field (spec, "volatile"));
   return parse_lets (c, n, mt_doc_field (spec, "let")) &&
          parse_condition (c, mt_doc_field (spec, "on"), &n->on) &&
          parse_condition (c, mt_doc_field (spec, "when"), &n->when);
}

/* Compiles both pipelines once without values of variables, so that errors are found before
 * anything runs. */
static bool try_pipelines (MtCompile *c, const ApplyNode *n)
{
   MtExecGiven none = {n->names, NULL, n->given_count};
   MtCursor *cursor;
   if (!open_pipeline (c->exec, n, &none, NULL, &cursor, c->err))
      return false;
   mt_cursor_free (cursor);
   return true;
}

bool mt_stage_apply (MtCompile *c, MtVal spec)
{
   ApplyNode plan = {.coll = NULL};
   if (!parse_spec (c, spec, &plan) || !try_pipelines (c, &plan) ||
       !mt_pair_input (c, mt_doc_field (spec, "input"), false))
      return false;
   find_key (c, &plan);
   join_pipelines (c, &plan);
   find_bounds (c, &plan);
   ApplyNode *n = (ApplyNode *) mt_node_new (c, sizeof *n, NULL, apply_push);
   MtExecNode node = n->n;
   *n = plan;
   n->n = node;
   n->n.serial = true;
   n->n.drop = apply_drop;
   n->row = mt_var_new (c, n->n.pos, false);
   for (uint32_t i = 0; i < n->let_count; i++)
      if (!mt_expr_bind (c, n->lets[i], c->root, c->scope, n->n.pos))
         return false;
   if ((n->when && !mt_expr_bind (c, n->when, c->root, c->scope, n->n.pos)) ||
       !mt_pair_output (c, n->row, mt_doc_field (spec, "fields")))
      return false;
   MtVal mark = mt_doc_field (spec, "mark");
   if (mark.type == MT_STRING) {
      n->mark = mt_var_new (c, n->n.pos, false);
      mt_shape_put (c, c->root, mt_strndup (c->arena, (const char *) mark.p, mark.len),
                    mt_shape_var (c, n->mark), false);
   }
   return !n->on || mt_expr_bind (c, n->on, c->root, c->scope, n->n.pos);
}
