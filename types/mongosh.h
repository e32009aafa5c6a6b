/* BSON values as text that mongosh reads: JSON, and what JavaScript adds to it.
 *
 * That is names without quotes, single quotes, comments, commas before a closing bracket, regular
 * expressions, the shell's constructors (ObjectId, ISODate, NumberLong …), hexadecimal numbers, and
 * sums and products of numbers. Extended JSON ({"$oid": "…"}) is read as the values that it stands
 * for.
 *
 * A whole number is an int where it fits, else a long, else a double. A number with a point or an
 * exponent is a double: 5.0 too, which mongosh itself sends as an int. A field that is named twice
 * is refused, of which mongosh keeps one.
 *
 * Errors have a span in bytes of the text: 42601 (syntax), 22P02 (a constructor's argument), 22021,
 * 54000. */
#ifndef MT_MONGOSH_H
#define MT_MONGOSH_H

#include "base/error.h"
#include "base/value.h"

/* One value. Its bytes are in arena a, or borrowed from the text. */
bool mt_mongosh_read (MtArena *a, MtStr text, MtVal *out, MtError *err);
/* The same as a document of one field "", for those who walk BSON; to be destroyed. NULL: an
 * error. */
bson_t *mt_mongosh_wrapped (MtStr text, MtError *err);

/* What --aggregate is given: an array of stages, or db.COLLECTION.aggregate([…], {…}). */
typedef struct MtMongoshAggregate {
   const char *collection; /* NULL: the text doesn't name one, or says db.aggregate */
   MtSpan collection_span;
   MtVal pipeline;
   MtVal options; /* MT_MISSING: none */
   MtSpan options_span;
} MtMongoshAggregate;

bool mt_mongosh_aggregate (MtArena *a, MtStr text, MtMongoshAggregate *out, MtError *err);

/* Where in such text (valid) the value lies to which a path as "a.b[2].c" leads ("": all of it),
 * or, with `name`, the name of the field that the path ends in. Names may have dots themselves.
 * Where the path leads nowhere, the value at which it ends. Span in bytes. */
MtSpan mt_mongosh_place (MtStr text, const char *path, bool name);

#endif
