#include "engine/pipe.h"

#include <string.h>

bson_t *mt_mql_op (MtArena *a, const char *op, const bson_t *arg, ...)
{
   bson_t *args = mt_doc_new (a), *body = mt_doc_new (a), *out = mt_doc_new (a);
   va_list ap;
   va_start (ap, arg);
   int n = 0;
   for (const bson_t *x = arg; x; x = va_arg (ap, const bson_t *)) {
      char key[MT_INDEX_SIZE];
      mt_doc_add (args, mt_index_key ((uint32_t) n++, key), mt_doc_value (x));
   }
   va_end (ap);
   mt_doc_add_array (body, op, args);
   mt_doc_add_doc (out, "", body);
   return out;
}

bson_t *mt_mql_op1 (MtArena *a, const char *op, const bson_t *arg)
{
   bson_t *body = mt_doc_new (a), *out = mt_doc_new (a);
   mt_doc_add (body, op, mt_doc_value (arg));
   mt_doc_add_doc (out, "", body);
   return out;
}

bson_t *mt_mql_let (MtArena *a, const char *name, const bson_t *value, const bson_t *in)
{
   bson_t *vars = mt_doc_new (a), *let = mt_doc_new (a);
   mt_doc_add (vars, name, mt_doc_value (value));
   mt_doc_add_doc (let, "vars", vars);
   mt_doc_add (let, "in", mt_doc_value (in));
   return mt_mql_op1 (a, "$let", mt_doc_of (a, mt_v_doc (let)));
}

bson_t *mt_mql_path (MtArena *a, const char *path)
{
   if (!path)
      return mt_mql_const (a, mt_v_null ());
   bson_t *d = mt_doc_new (a);
   mt_doc_add_path (a, d, "", path);
   return d;
}

bson_t *mt_mql_from_format (MtArena *a, const char *path, const char *format, MtVal on_error)
{
   return mt_mql_time_of (a, mt_mql_path (a, path), format, on_error);
}

bson_t *mt_mql_month_of (MtArena *a, const bson_t *date, const bson_t *n)
{
   bson_t *parts = mt_doc_new (a);
   mt_doc_add (parts, "year", mt_doc_value (mt_mql_op1 (a, "$year", date)));
   mt_doc_add (parts, "month", mt_doc_value (mt_mql_op (a, "$add", n, mt_mql_int (a, 1), NULL)));
   return mt_mql_op1 (a, "$dateFromParts", mt_doc_of (a, mt_v_doc (parts)));
}

/* MongoDB can't parse a date without month or day. So the expression appends the missing parts to
 * the text, and to the format. */
bson_t *mt_mql_time_of (MtArena *a, const bson_t *whole, const char *format, MtVal on_error)
{
   const char *text = "", *rest = "";
   if (!strstr (format, "%m")) {
      text = "-01-01";
      rest = "-%m-%d";
   } else if (!strstr (format, "%d")) {
      text = "-01";
      rest = "-%d";
   }
   bson_t *args = mt_doc_new (a);
   if (*text)
      whole = mt_mql_op (a, "$concat", whole, mt_doc_of (a, mt_v_cstr (text)), NULL);
   format = mt_printf (a, "%s%s", format, rest);
   mt_doc_add (args, "dateString", mt_doc_value (whole));
   mt_doc_add_text (args, "format", format);
   if (on_error.type != MT_MISSING)
      mt_doc_add (args, "onError", on_error);
   return mt_mql_op1 (a, "$dateFromString", mt_doc_of (a, mt_v_doc (args)));
}

bson_t *mt_mql_int (MtArena *a, int64_t i)
{
   bson_t *d = mt_doc_new (a);
   mt_doc_add_int (d, "", i);
   return d;
}

bson_t *mt_mql_const (MtArena *a, MtVal v)
{
   bool plain = mt_is_number (v) || v.type == MT_BOOL || v.type == MT_DATE || v.type == MT_NULL ||
                (v.type == MT_STRING && (v.len == 0 || v.p[0] != '$'));
   bson_t *d = mt_doc_of (a, v);
   return plain ? d : mt_mql_op1 (a, "$literal", d);
}

MtPipe *mt_pipe_new (MtArena *a)
{
   MtPipe *p = MT_NEW (a, MtPipe);
   p->a = a;
   p->stages = mt_doc_new (a);
   return p;
}

static void add_stage (MtPipe *p, const bson_t *stage)
{
   char key[MT_INDEX_SIZE];
   mt_doc_add_doc (p->stages, mt_index_key ((uint32_t) p->count++, key), stage);
}

