/* jsonb: finds parts of values, and makes changed copies. */
#include "types/jsonb.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static MtStr text_of (MtVal v) { return (MtStr) {(const char *) v.p, v.len}; }
static bool is_container (MtVal v) { return v.type == MT_DOC || v.type == MT_ARRAY; }

/* ---- finding parts ---- */

MtVal mt_jsonb_field (MtVal v, MtStr key)
{
   return v.type == MT_DOC ? mt_doc_get (v, key.p, key.n) : mt_v_missing ();
}

MtVal mt_jsonb_element (MtVal v, int64_t index)
{
   int64_t n = v.type == MT_ARRAY ? (int64_t) mt_doc_count (v) : 0;
   index += index < 0 ? n : 0;
   return index >= 0 && index < n ? mt_doc_at (v, (size_t) index) : mt_v_missing ();
}

/* Parses an integer as strtol does. Returns false if it is out of range or other characters
 * follow. */
static bool whole (MtStr s, int *out)
{
   char text[32], *end;
   if (s.n == 0 || s.n >= sizeof text)
      return false;
   memcpy (text, s.p, s.n);
   text[s.n] = 0;
   errno = 0;
   long v = strtol (text, &end, 10);
   if (*end || end == text || errno || v < INT_MIN || v > INT_MAX)
      return false;
   *out = (int) v;
   return true;
}

MtVal mt_jsonb_at (MtVal v, const MtVal *path, size_t n)
{
   for (size_t i = 0; i < n && v.type != MT_MISSING; i++) {
      int at;
      if (mt_is_nullish (path[i]))
         return mt_v_missing ();
      if (v.type == MT_ARRAY)
         v = whole (text_of (path[i]), &at) ? mt_jsonb_element (v, at) : mt_v_missing ();
      else
         v = mt_jsonb_field (v, text_of (path[i]));
   }
   return v;
}

bool mt_jsonb_has_key (MtVal v, MtStr key)
{
   MtDocIter it = mt_doc_iter (v);
   MtStr ignored;
   MtVal e;
   if (v.type == MT_STRING)
      return mt_str_eq (text_of (v), key);
   if (v.type != MT_ARRAY)
      return mt_jsonb_field (v, key).type != MT_MISSING;
   while (mt_doc_next (&it, &ignored, &e))
      if (e.type == MT_STRING && mt_str_eq (text_of (e), key))
         return true;
   return false;
}

static bool deep_contains (MtVal x, MtVal part);

static bool element_contains (MtVal x, MtVal part)
{
   return is_container (part)
             ? x.type == part.type && deep_contains (x, part)
             : !is_container (x) &&
                  mt_jsonb_compare (mt_jsonb_from_element (x), mt_jsonb_from_element (part)) == 0;
}

static bool any_element_contains (MtVal array, MtVal part)
{
   MtDocIter it = mt_doc_iter (array);
   MtStr key;
   MtVal e;
   while (mt_doc_next (&it, &key, &e))
      if (element_contains (e, part))
         return true;
   return false;
}

/* Returns whether x contains `part`, as x @> part. Both must be objects, or both arrays. */
static bool deep_contains (MtVal x, MtVal part)
{
   MtDocIter it = mt_doc_iter (part);
   MtStr key;
   MtVal p;
   while (mt_doc_next (&it, &key, &p)) {
      MtVal e = x.type == MT_DOC ? mt_jsonb_field (x, key) : mt_v_missing ();
      if (x.type == MT_DOC ? e.type == MT_MISSING || !element_contains (e, p)
                           : !any_element_contains (x, p))
         return false;
   }
   return true;
}

bool mt_jsonb_contains (MtVal x, MtVal part)
{
   if (x.type == MT_ARRAY &&
       !is_container (
          part)) /* as in PostgreSQL, an array contains a scalar that is one of its elements */
      return any_element_contains (x, mt_jsonb_to_element (part));
   return element_contains (x, part);
}

/* ---- lists of elements and members under construction ---- */

typedef struct Made {
   MtArena *a;
   MtJsonMember *m;
   size_t n;
} Made;

static Made made_for (MtArena *a, size_t most)
{
   return (Made) {a, MT_NEW_N (a, MtJsonMember, most + 1), 0};
}

