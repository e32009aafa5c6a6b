/* All documents of another collection in memory, with a hash table by the values of a field. */
#ifndef MT_FOREIGN_H
#define MT_FOREIGN_H

#include "engine/local/exec/run.h"

typedef struct MtForeign {
   MtArena *arena;
   MtVal *docs;
   uint32_t n, cap;
   uint32_t *first, mask; /* hash table of entries (number + 1), with mask + 1 buckets */
   struct MtForeignEntry {
      uint32_t doc, next;
      MtVal key;
   } *entries;
   uint32_t entry_count, entry_cap;
} MtForeign;

/* Reads the documents that `pipeline`, an array of stages, returns over a collection. path: the
 * field for the hash table; count 0: no hash table. Returns false with w->err set on failure; 53200
 * if the documents exceed work_mem. The caller must free f in any case. */
bool mt_foreign_load (MtForeign *f, MtWork *w, const char *collection, MtVal pipeline,
                      const MtPath *path);
void mt_foreign_free (MtForeign *f);
/* Calls found (ctx, i) for each document number i whose field equals v, or is an array with an
 * element that equals v. */
void mt_foreign_find (const MtForeign *f, MtVal v, void (*found) (void *ctx, uint32_t i),
                      void *ctx);
/* Returns an empty array: a pipeline without stages. */
MtVal mt_no_stages (void);

#endif