void mt_pipe_add (MtPipe *p, const char *stage, const bson_t *body)
{
   bson_t *d = mt_doc_new (p->a);
   mt_doc_add_doc (d, stage, body);
   add_stage (p, d);
}

void mt_pipe_add_value (MtPipe *p, const char *stage, MtVal v)
{
   bson_t *d = mt_doc_new (p->a);
   mt_doc_add (d, stage, v);
   add_stage (p, d);
}

void mt_pipe_add_never (MtPipe *p)
{
   bson_t *never = mt_doc_new (p->a);
   mt_doc_add (never, "$expr", mt_v_bool (false));
   mt_pipe_add (p, "$match", never);
}

void mt_pipe_append_bson (MtPipe *p, const bson_t *stages)
{
   bson_iter_t it;
   if (!bson_iter_init (&it, stages))
      return;
   while (bson_iter_next (&it)) {
      char key[MT_INDEX_SIZE];
      mt_doc_add (p->stages, mt_index_key ((uint32_t) p->count++, key), mt_v_from_iter (&it));
   }
}

void mt_pipe_append (MtPipe *p, const MtPipe *other) { mt_pipe_append_bson (p, other->stages); }

const char *mt_dotted (MtArena *a, const char *left, const char *right)
{
   if (!*left)
      return right;
   if (!*right)
      return left;
   size_t n = strlen (left), m = strlen (right);
   char *out = mt_alloc (a, n + m + 2);
   memcpy (out, left, n);
   out[n] = '.';
   memcpy (out + n + 1, right, m);
   return out;
}

/* ---- conditions together ---- */

typedef struct Joined {
   const char *key;
   MtVal v;
   struct Joined *next;
} Joined;

typedef struct Joining {
   MtArena *a;
   Joined *first, **last;
   bson_t *apart; /* conditions that need $and, an array */
   int apart_count;
} Joining;

static bool is_operators (MtVal v)
{
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal x;
   if (v.type != MT_DOC || !mt_doc_next (&it, &key, &x))
      return false;
   do {
      if (!key.n || key.p[0] != '$')
         return false;
   } while (mt_doc_next (&it, &key, &x));
   return true;
}

/* Combines two conditions on a field into *out: {$gte: 1} and {$lt: 5} become {$gte: 1, $lt: 5}.
 * Returns false if they can't be combined, because both have the same operator or a regular
 * expression. */
static bool join_operators (MtArena *a, MtVal x, MtVal y, MtVal *out)
{
   MtDocIter it = mt_doc_iter (y);
   MtStr key;
   MtVal v;
   bson_t *both = mt_doc_new (a), view;
   if (!is_operators (x) || !is_operators (y) || !bson_init_static (&view, x.p, x.len) ||
       !bson_concat (both, &view))
      return false;
   while (mt_doc_next (&it, &key, &v)) {
      if (mt_doc_get (x, key.p, key.n).type != MT_MISSING || mt_str_is (key, "$options") ||
          mt_str_is (key, "$regex"))
         return false;
      mt_doc_add (both, mt_strndup (a, key.p, key.n), v);
   }
   *out = mt_v_doc (both);
   return true;
}

static void join_field (Joining *j, const char *key, MtVal v)
{
   for (Joined *f = j->first; f; f = f->next) {
      if (strcmp (f->key, key) != 0)
         continue;
      if (*key == '$' || !join_operators (j->a, f->v, v, &f->v)) {
         bson_t *one = mt_doc_new (j->a);
         mt_doc_add (one, key, v);
         mt_doc_add_doc (j->apart, mt_printf (j->a, "%d", j->apart_count++), one);
      }
      return;
   }
   Joined *f = MT_NEW (j->a, Joined);
   *f = (Joined) {key, v, NULL};
   *j->last = f;
   j->last = &f->next;
}

static void join (Joining *j, MtVal conditions)
{
   MtDocIter it = mt_doc_iter (conditions), fields;
   MtStr key;
   MtVal one, v;
   while (mt_doc_next (&it, &key, &one))
      for (fields = mt_doc_iter (one); mt_doc_next (&fields, &key, &v);) {
         if (mt_str_is (key, "$and"))
            join (j, v);
         else
            join_field (j, mt_strndup (j->a, key.p, key.n), v);
      }
}

const bson_t *mt_match_all (MtArena *a, const bson_t *conditions)
{
   Joining j = {.a = a, .apart = mt_doc_new (a)};
   bson_t *out = mt_doc_new (a);
   j.last = &j.first;
   join (&j, mt_v_array (conditions));
   for (Joined *f = j.first; f; f = f->next)
      mt_doc_add (out, f->key, f->v);
   if (j.apart_count)
      mt_doc_add_array (out, "$and", j.apart);
   return out;
}
