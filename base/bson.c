#include "base/bson.h"

#include "base/bytes.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Building a document up to this size never fails for lack of memory, as a request of bounded size
 * (base/memory.h). */
enum { BOUNDED = 64 << 20 };

/* ---- bytes ---- */

bool mt_bson_grow (MtBson *b, size_t more)
{
   size_t need = b->n + more;
   uint8_t *p = NULL;
   if (!b->failed && mt_value_fits (need)) {
      b->cap = mt_room ("document", b->cap, need, 256, 1, sizeof b->cap);
      if (b->arena)
         p = mt_try_arena_move (b->arena, b->p, b->n, b->cap, 1);
      else if (need <= BOUNDED)
         p = mt_realloc ("document", b->p, b->cap);
      else
         p = mt_try_realloc ("document", b->p, b->cap);
   }
   if (!p)
      b->cap = b->n; /* nothing more fits into the old memory either */
   b->p = p ? p : b->p;
   b->failed = !p;
   return p;
}

void mt_bson_tail (MtBson *b, MtVal v)
{
   if (mt_bson_room (b, (size_t) v.len + 16))
      b->n = (size_t) (mt_v_store (b->p + b->n, v) - b->p);
}

size_t mt_bson_index (uint32_t i, char out[12])
{
   char tmp[12];
   size_t n = 0;
   do
      tmp[n++] = (char) ('0' + i % 10);
   while (i /= 10);
   for (size_t k = 0; k < n; k++)
      out[k] = tmp[n - 1 - k];
   out[n] = 0;
   return n + 1;
}

/* ---- fields ---- */

static void check_name (MtBson *b, const char *name, size_t n)
{
   if (n && memchr (name, 0, n))
      b->failed = true;
}

void mt_bson_add (MtBson *b, const char *name, size_t n, MtVal v)
{
   if (v.type == MT_MISSING || !mt_bson_room (b, n + v.len + 18))
      return;
   uint8_t *p = b->p + b->n;
   *p++ = v.type;
   if (n)
      memcpy (p, name, n);
   p[n] = 0;
   b->n = (size_t) (mt_v_store (p + n + 1, v) - b->p);
}

void mt_bson_put_named (MtBson *b, const char *name, size_t n, MtVal v)
{
   check_name (b, name, n);
   mt_bson_add (b, name, n, v);
}

void mt_bson_put (MtBson *b, const char *name, MtVal v) { mt_bson_add (b, name, strlen (name), v); }

void mt_bson_put_at (MtBson *b, uint32_t i, MtVal v)
{
   char name[12];
   size_t size = mt_bson_index (i, name);
   mt_bson_add (b, name, size - 1, v.type == MT_MISSING ? mt_v_null () : v);
}

size_t mt_bson_open (MtBson *b, uint8_t type, const char *name, size_t n)
{
   mt_bson_byte (b, type);
   mt_bson_bytes (b, name, n);
   mt_bson_byte (b, 0);
   return mt_bson_begin (b);
}

size_t mt_bson_doc (MtBson *b, const char *name)
{
   return mt_bson_open (b, MT_DOC, name, strlen (name));
}

size_t mt_bson_doc_named (MtBson *b, const char *name, size_t n)
{
   check_name (b, name, n);
   return mt_bson_open (b, MT_DOC, name, n);
}

size_t mt_bson_array (MtBson *b, const char *name)
{
   return mt_bson_open (b, MT_ARRAY, name, strlen (name));
}

size_t mt_bson_doc_at (MtBson *b, uint32_t i)
{
   char name[12];
   size_t size = mt_bson_index (i, name);
   return mt_bson_open (b, MT_DOC, name, size - 1);
}

void mt_bson_end (MtBson *b, size_t at)
{
   mt_bson_byte (b, 0);
   if (b->failed)
      return; /* after a failure, `at` may lie beyond the bytes that were kept */
   int32_t size = (int32_t) (b->n - at);
   memcpy (b->p + at, &size, 4);
}

/* ---- formats ---- */

typedef struct Format {
   MtBson *b;
   const char *p; /* the rest of the format */
   va_list args;
} Format;

static void put_fields (Format *f, bool array);

static bool take (Format *f, const char *word)
{
   size_t n = strlen (word);
   if (strncmp (f->p, word, n) != 0)
      return false;
   f->p += n;
   return true;
}

/* Returns the text in the format from f->p up to one of the characters `end`. If the format has %s
 * or %.*s there, returns the argument instead. */
