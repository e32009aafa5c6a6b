/* The stage $_mtRecursive: {as: "w", coll: "w", pipeline: […], all: bool}. It implements WITH
 * RECURSIVE. Input documents are pushed, and are the first documents of the temporary collection
 * "w". The pipeline runs over `coll` (default: w), and may read w anywhere. The documents that it
 * returns are pushed, too, and replace those of w before the pipeline runs again. The stage ends
 * when the pipeline returns no documents. Without `all`, each distinct document is pushed only
 * once. */
#include "engine/local/expr/core.h"
#include "engine/local/exec/run.h"
#include "engine/local/expr/shape.h"
#include "engine/local/exec/stages.h"

#include <stdlib.h>

typedef struct RecursiveNode {
   MtExecNode n;
   const char *as, *coll;
   MtVal pipeline;
   bool all;
   uint32_t from; /* position in the row (slot) of the input document */
   MtExecVar *var;
} RecursiveNode;

/* A hash table of all documents pushed so far, to find duplicates. */
typedef struct Seen {
   MtBson docs; /* documents, one after the other */
   size_t *at;  /* offset in `docs` + 1; 0: free */
   size_t count, mask;
} Seen;

typedef struct RecursiveState {
   bool over;   /* the input has ended */
   MtBson next; /* the documents since the last run of the pipeline began, as an array */
   uint32_t next_count;
   MtBson table; /* the collection's documents during this run of the pipeline */
   MtExecTable named;
   MtCursor *cursor; /* cursor over the pipeline; NULL: it does not run */
   Seen seen;
} RecursiveState;

static void recursive_drop (const MtExecNode *n, MtWork *w)
{
   RecursiveState *s = w->state[n->id];
   if (!s)
      return;
   if (s->cursor)
      mt_cursor_free (s->cursor);
   free (s->next.p);
   free (s->table.p);
   free (s->seen.docs.p);
   free (s->seen.at);
   free (s);
   w->state[n->id] = NULL;
}

static RecursiveState *state_of (const MtExecNode *n, MtWork *w)
{
   RecursiveState *s = w->state[n->id];
   if (!s) {
      w->state[n->id] = s = mt_x_calloc (1, sizeof *s);
      mt_bson_begin (&s->next);
   }
   return s;
}

/* ---- finding duplicates ---- */

static MtVal doc_at (const MtBson *docs, size_t at)
{
   uint32_t len;
   memcpy (&len, docs->p + at, 4);
   return (MtVal) {.type = MT_DOC, .len = len, .p = docs->p + at};
}

static void grow (Seen *s)
{
   size_t cap = s->mask ? (s->mask + 1) * 2 : 64;
   size_t *at = mt_x_calloc (cap, sizeof *at);
   for (size_t i = 0; s->mask && i <= s->mask; i++) {
      if (!s->at[i])
         continue;
      size_t k = mt_v_hash (doc_at (&s->docs, s->at[i] - 1), 0) & (cap - 1);
      while (at[k])
         k = (k + 1) & (cap - 1);
      at[k] = s->at[i];
   }
   free (s->at);
   s->at = at;
   s->mask = cap - 1;
}

static bool is_new (Seen *s, MtVal doc)
{
   if (s->count * 2 >= s->mask)
      grow (s);
   size_t k = mt_v_hash (doc, 0) & s->mask;
   for (; s->at[k]; k = (k + 1) & s->mask)
      if (mt_v_compare (doc_at (&s->docs, s->at[k] - 1), doc) == 0)
         return false;
   s->at[k] = s->docs.n + 1;
   s->count++;
   mt_bson_bytes (&s->docs, doc.p, doc.len);
   return true;
}

/* ---- running ---- */

static MtFlow take (const MtExecNode *node, MtWork *w, MtVal doc)
{
   const RecursiveNode *n = (const RecursiveNode *) node;
   RecursiveState *s = state_of (node, w);
   size_t limit = w->exec->args.work_mem;
   if (doc.type != MT_DOC) {
      mt_error (&w->err, MT_E_INTERNAL, "a row of a recursive query is no document");
      return MT_FAIL;
   }
   if (!n->all && !is_new (&s->seen, doc))
      return MT_GO;
   mt_bson_put_at (&s->next, s->next_count++, doc);
   size_t held = s->next.n + s->table.n + s->seen.docs.n + s->seen.mask * sizeof *s->seen.at;
   if (held > limit || s->next.n > INT32_MAX) {
      mt_x_beyond_memory (&w->err, "the rows of a recursive query", limit);
      return MT_FAIL;
   }
   w->slots[n->var->slot] = doc;
   return mt_bind (w, n->var, &w->count[node->id]) ? mt_next (node, w) : MT_FAIL;
}

