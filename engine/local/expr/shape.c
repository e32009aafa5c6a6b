/* Shapes: descriptions of the current document at compile time. These functions make shapes, and
 * choose the slots (values in the row) that nodes use. */
#include "engine/local/expr/core.h"
#include "engine/local/expr/expr.h"
#include "engine/local/expr/shape.h"

/* ---- nodes ---- */

bool mt_bad (MtCompile *c, int32_t code, const char *fmt, ...)
{
   char text[512];
   va_list ap;
   va_start (ap, fmt);
   vsnprintf (text, sizeof text, fmt, ap);
   va_end (ap);
   return mt_error_coded (c->err, MT_E_PARAMETER, code, "%s", text);
}

MtExecNode *mt_node_new (MtCompile *c, size_t size, const char *stage,
                         MtFlow (*push) (const MtExecNode *, MtWork *))
{
   MT_GROW_IN (c->arena, c->nodes, c->node_count, c->node_cap, 32);
   MtExecNode *n = mt_alloc (c->arena, size);
   n->push = push;
   n->stage = stage ? stage : c->stage;
   n->at = c->at;
   n->pos = (int) c->node_count;
   n->id = c->node_count;
   n->live = true;
   n->only = MT_NO_SLOT;
   c->nodes[c->node_count++] = n;
   return n;
}

MtFlow mt_eval_push (const MtExecNode *n, MtWork *w)
{
   const MtEvalNode *e = (const MtEvalNode *) n;
   w->count[n->id].in++;
   if (!mt_eval (e->expr, w, &w->slots[e->var->slot]) || !mt_bind (w, e->var, &w->count[n->id]))
      return MT_FAIL;
   return mt_next (n, w);
}

/* ---- slots ---- */

/* Makes a slot that the node at position `def` of the chain fills. */
static uint32_t slot_new (MtCompile *c, int def)
{
   MT_GROW_IN (c->arena, c->slots, c->slot_count, c->slot_cap, 32);
   c->slots[c->slot_count] = (MtSlotInfo) {.def = def, .use = -1, .first = INT32_MAX};
   return c->slot_count++;
}

void mt_slot_use (MtCompile *c, uint32_t slot, int pos)
{
   if (c->slots[slot].use < pos)
      c->slots[slot].use = pos;
   if (c->slots[slot].first > pos)
      c->slots[slot].first = pos;
   c->slots[slot].uses++;
}

MtExecVar *mt_var_new (MtCompile *c, int pos, bool stored)
{
   MtExecVar *v = MT_NEW (c->arena, MtExecVar);
   v->slot = slot_new (c, pos);
   v->pos = pos;
   v->stored = stored;
   return v;
}

/* ---- paths ---- */

bool mt_path_parse (MtCompile *c, const char *text, MtPath *out)
{
   uint32_t n = 1;
   for (const char *p = text; *p; p++)
      n += *p == '.';
   if (n > MT_MAX_BSON_DEPTH)
      return mt_error_coded (c->err, MT_E_TOO_COMPLEX, MT_CODE_OVERFLOW,
                             "field path has more than %d components", MT_MAX_BSON_DEPTH);
   out->part = MT_NEW_N (c->arena, const char *, n);
   out->count = n;
   for (uint32_t i = 0; i < n; i++) {
      const char *dot = strchrnul (text, '.');
      if (dot == text)
         return mt_bad (c, n == 1 ? 40352 : 15998,
                        n == 1 ? "field path must not be empty"
                               : "field path must not contain an empty component");
      out->part[i] = mt_strndup (c->arena, text, (size_t) (dot - text));
      text = *dot ? dot + 1 : dot;
   }
   return true;
}

static MtPath path_join (MtCompile *c, const MtPath *a, const MtPath *b)
{
   MtPath out = {MT_NEW_N (c->arena, const char *, a->count + b->count), a->count + b->count};
   for (uint32_t i = 0; i < a->count; i++)
      out.part[i] = a->part[i];
   for (uint32_t i = 0; i < b->count; i++)
      out.part[a->count + i] = b->part[i];
   return out;
}

/* ---- making shapes ---- */

static MtShape *shape_new (MtCompile *c, MtShapeKind kind)
{
   MtShape *s = MT_NEW (c->arena, MtShape);
   s->kind = kind;
   return s;
}

