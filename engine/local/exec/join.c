/* The stages $unionWith, $lookup and $facet, which run pipelines inside the pipeline. Each opens a
 * cursor over such a sub-pipeline. */
#include "engine/local/expr/core.h"
#include "engine/local/expr/expr.h"
#include "engine/local/exec/foreign.h"
#include "engine/local/exec/run.h"
#include "engine/local/expr/shape.h"
#include "engine/local/exec/stages.h"

#include <stdlib.h>

/* MongoDB's error codes for stages that are not allowed inside $facet, $lookup or $unionWith. */
#define MT_IN_FACET 40600
#define MT_IN_LOOKUP 51047
#define MT_IN_UNION 31441

/* Checks that v is an array of stages, and copies it to *out. The copy is not a bson_t, because a
 * bson_t contains pointers into itself and needs a larger alignment than arenas give. */
static bool as_pipeline (MtCompile *c, MtVal v, MtVal *out)
{
   if (v.type == MT_MISSING)
      v = mt_no_stages ();
   if (v.type != MT_ARRAY)
      return mt_bad (c, MT_CODE_TYPE_MISMATCH, "the pipeline of %s must be an array", c->stage);
   *out = mt_v_copy (c->arena, v);
   return true;
}

/* Checks that a sub-pipeline has no stage that MongoDB does not allow there. code: MongoDB's error
 * code for the enclosing stage. The first two stages of the list are not allowed only in $facet. */
static bool check_within (MtCompile *c, MtVal pipeline, int32_t code)
{
   static const char *const excluded[] = {"$facet", "$documents", "$out", "$merge"};
   MtStr key;
   MtVal stage;
   for (MtDocIter it = mt_doc_iter (pipeline); mt_doc_next (&it, &key, &stage);)
      for (size_t i = code == MT_IN_FACET ? 0 : 2; i < sizeof excluded / sizeof *excluded; i++)
         if (mt_doc_field (stage, excluded[i]).type != MT_MISSING)
            return mt_bad (c, code, "%s is not allowed to be used within a %s stage", excluded[i],
                           c->stage);
   return true;
}

static const char *name_of (MtCompile *c, MtVal v)
{
   return v.type == MT_STRING && v.len ? mt_strndup (c->arena, (const char *) v.p, v.len) : NULL;
}

/* Puts the whole current document into the slot *slot, and returns a new variable for the documents
 * that the stage pushes. */
static MtExecVar *root_var (MtCompile *c, uint32_t *slot)
{
   *slot = mt_shape_slot (c, c->root, (int) c->node_count);
   return *slot == MT_NO_SLOT ? NULL : mt_var_new (c, (int) c->node_count, false);
}

/* Compiles a sub-pipeline once, so that errors are found before anything runs. Does nothing if the
 * enclosing pipeline itself is compiled only to find errors. */
static bool try_sub (MtCompile *c, const MtSubArgs *args)
{
   MtCursor *cursor;
   if (c->exec->args.tried)
      return true;
   if (!mt_sub_open (c->exec, args, &cursor, c->err))
      return false;
   mt_cursor_free (cursor);
   return true;
}

/* ---- $unionWith ---- */

typedef struct UnionNode {
   MtExecNode n;
   const char *coll; /* name of the collection; NULL: the pipeline begins with $documents */
   MtVal pipeline;
   MtVal remote;  /* stages that the collection's server runs first; missing: none */
   uint32_t from; /* position in the row (slot) of the input document */
   MtExecVar *var;
} UnionNode;

static MtFlow union_push (const MtExecNode *n, MtWork *w)
{
   const UnionNode *u = (const UnionNode *) n;
   w->count[n->id].in++;
   w->slots[u->var->slot] = w->slots[u->from];
   return mt_bind (w, u->var, &w->count[n->id]) ? mt_next (n, w) : MT_FAIL;
}

typedef struct UnionState {
   bool open;
   MtCursor *cursor; /* cursor over the other documents; NULL: all were read */
} UnionState;

static void union_drop (const MtExecNode *n, MtWork *w)
{
   UnionState *s = w->state[n->id];
   if (s && s->cursor)
      mt_cursor_free (s->cursor);
   free (s);
   w->state[n->id] = NULL;
}

/* Closes the cursor of the other pipeline, and adds its work to the statistics, even if it was not
 * read to its end. */
static void union_quit (const MtExecNode *n, MtWork *w)
{
   UnionState *s = w->state[n->id];
   if (s && s->cursor) {
      mt_sub_close (w, n, MT_WITHIN_ONCE, s->cursor);
      s->cursor = NULL;
   }
}