static MtFlow recursive_push (const MtExecNode *node, MtWork *w)
{
   w->count[node->id].in++;
   return take (node, w, w->slots[((const RecursiveNode *) node)->from]);
}

/* Replaces the documents of the temporary collection by those that the last run returned, and opens
 * the pipeline again. */
static bool start_run (const RecursiveNode *n, RecursiveState *s, MtWork *w)
{
   MtBson old = s->table;
   mt_bson_end (&s->next, 0);
   s->table = s->next;
   s->next = old;
   s->next.n = 0;
   s->next_count = 0;
   mt_bson_begin (&s->next);
   s->named = (MtExecTable) {n->as, mt_bson_part (&s->table, 0, MT_ARRAY), w->exec->args.tables};
   MtSubArgs args = {.collection = n->coll, .pipeline = n->pipeline, .tables = &s->named};
   return mt_sub_open (w->exec, &args, &s->cursor, &w->err);
}

static MtFlow recursive_finish (const MtExecNode *n, MtWork *w)
{
   state_of (n, w)->over = true;
   return MT_GO;
}

/* After the last input document, runs the pipeline again and again. Each call pushes only some
 * documents. *any: some were pushed. */
static MtFlow recursive_pump (const MtExecNode *node, MtWork *w, bool *any)
{
   const RecursiveNode *n = (const RecursiveNode *) node;
   RecursiveState *s = w->state[node->id];
   const bson_t *doc;
   for (int i = 0; s && s->over && i < MT_PUMP_ROWS; i++) {
      mt_arena_reset (w->arena);
      w->epoch++;
      w->seq++;
      if (!s->cursor && !s->next_count)
         break;
      *any = true;
      if (!mt_tick (w) || (!s->cursor && !start_run (n, s, w)) ||
          !mt_cursor_next (s->cursor, &doc, &w->err))
         return MT_FAIL;
      if (!doc) {
         mt_sub_close (w, node, MT_WITHIN_ONCE, s->cursor);
         s->cursor = NULL;
         continue;
      }
      MtFlow flow = take (node, w, mt_v_doc (doc));
      if (flow != MT_GO)
         return flow;
   }
   return MT_GO;
}

/* ---- compiling ---- */

/* Compiles the pipeline once over an empty collection, so that errors are found before anything
 * runs. */
static bool try_pipeline (MtCompile *c, const RecursiveNode *n)
{
   static const uint8_t empty[5] = {5, 0, 0, 0, 0};
   MtExecTable none = {n->as, {.type = MT_ARRAY, .len = 5, .p = empty}, c->exec->args.tables};
   MtCursor *cursor;
   MtSubArgs args = {.collection = n->coll, .pipeline = n->pipeline, .tables = &none};
   if (!mt_sub_open (c->exec, &args, &cursor, c->err))
      return false;
   mt_cursor_free (cursor);
   return true;
}

static const char *name_in (MtCompile *c, MtVal spec, const char *key)
{
   MtVal v = mt_doc_field (spec, key);
   return v.type == MT_STRING && v.len ? mt_strndup (c->arena, (const char *) v.p, v.len) : NULL;
}

bool mt_stage_recursive (MtCompile *c, MtVal spec)
{
   RecursiveNode plan = {.all = false};
   MtVal pipeline = spec.type == MT_DOC ? mt_doc_field (spec, "pipeline") : mt_v_missing (),
         all = mt_v_missing ();
   if (pipeline.type == MT_ARRAY) {
      plan.as = name_in (c, spec, "as");
      plan.coll = name_in (c, spec, "coll");
      all = mt_doc_field (spec, "all");
   }
   if (!plan.as || (all.type != MT_BOOL && all.type != MT_MISSING))
      return mt_bad (c, 0, "the $_mtRecursive stage needs 'as' and a 'pipeline'");
   plan.all = all.type == MT_BOOL && all.i;
   plan.coll = plan.coll ? plan.coll : plan.as;
   plan.pipeline = mt_v_copy (c->arena, pipeline);
   if (!try_pipeline (c, &plan))
      return false;
   plan.from = mt_shape_slot (c, c->root, (int) c->node_count);
   if (plan.from == MT_NO_SLOT || !(plan.var = mt_var_new (c, (int) c->node_count, false)))
      return false;
   RecursiveNode *n = (RecursiveNode *) mt_node_new (c, sizeof *n, NULL, recursive_push);
   MtExecNode node = n->n;
   *n = plan;
   n->n = node;
   n->n.finish = recursive_finish;
   n->n.pump = recursive_pump;
   n->n.drop = recursive_drop;
   n->n.serial = true;
   n->var->pos = n->n.pos;
   c->last_sink = n->n.pos;
   c->root = mt_shape_var (c, n->var);
   return true;
}
