/* Conditions on values inside a jsonb or document column, as $match paths that can use an index. A
 * $match path also searches arrays along the path, unlike SQL. So the exact condition is added as
 * an $expr. */
#include "planner/emit/emit_int.h"

#include "types/jsonb.h"
#include "query/condition.h"
#include "query/x.h"

#include <ctype.h>
#include <stdio.h>

typedef struct Within {
   const MtPlace *place;
   MtBuf path;
} Within;

/* Appends a key to the path w->path. False: the key can't be in a $match path. counts: keys that
 * look like array indexes are not allowed either. */
static bool add_key (Within *w, MtVal key, bool counts)
{
   MtStr s = mt_v_text (key);
   if (key.type != MT_STRING || s.n == 0 || s.p[0] == '$' || memchr (s.p, '.', s.n) ||
       memchr (s.p, 0, s.n))
      return false;
   if (counts && (isdigit ((unsigned char) s.p[0]) || isspace ((unsigned char) s.p[0]) ||
                  s.p[0] == '-' || s.p[0] == '+'))
      return false;
   mt_buf_addc (&w->path, '.');
   mt_buf_add (&w->path, s.p, s.n);
   return true;
}

/* Returns whether x extracts a part of a jsonb or document value, by an operator such as -> or #>;
 * or, if `text`, by one that returns text, such as ->>. */
static bool is_looking (const MtX *x, bool text)
{
   MtFuncKind kind = x->kind == MT_X_CALL ? x->call.fn->kind : MT_FN_OTHER;
   return text ? kind == MT_FN_JSON_KEY_TEXT || kind == MT_FN_JSON_PATH_TEXT
               : kind == MT_FN_JSON_KEY || kind == MT_FN_JSON_PATH;
}

static bool add_keys (Within *w, const MtX *x)
{
   bool counts = x->call.fn->kind == MT_FN_JSON_PATH || x->call.fn->kind == MT_FN_JSON_PATH_TEXT;
   for (int i = 1; i < x->call.argc; i++) {
      const MtX *k = x->call.args[i];
      MtDocIter it = mt_doc_iter (k->value);
      MtStr index;
      MtVal v;
      if (k->kind != MT_X_CONST || (k->value.type != MT_ARRAY && !add_key (w, k->value, counts)))
         return false;
      while (k->value.type == MT_ARRAY && mt_doc_next (&it, &index, &v))
         if (!add_key (w, v, counts))
            return false;
   }
   return true;
}

/* Sets *w to the field path of x, which is a jsonb or document column, or a part of one. False: x
 * is another expression. */
static bool find_within (const MtEmit *e, const MtX *x, Within *w)
{
   if (is_looking (x, false))
      return find_within (e, x->call.args[0], w) && add_keys (w, x);
   if (x->kind != MT_X_COLUMN || (x->type.id != MT_T_JSONB && x->type.id != MT_T_DOCUMENT))
      return false;
   w->place = mt_emit_place (e, x);
   if (!w->place || !w->place->path || !w->place->can_match || w->place->encode || w->place->expr)
      return false;
   mt_buf_adds (&w->path, w->place->path);
   return true;
}

/* Returns whether no JSON value other than the string v has the text v. False if a number, boolean,
 * date, ObjectId, object or array could have this text. */
static bool only_text (MtVal v)
{
   MtStr s = mt_v_text (v);
   bool hex = s.n == 24;
   if (v.type != MT_STRING || mt_str_is (s, "true") || mt_str_is (s, "false"))
      return false;
   for (size_t i = 0; i < s.n; i++)
      hex &= mt_hex_digit (s.p[i]) >= 0;
   return !hex && (s.n == 0 || !strchr ("-{[0123456789", s.p[0]));
}

/* Returns whether the same stored values equal v in SQL and in MongoDB. */
static bool plain_scalar (MtVal v)
{
   return v.type == MT_STRING || v.type == MT_BOOL || mt_is_number (v);
}

static const char *path_of (MtEmit *e, const Within *w)
{
   return mt_strndup (e->a, w->path.p, w->path.n);
}

static bool equality (MtEmit *e, const MtX *x, Within *w, MtJsonMatch *out)
{
   const MtX *a = x->call.args[0], *b = x->call.args[1];
   if (a->kind == MT_X_CONST) {
      const MtX *t = a;
      a = b;
      b = t;
   }
   bool text = is_looking (a, true), json = mt_is_json (a->type.id);
   if (b->kind != MT_X_CONST || (text ? !only_text (b->value) : !json || !plain_scalar (b->value)))
      return false;
   if (text ? !(find_within (e, a->call.args[0], w) && add_keys (w, a)) : !find_within (e, a, w))
      return false;
   *out = (MtJsonMatch) {.path = path_of (e, w), .value = b->value};
   return true;
}

