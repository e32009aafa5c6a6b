/* Two stages for SQL's WITH. $_mtWith: [{name: "w", coll: "c", pipeline: […]}, …] gives names to
 * pipelines, and passes on documents unchanged. {"$_mtRead": {name: "w"}} pushes the documents of a
 * named pipeline, once for each input document. A named pipeline runs only as far as its documents
 * are read. They are stored in a spool (a list in memory or in a file), so that all readers get the
 * same documents. */
#include "engine/local/expr/core.h"
#include "base/spool.h"
#include "engine/local/exec/run.h"
#include "engine/local/expr/shape.h"
#include "engine/local/exec/stages.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct Named {
   const char *name, *coll;
   MtVal remote, pipeline;
   MtSpool *rows;    /* the documents that the pipeline has made so far */
   MtCursor *cursor; /* cursor over the further documents; NULL: not opened yet, or ended */
   bool ended;
   /* Protects `rows` and `cursor`. There can be no deadlock, because a pipeline reads only
    * pipelines that were named before it. */
   pthread_mutex_t lock;
   struct Named *before;
} Named;

struct MtSharedRows {
   MtArena *arena;
   Named *last;
};

typedef struct ReadNode {
   MtExecNode n;
   Named *named;
   MtExecVar *var;
} ReadNode;

typedef struct ReadState {
   uint64_t wanted; /* how many more times all documents must be pushed */
   MtSpoolReader *reader;
} ReadState;

MtSharedRows *mt_shared_rows_new (MtArena *a)
{
   MtSharedRows *s = MT_NEW (a, MtSharedRows);
   s->arena = a;
   return s;
}

static Named *find (const MtSharedRows *s, const char *name)
{
   Named *n = s->last;
   while (n && strcmp (n->name, name) != 0)
      n = n->before;
   return n;
}

/* ---- running ---- */

/* Reads one more document from the named pipeline, and adds it to the spool. At the end, adds the
 * pipeline's work to the statistics of node n. */
static bool make_one (Named *named, const MtExecNode *n, MtWork *w)
{
   const bson_t *doc;
   if (!named->cursor && !mt_sub_open_lasting (w->exec, named->coll, named->remote, named->pipeline,
                                               &named->cursor, &w->err))
      return false;
   if (!mt_cursor_next (named->cursor, &doc, &w->err))
      return false;
   if (doc)
      return mt_spool_add (named->rows, doc, &w->err);
   mt_sub_close (w, n, MT_WITHIN_ONCE, named->cursor);
   named->cursor = NULL;
   named->ended = true;
   return true;
}

/* Reads the next document of the named pipeline from the spool, or from the pipeline itself. *doc
 * is NULL at the end. */
static bool read_one (const ReadNode *n, ReadState *s, MtWork *w, const bson_t **doc)
{
   Named *named = n->named;
   bool ok = true;
   pthread_mutex_lock (&named->lock);
   if (!s->reader)
      s->reader = mt_spool_reader (named->rows);
   while ((ok = mt_spool_read (s->reader, doc, &w->err)) && !*doc && !named->ended)
      if (!(ok = make_one (named, &n->n, w)))
         break;
   pthread_mutex_unlock (&named->lock);
   return ok;
}

static MtFlow read_push (const MtExecNode *node, MtWork *w)
{
   if (!w->state[node->id])
      w->state[node->id] = mt_x_calloc (1, sizeof (ReadState));
   ((ReadState *) w->state[node->id])->wanted++;
   w->count[node->id].in++;
   return MT_GO;
}

static MtFlow read_pump (const MtExecNode *node, MtWork *w, bool *any)
{
   const ReadNode *n = (const ReadNode *) node;
   ReadState *s = w->state[node->id];
   const bson_t *doc;
   for (int i = 0; s && s->wanted && i < MT_PUMP_ROWS; i++) {
      mt_arena_reset (w->arena);
      w->epoch++;
      w->seq++;
      *any = true;
      if (!mt_tick (w) || !read_one (n, s, w, &doc))
         return MT_FAIL;
      if (!doc) {
         mt_spool_reader_free (s->reader);
         s->reader = NULL;
         s->wanted--;
         continue;
      }
      w->slots[n->var->slot] = mt_v_doc (doc);
      MtFlow flow = mt_bind (w, n->var, &w->count[node->id]) ? mt_next (node, w) : MT_FAIL;
      if (flow != MT_GO)
         return flow;
   }
   return MT_GO;
}

static void read_drop (const MtExecNode *n, MtWork *w)
{
   ReadState *s = w->state[n->id];
   if (s)
      mt_spool_reader_free (s->reader);
   free (s);
   w->state[n->id] = NULL;
}

/* ---- compiling ---- */

static const char *text_in (MtArena *a, MtVal spec, const char *key)
{
   MtVal v = spec.type == MT_DOC ? mt_doc_field (spec, key) : mt_v_missing ();
   return v.type == MT_STRING && v.len ? mt_strndup (a, (const char *) v.p, v.len) : NULL;
}

static void release (void *named)
{
   Named *n = named;
   mt_cursor_free (n->cursor);
   pthread_mutex_destroy (&n->lock);
}

static bool name_pipeline (MtCompile *c, MtVal spec)
{
   MtSharedRows *s = c->exec->args.shared;
   const char *name = text_in (c->arena, spec, "name");
   MtVal pipeline = name ? mt_doc_field (spec, "pipeline") : mt_v_missing (),
         remote = name ? mt_doc_field (spec, "$_mtRemote") : mt_v_missing ();
   if (pipeline.type != MT_ARRAY)
      return mt_bad (c, 0, "an array element of $_mtWith needs 'name' and 'pipeline'");
   if (find (s, name))
      return true; /* an earlier pipeline of the same statement has already named it */
   Named *n = MT_NEW (s->arena, Named);
   *n = (Named) {.name = mt_strdup (s->arena, name),
                 .coll = text_in (s->arena, spec, "coll"),
                 .rows = mt_spool_new (s->arena),
                 .before = s->last};
   n->pipeline = mt_v_copy (s->arena, pipeline);
   n->remote = remote.type == MT_ARRAY ? mt_v_copy (s->arena, remote) : remote;
   pthread_mutex_init (&n->lock, NULL);
   mt_arena_defer (s->arena, release, n);
   s->last = n;
   return true;
}

bool mt_stage_with (MtCompile *c, MtVal spec)
{
   MtDocIter it = mt_doc_iter (spec);
   MtStr key;
   MtVal one;
   if (spec.type != MT_ARRAY)
      return mt_bad (c, 0, "the $_mtWith stage needs an array");
   while (mt_doc_next (&it, &key, &one))
      if (!name_pipeline (c, one))
         return false;
   return true;
}

bool mt_stage_read (MtCompile *c, MtVal spec)
{
   const char *name = text_in (c->arena, spec, "name");
   Named *named = name ? find (c->exec->args.shared, name) : NULL;
   if (!named)
      return mt_bad (c, 0, "the $_mtRead stage needs the 'name' of a $_mtWith stage before it");
   ReadNode *n = (ReadNode *) mt_node_new (c, sizeof *n, NULL, read_push);
   n->named = named;
   n->var = mt_var_new (c, n->n.pos, false);
   n->n.pump = read_pump;
   n->n.drop = read_drop;
   n->n.serial = true;
   n->var->pos = n->n.pos;
   c->last_sink = n->n.pos;
   c->root = mt_shape_var (c, n->var);
   return true;
}
