/* Parses BSON values in mongosh's syntax: JSON with JavaScript's additions.
 *
 * The additions are names without quotes, single quotes, comments, commas before a closing bracket,
 * regular expressions, the shell's constructors (ObjectId, ISODate, NumberLong …), hexadecimal
 * numbers, and sums and products of numbers. Extended JSON ({"$oid": "…"}) is converted to the
 * value that it describes.
 *
 * An integer becomes an int if it fits, else a long, else a double. A number with a decimal point
 * or an exponent is a double, even 5.0 (for which mongosh sends an int). A repeated field name is
 * an error (mongosh keeps the last field).
 *
 * Errors have a span in bytes of the text: 42601 (syntax), 22P02 (a constructor's argument), 22021
 * (invalid UTF-8), 54000 (too large or nested too deeply). */
#ifndef MT_MONGOSH_H
#define MT_MONGOSH_H

#include "base/error.h"
#include "base/value.h"

/* Parses one value. Its bytes are in arena a, or borrowed from the text. */
bool mt_mongosh_read (MtArena *a, MtStr text, MtVal *out, MtError *err);
/* Parses one value, and returns it as a document with the single field "". Owned by the caller:
 * bson_destroy. NULL with an error. */
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

/* Returns the span in bytes of a value in valid text. path: such as "a.b[2].c"; "" is the whole
 * text. Names may contain dots. name: returns the span of the last field's name instead. If the
 * path does not exist, returns the span of the last value on the path that exists. */
MtSpan mt_mongosh_place (MtStr text, const char *path, bool name);

#endif
