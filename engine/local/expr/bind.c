/* Binds parsed expressions: replaces their paths by slots (positions in the row), extracted fields
 * and variables. */
#include "engine/local/expr/core.h"
#include "engine/local/expr/expr.h"
#include "engine/local/expr/shape.h"

typedef struct Binding {
   MtCompile *c;
   MtShape *root;
   int pos;
} Binding;

static bool bind (const Binding *b, MtExecExpr *e, const MtExecScope *scope);

static MtShape *variable (const Binding *b, const char *name, const MtExecScope *scope)
{
   for (; scope; scope = scope->up)
      if (strcmp (scope->name, name) == 0)
         return scope->shape;
   if (strcmp (name, "CURRENT") == 0 || strcmp (name, "ROOT") == 0)
      return b->root ? b->root : mt_shape_missing (b->c);
   mt_bad (b->c, 17276, "use of undefined variable: %s", name);
   return NULL;
}

static bool become (const Binding *b, MtExecExpr *e, MtShape *s)
{
   MtExecExpr *r = b->c->failed ? NULL : mt_shape_use (b->c, s, b->pos);
   if (!r)
      return false;
   *e = *r;
   return true;
}

static bool bind_field (const Binding *b, MtExecExpr *e, const MtExecScope *scope)
{
   if (e->shape)
      return become (b, e, e->shape);
   MtShape *s = variable (b, e->var, scope);
   return s && become (b, e, mt_shape_path (b->c, s, &e->path));
}

/* Makes a variable of $let, $map or a similar operator, with a slot of its own, inside scope `up`.
 * *slot: the slot. */
static MtExecScope *local (const Binding *b, const char *name, uint32_t *slot,
                           const MtExecScope *up)
{
   MtExecVar *var = mt_var_new (b->c, b->pos, false);
   var->local = true;
   *slot = var->slot;
   MtExecScope *s = MT_NEW (b->c->arena, MtExecScope);
   *s = (MtExecScope) {name, mt_shape_var (b->c, var), up};
   return s;
}

static bool bind_let (const Binding *b, MtExecExpr *e, const MtExecScope *scope)
{
   const MtExecScope *inner = scope;
   uint32_t n = e->argc - 1u, slot = 0;
   for (uint32_t i = 0; i < n; i++)
      if (!bind (b, e->args[i], scope))
         return false;
   for (uint32_t i = 0; i < n; i++) { /* the variables have consecutive slots */
      inner = local (b, e->names[i], &slot, inner);
      if (i == 0)
         e->slot = slot;
   }
   return bind (b, e->args[n], inner);
}

/* Makes the variables of the element and of its index, in this order, in consecutive slots. */
static MtExecScope *element (const Binding *b, MtExecExpr *e, const MtExecScope *scope)
{
   uint32_t index;
   return local (b, e->names[1], &index, local (b, e->names[0], &e->slot, scope));
}

static bool bind_map (const Binding *b, MtExecExpr *e, const MtExecScope *scope)
{
   if (!bind (b, e->args[0], scope) || (e->argc == 3 && !bind (b, e->args[2], scope)))
      return false;
   return bind (b, e->args[1], element (b, e, scope));
}

static bool bind_reduce (const Binding *b, MtExecExpr *e, const MtExecScope *scope)
{
   uint32_t value;
   if (!bind (b, e->args[0], scope) || !bind (b, e->args[1], scope))
      return false;
   return bind (b, e->args[2], local (b, "value", &value, element (b, e, scope)));
}

static bool bind_proj (const Binding *b, MtProj *p, uint32_t n, const MtExecScope *scope)
{
   for (uint32_t i = 0; i < n; i++) {
      if (p[i].action == MT_PROJ_SET && !bind (b, p[i].expr, scope))
         return false;
      if (p[i].action == MT_PROJ_TREE && !bind_proj (b, p[i].sub, p[i].count, scope))
         return false;
   }
   return true;
}

/* Binds $getField. If the field name is constant and the input is the current document, it is bound
 * like a field path, but the name may have any characters. *done: it was bound. */
static bool bind_getfield (const Binding *b, MtExecExpr *e, const MtExecScope *scope, bool *done)
{
   const MtExecExpr *in = e->args[1];
   *done = e->args[0]->kind == MT_EX_CONST && in->kind == MT_EX_FIELD && in->path.count == 0;
   if (!*done)
      return true;
   const char *name = mt_strndup (b->c->arena, (const char *) e->args[0]->value.p,
                                  e->args[0]->value.len);
   MtShape *s = variable (b, in->var, scope);
   if (s && s->kind == MT_SH_PATH && (s->var->local || s->path.count)) {
      *done = false;
      return true;
   }
   return s && become (b, e, mt_shape_get (b->c, s, name));
}

/* Binds the argument of $size. Notes which slot only $size uses. */
static bool bind_size (const Binding *b, MtExecExpr *e, const MtExecScope *scope)
{
   const MtExecExpr *arg = e->args[0];
   bool field = arg->kind == MT_EX_FIELD && !arg->bound;
   if (!bind (b, e->args[0], scope))
      return false;
   if (field && arg->kind == MT_EX_SLOT)
      b->c->slots[arg->slot].sizes++;
   return true;
}

static bool bind_kind (const Binding *b, MtExecExpr *e, const MtExecScope *scope)
{
   bool done = false;
   switch (e->kind) {
   case MT_EX_FIELD: return bind_field (b, e, scope);
   case MT_EX_LET: return bind_let (b, e, scope);
   case MT_EX_MAP:
   case MT_EX_FILTER: return bind_map (b, e, scope);
   case MT_EX_REDUCE: return bind_reduce (b, e, scope);
   case MT_EX_GETFIELD:
      if (!bind_getfield (b, e, scope, &done) || done)
         return done;
      break;
   case MT_EX_PROJ:
      if (!bind_proj (b, e->proj, e->proj_count, scope))
         return false;
      break;
   case MT_EX_CONST:
   case MT_EX_SLOT:
   case MT_EX_WALK:
   case MT_EX_BUILD:
   case MT_EX_AND:
   case MT_EX_OR:
   case MT_EX_NOT:
   case MT_EX_COND:
   case MT_EX_IFNULL:
   case MT_EX_SWITCH:
   case MT_EX_DOC:
   case MT_EX_ARRAY:
   case MT_EX_SETFIELD: break;
   case MT_EX_OP:
      if (strcmp (e->row->name, "$size") == 0)
         return bind_size (b, e, scope);
      break;
   }
   for (uint32_t i = 0; i < e->argc; i++)
      if (!bind (b, e->args[i], scope))
         return false;
   return true;
}

static bool bind (const Binding *b, MtExecExpr *e, const MtExecScope *scope)
{
   if (e->bound)
      return true;
   if (++b->c->depth > MT_MAX_EXPR_DEPTH)
      return mt_error_coded (b->c->err, MT_E_TOO_COMPLEX, MT_CODE_OVERFLOW,
                             "expression is nested too deeply");
   bool ok = bind_kind (b, e, scope);
   b->c->depth--;
   if (!ok)
      return false;
   e->bound = true;
   mt_expr_specialise (e);
   mt_repeat_add (b->c, e);
   return true;
}

bool mt_expr_bind (MtCompile *c, MtExecExpr *e, MtShape *root, const MtExecScope *scope, int pos)
{
   Binding b = {c, root, pos};
   if (!bind (&b, e, scope) || c->failed)
      return false;
   mt_repeat_use (e);
   return true;
}
