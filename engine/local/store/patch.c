/* Sets numbers in a BSON document by path. The search for a field begins behind the field that was
 * set last, because increments usually come in the order of the fields. */
#include "engine/local/store/patch.h"

#include "base/memory.h"
#include "types/numeric.h"
#include "engine/local/store/store_int.h"

/* ---- paths ---- */

static MtStr first_name (MtStr path)
{
   const char *dot = memchr (path.p, '.', path.n);
   return (MtStr) {path.p, dot ? (size_t) (dot - path.p) : path.n};
}

static MtStr after_name (MtStr path, size_t n)
{
   return n < path.n ? (MtStr) {path.p + n + 1, path.n - n - 1} : (MtStr) {path.p + n, 0};
}

/* Returns the path without its last component; empty if it has only one. */
static MtStr parent_of (MtStr path)
{
   const char *dot = memrchr (path.p, '.', path.n);
   return (MtStr) {path.p, dot ? (size_t) (dot - path.p) : 0};
}

/* ---- looking ---- */

/* Finds the field `name` among the BSON elements from p to end. Returns a pointer to its type byte,
 * or NULL. */
static const uint8_t *find (const uint8_t *p, const uint8_t *end, MtStr name)
{
   while (p < end) {
      const uint8_t *key = p + 1;
      size_t n = strlen ((const char *) key);
      if (n == name.n && memcmp (key, name.p, n) == 0)
         return p;
      p = key + n + 1 + mt_bson_value_size (*p, key + n + 1);
   }
   return NULL;
}

static const uint8_t *value_at (const uint8_t *element, MtStr name) { return element + name.n + 2; }

/* Returns the value at a path (names joined by dots) of a valid document, or MT_MISSING. The value
 * borrows the document's bytes. If a component before the last one is a value that is not a
 * document, then nothing can be set at the path: *blocked is set, and that value is returned. */
static MtVal patch_get (const uint8_t *doc, MtStr path, bool *blocked)
{
   *blocked = false;
   for (;;) {
      MtStr name = first_name (path);
      const uint8_t *e = find (doc + 4, doc + mt_get32 (doc) - 1, name);
      if (!e)
         return mt_v_missing ();
      MtVal v = mt_bson_value (*e, value_at (e, name));
      path = after_name (path, name.n);
      if (!path.n)
         return v;
      if (v.type != MT_DOC) {
         *blocked = true;
         return v;
      }
      doc = v.p;
   }
}

/* ---- numbers ---- */

static MtNum as_decimal (MtVal v)
{
   switch (v.type) {
   case MT_DECIMAL: return mt_num_load (v.p);
   case MT_DOUBLE: return mt_num_from_double (v.d);
   default: return mt_num_from_int64 (v.i);
   }
}

static double as_double (MtVal v) { return v.type == MT_DOUBLE ? v.d : (double) v.i; }

bool mt_patch_add (MtVal a, MtVal b, uint8_t room[16], MtVal *out, MtError *err)
{
   if (a.type == MT_DECIMAL || b.type == MT_DECIMAL) {
      MtNum sum;
      if (!mt_num_add (as_decimal (a), as_decimal (b), &sum, err))
         return false;
      memcpy (room, &sum, 16);
      *out = (MtVal) {.type = MT_DECIMAL, .len = 16, .p = room};
      return true;
   }
   if (a.type == MT_DOUBLE || b.type == MT_DOUBLE) {
      *out = mt_v_double (as_double (a) + as_double (b));
      return true;
   }
   int64_t sum;
   if (__builtin_add_overflow (a.i, b.i, &sum))
      return mt_error (err, MT_E_NUMERIC_RANGE, "bigint out of range");
   bool narrow = a.type == MT_INT32 && b.type == MT_INT32 && sum >= INT32_MIN && sum <= INT32_MAX;
   *out = narrow ? mt_v_int32 ((int32_t) sum) : mt_v_int64 (sum);
   return true;
}

/* ---- setting ---- */

/* A BSON value in its encoded form: n bytes at p. */
typedef struct Raw {
   uint8_t type;
   const uint8_t *p;
   size_t n;
} Raw;

/* Replaces `gone` bytes at offset `at` of the document by n other bytes, and corrects the lengths
 * of the enclosing documents. */
