/* The stage $_mtLimitTies: {limit: n, by: ["a", "b"]}. It passes on the first n documents, and the
 * following documents that have the same values of the fields `by` as document n. The input must be
 * sorted by these fields. */
#include "engine/local/expr/core.h"
#include "engine/local/expr/shape.h"
#include "engine/local/exec/stages.h"

#include <stdlib.h>

typedef struct TiesNode {
   MtExecNode n;
   uint64_t limit;
   uint32_t *keys; /* positions in the row (slots) of the fields `by` */
   uint32_t key_count;
} TiesNode;

typedef struct TiesState {
   uint64_t seen;
   MtArena *arena;
   MtVal *last; /* values of `by` in the last document within the limit */
} TiesState;

static void ties_drop (const MtExecNode *n, MtWork *w)
{
   TiesState *s = w->state[n->id];
   if (s)
      mt_arena_free (s->arena);
   free (s);
   w->state[n->id] = NULL;
}

static TiesState *ties_state (const TiesNode *n, MtWork *w)
{
   TiesState *s = w->state[n->n.id];
   if (!s) {
      w->state[n->n.id] = s = mt_x_calloc (1, sizeof *s);
      s->arena = mt_arena_new ("ties", NULL);
      s->last = MT_NEW_N (s->arena, MtVal, n->key_count);
   }
   return s;
}

static MtFlow ties_push (const MtExecNode *node, MtWork *w)
{
   const TiesNode *n = (const TiesNode *) node;
   TiesState *s = ties_state (n, w);
   w->count[node->id].in++;
   if (++s->seen == n->limit)
      for (uint32_t i = 0; i < n->key_count; i++)
         s->last[i] = mt_v_copy (s->arena, w->slots[n->keys[i]]);
   for (uint32_t i = 0; i < n->key_count && s->seen > n->limit; i++)
      if (mt_x_compare (s->last[i], w->slots[n->keys[i]]) != 0)
         return mt_stop (node, w);
   return mt_next (node, w);
}

bool mt_stage_limit_ties (MtCompile *c, MtVal spec)
{
   MtVal limit = spec.type == MT_DOC ? mt_doc_field (spec, "limit") : mt_v_missing (),
         by = spec.type == MT_DOC ? mt_doc_field (spec, "by") : mt_v_missing ();
   size_t n;
   MtVal *names = mt_v_elements (c->arena, by, &n);
   if ((limit.type != MT_INT32 && limit.type != MT_INT64) || limit.i < 1 || by.type != MT_ARRAY ||
       n == 0)
      return mt_bad (c, 0, "the $_mtLimitTies stage needs a positive 'limit', and fields in 'by'");
   uint32_t *keys = MT_NEW_N (c->arena, uint32_t, n);
   for (size_t i = 0; i < n; i++) {
      if (names[i].type != MT_STRING)
         return mt_bad (c, 0, "a field in 'by' of $_mtLimitTies is no name");
      keys[i] = mt_field_slot (c, (const char *) names[i].p, names[i].len);
      if (keys[i] == MT_NO_SLOT)
         return false;
   }
   TiesNode *t = (TiesNode *) mt_node_new (c, sizeof *t, NULL, ties_push);
   t->limit = (uint64_t) limit.i;
   t->keys = keys;
   t->key_count = (uint32_t) n;
   t->n.serial = true;
   t->n.drop = ties_drop;
   return true;
}
