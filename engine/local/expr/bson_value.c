#include "engine/local/expr/core.h"
#include "base/memory.h"
#include "engine/local/expr/shape.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- reading ---- */

static int64_t load_regex (const uint8_t *p, const uint8_t *end, MtVal *out)
{
   const uint8_t *a = memchr (p, 0, (size_t) (end - p));
   const uint8_t *b = a ? memchr (a + 1, 0, (size_t) (end - a - 1)) : NULL;
   if (!b)
      return -1;
   *out = (MtVal) {.type = MT_REGEX, .len = (uint32_t) (b + 1 - p), .p = p};
   return b + 1 - p;
}

/* Reads a value of a BSON type whose bytes begin with their length. Returns its size, or -1 if it
 * does not end before `end`. */
static int64_t load_sized (uint8_t type, const uint8_t *p, const uint8_t *end, MtVal *out)
{
   size_t room = (size_t) (end - p);
   if (room < 4)
      return -1;
   uint32_t n = mt_get32 (p);
   if (type == MT_DOC || type == MT_ARRAY) {
      if (n < 5 || n > room)
         return -1;
      *out = (MtVal) {.type = type, .len = n, .p = p};
      return n;
   }
   if (type == MT_BINARY) {
      if (room < 5 || n > room - 5 || n > INT32_MAX)
         return -1;
      *out = (MtVal) {.type = type, .sub = p[4], .len = n, .p = p + 5};
      return (int64_t) n + 5;
   }
   if (type == 0x0C || type == 0x0F) { /* DBPointer and code with scope are loaded as a whole */
      uint64_t size = type == 0x0C ? (uint64_t) n + 16 : n;
      if (size < 5 || size > room)
         return -1;
      *out = (MtVal) {.type = type, .len = (uint32_t) size, .p = p};
      return (int64_t) size;
   }
   if (n < 1 || n > room - 4)
      return -1;
   *out = (MtVal) {.type = type, .len = n - 1, .p = p + 4};
   return (int64_t) n + 4;
}

int64_t mt_x_load (uint8_t type, const uint8_t *p, const uint8_t *end, MtVal *out)
{
   static const uint8_t sizes[32] = {
      [MT_DOUBLE] = 8, [MT_OID] = 12,      [MT_BOOL] = 1,  [MT_DATE] = 8,
      [MT_INT32] = 4,  [MT_TIMESTAMP] = 8, [MT_INT64] = 8, [MT_DECIMAL] = 16};
   switch (type) {
   case MT_STRING:
   case MT_DOC:
   case MT_ARRAY:
   case MT_BINARY:
   case MT_CODE:
   case MT_SYMBOL:
   case 0x0C:
   case 0x0F: return load_sized (type, p, end, out);
   case MT_REGEX: return load_regex (p, end, out);
   case MT_NULL:
   case MT_UNDEFINED:
   case MT_MINKEY:
   case MT_MAXKEY: *out = (MtVal) {.type = type}; return 0;
   default: break;
   }
   uint8_t size = type < 32 ? sizes[type] : 0;
   if (!size || (size_t) (end - p) < size)
      return -1;
   *out = (MtVal) {.type = type};
   if (type == MT_INT32) {
      int32_t i;
      memcpy (&i, p, 4);
      out->i = i;
   } else if (type == MT_BOOL)
      out->i = p[0] != 0;
   else if (size == 8)
      memcpy (&out->i, p, 8);
   else
      out->p = p;
   return size;
}

/* ---- memory ---- */

void *mt_x_calloc (size_t n, size_t size) { return mt_calloc ("pipeline", n, size); }

void *mt_x_realloc (void *p, size_t size) { return mt_realloc ("pipeline", p, size); }

void *mt_x_aligned (size_t align, size_t size) { return mt_aligned ("pipeline", align, size); }

/* ---- following paths ---- */

bool mt_x_is_index (const char *s, uint32_t *out)
{
   uint32_t n = 0;
   if (!*s || (s[0] == '0' && s[1]))
      return false;
   for (; *s; s++) {
      if (*s < '0' || *s > '9' || n > 99999999)
         return false;
      n = n * 10 + (uint32_t) (*s - '0');
   }
   *out = n;
   return true;
}

static bool walk (MtWork *w, MtVal v, const MtPath *path, uint32_t from, int depth, MtVal *out)
{
   for (; from < path->count; from++) {
      if (v.type == MT_DOC)
         v = mt_doc_field (v, path->part[from]);
      else
         break;
   }
   if (from == path->count) {
      *out = v;
      return true;
   }
   *out = mt_v_missing ();
   if (v.type != MT_ARRAY)
      return true;
   if (depth > 2 * MT_MAX_BSON_DEPTH)
      return mt_error_coded (&w->err, MT_E_TOO_COMPLEX, MT_CODE_OVERFLOW,
                             "document is nested too deeply");
   MtBson b = {.arena = w->arena};
   size_t start = mt_bson_begin (&b);
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal e, r;
   uint32_t i = 0;
   while (mt_doc_next (&it, &key, &e)) {
      if (e.type != MT_DOC) /* paths do not continue in an array that is directly within an array */
         continue;
      if (!walk (w, e, path, from, depth + 1, &r))
         return false;
      if (r.type != MT_MISSING)
         mt_bson_put_at (&b, i++, r);
   }
   mt_bson_end (&b, start);
   *out = mt_bson_part (&b, start, MT_ARRAY);
   return true;
}

bool mt_x_walk (MtWork *w, MtVal v, const MtPath *path, uint32_t from, MtVal *out)
{
   return walk (w, v, path, from, 0, out);
}

/* ---- fields ---- */

void mt_field_list_set (MtArena *a, MtFieldList *f, MtStr key, MtVal v)
{
   for (size_t i = 0; i < f->n; i++)
      if (mt_str_eq (f->keys[i], key)) {
         f->vals[i] = v;
         return;
      }
   if (f->n == f->cap) {
      f->cap = mt_room ("list", f->cap, f->n + 1, 16, sizeof *f->vals, sizeof f->cap);
      f->keys = mt_arena_move (a, f->keys, f->n, f->cap, sizeof *f->keys);
      f->vals = mt_arena_move (a, f->vals, f->n, f->cap, sizeof *f->vals);
   }
   f->keys[f->n] = key;
   f->vals[f->n++] = v;
}
