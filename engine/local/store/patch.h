/* Numbers of stored documents set by their paths: what increments make of a document. */
#ifndef MT_LOCAL_PATCH_H
#define MT_LOCAL_PATCH_H

#include "base/error.h"
#include "base/str.h"
#include "base/value.h"

#define MT_PATCH_DEPTH 64 /* names in a path (54000) */

/* The value at a path (names joined by dots) of a checked document, or MT_MISSING. *blocked: a part
 * of the path that comes before its last is no document, so that nothing can be set there; its
 * value is given then. Borrowed. */
MtVal mt_patch_get (const uint8_t *doc, MtStr path, bool *blocked);

/* a + b as $inc adds them: the wider type, int that overflows becomes long, 22003 for a long that
 * does. The bytes of a decimal are in `room`. */
bool mt_patch_add (MtVal a, MtVal b, uint8_t room[16], MtVal *out, MtError *err);

/* A document that is changed. Begin with the whole document in `doc` and zeros otherwise. */
typedef struct MtPatch {
   MtBuf doc;
   size_t at[MT_PATCH_DEPTH + 1]; /* offsets of the documents that the last path went through */
   unsigned depth;
   MtStr
      parent; /* the last path but its last name; borrowed: paths must last as long as the patch */
   size_t resume; /* offset behind what was set last */
} MtPatch;

/* Sets the value at a path, making what is missing of it at the ends of documents. Not for paths
 * that mt_patch_get calls blocked. */
void mt_patch_set (MtPatch *p, MtStr path, MtVal v,
                   bool absent); /* v: a number; absent: it is known not to be there */
/* The same for each field of a checked document {path: value, …}, which must last as long as the
 * patch. */
void mt_patch_set_all (MtPatch *p, const uint8_t *fields);
/* Adds to each its number: {path: number, …}. 42804 (naming `collection`) for what is no number,
 * 54000 for too long a path. */
bool mt_patch_add_all (MtPatch *p, const uint8_t *amounts, const char *collection, MtError *err);
/* The sum of what is at a path now and an amount. */
bool mt_patch_sum (const uint8_t *doc, MtStr path, MtVal amount, const char *collection,
                   uint8_t room[16], MtVal *out, bool *absent, MtError *err);

#endif
