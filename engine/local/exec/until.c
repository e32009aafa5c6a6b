/* The stage $_mtUntil: ["a", "b"]. It passes on documents until each of the listed fields has been
 * true in at least one document. This last document is included. */
#include "engine/local/expr/core.h"
#include "engine/local/expr/shape.h"
#include "engine/local/exec/stages.h"

#include <stdlib.h>

typedef struct UntilNode {
   MtExecNode n;
   uint32_t *fields; /* positions in the row (slots) of the fields */
   uint32_t count;
} UntilNode;

typedef struct UntilState {
   uint32_t missing; /* number of fields that have not been true yet */
   bool seen[];
} UntilState;

static void until_drop (const MtExecNode *n, MtWork *w)
{
   free (w->state[n->id]);
   w->state[n->id] = NULL;
}

static UntilState *until_state (const UntilNode *n, MtWork *w)
{
   UntilState *s = w->state[n->n.id];
   if (!s) {
      w->state[n->n.id] = s = mt_x_calloc (1, sizeof *s + n->count * sizeof *s->seen);
      s->missing = n->count;
   }
   return s;
}

static MtFlow until_push (const MtExecNode *node, MtWork *w)
{
   const UntilNode *n = (const UntilNode *) node;
   UntilState *s = until_state (n, w);
   w->count[node->id].in++;
   if (!s->missing)
      return mt_stop (node, w);
   for (uint32_t i = 0; i < n->count; i++) {
      const MtVal *v = &w->slots[n->fields[i]];
      bool now = !s->seen[i] && v->type == MT_BOOL && v->i;
      s->seen[i] |= now;
      s->missing -= now;
   }
   MtFlow flow = mt_next (node, w);
   return flow == MT_GO && !s->missing ? mt_stop (node, w) : flow;
}

bool mt_stage_until (MtCompile *c, MtVal spec)
{
   size_t n = 0;
   MtVal *names = spec.type == MT_ARRAY ? mt_v_elements (c->arena, spec, &n) : NULL;
   uint32_t *fields = MT_NEW_N (c->arena, uint32_t, n + 1);
   if (n == 0)
      return mt_bad (c, 0, "the $_mtUntil stage needs an array of fields");
   for (size_t i = 0; i < n; i++) {
      if (names[i].type != MT_STRING)
         return mt_bad (c, 0, "a field of $_mtUntil is no name");
      fields[i] = mt_field_slot (c, (const char *) names[i].p, names[i].len);
      if (fields[i] == MT_NO_SLOT)
         return false;
   }
   UntilNode *u = (UntilNode *) mt_node_new (c, sizeof *u, NULL, until_push);
   u->fields = fields;
   u->count = (uint32_t) n;
   u->n.serial = true;
   u->n.drop = until_drop;
   return true;
}