static MtStr take_text (Format *f, const char *end)
{
   if (take (f, "%.*s")) {
      int n = va_arg (f->args, int);
      return (MtStr) {va_arg (f->args, const char *), (size_t) n};
   }
   if (take (f, "%s")) {
      const char *s = va_arg (f->args, const char *);
      return (MtStr) {s, strlen (s)};
   }
   MtStr text = {f->p, strcspn (f->p, end)};
   f->p += text.n;
   return text;
}

static MtVal take_number (Format *f)
{
   char *end;
   int32_t i = (int32_t) strtol (f->p, &end, 10);
   f->p = end;
   return mt_v_int32 (i);
}

static MtVal take_value (Format *f)
{
   if (take (f, "%p"))
      return *(const MtVal *) va_arg (f->args, void *);
   if (take (f, "%d"))
      return mt_v_int32 (va_arg (f->args, int));
   if (take (f, "%" PRId64))
      return mt_v_int64 (va_arg (f->args, int64_t));
   if (take (f, "true"))
      return mt_v_bool (true);
   if (take (f, "false"))
      return mt_v_bool (false);
   if (take (f, "null"))
      return mt_v_null ();
   bool quoted = take (f, "'");
   if (!quoted && *f->p != '%')
      return take_number (f);
   MtStr text = take_text (f, "'");
   f->p += quoted;
   return mt_v_str (text.p, text.n);
}

static void put_field (Format *f, MtStr name)
{
   bool array = *f->p == '[';
   if (!array && *f->p != '{') {
      mt_bson_put_named (f->b, name.p, name.n, take_value (f));
      return;
   }
   check_name (f->b, name.p, name.n);
   size_t at = mt_bson_open (f->b, array ? MT_ARRAY : MT_DOC, name.p, name.n);
   f->p++;
   put_fields (f, array);
   f->p++;
   mt_bson_end (f->b, at);
}

static void put_fields (Format *f, bool array)
{
   char index[12];
   for (uint32_t i = 0;; i++) {
      f->p += strspn (f->p, ", ");
      if (!*f->p || *f->p == '}' || *f->p == ']')
         return;
      MtStr name = {index, array ? mt_bson_index (i, index) - 1 : 0};
      if (!array) {
         name = take_text (f, ":");
         f->p += strspn (f->p, ": ");
      }
      put_field (f, name);
   }
}

static void put_formatted (MtBson *b, const char *format, va_list args)
{
   Format f = {.b = b, .p = format};
   va_copy (f.args, args);
   put_fields (&f, false);
   va_end (f.args);
}

void mt_bson_printf (MtBson *b, const char *format, ...)
{
   va_list args;
   va_start (args, format);
   put_formatted (b, format, args);
   va_end (args);
}

/* Returns whether there is enough memory to append v to the document. If not, records the shortage.
 * This test is needed because libbson aborts the process if its allocation (a power of two)
 * fails. */
static bool room_for (const bson_t *d, MtVal v)
{
   enum {
      SMALL = 64 << 10,
      MARGIN = 1 << 10
   }; /* space for the name, and for the bytes that libbson adds around a value */
   size_t need = (size_t) d->len + v.len, room = SMALL;
   if (need <= SMALL)
      return true;
   need += MARGIN;
   while (room < d->len)
      room *= 2;
   if (need <= room)
      return true;
   while (room < need)
      room *= 2;
   void *p = mt_try_malloc ("document", room);
   free (p);
   return p != NULL;
}

/* ---- documents ---- */

void mt_bson_start (MtBson *b)
{
   b->n = 0;
   b->failed = false;
   mt_bson_begin (b);
}

bool mt_bson_finish (MtBson *b, bson_t *doc)
{
   mt_bson_end (b, 0);
   return !b->failed && bson_init_static (doc, b->p, b->n);
}

bool mt_bson_finish_into (MtBson *b, bson_t *out)
{
   bson_t doc;
   bool ok = mt_bson_finish (b, &doc) && room_for (out, mt_v_doc (&doc)) && bson_concat (out, &doc);
   mt_bson_free (b);
   return ok;
}

void mt_bson_free (MtBson *b)
{
   if (!b->arena)
      free (b->p);
   *b = (MtBson) {.arena = b->arena};
}