static void put_bytes (MtPatch *p, size_t at, size_t gone, const uint8_t *bytes, size_t n)
{
   if (n > gone && !mt_buf_reserve (&p->doc, n - gone + 1))
      return; /* there is no memory, so the statement fails */
   uint8_t *d = (uint8_t *) p->doc.p;
   if (n == gone) {
      memcpy (d + at, bytes, n);
      return;
   }
   memmove (d + at + n, d + at + gone, p->doc.n - at - gone);
   memcpy (d + at, bytes, n);
   p->doc.n += n - gone;
   for (unsigned i = 0; i <= p->depth; i++)
      mt_put32 (d + p->at[i], mt_get32 (d + p->at[i]) + (uint32_t) (n - gone));
}

/* Writes the type byte and the name of a BSON element, and returns a pointer behind them. */
static uint8_t *put_head (uint8_t *out, uint8_t type, MtStr name)
{
   *out++ = type;
   memcpy (out, name.p, name.n);
   out[name.n] = 0;
   return out + name.n + 1;
}

/* Encodes the value v at `path` as an element at `out`, with a nested document for each component
 * but the last. `out` needs path.n + v->n + 7 bytes for each component. Returns the offset of the
 * end of v; *size is the end of the element. inner[] gets the offsets of the *count nested
 * documents. */
static size_t make_element (uint8_t *out, MtStr path, const Raw *v, size_t *inner, unsigned *count,
                            size_t *size)
{
   MtStr name = first_name (path), rest = after_name (path, name.n);
   uint8_t *p = out;
   *count = 0;
   for (; rest.n; name = first_name (rest), rest = after_name (rest, name.n)) {
      p = put_head (p, MT_DOC, name);
      inner[(*count)++] = (size_t) (p - out);
      p += 4;
   }
   p = put_head (p, v->type, name);
   memcpy (p, v->p, v->n);
   p += v->n;
   size_t end = (size_t) (p - out);
   for (unsigned i = *count; i-- > 0;) {
      *p++ = 0;
      mt_put32 (out + inner[i], (uint32_t) ((size_t) (p - out) - inner[i]));
   }
   *size = (size_t) (p - out);
   return end;
}

static void append (MtPatch *p, MtStr path, const Raw *v)
{
   uint8_t small[256]; /* memory on the stack, large enough for most elements */
   size_t names = 1, size;
   for (size_t i = 0; i < path.n; i++)
      names += path.p[i] == '.';
   size_t most = path.n + v->n + 7 * names;
   uint8_t *made = most <= sizeof small ? small : mt_malloc ("increments", most);
   size_t inner[MT_PATCH_DEPTH],
      at = p->at[p->depth] + mt_get32 ((uint8_t *) p->doc.p + p->at[p->depth]) - 1;
   unsigned count;
   size_t end = make_element (made, path, v, inner, &count, &size);
   put_bytes (p, at, 0, made, size);
   for (unsigned i = 0; i < count; i++)
      p->at[++p->depth] = at + inner[i];
   p->resume = at + end;
   if (made != small)
      free (made);
}

/* Replaces the value of the field `name` in the innermost document that the path has reached
 * (p->at[p->depth]). Returns false if it has no such field. */
static bool replace (MtPatch *p, MtStr name, const Raw *v)
{
   uint8_t *d = (uint8_t *) p->doc.p, *start = d + p->at[p->depth],
           *end = start + mt_get32 (start) - 1;
   const uint8_t *e = p->resume ? find (d + p->resume, end, name) : NULL;
   if (!e)
      e = find (start + 4, p->resume ? d + p->resume : end, name);
   if (!e)
      return false;
   size_t type_at = (size_t) (e - d), at = (size_t) (value_at (e, name) - d);
   size_t gone = mt_bson_value_size (*e, d + at);
   d[type_at] = v->type;
   put_bytes (p, at, gone, v->p, v->n);
   p->resume = at + v->n;
   return true;
}

/* Follows the path through nested documents as far as they exist, and records their offsets in
 * p->at. Returns the rest of the path, at least its last component. */
