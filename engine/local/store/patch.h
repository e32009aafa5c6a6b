/* Setting numbers in stored documents by their paths. Increments use it. */
#ifndef MT_LOCAL_PATCH_H
#define MT_LOCAL_PATCH_H

#include "base/error.h"
#include "base/str.h"
#include "base/value.h"

/* The most names in a path (54000). */
#define MT_PATCH_DEPTH 64

/* Returns the value at a path (names joined by dots) of a checked document, or MT_MISSING.
 * Borrowed. *blocked: a name before the last leads to a value that is not a document, so nothing
 * can be set there. That value is returned then. */
MtVal mt_patch_get (const uint8_t *doc, MtStr path, bool *blocked);

/* Adds a + b with the rules of $inc: the result has the wider type, and an int that overflows
 * becomes a long. 22003 if a long overflows. `room` gets the bytes of a decimal. */
bool mt_patch_add (MtVal a, MtVal b, uint8_t room[16], MtVal *out, MtError *err);

/* A document that is being changed. Begin with the whole document in `doc` and zeros otherwise. */
typedef struct MtPatch {
   MtBuf doc;
   size_t at[MT_PATCH_DEPTH + 1]; /* offsets of the documents along the last path */
   unsigned depth;
   /* The last path without its last name. Borrowed: paths must last as long as the patch. */
   MtStr parent;
   size_t resume; /* offset behind the value that was set last */
} MtPatch;

/* Sets the value at a path. Missing documents along the path are created at the ends of their
 * parents. The path must not be blocked (mt_patch_get). */
/* v: a number. absent: the path certainly does not exist. */
void mt_patch_set (MtPatch *p, MtStr path, MtVal v, bool absent);
/* Sets each field of a checked document {path: value, …}, which must last as long as the patch. */
void mt_patch_set_all (MtPatch *p, const uint8_t *fields);
/* Adds to each path its number: {path: number, …}. 42804 (naming `collection`) if a field is not a
 * number, 54000 if a path is too long. */
bool mt_patch_add_all (MtPatch *p, const uint8_t *amounts, const char *collection, MtError *err);
typedef struct MtPatchSum {
   MtVal value;
   bool absent;         /* there was no number at the path */
   uint8_t decimal[16]; /* bytes of a decimal value */
} MtPatchSum;

/* Computes the sum of an amount and the number at a path. Errors as for mt_patch_add_all. */
bool mt_patch_sum (const uint8_t *doc, MtStr path, MtVal amount, const char *collection,
                   MtPatchSum *out, MtError *err);

#endif
