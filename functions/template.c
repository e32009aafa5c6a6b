/* Computes templates (the MongoDB expressions of SQL functions) in this process, as trees of
 * operators. */
#include "functions/template.h"

#include "types/mongosh.h"
#include "functions/core/row.h"

#include <stdlib.h>
#include <string.h>

#define MAX_KIDS 8

typedef enum NodeKind { CONST, ARG, OP, COND, IF_NULL } NodeKind;

struct MtTemplate {
   NodeKind kind;
   MtVal value;        /* of a CONST node */
   int arg;            /* of an ARG node: number of the argument */
   const MtOpRow *row; /* of an OP node: the operator */
   int count;          /* number of kids: OP, COND (3), IF_NULL */
   const MtTemplate *kids[MAX_KIDS];
};

/* ---- reading ---- */

static const MtOpRow *find_op (const char *name)
{
   static const MtOpRow *const tables[] = {mt_ops_arithmetic, mt_ops_compare, mt_ops_string,
                                           mt_ops_date,       mt_ops_convert, mt_ops_array,
                                           mt_ops_stat};
   for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
      for (const MtOpRow *r = tables[t]; r->name; r++)
         if (strcmp (r->name, name) == 0)
            return r;
   return NULL;
}

static MtTemplate *node (MtArena *a, NodeKind kind)
{
   MtTemplate *t = MT_NEW (a, MtTemplate);
   t->kind = kind;
   return t;
}

static const MtTemplate *constant (MtArena *a, MtVal v)
{
   MtTemplate *t = node (a, CONST);
   t->value = mt_v_copy (a, v);
   return t;
}

static const MtTemplate *tree_of (MtArena *a, MtVal v);

static const MtTemplate *read_text (MtArena *a, MtVal v)
{
   const char *s = (const char *) v.p;
   if (s[0] != '$')
      return constant (a, v);
   if (!s[1] || strspn (s + 1, "0123456789") != strlen (s + 1))
      return NULL;
   MtTemplate *t = node (a, ARG);
   t->arg = atoi (s + 1) - 1;
   return t;
}

static bool add_kid (MtArena *a, MtTemplate *t, MtVal v)
{
   return t->count < MAX_KIDS &&
          (t->kids[t->count++] = v.type == MT_MISSING ? constant (a, v) : tree_of (a, v)) != NULL;
}

/* Parses the argument list of an operator, {op: [x, y]} or {op: x}, and adds the arguments to t.
 * Returns false if they can't be computed here. */
static bool read_list (MtArena *a, MtTemplate *t, MtVal arg)
{
   if (arg.type != MT_ARRAY)
      return add_kid (a, t, arg);
   for (size_t i = 0; i < mt_doc_count (arg); i++)
      if (!add_kid (a, t, mt_doc_at (arg, i)))
         return false;
   return true;
}

/* Parses the named arguments of an operator, {op: {input: x, chars: y}}, and adds them to t in the
 * order of the operator's parameters. Returns false if they can't be computed here. */
static bool read_named (MtArena *a, MtTemplate *t, MtVal arg)
{
   for (const char *p = t->row->params; *p;) {
      size_t n = strcspn (p, ",?");
      if (arg.type != MT_DOC || !add_kid (a, t, mt_doc_get (arg, p, n)))
         return false;
      p += n + (p[n] == '?');
      p += *p == ',';
   }
   return true;
}

static const MtTemplate *read_operator (MtArena *a, const char *name, MtVal arg)
{
   bool cond = strcmp (name, "$cond") == 0, if_null = strcmp (name, "$ifNull") == 0;
   MtTemplate *t = node (a, if_null ? IF_NULL : OP);
   if (cond)
      t->kind = COND;
   if (strcmp (name, "$literal") == 0)
      return constant (a, arg);
   if (t->kind != OP)
      return arg.type == MT_ARRAY && read_list (a, t, arg) && (!cond || t->count == 3) ? t : NULL;
   t->row = find_op (name);
   return t->row && (t->row->params ? read_named (a, t, arg) : read_list (a, t, arg)) ? t : NULL;
}

static const MtTemplate *tree_of (MtArena *a, MtVal v)
{
   if (v.type == MT_STRING)
      return read_text (a, v);
   if (v.type == MT_ARRAY)
      return NULL;
   if (v.type != MT_DOC)
      return constant (a, v);
   bson_t view;
   bson_iter_t it;
   if (!bson_init_static (&view, v.p, v.len) || !bson_iter_init (&it, &view) ||
       !bson_iter_next (&it) || bson_iter_key (&it)[0] != '$')
      return NULL;
   return read_operator (a, bson_iter_key (&it), mt_v_from_iter (&it));
}

const MtTemplate *mt_template_read (MtArena *a, const MtFunc *f)
{
   MtVal v;
   MtError why;
   return mt_mongosh_read (a, mt_str (f->mql), &v, &why) ? tree_of (a, v) : NULL;
}

const MtTemplate *mt_template_part (MtArena *a, MtVal part) { return tree_of (a, part); }

bool mt_template_known (const MtTemplate *t, const bool *known, int argc)
{
   if (t->kind == ARG)
      return t->arg < argc && known[t->arg];
   if (t->kind == OP && !(t->row->flags & MT_OP_FOLD))
      return false;
   for (int i = 0; i < t->count; i++)
      if (!mt_template_known (t->kids[i], known, argc))
         return false;
   return true;
}

/* ---- running ---- */

static bool truthy (MtVal v)
{
   return v.type == MT_BOOL
             ? v.i != 0
             : !mt_is_nullish (v) && !(mt_is_number (v) && mt_v_compare (v, mt_v_int32 (0)) == 0);
}

static bool run (const MtTemplate *t, MtEval *ev, const MtVal *args, int argc, MtVal *out)
{
   MtVal kids[MAX_KIDS];
   switch (t->kind) {
   case CONST: *out = t->value; return true;
   case ARG: *out = t->arg < argc ? args[t->arg] : mt_v_null (); return true;
   case COND:
      return run (t->kids[0], ev, args, argc, out) &&
             run (t->kids[truthy (*out) ? 1 : 2], ev, args, argc, out);
   case IF_NULL:
      for (int i = 0; i < t->count; i++) {
         if (!run (t->kids[i], ev, args, argc, out))
            return false;
         if (!mt_is_nullish (*out))
            break;
      }
      return true;
   case OP:
      for (int i = 0; i < t->count; i++)
         if (!run (t->kids[i], ev, args, argc, &kids[i]))
            return false;
      ev->user = t->row->user;
      return t->row->fn (ev, kids, t->count, out);
   }
   return false;
}

bool mt_template_run (MtArena *a, const MtTemplate *t, const MtVal *args, int argc, MtVal *out,
                      MtError *err)
{
   MtEval ev = {.arena = a, .err = err};
   return run (t, &ev, args, argc, out);
}
