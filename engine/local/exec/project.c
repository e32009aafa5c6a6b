/* The stages $project, $addFields, $set, $unset and $replaceRoot. They change the shape (the
 * compile-time description) of the current document, and have no node that runs. */
#include "engine/local/expr/core.h"
#include "engine/local/expr/expr.h"
#include "engine/local/expr/shape.h"
#include "engine/local/exec/stages.h"

typedef struct Tree {
   MtProj *at;
   uint32_t count, cap;
} Tree;

/* ---- parsing the specification into a tree of field names ---- */

static MtProj *add (MtCompile *c, Tree *t, const char *name)
{
   MT_GROW_IN (c->arena, t->at, t->count, t->cap, 8);
   t->at[t->count] = (MtProj) {.name = name};
   return &t->at[t->count++];
}

typedef struct Parsing {
   MtCompile *c;
   bool add_fields;        /* the stage is $addFields or $set, so every value is an expression */
   int included, excluded; /* how often fields other than _id were included or excluded */
   int32_t mixed_code;     /* MongoDB's number of the error if both happened */
} Parsing;

static bool flag_of (MtVal v, bool *keep)
{
   if (v.type != MT_BOOL && !mt_is_number (v))
      return false;
   *keep = mt_truthy (v);
   return true;
}

static bool nested_spec (MtVal v)
{
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal e;
   return v.type == MT_DOC && mt_doc_next (&it, &key, &e) && !(key.n && key.p[0] == '$');
}

static bool parse_tree (Parsing *ps, Tree *t, MtVal spec, int depth);

/* Counts an included field (keep) or an excluded one, since a $project may not mix them. */
static void count_field (Parsing *ps, bool keep)
{
   if (!ps->mixed_code && (keep ? ps->excluded : ps->included))
      ps->mixed_code = keep ? 31253 : 31254;
   keep ? ps->included++ : ps->excluded++;
}

static bool parse_leaf (Parsing *ps, MtProj *p, MtVal v, bool id)
{
   bool keep;
   if (!ps->add_fields && flag_of (v, &keep)) {
      p->action = keep ? MT_PROJ_KEEP : MT_PROJ_DROP;
      if (!id)
         count_field (ps, keep);
      return true;
   }
   p->action = MT_PROJ_SET;
   p->expr = mt_expr_parse (ps->c, v);
   if (!id)
      count_field (ps, true);
   return p->expr != NULL;
}

/* Parses v, the specification of the field at `path`, from component `from` of the path on, into
 * tree t. depth: the nesting depth of the specification; 0 is the outermost level. */
static bool parse_path (Parsing *ps, Tree *t, const MtPath *path, uint32_t from, MtVal v, int depth)
{
   const char *name = path->part[from];
   MtProj *p = NULL;
   bool nested = from + 1 < path->count || nested_spec (v);
   for (uint32_t i = 0; i < t->count && !p; i++)
      if (strcmp (t->at[i].name, name) == 0)
         p = &t->at[i];
   if (name[0] == '$')
      return mt_bad (ps->c, 16410, "field names may not start with '$': \"%s\"", name);
   if (p && (!nested || p->action != MT_PROJ_TREE))
      return mt_bad (ps->c, MT_CODE_IF ({ps->add_fields, 40176}, {nested, 31249}, {true, 31250}),
                     "invalid %s: path collision at %s", ps->c->stage, name);
   if (!p)
      p = add (ps->c, t, name);
   if (!nested)
      return parse_leaf (ps, p, v, depth == 0 && strcmp (name, "_id") == 0);
   p->action = MT_PROJ_TREE;
   Tree sub = {p->sub, p->count, p->count};
   bool ok = from + 1 < path->count ? parse_path (ps, &sub, path, from + 1, v, depth + 1)
                                    : parse_tree (ps, &sub, v, depth + 1);
   p->sub = sub.at;
   p->count = sub.count;
   return ok;
}