static MtFlow union_finish (const MtExecNode *n, MtWork *w)
{
   w->state[n->id] = mt_x_calloc (1, sizeof (UnionState));
   return MT_GO;
}

/* After the input documents, pushes documents of the other pipeline. Takes only documents that the
 * cursor already has in memory. So it does not read more of the collection before more documents
 * are needed. */
static MtFlow union_pump (const MtExecNode *n, MtWork *w, bool *any)
{
   const UnionNode *u = (const UnionNode *) n;
   UnionState *s = w->state[n->id];
   const bson_t *doc;
   if (s && !s->open &&
       !mt_sub_open_split (w->exec, u->coll, u->remote, u->pipeline, &s->cursor, &w->err))
      return MT_FAIL;
   if (s)
      s->open = true;
   for (int i = 0; s && s->cursor && i < MT_PUMP_ROWS && (i == 0 || mt_sub_has_more (s->cursor));
        i++) {
      mt_arena_reset (w->arena);
      w->epoch++;
      w->seq++;
      if (!mt_tick (w) || !mt_cursor_next (s->cursor, &doc, &w->err))
         return MT_FAIL;
      if (!doc) {
         union_quit (n, w);
         break;
      }
      *any = true;
      w->slots[u->var->slot] = mt_v_doc (doc);
      MtFlow flow = mt_bind (w, u->var, &w->count[n->id]) ? mt_next (n, w) : MT_FAIL;
      if (flow == MT_STOP)
         union_quit (n, w);
      if (flow != MT_GO)
         return flow;
   }
   return MT_GO;
}

static bool facet_next (void *ctx, const bson_t **doc, MtError *err);

bool mt_stage_union (MtCompile *c, MtVal spec)
{
   MtVal coll = spec, pipeline = mt_v_missing (), remote = mt_v_missing ();
   if (spec.type == MT_DOC) {
      coll = mt_doc_field (spec, "coll");
      pipeline = mt_doc_field (spec, "pipeline");
      remote = mt_v_copy (c->arena, mt_doc_field (spec, "$_mtRemote"));
      if (mt_doc_count (spec) != (size_t) (coll.type != MT_MISSING) +
                                    (pipeline.type != MT_MISSING) + (remote.type != MT_MISSING))
         return mt_bad (c, 40415, "unrecognized option to $unionWith stage");
   }
   const char *name = name_of (c, coll);
   MtVal sub;
   if (!name && pipeline.type == MT_MISSING)
      return mt_bad (
         c, MT_CODE_FAILED_TO_PARSE,
         "the $unionWith stage needs a collection's name, or an object with 'coll' or 'pipeline'");
   uint32_t from;
   MtExecVar *var;
   /* If a server runs the first stages, compile the other stages as a pipeline over documents of
    * any source. */
   bool elsewhere = remote.type != MT_MISSING;
   if (!as_pipeline (c, pipeline, &sub) || !check_within (c, sub, MT_IN_UNION))
      return false;
   MtSubArgs tried = {.collection = elsewhere ? NULL : name,
                      .next = elsewhere ? facet_next : NULL,
                      .pipeline = sub};
   if (!try_sub (c, &tried) || !(var = root_var (c, &from)))
      return false;
   UnionNode *u = (UnionNode *) mt_node_new (c, sizeof *u, NULL, union_push);
   u->n.finish = union_finish;
   u->n.pump = union_pump;
   u->n.drop = union_drop;
   u->n.quit = union_quit;
   u->coll = name;
   u->pipeline = sub;
   u->remote = remote;
   u->from = from;
   u->var = var;
   var->pos = u->n.pos;
   c->last_sink = u->n.pos;
   c->root = mt_shape_var (c, var);
   return true;
}

/* ---- $facet ---- */

typedef struct FacetNode {
   MtExecNode n;
   uint32_t from;
   const char **names;
   MtVal *pipelines;
   uint32_t count;
   MtExecVar *var;
} FacetNode;

typedef struct FacetState {
   MtBson docs; /* documents, one after the other */
   size_t at;   /* read position of the pipeline in `docs` */
   bson_t doc;
} FacetState;