MtVal mt_bson_part (const MtBson *b, size_t at, uint8_t type)
{
   static const uint8_t nothing[] = {5, 0, 0, 0, 0};
   const uint8_t *p = b->failed ? nothing : b->p + at;
   return (MtVal) {.type = type, .len = mt_get32 (p), .p = p};
}

/* ---- documents of the driver ---- */

static void destroy (void *d) { bson_destroy (d); }

/* Allocates the bson_t in the arena, with the alignment of 128 that libbson declares. Most
 * documents are small and fit into the bson_t itself. */
bson_t *mt_doc_new (MtArena *a)
{
   enum { ALIGN = 128 };
   uint8_t *room = mt_alloc (a, sizeof (bson_t) + ALIGN - 1);
   bson_t *d = (bson_t *) (room + (-(uintptr_t) room & (ALIGN - 1)));
   bson_init (d);
   mt_arena_defer (a, destroy, d);
   return d;
}

bson_t *mt_doc_of (MtArena *a, MtVal v)
{
   bson_t *d = mt_doc_new (a);
   mt_doc_add (d, "", v);
   return d;
}

MtVal mt_doc_value (const bson_t *d)
{
   bson_iter_t it;
   if (!bson_iter_init (&it, d) || !bson_iter_next (&it))
      return mt_v_missing ();
   return mt_v_from_iter (&it);
}

static bool append_doc (bson_t *d, const char *name, MtVal v)
{
   bson_t sub;
   if (!bson_init_static (&sub, v.p, v.len))
      return false;
   return v.type == MT_DOC ? bson_append_document (d, name, -1, &sub)
                           : bson_append_array (d, name, -1, &sub);
}

/* Appends a value of a type that libbson appends only from its own structures. */
static bool append_raw (bson_t *d, const char *name, MtVal v)
{
   MtBson b = {0};
   mt_bson_start (&b);
   mt_bson_put (&b, name, v);
   return mt_bson_finish_into (&b, d);
}

bool mt_doc_append (bson_t *d, const char *name, MtVal v)
{
   const char *s = v.len ? (const char *) v.p : "";
   if (!room_for (d, v))
      return false;
   switch (v.type) {
   case MT_MISSING: return true;
   case MT_DOUBLE: return bson_append_double (d, name, -1, v.d);
   case MT_STRING: return bson_append_utf8 (d, name, -1, s, (int) v.len);
   case MT_DOC:
   case MT_ARRAY: return append_doc (d, name, v);
   case MT_BOOL: return bson_append_bool (d, name, -1, v.i != 0);
   case MT_DATE: return bson_append_date_time (d, name, -1, v.i);
   case MT_NULL: return bson_append_null (d, name, -1);
   case MT_INT32: return bson_append_int32 (d, name, -1, (int32_t) v.i);
   case MT_INT64: return bson_append_int64 (d, name, -1, v.i);
   }
   return append_raw (d, name, v);
}

/* Checks the result of an append to a document of bounded size. It is false only if memory is
 * exhausted, which ends the statement later, or because of a bug. */
static void must (bool ok)
{
   if (!ok && mt_memory_check (NULL)) {
      fprintf (stderr, "mtsql: a document outgrew BSON\n");
      abort ();
   }
}

void mt_doc_add (bson_t *d, const char *name, MtVal v) { must (mt_doc_append (d, name, v)); }

void mt_doc_push (bson_t *array, MtVal v)
{
   char room[MT_INDEX_SIZE];
   mt_doc_add (array, mt_index_key (bson_count_keys (array), room), v);
}

void mt_doc_add_path (MtArena *a, bson_t *d, const char *name, const char *path)
{
   mt_doc_add_text (d, name, mt_printf (a, "$%s", path));
}

void mt_doc_printf (bson_t *d, const char *format, ...)
{
   MtBson b = {0};
   va_list args;
   mt_bson_start (&b);
   va_start (args, format);
   put_formatted (&b, format, args);
   va_end (args);
   must (mt_bson_finish_into (&b, d));
}

void mt_doc_begin (bson_t *d, const char *name, bson_t *sub)
{
   must (bson_append_document_begin (d, name, -1, sub));
}

void mt_doc_end (bson_t *d, bson_t *sub) { must (bson_append_document_end (d, sub)); }

void mt_array_begin (bson_t *d, const char *name, bson_t *sub)
{
   must (bson_append_array_begin (d, name, -1, sub));
}

void mt_array_end (bson_t *d, bson_t *sub) { must (bson_append_array_end (d, sub)); }