static void put (Made *m, MtStr key, MtVal v)
{
   m->m[m->n++] = (MtJsonMember) {.key = key, .value = mt_jsonb_to_element (v)};
}

static void put_all (Made *m, MtVal container)
{
   MtDocIter it = mt_doc_iter (container);
   MtStr key;
   MtVal v;
   while (mt_doc_next (&it, &key, &v))
      put (m, key, v);
}

static bool finish (Made *m, bool object, MtVal *out, MtError *err)
{
   if (object)
      return mt_jsonb_object (m->a, m->m, m->n, out, err);
   MtVal *vals = MT_NEW_N (m->a, MtVal, m->n + 1);
   for (size_t i = 0; i < m->n; i++)
      vals[i] = m->m[i].value;
   return mt_v_make_array (m->a, vals, m->n, out, err);
}

/* ---- other values ---- */

bool mt_jsonb_concat (MtArena *a, MtVal x, MtVal y, MtVal *out, MtError *err)
{
   Made m = made_for (a, (is_container (x) ? mt_doc_count (x) : 1) +
                            (is_container (y) ? mt_doc_count (y) : 1));
   bool objects = x.type == MT_DOC && y.type == MT_DOC;
   for (int i = 0; i < 2; i++) {
      MtVal v = i ? y : x;
      if (objects || v.type == MT_ARRAY)
         put_all (&m, v);
      else
         put (&m, MT_STR (""), v);
   }
   return finish (&m, objects, out, err);
}

bool mt_jsonb_without_keys (MtArena *a, MtVal v, const MtVal *keys, size_t n, MtVal *out,
                            MtError *err)
{
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal e;
   if (!is_container (v))
      return mt_error (err, MT_E_PARAMETER, "cannot delete from scalar");
   Made m = made_for (a, mt_doc_count (v));
   while (mt_doc_next (&it, &key, &e)) {
      bool drop = false;
      MtStr name = v.type == MT_DOC ? key : text_of (e);
      for (size_t i = 0; i < n && !drop; i++)
         drop = !mt_is_nullish (keys[i]) && (v.type == MT_DOC || e.type == MT_STRING) &&
                mt_str_eq (text_of (keys[i]), name);
      if (!drop)
         put (&m, key, e);
   }
   return finish (&m, v.type == MT_DOC, out, err);
}

bool mt_jsonb_without_element (MtArena *a, MtVal v, int64_t index, MtVal *out, MtError *err)
{
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal e;
   int64_t at = 0;
   if (!is_container (v))
      return mt_error (err, MT_E_PARAMETER, "cannot delete from scalar");
   if (v.type == MT_DOC)
      return mt_error (err, MT_E_PARAMETER, "cannot delete from object using integer index");
   Made m = made_for (a, mt_doc_count (v));
   index += index < 0 ? (int64_t) mt_doc_count (v) : 0;
   while (mt_doc_next (&it, &key, &e))
      if (at++ != index)
         put (&m, key, e);
   return finish (&m, false, out, err);
}

bool mt_jsonb_strip_nulls (MtArena *a, MtVal v, MtVal *out, MtError *err)
{
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal e;
   *out = v;
   if (!is_container (v))
      return true;
   Made m = made_for (a, mt_doc_count (v));
   while (mt_doc_next (&it, &key, &e)) {
      if (v.type == MT_DOC && e.type == MT_NULL)
         continue;
      if (!mt_jsonb_strip_nulls (a, e, &e, err))
         return false;
      put (&m, key, e);
   }
   return finish (&m, v.type == MT_DOC, out, err);
}

/* ---- a value at a path ---- */

typedef struct Setting {
   MtArena *a;
   const MtVal *path;
   size_t n;
   MtJsonSet how;
   MtVal value;
   MtError *err;
} Setting;

static bool set_at (const Setting *s, MtVal v, size_t level, MtVal *out);

static bool inserts (const Setting *s)
{
   return s->how == MT_JSON_INSERT_BEFORE || s->how == MT_JSON_INSERT_AFTER;
}
static bool makes (const Setting *s) { return s->how == MT_JSON_CREATE || inserts (s); }