static bool parse_tree (Parsing *ps, Tree *t, MtVal spec, int depth)
{
   MtDocIter it = mt_doc_iter (spec);
   MtStr key;
   MtVal v;
   MtPath path;
   if (depth > MT_MAX_BSON_DEPTH)
      return mt_error_coded (ps->c->err, MT_E_TOO_COMPLEX, MT_CODE_OVERFLOW,
                             "%s is nested too deeply", ps->c->stage);
   while (mt_doc_next (&it, &key, &v))
      if (!mt_path_parse (ps->c, mt_strndup (ps->c->arena, key.p, key.n), &path) ||
          !parse_path (ps, t, &path, 0, v, depth))
         return false;
   return true;
}

/* ---- applying the tree to a shape ---- */

typedef enum { INCLUDE, EXCLUDE, ADD } Mode;

static MtShape *apply (MtCompile *c, MtShape *s, const Tree *t, Mode mode, MtShape *root);

static bool has_set (const MtProj *p)
{
   if (p->action == MT_PROJ_SET)
      return true;
   for (uint32_t i = 0; p->action == MT_PROJ_TREE && i < p->count; i++)
      if (has_set (&p->sub[i]))
         return true;
   return false;
}

/* Makes an expression that projects a value when the pipeline runs. Only then it is known whether
 * the value is a document or an array. */
static MtShape *apply_at_run (MtCompile *c, MtShape *s, const MtProj *p, Mode mode, MtShape *root)
{
   MtExecExpr *e = mt_expr_new (c, MT_EX_PROJ, mt_ev_proj, 1);
   e->args[0] = mt_expr_new (c, MT_EX_FIELD, NULL, 0);
   e->args[0]->shape = s;
   e->proj = p->sub;
   e->proj_count = p->count;
   e->keep_rest = mode != INCLUDE;
   MtShape *out = mt_shape_expr (c, e, root);
   if (!has_set (p) && s->kind == MT_SH_PATH)
      out->view = apply (c, s, &(Tree) {p->sub, p->count, p->count}, mode, root);
   return out;
}

static MtShape *apply_nested (MtCompile *c, MtShape *s, const MtProj *p, Mode mode, MtShape *root)
{
   if (s->kind == MT_SH_DOC && !s->soft)
      return apply (c, s, &(Tree) {p->sub, p->count, p->count}, mode, root);
   if (s->kind == MT_SH_MISSING)
      return has_set (p) ? apply (c, mt_shape_doc (c, NULL, false),
                                  &(Tree) {p->sub, p->count, p->count}, mode, root)
                         : s;
   return apply_at_run (c, s, p, mode, root);
}

static void put_last (MtCompile *c, MtShape *out, const char *name, MtShape *value)
{
   MtShapeField *f = mt_shape_find (out, name);
   if (f) { /* remove the old field, so that the new field does not keep its place */
      uint32_t i = (uint32_t) (f - out->fields);
      memmove (f, f + 1, (out->count - i - 1u) * sizeof *f);
      out->count--;
   }
   mt_shape_put (c, out, name, value, false);
}

static void include_one (MtCompile *c, MtShape *out, MtShape *s, const MtProj *p, MtShape *root)
{
   if (p->action == MT_PROJ_SET) {
      put_last (c, out, p->name, mt_shape_of (c, p->expr, root));
      return;
   }
   if (p->action == MT_PROJ_DROP)
      return;
   const MtShapeField *old = s->kind == MT_SH_DOC ? mt_shape_find (s, p->name) : NULL;
   bool in_base = old ? old->in_base
                      : s->kind == MT_SH_PATH || (s->kind == MT_SH_DOC && s->keep_rest && s->base);
   MtShape *now = mt_shape_get (c, s, p->name);
   if (p->action == MT_PROJ_TREE)
      now = apply_nested (c, now, p, INCLUDE, root);
   mt_shape_put (c, out, p->name, now, in_base);
   if (p->action == MT_PROJ_KEEP && (old ? old->keep : in_base))
      mt_shape_find (out, p->name)->keep = true;
}

