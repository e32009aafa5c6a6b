/* The stage $match. */
#include "engine/local/exec/stages.h"
#include "engine/local/expr/core.h"
#include "engine/local/expr/expr.h"
#include "engine/local/expr/shape.h"

typedef struct MatchNode {
   MtExecNode n;
   MtMatch *match;
   /* The variable of the stored document that must be verified after a match, because later nodes
    * need the whole document. NULL: nothing must be verified. */
   const MtExecVar *verify;
} MatchNode;

static MtFlow match_push (const MtExecNode *n, MtWork *w)
{
   w->count[n->id].in++;
   const MatchNode *m = (const MatchNode *) n;
   int yes = mt_match_row (m->match, w);
   if (yes <= 0)
      return yes < 0 ? MT_FAIL : MT_GO;
   if (m->verify) {
      MtVal doc = w->slots[m->verify->slot];
      w->count[n->id].bytes += doc.len;
      if (!mt_need (&w->reader, doc.p, doc.len))
         return MT_FAIL;
   }
   return mt_next (n, w);
}

const MtMatch *mt_match_of (const MtExecNode *n)
{
   const MatchNode *m = (const MatchNode *) n;
   return n->push == match_push && !m->verify ? m->match : NULL;
}

/* Makes the last of the $match stages at the beginning verify the whole document. So documents that
 * these stages reject are not verified. */
static void match_seal (MtExecNode *n, MtCompile *c)
{
   MtExec *x = c->exec;
   uint32_t i = 0;
   if (!c->scan || !c->scan->whole || c->slots[c->scan->slot].first <= n->pos)
      return;
   while (i < x->node_count && x->nodes[i]->seal == match_seal && x->nodes[i] != n)
      i++;
   if (x->nodes[i] != n || (i + 1 < x->node_count && x->nodes[i + 1]->seal == match_seal))
      return;
   ((MatchNode *) n)->verify = c->scan;
   x->verify_later = true;
}

static void add_prune (MtCompile *c, MtMatch *m)
{
   MtMatch *both = MT_NEW (c->arena, MtMatch);
   both->kind = MT_M_AND;
   both->kids = MT_NEW_N (c->arena, MtMatch *, 2);
   both->kids[both->count++] = m;
   if (c->prune)
      both->kids[both->count++] = c->prune;
   c->prune = both;
}

bool mt_stage_match (MtCompile *c, MtVal spec)
{
   MtMatch *m = mt_match_parse (c, spec);
   if (!m || !mt_match_bind (c, m, c->root, (int) c->node_count))
      return false;
   MatchNode *n = (MatchNode *) mt_node_new (c, sizeof *n, NULL, match_push);
   n->match = m;
   n->n.seal = match_seal;
   MtVal only = mt_doc_count (spec) == 1 ? mt_doc_field (spec, "$expr") : mt_v_missing ();
   if (only.type == MT_BOOL && !only.i)
      c->shut = &n->n;
   if (c->scan && c->root->kind == MT_SH_PATH && c->root->var == c->scan &&
       c->root->path.count == 0)
      add_prune (c, m);
   return true;
}