static MtStr descend (MtPatch *p, MtStr path)
{
   const uint8_t *d = (const uint8_t *) p->doc.p;
   p->depth = 0;
   p->at[0] = p->resume = 0;
   for (;;) {
      MtStr name = first_name (path);
      const uint8_t *start = d + p->at[p->depth], *e;
      if (name.n == path.n || !(e = find (start + 4, start + mt_get32 (start) - 1, name)))
         return path;
      p->at[++p->depth] = (size_t) (value_at (e, name) - d);
      path = after_name (path, name.n);
   }
}

/* Sets the value at a path; creates the field and its parent documents if needed. With `absent`,
 * the caller guarantees that the path does not exist yet. */
static void put (MtPatch *p, MtStr path, const Raw *v, bool absent)
{
   MtStr parent = parent_of (path), rest;
   bool same = p->resume && parent.n == p->parent.n &&
               memcmp (parent.p, p->parent.p, parent.n) == 0;
   rest = same ? (MtStr) {path.p + parent.n + (parent.n > 0), path.n - parent.n - (parent.n > 0)}
               : descend (p, path);
   if (absent || memchr (rest.p, '.', rest.n) || !replace (p, rest, v))
      append (p, rest, v);
   p->parent = parent;
}

void mt_patch_set (MtPatch *p, MtStr path, MtVal v, bool absent)
{
   uint8_t four[4];
   Raw raw = {v.type, (const uint8_t *) &v.i, 8};
   if (v.type == MT_DECIMAL)
      raw = (Raw) {v.type, v.p, 16};
   if (v.type == MT_INT32) {
      mt_put32 (four, (uint32_t) v.i);
      raw = (Raw) {v.type, four, 4};
   }
   put (p, path, &raw, absent);
}

void mt_patch_set_all (MtPatch *p, const uint8_t *fields)
{
   for (const uint8_t *e = fields + 4, *end = fields + mt_get32 (fields) - 1; e < end;) {
      const char *key = (const char *) e + 1;
      size_t n = strlen (key);
      const uint8_t *value = e + n + 2;
      Raw raw = {*e, value, mt_bson_value_size (*e, value)};
      put (p, (MtStr) {key, n}, &raw, false);
      e = value + raw.n;
   }
}

/* ---- adding ---- */

static bool check_path (MtStr path, MtError *err)
{
   unsigned names = 1;
   for (size_t i = 0; i < path.n; i++)
      names += path.p[i] == '.';
   return names <= MT_PATCH_DEPTH ||
          mt_error (err, MT_E_LIMIT, "a path of %u names is longer than the limit of %d", names,
                    MT_PATCH_DEPTH);
}

bool mt_patch_sum (const uint8_t *doc, MtStr path, MtVal amount, const char *collection,
                   MtPatchSum *out, MtError *err)
{
   bool blocked;
   if (!check_path (path, err))
      return false;
   if (!mt_is_number (amount))
      return mt_error (err, MT_E_DATATYPE_MISMATCH, "cannot increment with a value of type %s",
                       mt_v_type_name (amount));
   MtVal old = patch_get (doc, path, &blocked);
   if (blocked)
      return mt_error (
         err, MT_E_DATATYPE_MISMATCH,
         "cannot create field \"%.*s\" in a document of collection \"%s\": a part of the path is "
         "of type %s",
         (int) path.n, path.p, collection, mt_v_type_name (old));
   if (old.type != MT_MISSING && !mt_is_number (old))
      return mt_error (
         err, MT_E_DATATYPE_MISMATCH,
         "cannot add to field \"%.*s\" of a document of collection \"%s\": it is of type %s",
         (int) path.n, path.p, collection, mt_v_type_name (old));
   out->value = amount;
   out->absent = old.type == MT_MISSING;
   return out->absent || mt_patch_add (old, amount, out->decimal, &out->value, err);
}

bool mt_patch_add_all (MtPatch *p, const uint8_t *amounts, const char *collection, MtError *err)
{
   for (const uint8_t *e = amounts + 4, *end = amounts + mt_get32 (amounts) - 1; e < end;) {
      MtStr path = {(const char *) e + 1, strlen ((const char *) e + 1)};
      const uint8_t *value = e + path.n + 2;
      MtPatchSum sum;
      if (!mt_patch_sum ((const uint8_t *) p->doc.p, path, mt_bson_value (*e, value), collection,
                         &sum, err))
         return false;
      mt_patch_set (p, path, sum.value, sum.absent);
      e = value + mt_bson_value_size (*e, value);
   }
   return true;
}