static bool takes_from_base (const MtShape *s)
{
   for (uint32_t i = 0; i < s->count; i++)
      if (s->fields[i].in_base)
         return true;
   return false;
}

/* Makes a shape with only the included fields, in the order of the document, followed by computed
 * fields in the order of the stage. If all fields are computed, the shape has no base document, so
 * that later stages such as $sort need not store the whole document. */
static MtShape *include (MtCompile *c, MtShape *s, const Tree *t, MtShape *root)
{
   MtShape *out = mt_shape_doc (c, s->kind == MT_SH_PATH ? s : s->base, false);
   if (s->kind == MT_SH_DOC) {
      for (uint32_t k = 0; k < s->count; k++)
         for (uint32_t i = 0; i < t->count; i++)
            if (t->at[i].action != MT_PROJ_SET && strcmp (t->at[i].name, s->fields[k].name) == 0)
               include_one (c, out, s, &t->at[i], root);
   }
   for (uint32_t i = 0; i < t->count; i++)
      if (t->at[i].action != MT_PROJ_SET &&
          !(s->kind == MT_SH_DOC && mt_shape_find (s, t->at[i].name)))
         include_one (c, out, s, &t->at[i], root);
   for (uint32_t i = 0; i < t->count; i++)
      if (t->at[i].action == MT_PROJ_SET)
         include_one (c, out, s, &t->at[i], root);
   if (!takes_from_base (out))
      out->base = NULL;
   return out;
}

static void change_one (MtCompile *c, MtShape *out, MtShape *s, const MtProj *p, Mode mode,
                        MtShape *root)
{
   MtShapeField *f = mt_shape_find (out, p->name);
   MtShape *now;
   if (p->action == MT_PROJ_TREE)
      now = apply_nested (c, mt_shape_get (c, s, p->name), p, mode, root);
   else if (p->action == MT_PROJ_SET)
      now = mt_shape_of (c, p->expr, root);
   else if (p->action == MT_PROJ_DROP)
      now = mt_shape_missing (c);
   else /* `_id: 1` in a projection that excludes other fields changes nothing */
      return;
   f = mt_shape_find (out, p->name);
   if (f && f->shape->kind == MT_SH_MISSING && mode == ADD)
      put_last (c, out, p->name, now);
   else if (f) {
      f->shape = now;
      f->keep = false;
   } else
      mt_shape_put (c, out, p->name, now, out->base && out->keep_rest);
}

static MtShape *apply (MtCompile *c, MtShape *s, const Tree *t, Mode mode, MtShape *root)
{
   if (mode == INCLUDE)
      return include (c, s, t, root);
   MtShape *out = s->kind == MT_SH_PATH ? mt_shape_doc (c, s, true) : mt_shape_copy (c, s);
   for (uint32_t i = 0; i < t->count; i++)
      change_one (c, out, s, &t->at[i], mode, root);
   return out;
}

static bool apply_root (MtCompile *c, const Tree *t, Mode mode)
{
   MtShape *s = mt_shape_solid (c, c->root);
   if (!s)
      return false;
   c->root = apply (c, s, t, mode, s);
   return !c->failed;
}

/* ---- the stages ---- */