MtShape *mt_shape_missing (MtCompile *c) { return shape_new (c, MT_SH_MISSING); }

MtShape *mt_shape_var (MtCompile *c, MtExecVar *var)
{
   MtShape *s = shape_new (c, MT_SH_PATH);
   s->var = var;
   return s;
}

MtShape *mt_shape_doc (MtCompile *c, MtShape *base, bool keep_rest)
{
   MtShape *s = shape_new (c, MT_SH_DOC);
   s->base = base;
   s->keep_rest = keep_rest;
   return s;
}

MtShape *mt_shape_expr (MtCompile *c, MtExecExpr *e, MtShape *root)
{
   MtShape *s = shape_new (c, MT_SH_EXPR);
   s->expr = e;
   s->root = root;
   MtEvalNode *n = (MtEvalNode *) mt_node_new (c, sizeof *n, NULL, mt_eval_push);
   n->n.live = false;
   n->shape = s;
   s->node = &n->n;
   return s;
}

MtShape *mt_shape_const (MtCompile *c, MtVal v)
{
   if (v.type == MT_MISSING)
      return mt_shape_missing (c);
   return mt_shape_expr (c, mt_expr_const (c, v), NULL);
}

MtShapeField *mt_shape_find (const MtShape *doc, const char *name)
{
   for (uint32_t i = 0; i < doc->count; i++)
      if (strcmp (doc->fields[i].name, name) == 0)
         return &doc->fields[i];
   return NULL;
}

void mt_shape_put (MtCompile *c, MtShape *doc, const char *name, MtShape *value, bool in_base)
{
   MtShapeField *f = mt_shape_find (doc, name);
   if (f) { /* ---- shapes of fields ---- */
      f->shape = value;
      return;
   }
   MT_GROW_IN (c->arena, doc->fields, doc->count, doc->cap, 8);
   doc->fields[doc->count++] = (MtShapeField) {.name = name, .shape = value, .in_base = in_base};
}

/* ---- going down ---- */

static MtExecVar *realised_var (MtShape *s)
{
   MtEvalNode *n = (MtEvalNode *) s->node;
   return n->var;
}

/* Compiles a computed value (MT_SH_EXPR) when it is used for the first time. The node that
 * mt_shape_expr has made then computes the value at run time, and stores it in the variable
 * n->var. */
static bool realise (MtCompile *c, MtShape *s)
{
   MtEvalNode *n = (MtEvalNode *) s->node;
   if (n->var)
      return true;
   if (++c->depth > MT_MAX_EXPR_DEPTH)
      return mt_error_coded (c->err, MT_E_TOO_COMPLEX, MT_CODE_OVERFLOW,
                             "a query is nested too deeply");
   n->expr = s->expr;
   bool ok = mt_expr_bind (c, s->expr, s->root, c->scope, n->n.pos);
   c->depth--;
   if (!ok)
      return false;
   n->n.live = true;
   n->var = mt_var_new (c, n->n.pos, false);
   return true;
}

MtShape *mt_shape_solid (MtCompile *c, MtShape *s)
{
   if (s->kind != MT_SH_EXPR)
      return s;
   if (!realise (c, s)) {
      c->failed = true;
      return NULL;
   }
   return mt_shape_var (c, realised_var (s));
}

/* Returns the field `name` of the constant v. If v is an array, returns an array of this field of
 * its documents. */
static MtVal const_field (MtCompile *c, MtVal v, const char *name)
{
   if (v.type != MT_ARRAY)
      return mt_doc_field (v, name);
   size_t n, kept = 0;
   MtVal *list = mt_v_elements (c->arena, v, &n), out;
   for (size_t i = 0; i < n; i++) {
      MtVal e = list[i].type == MT_DOC ? mt_doc_field (list[i], name) : mt_v_missing ();
      if (e.type != MT_MISSING)
         list[kept++] = e;
   }
   if (mt_v_make_array (c->arena, list, kept, &out, c->err))
      return out;
   c->failed = true;
   return mt_v_missing ();
}