static bool membership (MtEmit *e, const MtX *x, Within *w, MtJsonMatch *out)
{
   const MtX *a = x->list[0];
   MtVal *v = MT_NEW_N (e->a, MtVal, (size_t) x->count), list;
   if (!is_looking (a, true))
      return false;
   for (int i = 1; i < x->count; i++) {
      v[i - 1] = x->list[i]->value;
      if (x->list[i]->kind != MT_X_CONST || !only_text (v[i - 1]) ||
          memchr (v[i - 1].p, '$', v[i - 1].len))
         return false;
   }
   if (!find_within (e, a->call.args[0], w) || !add_keys (w, a) ||
       !mt_v_make_array (e->a, v, (size_t) x->count - 1, &list, NULL))
      return false;
   *out = (MtJsonMatch) {.path = path_of (e, w), .value = list, .among = true};
   return true;
}

/* ---- containment (@>): each scalar must be found at its path ---- */

/* Adds {path: scalar} to `out` for each scalar in `part`. in_array: `part` is an array element;
 * arrays nested in it are skipped, because $match paths don't search them. False: there is none. */
static bool add_leaves (MtEmit *e, Within *w, MtVal part, bool in_array, bson_t *out)
{
   MtDocIter it = mt_doc_iter (part);
   MtStr key;
   MtVal v;
   bool any = false;
   size_t length = w->path.n;
   if (plain_scalar (part)) {
      mt_doc_add (out, path_of (e, w), part);
      return true;
   }
   if (part.type != MT_DOC && (part.type != MT_ARRAY || in_array))
      return false;
   while (mt_doc_next (&it, &key, &v)) {
      if (part.type == MT_ARRAY || add_key (w, mt_v_str (key.p, key.n), false))
         any |= add_leaves (e, w, v, part.type == MT_ARRAY, out);
      w->path.n = length;
   }
   return any;
}

static bool containment (MtEmit *e, const MtX *x, Within *w, MtJsonMatch *out)
{
   bool left = x->call.fn->kind == MT_FN_CONTAINS;
   const MtX *whole = x->call.args[!left], *part = x->call.args[left];
   if (part->kind != MT_X_CONST || mt_is_nullish (part->value) || !find_within (e, whole, w))
      return false;
   bson_t *leaves = mt_doc_new (e->a);
   *out = (MtJsonMatch) {.leaves = leaves};
   return add_leaves (e, w, part->value, false, leaves);
}

bool mt_json_match (MtEmit *e, const MtX *x, MtJsonMatch *out)
{
   Within w = {0};
   bool found = false;
   if (x->kind == MT_X_IN)
      found = membership (e, x, &w, out);
   else if (mt_x_is_equality (x))
      found = equality (e, x, &w, out);
   else if (mt_is_call (x, MT_FN_CONTAINS, 2) || mt_is_call (x, MT_FN_CONTAINED, 2))
      found = containment (e, x, &w, out);
   mt_buf_free (&w.path);
   return found;
}

/* ---- appending conditions ---- */

/* Appends {path: value, $expr: {$eq: ["$path", value]}}; for m->among with $in in place of
 * equality. */
static void path_and_expr (MtEmit *e, const MtJsonMatch *m, bson_t *out)
{
   bson_t expr, list;
   if (m->among)
      mt_doc_printf (out, "%s: {$in: %p}", m->path, (void *) &m->value);
   else
      mt_doc_add (out, m->path, m->value);
   mt_doc_begin (out, "$expr", &expr);
   mt_array_begin (&expr, m->among ? "$in" : "$eq", &list);
   mt_doc_add_path (e->a, &list, "0", m->path);
   if (m->value.type == MT_STRING)
      mt_emit_const (m->value, &list, "1");
   else
      mt_doc_add (&list, "1", m->value);
   mt_array_end (&expr, &list);
   mt_doc_end (out, &expr);
}

/* Appends {$and: [{path: scalar}, …, {$expr: x}]}, with one {path: scalar} for each field of
 * `leaves`. */
static bool leaves_and_expr (MtEmit *e, const MtX *x, const bson_t *leaves, bson_t *out)
{
   bson_iter_t it;
   bson_t list, one;
   char index[16];
   int n = 0;
   mt_array_begin (out, "$and", &list);
   for (bson_iter_init (&it, leaves); bson_iter_next (&it); n++) {
      snprintf (index, sizeof index, "%d", n);
      mt_doc_begin (&list, index, &one);
      mt_doc_add (&one, bson_iter_key (&it), mt_v_from_iter (&it));
      mt_doc_end (&list, &one);
   }
   snprintf (index, sizeof index, "%d", n);
   mt_doc_begin (&list, index, &one);
   bool ok = mt_emit_truth (e, x, true, &one, "$expr");
   mt_doc_end (&list, &one);
   mt_array_end (out, &list);
   return ok;
}

bool mt_emit_json_match (MtEmit *e, const MtX *x, const MtJsonMatch *m, bson_t *out)
{
   if (m->leaves)
      return leaves_and_expr (e, x, m->leaves, out);
   path_and_expr (e, m, out);
   return true;
}