/* Adds a field to m; its key is the path's step number `level`. If the path ends here, the field is
 * replaced or deleted; otherwise its value e is changed. */
static bool set_field (const Setting *s, Made *m, MtStr key, MtVal e, size_t level)
{
   if (level + 1 < s->n) {
      if (!set_at (s, e, level + 1, &e))
         return false;
      put (m, key, e);
      return true;
   }
   if (inserts (s)) {
      mt_error (s->err, MT_E_PARAMETER, "cannot replace existing key");
      return mt_error_hint (s->err, "Try using the function jsonb_set to replace key value.");
   }
   if (s->how != MT_JSON_DELETE)
      put (m, key, s->value);
   return true;
}

static bool set_in_object (const Setting *s, MtVal v, size_t level, MtVal *out)
{
   MtDocIter it = mt_doc_iter (v);
   MtStr key, wanted = text_of (s->path[level]);
   MtVal e;
   bool found = false;
   Made m = made_for (s->a, mt_doc_count (v) + 1);
   while (mt_doc_next (&it, &key, &e)) {
      if (!mt_str_eq (key, wanted))
         put (&m, key, e);
      else if (!(found = set_field (s, &m, key, e, level)))
         return false;
   }
   if (!found && level + 1 == s->n && makes (s))
      put (&m, wanted, s->value);
   return finish (&m, true, out, s->err);
}

static bool set_element (const Setting *s, Made *m, MtVal e, size_t level)
{
   if (level + 1 < s->n) {
      if (!set_at (s, e, level + 1, &e))
         return false;
      put (m, MT_STR (""), e);
      return true;
   }
   if (s->how == MT_JSON_INSERT_AFTER)
      put (m, MT_STR (""), e);
   if (s->how != MT_JSON_DELETE)
      put (m, MT_STR (""), s->value);
   if (s->how == MT_JSON_INSERT_BEFORE)
      put (m, MT_STR (""), e);
   return true;
}

static bool set_in_array (const Setting *s, MtVal v, size_t level, MtVal *out)
{
   MtDocIter it = mt_doc_iter (v);
   MtStr key, step = text_of (s->path[level]);
   MtVal e;
   int64_t n = (int64_t) mt_doc_count (v), i = 0;
   int at;
   bool last = level + 1 == s->n, done = false;
   if (!whole (step, &at))
      return mt_error (s->err, MT_E_TEXT_REPRESENTATION,
                       "path element at position %zu is not an integer: \"%.*s\"", level + 1,
                       (int) step.n, step.p);
   int64_t index = at < 0 ? at + n : at;
   Made m = made_for (s->a, (size_t) n + 1);
   if (index < 0 && last && makes (s)) {
      put (&m, MT_STR (""), s->value);
      done = true;
   }
   for (; mt_doc_next (&it, &key, &e); i++) {
      if (i != index || done)
         put (&m, key, e);
      else if (!(done = set_element (s, &m, e, level)))
         return false;
   }
   if (!done && last && makes (s))
      put (&m, MT_STR (""), s->value);
   return finish (&m, false, out, s->err);
}

static bool set_at (const Setting *s, MtVal v, size_t level, MtVal *out)
{
   *out = v;
   if (mt_is_nullish (s->path[level]))
      return mt_error (s->err, MT_E_NULL_NOT_ALLOWED, "path element at position %zu is null",
                       level + 1);
   if (v.type == MT_DOC)
      return set_in_object (s, v, level, out);
   return v.type != MT_ARRAY || set_in_array (s, v, level, out);
}

bool mt_jsonb_set (MtArena *a, MtVal v, const MtJsonChange *change, MtVal *out, MtError *err)
{
   Setting s = {.a = a,
                .path = change->path,
                .n = change->n,
                .how = change->how,
                .value = change->value,
                .err = err};
   *out = v;
   if (!is_container (v))
      return mt_error (err, MT_E_PARAMETER, "cannot %s path in scalar",
                       s.how == MT_JSON_DELETE ? "delete" : "set");
   if (s.n == 0 || (mt_doc_count (v) == 0 && !makes (&s)))
      return true;
   return set_at (&s, v, 0, out);
}
