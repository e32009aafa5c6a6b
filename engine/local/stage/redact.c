/* The stage $redact: evaluates an expression for each document, and decides by its result: $$KEEP
 * keeps the document, $$PRUNE removes it, and $$DESCEND evaluates the expression for its embedded
 * documents. */
#include "engine/local/expr/core.h"
#include "engine/local/expr/expr.h"
#include "engine/local/expr/shape.h"
#include "engine/local/stage/stage_int.h"

static const char *const decisions[] = {"DESCEND", "PRUNE", "KEEP"};
static const char *const answers[] = {"descend", "prune", "keep"};

typedef struct RedactNode {
   MtExecNode n;
   MtExecExpr *expr;
   uint32_t from;    /* position in the row (slot) of the whole document */
   uint32_t current; /* slot of the document that the expression decides about */
   MtExecVar *var;   /* the document that goes on */
} RedactNode;

static bool redact_value (const RedactNode *r, MtWork *w, MtVal v, int depth, MtVal *out);

/* Builds in *out a copy of the document or array v, in which each embedded document is redacted. */
static bool redact_elements (const RedactNode *r, MtWork *w, MtVal v, int depth, MtVal *out)
{
   MtBson b = {.arena = w->arena};
   size_t start = mt_bson_begin (&b);
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal e, made;
   uint32_t i = 0;
   while (mt_doc_next (&it, &key, &e)) {
      if (!mt_tick (w) || !redact_value (r, w, e, depth + 1, &made))
         return false;
      if (v.type == MT_DOC)
         mt_bson_add (&b, key.p, key.n, made);
      else if (made.type != MT_MISSING)
         mt_bson_put_at (&b, i++, made);
   }
   mt_bson_end (&b, start);
   *out = mt_bson_part (&b, start, v.type);
   return mt_memory_check (&w->err);
}

/* Redacts one document: *out is the document, a changed copy, or a missing value if the document is
 * removed. */
static bool redact_doc (const RedactNode *r, MtWork *w, MtVal doc, int depth, MtVal *out)
{
   MtVal answer;
   w->slots[r->current] = doc;
   if (!mt_eval (r->expr, w, &answer))
      return false;
   if (mt_v_is_text (answer, "descend"))
      return redact_elements (r, w, doc, depth, out);
   *out = mt_v_is_text (answer, "keep") ? doc : mt_v_missing ();
   return out->type == MT_DOC || mt_v_is_text (answer, "prune") ||
          mt_error_coded (
             &w->err, MT_E_PARAMETER, 17053,
             "$redact's expression should not return anything aside from the variables "
             "$$KEEP, $$DESCEND, and $$PRUNE, but returned a value of type %s",
             mt_v_type_name (answer));
}

static bool redact_value (const RedactNode *r, MtWork *w, MtVal v, int depth, MtVal *out)
{
   if (depth > 2 * MT_MAX_BSON_DEPTH)
      return mt_error_coded (&w->err, MT_E_TOO_COMPLEX, MT_CODE_OVERFLOW,
                             "document is nested too deeply");
   if (v.type == MT_DOC)
      return redact_doc (r, w, v, depth, out);
   *out = v;
   return v.type != MT_ARRAY || redact_elements (r, w, v, depth, out);
}

static MtFlow redact_push (const MtExecNode *n, MtWork *w)
{
   const RedactNode *r = (const RedactNode *) n;
   MtVal made;
   w->count[n->id].in++;
   if (!redact_value (r, w, w->slots[r->from], 0, &made))
      return MT_FAIL;
   if (made.type == MT_MISSING)
      return MT_GO;
   w->slots[r->var->slot] = made;
   return mt_bind (w, r->var, &w->count[n->id]) ? mt_next (n, w) : MT_FAIL;
}

static const MtExecScope *in_scope (MtCompile *c, const char *name, MtShape *s,
                                    const MtExecScope *up)
{
   MtExecScope *scope = MT_NEW (c->arena, MtExecScope);
   *scope = (MtExecScope) {name, s, up};
   return scope;
}

bool mt_stage_redact (MtCompile *c, MtVal spec)
{
   MtExecExpr *e = mt_expr_parse (c, spec);
   uint32_t from = e ? mt_shape_slot (c, c->root, (int) c->node_count) : MT_NO_SLOT;
   if (from == MT_NO_SLOT)
      return false;
   int pos = (int) c->node_count;
   MtExecVar *current = mt_var_new (c, pos, false);
   current->local = true;
   const MtExecScope *scope = in_scope (c, "CURRENT", mt_shape_var (c, current), c->scope);
   for (size_t i = 0; i < sizeof decisions / sizeof *decisions; i++)
      scope = in_scope (c, decisions[i], mt_shape_const (c, mt_v_cstr (answers[i])), scope);
   if (!mt_expr_bind (c, e, c->root, scope, pos))
      return false;
   RedactNode *r = (RedactNode *) mt_node_new (c, sizeof *r, NULL, redact_push);
   r->expr = e;
   r->from = from;
   r->current = current->slot;
   r->var = mt_var_new (c, r->n.pos, false);
   c->root = mt_shape_var (c, r->var);
   return !c->failed;
}
