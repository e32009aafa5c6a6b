/* BSON values as text that mongosh reads: JSON with JavaScript's additions.
 *
 * The additions are names without quotes, single quotes, comments, commas before a closing bracket,
 * regular expressions, the shell's constructors (ObjectId, ISODate, NumberLong …), hexadecimal
 * numbers, and sums and products of numbers. Extended JSON ({"$oid": "…"}) is read as the value
 * that it describes.
 *
 * A whole number is an int if it fits, else a long, else a double. A number with a point or an
 * exponent is a double, also 5.0 (mongosh sends an int). A repeated field name is an error (mongosh
 * keeps the last field).
 *
 * Errors have a span in bytes of the text: 42601 (syntax), 22P02 (a constructor's argument), 22021
 * (invalid UTF-8), 54000 (too large or nested too deep). */
#ifndef MT_MONGOSH_H
#define MT_MONGOSH_H

#include "base/error.h"
#include "base/value.h"

/* Reads one value. Its bytes are in arena a, or borrowed from the text. */
bool mt_mongosh_read (MtArena *a, MtStr text, MtVal *out, MtError *err);
/* Reads one value into a document with one field "". Owned by the caller: bson_destroy. Returns
 * NULL on error. */
bson_t *mt_mongosh_wrapped (MtStr text, MtError *err);

/* The argument of --aggregate: an array of stages with options behind it ([…], {…}), or
 * db.COLLECTION.aggregate([…], {…}). */
typedef struct MtMongoshAggregate {
   const char *collection; /* NULL: the text doesn't name one, or says db.aggregate */
   MtSpan collection_span;
   MtVal pipeline;
   MtVal options; /* MT_MISSING: none */
   MtSpan options_span;
} MtMongoshAggregate;

bool mt_mongosh_aggregate (MtArena *a, MtStr text, MtMongoshAggregate *out, MtError *err);

/* Returns the place, in bytes, of a value in valid text. The path is for example "a.b[2].c"; ""
 * means the whole text. Names may contain dots. `name`: returns the place of the last field's name
 * instead. If the path does not exist, returns the place of the last value on the path that
 * exists. */
MtSpan mt_mongosh_place (MtStr text, const char *path, bool name);

#endif