MtShape *mt_shape_get (MtCompile *c, MtShape *s, const char *name)
{
   switch (s->kind) {
   case MT_SH_MISSING: return s;
   case MT_SH_DOC: {
      MtShapeField *f = mt_shape_find (s, name);
      if (f)
         return f->shape;
      return s->base && s->keep_rest ? mt_shape_get (c, s->base, name) : mt_shape_missing (c);
   }
   case MT_SH_EXPR:
      if (s->view)
         return mt_shape_get (c, s->view, name);
      if (s->expr->kind == MT_EX_CONST)
         return mt_shape_const (c, const_field (c, s->expr->value, name));
      if (!realise (c, s)) {
         c->failed = true;
         return mt_shape_missing (c);
      }
      s = mt_shape_var (c, realised_var (s));
      break;
   case MT_SH_PATH: break;
   }
   MtShape *sub = shape_new (c, MT_SH_PATH);
   const char *part[1] = {name};
   MtPath one = {part, 1};
   sub->var = s->var;
   sub->path = path_join (c, &s->path, &one);
   return sub;
}

MtShape *mt_shape_path (MtCompile *c, MtShape *s, const MtPath *path)
{
   for (uint32_t i = 0; i < path->count; i++)
      s = mt_shape_get (c, s, path->part[i]);
   return s;
}

/* ---- deriving shapes ---- */

MtShape *mt_shape_copy (MtCompile *c, const MtShape *s)
{
   MtShape *n = MT_NEW (c->arena, MtShape);
   *n = *s;
   n->fields = MT_NEW_N (c->arena, MtShapeField, s->count + 4u);
   n->cap = s->count + 4u;
   if (s->count)
      memcpy (n->fields, s->fields, s->count * sizeof *s->fields);
   return n;
}

MtShape *mt_shape_of (MtCompile *c, MtExecExpr *e, MtShape *root)
{
   bool document = e->kind == MT_EX_FIELD && !e->shape &&
                   (strcmp (e->var, "CURRENT") == 0 || strcmp (e->var, "ROOT") == 0);
   if (document)
      return mt_shape_path (c, root, &e->path);
   if (e->kind == MT_EX_CONST && e->value.type == MT_MISSING)
      return mt_shape_missing (c);
   if (e->kind != MT_EX_DOC)
      return mt_shape_expr (c, e, root);
   MtShape *s = mt_shape_doc (c, NULL, false);
   for (uint32_t i = 0; i < e->argc; i++)
      mt_shape_put (c, s, e->names[i], mt_shape_of (c, e->args[i], root), false);
   return s;
}

MtShape *mt_shape_with (MtCompile *c, MtShape *s, const MtPath *path, uint32_t from, MtShape *value,
                        bool soft)
{
   if (from == path->count)
      return value;
   const char *name = path->part[from];
   MtShape *sub = mt_shape_with (c, mt_shape_get (c, s, name), path, from + 1, value, soft);
   if (s->kind == MT_SH_EXPR)
      s = mt_shape_solid (c, s);
   if (!s || c->failed)
      return mt_shape_missing (c);
   MtShape *n = s->kind == MT_SH_DOC ? mt_shape_copy (c, s)
                                     : mt_shape_doc (c, s->kind == MT_SH_PATH ? s : NULL, true);
   n->soft = s->kind == MT_SH_DOC ? s->soft : soft && from > 0;
   MtShapeField *f = mt_shape_find (n, name);
   if (f) {
      f->shape = sub;
      f->keep = false;
   } else
      mt_shape_put (c, n, name, sub, n->base && n->keep_rest);
   return n;
}

/* ---- extraction ---- */

static MtExtract *extract_new (MtCompile *c, uint32_t depth)
{
   MtExtract *x = MT_NEW (c->arena, MtExtract);
   x->id = c->extract_count++;
   x->depth = depth;
   return x;
}

static MtExtractField *extract_field (MtCompile *c, MtExtract *x, const char *name)
{
   for (uint32_t i = 0; i < x->count; i++)
      if (strcmp (x->fields[i].name, name) == 0)
         return &x->fields[i];
   MT_GROW_IN (c->arena, x->fields, x->count, x->cap, 8);
   MtExtractField *f = &x->fields[x->count++];
   *f = (MtExtractField) {.name = name,
                          .len = (uint32_t) strlen (name) + 1,
                          .value = MT_NO_SLOT,
                          .match = MT_NO_SLOT,
                          .raw = MT_NO_SLOT};
   return f;
}

