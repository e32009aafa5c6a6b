/* Corrects a document: writes a copy with the expected numbers in place of wrong ones (MtFault). */
#include "base/bson.h"
#include "base/memory.h"
#include "layouts/read/faults.h"

#include <stdlib.h>

/* The faults in the sub-document that is being copied. When a fault has been corrected, its pointer
 * becomes NULL. */
typedef struct Mend {
   const MtFault **faults;
   size_t count;
   size_t depth; /* length of the path from the root to this sub-document */
} Mend;

/* If fault number i is in the field `name` of this sub-document, returns the rest of its path after
 * that name; else NULL. */
static const char *behind (const Mend *m, size_t i, MtStr name)
{
   const char *path = m->faults[i] ? m->faults[i]->path + m->depth : NULL;
   if (!path || strncmp (path, name.p, name.n))
      return NULL;
   char next = path[name.n];
   return next == 0 || next == MT_FAULT_SEPARATOR ? path + name.n : NULL;
}

static void copy_fields (Mend *m, MtVal from, MtBson *to);

static void copy_within (Mend *m, MtStr key, MtVal v, MtBson *to)
{
   mt_bson_byte (to, v.type);
   mt_bson_bytes (to, key.p, key.n);
   mt_bson_byte (to, 0);
   size_t at = mt_bson_begin (to);
   copy_fields (m, v, to);
   mt_bson_end (to, at);
}

/* Appends the field `key` with value v to `to`, with all faults in it corrected. */
static void copy_field (Mend *m, MtStr key, MtVal v, MtBson *to)
{
   Mend within = {.depth = m->depth + key.n + 1};
   for (size_t i = 0; i < m->count; i++) {
      const char *rest = behind (m, i, key);
      if (!rest)
         continue;
      const MtFault *f = m->faults[i];
      m->faults[i] = NULL;
      if (!*rest) {
         free (within.faults);
         mt_bson_put_named (to, key.p, key.n, f->expected);
         return;
      }
      if (!within.faults)
         within.faults = mt_calloc ("faults", m->count, sizeof *within.faults);
      within.faults[within.count++] = f;
   }
   if (within.count && (v.type == MT_DOC || v.type == MT_ARRAY))
      copy_within (&within, key, v, to);
   else
      mt_bson_put_named (to, key.p, key.n, v);
   free (within.faults);
}

/* Appends the missing fields that REPAIR adds, with the expected counts or sums (MtFault). Creates
 * missing sub-documents. */
static void append_missing (Mend *m, MtBson *to)
{
   static const uint8_t nothing[] = {5, 0, 0, 0, 0};
   const MtVal empty = {.type = MT_DOC, .len = sizeof nothing, .p = nothing};
   for (size_t i = 0; i < m->count; i++) {
      if (!m->faults[i])
         continue;
      const char *name = m->faults[i]->path + m->depth, *end = strchr (name, MT_FAULT_SEPARATOR);
      size_t n = end ? (size_t) (end - name) : strlen (name);
      copy_field (m, (MtStr) {name, n}, empty, to);
   }
}

static void copy_fields (Mend *m, MtVal from, MtBson *to)
{
   MtDocIter it = mt_doc_iter (from);
   MtStr key;
   MtVal v;
   while (mt_doc_next (&it, &key, &v))
      copy_field (m, key, v, to);
   append_missing (m, to);
}

bool mt_document_mend (const bson_t *doc, const MtFault *faults, size_t count, bson_t *out)
{
   Mend m = {.faults = mt_calloc ("faults", count + 1, sizeof *m.faults), .count = count};
   MtBson b = {0};
   for (size_t i = 0; i < count; i++)
      m.faults[i] = &faults[i];
   mt_bson_start (&b);
   copy_fields (&m, mt_v_doc (doc), &b);
   free (m.faults);
   return mt_bson_finish_into (&b, out);
}