static MtFlow facet_push (const MtExecNode *n, MtWork *w)
{
   const FacetNode *f = (const FacetNode *) n;
   MtVal v = w->slots[f->from];
   w->count[n->id].in++;
   if (!w->state[n->id])
      w->state[n->id] = mt_x_aligned (_Alignof (FacetState), sizeof (FacetState));
   FacetState *st = w->state[n->id];
   /* A single document may exceed the limit, because it already was in memory before. */
   if (st->docs.n && st->docs.n + v.len > w->exec->args.work_mem) {
      mt_x_beyond_memory (&w->err, "the rows that several parts of the query read",
                          w->exec->args.work_mem);
      return MT_FAIL;
   }
   mt_bson_bytes (&st->docs, v.p, v.len);
   return mt_memory_check (&w->err) ? MT_GO : MT_FAIL;
}

static bool facet_next (void *ctx, const bson_t **doc, MtError *err)
{
   FacetState *st = ctx;
   uint32_t len;
   *doc = NULL;
   if (!st || st->at >= st->docs.n)
      return true;
   memcpy (&len, st->docs.p + st->at, 4);
   if (!bson_init_static (&st->doc, st->docs.p + st->at, len))
      return mt_x_malformed (err);
   st->at += len;
   *doc = &st->doc;
   return true;
}

/* Reads all documents of a cursor, and appends them to b as an array with the field name `name`. */
static bool append_all (MtWork *w, MtBson *b, const char *name, MtCursor *cursor)
{
   size_t start = mt_bson_array (b, name);
   const bson_t *doc;
   for (uint32_t i = 0;; i++) {
      if (!mt_cursor_next (cursor, &doc, &w->err))
         return false;
      if (!doc)
         break;
      mt_bson_put_at (b, i, mt_v_doc (doc));
      if (i > 0 && b->n > w->exec->args.work_mem)
         return mt_x_beyond_memory (&w->err, "the rows of an array", w->exec->args.work_mem);
   }
   mt_bson_end (b, start);
   return true;
}

static MtFlow facet_drain (const MtExecNode *n, MtWork *w, bool *done)
{
   const FacetNode *f = (const FacetNode *) n;
   FacetState *st = w->state[n->id];
   MtBson b = {.arena = w->arena};
   size_t start = mt_bson_begin (&b);
   *done = true;
   for (uint32_t i = 0; i < f->count; i++) {
      MtCursor *cursor;
      if (st)
         st->at = 0;
      MtSubArgs args = {.next = facet_next, .next_ctx = st, .pipeline = f->pipelines[i]};
      if (!mt_sub_open (w->exec, &args, &cursor, &w->err))
         return MT_FAIL;
      bool ok = append_all (w, &b, f->names[i], cursor);
      mt_cursor_free (cursor);
      if (!ok)
         return MT_FAIL;
   }
   mt_bson_end (&b, start);
   w->slots[f->var->slot] = mt_bson_part (&b, start, MT_DOC);
   return mt_bind (w, f->var, &w->count[n->id]) ? mt_next (n, w) : MT_FAIL;
}

static void facet_drop (const MtExecNode *n, MtWork *w)
{
   FacetState *st = w->state[n->id];
   free (st->docs.p);
   free (st);
   w->state[n->id] = NULL;
}

bool mt_stage_facet (MtCompile *c, MtVal spec)
{
   size_t n = spec.type == MT_DOC ? mt_doc_count (spec) : 0;
   if (!n)
      return mt_bad (c, 40169, "the $facet specification must be a non-empty object");
   const char **names = MT_NEW_N (c->arena, const char *, n);
   MtVal *pipelines = MT_NEW_N (c->arena, MtVal, n);
   uint32_t count = 0, from;
   MtDocIter it = mt_doc_iter (spec);
   MtStr key;
   MtVal v;
   while (mt_doc_next (&it, &key, &v)) {
      names[count] = mt_strndup (c->arena, key.p, key.n);
      if (!as_pipeline (c, v, &pipelines[count]) ||
          !check_within (c, pipelines[count], MT_IN_FACET) ||
          !try_sub (c, &(MtSubArgs) {.next = facet_next, .pipeline = pipelines[count]}))
         return false;
      count++;
   }
   MtExecVar *var = root_var (c, &from);
   if (!var)
      return false;
   FacetNode *f = (FacetNode *) mt_node_new (c, sizeof *f, NULL, facet_push);
   f->n.sink = f->n.serial = true;
   f->n.drain = facet_drain;
   f->n.drop = facet_drop;
   f->from = from;
   f->names = names;
   f->pipelines = pipelines;
   f->count = count;
   f->var = var;
   var->pos = f->n.pos;
   c->last_sink = f->n.pos;
   c->root = mt_shape_var (c, var);
   return true;
}

/* ---- $lookup ---- */