static MtExtractField *field_at (MtCompile *c, MtExecVar *var, const MtPath *path)
{
   if (!var->extract)
      var->extract = extract_new (c, 0);
   MtExtract *x = var->extract;
   for (uint32_t i = 0;; i++) {
      MtExtractField *f = extract_field (c, x, path->part[i]);
      if (i + 1 == path->count)
         return f;
      if (!f->sub)
         f->sub = extract_new (c, i + 1);
      x = f->sub;
   }
}

static uint32_t slot_of (MtCompile *c, uint32_t *slot, MtExecVar *var, int pos)
{
   if (*slot == MT_NO_SLOT)
      *slot = slot_new (c, var->pos);
   mt_slot_use (c, *slot, pos);
   return *slot;
}

uint32_t mt_shape_match_slot (MtCompile *c, MtExecVar *var, const MtPath *path, int pos)
{
   return slot_of (c, &field_at (c, var, path)->match, var, pos);
}

uint32_t mt_shape_raw_slot (MtCompile *c, MtExecVar *var, const MtPath *path, int pos)
{
   return slot_of (c, &field_at (c, var, path)->raw, var, pos);
}

/* ---- using values ---- */

static MtExecExpr *use_path (MtCompile *c, MtShape *s, int pos)
{
   if (s->path.count == 0) {
      s->var->whole = true;
      mt_slot_use (c, s->var->slot, pos);
      return mt_expr_slot (c, s->var->slot);
   }
   if (s->var->local) {
      MtExecExpr *e = mt_expr_new (c, MT_EX_WALK, mt_ev_walk, 0);
      e->slot = s->var->slot;
      e->path = s->path;
      e->bound = true;
      return e;
   }
   uint32_t slot = slot_of (c, &field_at (c, s->var, &s->path)->value, s->var, pos);
   s->used = slot + 1;
   return mt_expr_slot (c, slot);
}

/* Marks all fields of a document shape as used by the node at position `pos`, since this node
 * builds the document. */
static bool use_fields (MtCompile *c, MtShape *s, int pos)
{
   if (s->base && !mt_shape_use (c, s->base, pos))
      return false;
   for (uint32_t i = 0; i < s->count; i++) {
      MtShape *f = s->fields[i].shape;
      if (s->fields[i].keep)
         continue;
      if (f->kind == MT_SH_DOC ? !use_fields (c, f, pos)
                               : f->kind != MT_SH_MISSING && !mt_shape_use (c, f, pos))
         return false;
   }
   return true;
}

MtExecExpr *mt_shape_use (MtCompile *c, MtShape *s, int pos)
{
   if (c->failed)
      return NULL;
   switch (s->kind) {
   case MT_SH_MISSING: return mt_expr_const (c, mt_v_missing ());
   case MT_SH_PATH: return use_path (c, s, pos);
   case MT_SH_EXPR:
      if (s->expr->kind == MT_EX_CONST)
         return s->expr;
      if (!realise (c, s)) {
         c->failed = true;
         return NULL;
      }
      mt_slot_use (c, realised_var (s)->slot, pos);
      return mt_expr_slot (c, realised_var (s)->slot);
   case MT_SH_DOC: {
      if (!use_fields (c, s, pos))
         return NULL;
      MtExecExpr *e = mt_expr_new (c, MT_EX_BUILD, mt_ev_build, 0);
      e->shape = s;
      e->bound = true;
      return e;
   }
   }
   return NULL;
}

uint32_t mt_shape_slot (MtCompile *c, MtShape *s, int pos)
{
   MtExecExpr *e = mt_shape_use (c, s, pos);
   if (!e)
      return MT_NO_SLOT;
   if (e->kind == MT_EX_SLOT)
      return e->slot;
   /* Compute the value now: append a node to the chain. */
   MtEvalNode *n = (MtEvalNode *) mt_node_new (c, sizeof *n, NULL, mt_eval_push);
   n->expr = e;
   n->var = mt_var_new (c, n->n.pos, false);
   if (e->kind == MT_EX_BUILD && !use_fields (c, e->shape, n->n.pos))
      return MT_NO_SLOT;
   mt_slot_use (c, n->var->slot, n->n.pos);
   return n->var->slot;
}

uint32_t mt_field_slot (MtCompile *c, const char *path, size_t n)
{
   MtPath p;
   if (!mt_path_parse (c, mt_strndup (c->arena, path, n), &p))
      return MT_NO_SLOT;
   MtShape *shape = mt_shape_path (c, c->root, &p);
   return c->failed ? MT_NO_SLOT : mt_shape_slot (c, shape, (int) c->node_count);
}

