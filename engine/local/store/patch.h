/* Sets numbers in stored documents by their paths. The code for increments uses these functions. */
#ifndef MT_LOCAL_PATCH_H
#define MT_LOCAL_PATCH_H

#include "base/error.h"
#include "base/str.h"
#include "base/value.h"

/* The most names that a path may have. Longer paths fail with 54000. */
#define MT_PATCH_DEPTH 64

/* Computes a + b by the rules of $inc: the result has the wider type, and an int that overflows
 * becomes a long. Fails with 22003 if a long overflows. `room` is memory for the bytes of a
 * decimal result. */
bool mt_patch_add (MtVal a, MtVal b, uint8_t room[16], MtVal *out, MtError *err);

/* A document that is being changed. Begin with the whole document in `doc` and zeros otherwise. */
typedef struct MtPatch {
   MtBuf doc;
   size_t at[MT_PATCH_DEPTH + 1]; /* offsets of the nested documents along the last path */
   unsigned depth;
   /* The last path that was set, without its last name. Borrowed: paths must stay valid as long
    * as the patch. */
   MtStr parent;
   size_t resume; /* offset of the end of the last value that was set */
} MtPatch;

/* Sets the number `v` at a path. Creates missing documents along the path, at the ends of their
 * parents. No name before the last one may lead to a value that is not a document. `absent`: the
 * caller guarantees that the path does not exist. */
void mt_patch_set (MtPatch *p, MtStr path, MtVal v, bool absent);
/* Sets all numbers of the checked document `fields`: {path: number, …}. `fields` must stay valid
 * as long as the patch. */
void mt_patch_set_all (MtPatch *p, const uint8_t *fields);
/* Adds all numbers of `amounts`, {path: number, …}, to the numbers at their paths. Fails with
 * 42804 (and names `collection`) if a field is not a number, and with 54000 if a path has too
 * many names. */
bool mt_patch_add_all (MtPatch *p, const uint8_t *amounts, const char *collection, MtError *err);
typedef struct MtPatchSum {
   MtVal value;
   bool absent;         /* the document had no number at the path */
   uint8_t decimal[16]; /* memory for the bytes of a decimal value */
} MtPatchSum;

/* Computes the sum of `amount` and the number at a path, without a change of the document. Fails
 * with 42804 if the field is not a number, and with 54000 if the path has too many names. */
bool mt_patch_sum (const uint8_t *doc, MtStr path, MtVal amount, const char *collection,
                   MtPatchSum *out, MtError *err);

#endif