typedef struct LookupNode {
   MtExecNode n;
   const char *coll;
   MtPath foreign; /* path of foreignField; count 0: $lookup compares no fields */
   uint32_t local; /* slot of localField */
   MtVal pipeline;
   bool has_pipeline;
   const char **let;
   MtExecExpr **let_exprs;
   uint32_t let_count;
   const MtExecScope *outer; /* the variables of the $lookups around this one */
   MtExecVar *var;           /* the variable of the array of results */
} LookupNode;

static MtForeign *lookup_state (const LookupNode *l, MtWork *w)
{
   MtForeign *f = w->state[l->n.id];
   if (f)
      return f;
   w->state[l->n.id] = f = mt_x_calloc (1, sizeof *f);
   return mt_foreign_load (f, w, l->coll, mt_no_stages (), &l->foreign) ? f : NULL;
}

static void mark (void *ctx, uint32_t i) { ((uint8_t *) ctx)[i] = 1; }

typedef struct Matches {
   const MtForeign *st;
   const uint8_t *hit; /* for each document, whether it matches; NULL: all match */
   uint32_t at;
   bson_t doc;
} Matches;

static bool matches_next (void *ctx, const bson_t **doc, MtError *err)
{
   Matches *m = ctx;
   *doc = NULL;
   while (m && m->at < m->st->n) {
      uint32_t i = m->at++;
      if (m->hit && !m->hit[i])
         continue;
      if (!bson_init_static (&m->doc, m->st->docs[i].p, m->st->docs[i].len))
         return mt_x_malformed (err);
      *doc = &m->doc;
      return true;
   }
   return true;
}

static bool run_sub (const LookupNode *l, MtWork *w, Matches *m, MtBson *b)
{
   MtExecScope scopes[32];
   MtShape shapes[32];
   MtExecExpr consts[32];
   const MtExecScope *scope = l->outer;
   for (uint32_t i = 0; i < l->let_count; i++) {
      MtVal v;
      if (!mt_eval (l->let_exprs[i], w, &v))
         return false;
      consts[i] = (MtExecExpr) {
         .kind = MT_EX_CONST, .eval = mt_ev_const, .bound = true, .value = v};
      shapes[i] = (MtShape) {.kind = v.type == MT_MISSING ? MT_SH_MISSING : MT_SH_EXPR,
                             .expr = &consts[i]};
      scopes[i] = (MtExecScope) {l->let[i], &shapes[i], scope};
      scope = &scopes[i];
   }
   MtCursor *cursor;
   MtSubArgs args = {.next = matches_next, .next_ctx = m, .pipeline = l->pipeline, .scope = scope};
   if (!mt_sub_open (w->exec, &args, &cursor, &w->err))
      return false;
   const bson_t *doc;
   bool ok;
   for (uint32_t i = 0; (ok = mt_cursor_next (cursor, &doc, &w->err)) && doc; i++)
      mt_bson_put_at (b, i, mt_v_doc (doc));
   mt_cursor_free (cursor);
   return ok;
}

static MtFlow lookup_push (const MtExecNode *n, MtWork *w)
{
   const LookupNode *l = (const LookupNode *) n;
   MtForeign *st = lookup_state (l, w);
   w->count[n->id].in++;
   if (!st)
      return MT_FAIL;
   uint8_t *hit = NULL;
   if (l->foreign.count) {
      MtVal v = w->slots[l->local], e;
      MtDocIter it = mt_doc_iter (v);
      MtStr key;
      hit = mt_alloc (w->arena, st->n + 1u);
      /* An array is looked up by its elements, and an empty array as null. */
      bool none = v.type == MT_MISSING || (v.type == MT_ARRAY && !mt_doc_count (v));
      if (none || v.type != MT_ARRAY)
         mt_foreign_find (st, none ? mt_v_null () : v, mark, hit);
      while (v.type == MT_ARRAY && mt_doc_next (&it, &key, &e))
         mt_foreign_find (st, e, mark, hit);
   }
   Matches m = {.st = st, .hit = hit};
   MtBson b = {.arena = w->arena};
   size_t start = mt_bson_begin (&b);
   if (l->has_pipeline) {
      if (!run_sub (l, w, &m, &b))
         return MT_FAIL;
   } else {
      for (uint32_t i = 0, k = 0; i < st->n; i++)
         if (!hit || hit[i])
            mt_bson_put_at (&b, k++, st->docs[i]);
   }
   mt_bson_end (&b, start);
   w->slots[l->var->slot] = mt_bson_part (&b, start, MT_ARRAY);
   if (!mt_tick (w) || !mt_bind (w, l->var, &w->count[n->id]))
      return MT_FAIL;
   return mt_next (n, w);
}