/* ---- building documents ---- */

static MtVal shape_value (MtWork *w, const MtShape *s)
{
   if (s->kind == MT_SH_EXPR) {
      if (s->expr->kind == MT_EX_CONST)
         return s->expr->value;
      return w->slots[((const MtEvalNode *) s->node)->var->slot];
   }
   if (s->path.count == 0)
      return w->slots[s->var->slot];
   return s->used ? w->slots[s->used - 1] : mt_v_missing ();
}

static bool build_field (MtWork *w, const MtShape *s, MtBson *b, const char *key, size_t n)
{
   if (s->kind == MT_SH_MISSING)
      return true;
   if (s->kind == MT_SH_DOC) {
      if (s->soft && s->base && shape_value (w, s->base).type != MT_DOC) {
         mt_bson_add (b, key, n, shape_value (w, s->base));
         return true;
      }
      size_t at = mt_bson_open (b, MT_DOC, key, n);
      if (!mt_build_doc (w, s, b))
         return false;
      mt_bson_end (b, at);
      return true;
   }
   MtVal v = shape_value (w, s);
   mt_bson_add (b, key, n, v);
   return true;
}

static bool is_done (const uint64_t *done, uint32_t i) { return done[i / 64] >> (i % 64) & 1; }
static void set_done (uint64_t *done, uint32_t i) { done[i / 64] |= (uint64_t) 1 << (i % 64); }

static uint32_t field_named (const MtShape *s, MtStr key)
{
   uint32_t i = 0;
   while (i < s->count &&
          !(strncmp (s->fields[i].name, key.p, key.n) == 0 && !s->fields[i].name[key.n]))
      i++;
   return i;
}

static bool build_over_base (MtWork *w, const MtShape *s, MtBson *b, uint64_t *done)
{
   MtVal v;
   MtDocIter it = mt_doc_iter (shape_value (w, s->base));
   MtStr key;
   while (mt_doc_next (&it, &key, &v)) {
      uint32_t i = field_named (s, key);
      if (i == s->count) {
         if (s->keep_rest)
            mt_bson_add (b, key.p, key.n, v);
         continue;
      }
      if (!s->fields[i].in_base || is_done (done, i))
         continue;
      set_done (done, i);
      if (s->fields[i].keep)
         mt_bson_add (b, key.p, key.n, v);
      else if (!build_field (w, s->fields[i].shape, b, key.p, key.n))
         return false;
   }
   return true;
}

bool mt_build_doc (MtWork *w, const MtShape *s, MtBson *b)
{
   uint64_t few[4] = {0},
            *done = s->count <= 256 ? few : MT_NEW_N (w->arena, uint64_t, s->count / 64 + 1);
   /* A computed _id becomes the first field, as on a server. */
   for (uint32_t i = 0; i < s->count; i++)
      if (!s->fields[i].in_base && strcmp (s->fields[i].name, "_id") == 0) {
         set_done (done, i);
         if (!build_field (w, s->fields[i].shape, b, "_id", 3))
            return false;
      }
   if (s->base && !build_over_base (w, s, b, done))
      return false;
   for (uint32_t i = 0; i < s->count; i++) {
      if (is_done (done, i) || s->fields[i].keep)
         continue;
      if (!build_field (w, s->fields[i].shape, b, s->fields[i].name, strlen (s->fields[i].name)))
         return false;
   }
   return true;
}

bool mt_build_here (MtWork *w, const MtShape *s, MtVal *out)
{
   MtBson b = {.arena = w->arena};
   size_t start = mt_bson_begin (&b);
   if (!mt_build_doc (w, s, &b))
      return false;
   mt_bson_end (&b, start);
   *out = mt_bson_part (&b, start, MT_DOC);
   return true;
}

bool mt_build_value (MtWork *w, const MtShape *s, MtVal *out)
{
   if (s->kind == MT_SH_MISSING)
      *out = mt_v_missing ();
   else if (s->kind != MT_SH_DOC)
      *out = shape_value (w, s);
   else if (!(s->soft && s->base && (*out = shape_value (w, s->base)).type != MT_DOC))
      return mt_build_here (w, s, out);
   return true;
}