bool mt_stage_project (MtCompile *c, MtVal spec)
{
   Parsing ps = {.c = c};
   Tree t = {0};
   if (spec.type != MT_DOC || mt_doc_count (spec) == 0)
      return mt_bad (c, spec.type == MT_DOC ? 51272 : 15969,
                     "$project specification must be an object with at least one field");
   if (!parse_tree (&ps, &t, spec, 0))
      return false;
   if (ps.included && ps.excluded)
      return mt_bad (c, ps.mixed_code, "invalid $project: cannot mix inclusion and exclusion");
   MtVal id = mt_doc_field (spec, "_id");
   bool keep_id = true, id_flag = flag_of (id, &keep_id),
        include_mode = ps.included || (!ps.excluded && keep_id);
   if (!include_mode)
      return apply_root (c, &t, EXCLUDE);
   bool has_id = id.type != MT_MISSING;
   for (uint32_t i = 0; i < t.count && !has_id; i++)
      has_id = strcmp (t.at[i].name, "_id") == 0;
   if (!has_id)
      add (c, &t, "_id")->action = MT_PROJ_KEEP;
   (void) id_flag;
   return apply_root (c, &t, INCLUDE);
}

bool mt_stage_add_fields (MtCompile *c, MtVal spec)
{
   Parsing ps = {.c = c, .add_fields = true};
   Tree t = {0};
   if (spec.type != MT_DOC || mt_doc_count (spec) == 0)
      return mt_bad (c, spec.type == MT_DOC ? 40177 : 40272,
                     "%s specification must be an object with at least one field", c->stage);
   return parse_tree (&ps, &t, spec, 0) && apply_root (c, &t, ADD);
}

bool mt_stage_unset (MtCompile *c, MtVal spec)
{
   size_t n = 1;
   MtVal *names = spec.type == MT_ARRAY ? mt_v_elements (c->arena, spec, &n) : &spec;
   Parsing ps = {.c = c};
   Tree t = {0};
   MtPath path;
   if (!n)
      return mt_bad (c, 31119,
                     "$unset specification must be a string or an array with at least one field");
   for (size_t i = 0; i < n; i++) {
      if (names[i].type != MT_STRING)
         return mt_bad (c, spec.type == MT_ARRAY ? 31120 : 31002,
                        "$unset specification must be a string or an array of strings");
      if (!mt_path_parse (c, mt_strndup (c->arena, (const char *) names[i].p, names[i].len),
                          &path) ||
          !parse_path (&ps, &t, &path, 0, mt_v_int32 (0), 0))
         return false;
   }
   return apply_root (c, &t, EXCLUDE);
}

/* ---- $replaceRoot ---- */

static bool document_only (const MtExecExpr *e, MtWork *w, MtVal *out)
{
   if (!mt_eval (e->args[0], w, out))
      return false;
   return out->type == MT_DOC ||
          mt_error_coded (
             &w->err, MT_E_PARAMETER, 40228,
             "'newRoot' expression must evaluate to an object, but resulting value was of type: %s",
             mt_v_type_name (*out));
}

typedef struct CheckNode {
   MtExecNode n;
   MtShape *shape;
   MtExecExpr *expr;
   MtExecVar *var;
} CheckNode;

static MtFlow check_push (const MtExecNode *n, MtWork *w)
{
   const CheckNode *k = (const CheckNode *) n;
   MtExecExpr wrap = {.args = (MtExecExpr *[]) {k->expr}};
   MtVal *out = &w->slots[k->var->slot];
   w->count[n->id].in++;
   if (!document_only (&wrap, w, out) || !mt_bind (w, k->var, &w->count[n->id]))
      return MT_FAIL;
   return mt_next (n, w);
}

bool mt_stage_replace (MtCompile *c, MtExecExpr *e)
{
   MtShape *s = mt_shape_of (c, e, c->root);
   if (c->failed)
      return false;
   if (s->kind == MT_SH_DOC && !s->soft) { /* the value is certainly a document */
      c->root = s;
      return true;
   }
   MtExecExpr *value = mt_shape_use (c, s, (int) c->node_count);
   if (!value)
      return false;
   CheckNode *n = (CheckNode *) mt_node_new (c, sizeof *n, NULL, check_push);
   n->expr = value;
   n->var = mt_var_new (c, n->n.pos, false);
   c->root = mt_shape_var (c, n->var);
   return true;
}