static void lookup_drop (const MtExecNode *n, MtWork *w)
{
   mt_foreign_free (w->state[n->id]);
   free (w->state[n->id]);
   w->state[n->id] = NULL;
}

static bool lookup_let (MtCompile *c, LookupNode *l, MtVal let)
{
   size_t n = let.type == MT_DOC ? mt_doc_count (let) : 0;
   if (n > 32)
      return mt_error (c->err, MT_E_LIMIT, "$lookup has more than 32 variables");
   l->let = MT_NEW_N (c->arena, const char *, n + 1);
   l->let_exprs = MT_NEW_N (c->arena, MtExecExpr *, n + 1);
   MtDocIter it = mt_doc_iter (let);
   MtStr key;
   MtVal v;
   while (mt_doc_next (&it, &key, &v)) {
      l->let[l->let_count] = mt_strndup (c->arena, key.p, key.n);
      MtExecExpr *e = mt_expr_parse (c, v);
      if (!e || !mt_expr_bind (c, e, c->root, c->scope, (int) c->node_count))
         return false;
      l->let_exprs[l->let_count++] = e;
   }
   return true;
}

static bool lookup_fields (MtCompile *c, LookupNode *l, MtVal spec)
{
   const char *local = name_of (c, mt_doc_field (spec, "localField")),
              *foreign = name_of (c, mt_doc_field (spec, "foreignField"));
   MtPath path;
   if (!local && !foreign)
      return l->has_pipeline ||
             mt_bad (c, MT_CODE_FAILED_TO_PARSE,
                     "$lookup needs 'pipeline', or 'localField' and 'foreignField'");
   if (!local || !foreign)
      return mt_bad (c, MT_CODE_FAILED_TO_PARSE,
                     "$lookup needs both or neither of 'localField' and 'foreignField'");
   if (!mt_path_parse (c, foreign, &l->foreign) || !mt_path_parse (c, local, &path))
      return false;
   MtShape *s = mt_shape_path (c, c->root, &path);
   l->local = c->failed ? MT_NO_SLOT : mt_shape_slot (c, s, (int) c->node_count);
   return l->local != MT_NO_SLOT;
}

/* Returns the variables that the $lookups around this pipeline define. Their values are constants
 * while the pipeline runs. Variables of the pipeline's own rows come before them. */
static const MtExecScope *outer_variables (const MtExecScope *scope)
{
   while (scope && scope->shape->kind == MT_SH_PATH)
      scope = scope->up;
   return scope;
}

bool mt_stage_lookup (MtCompile *c, MtVal spec)
{
   if (spec.type != MT_DOC)
      return mt_bad (c, MT_CODE_FAILED_TO_PARSE, "the $lookup specification must be an object");
   LookupNode plan = {.coll = name_of (c, mt_doc_field (spec, "from")),
                      .outer = outer_variables (c->scope)};
   const char *as = name_of (c, mt_doc_field (spec, "as"));
   MtVal pipeline = mt_doc_field (spec, "pipeline");
   MtPath as_path;
   plan.has_pipeline = pipeline.type != MT_MISSING;
   if (!plan.coll || !as)
      return mt_bad (c, MT_CODE_FAILED_TO_PARSE, "$lookup needs 'from' and 'as'");
   if (!mt_path_parse (c, as, &as_path) || !as_pipeline (c, pipeline, &plan.pipeline) ||
       !check_within (c, plan.pipeline, MT_IN_LOOKUP) || !lookup_fields (c, &plan, spec) ||
       !lookup_let (c, &plan, mt_doc_field (spec, "let")))
      return false;
   const MtExecScope *scope = plan.outer;
   for (uint32_t i = 0; i < plan.let_count; i++) {
      MtExecScope *s = MT_NEW (c->arena, MtExecScope);
      *s = (MtExecScope) {plan.let[i], mt_shape_missing (c), scope};
      scope = s;
   }
   MtSubArgs tried = {.next = matches_next, .pipeline = plan.pipeline, .scope = scope};
   if (plan.has_pipeline && !try_sub (c, &tried))
      return false;
   LookupNode *l = (LookupNode *) mt_node_new (c, sizeof *l, NULL, lookup_push);
   MtExecNode node = l->n;
   *l = plan;
   l->n = node;
   l->n.serial = true;
   l->n.drop = lookup_drop;
   l->var = mt_var_new (c, l->n.pos, false);
   c->root = mt_shape_with (c, c->root, &as_path, 0, mt_shape_var (c, l->var), false);
   return !c->failed;
}
