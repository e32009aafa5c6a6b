/* Collections that nobody declared. */
#ifndef MT_UNDECLARED_H
#define MT_UNDECLARED_H

#include "layouts/seen.h"
#include "session/state/session.h"

typedef struct MtUndeclared MtUndeclared;

/* What a sample showed. */
typedef struct MtCollectionSample {
   const char *collection;
   MtSeen *root;
   uint64_t sampled;          /* documents looked at */
   uint64_t documents, bytes; /* of the whole collection */
   const char *hidden;        /* fields that no path reaches; NULL: none */
} MtCollectionSample;

/* The collection by name (exact, or in any case), sampled unless it was before and no fresh sample
 * is asked for. *out = NULL: there is none, or the name is the catalog's or the server's own.
 * Borrowed from the session; what it holds is valid until the sample after the next. */
bool mt_undeclared_find (MtSession *s, const char *name, bool exact, bool fresh, MtUndeclared **out,
                         MtError *err);
/* Calls visit with each document of a new random sample, as long as it says true. */
bool mt_undeclared_visit (MtSession *s, const char *collection,
                          bool (*visit) (void *ctx, const bson_t *doc), void *ctx, MtError *err);
bool mt_is_undeclared (const MtSession *s, const MtTable *t);
const MtTable *mt_undeclared_table (const MtUndeclared *u);
const MtCollectionSample *mt_undeclared_sample (const MtUndeclared *u);

/* Looks at all documents' values of the columns that the block computes with, where that wasn't
 * done yet and its table is of this kind. XX001 when some have another type; with on_malformed =
 * 'skip' they are left out with a warning. */
bool mt_undeclared_check (MtStatement *st, const MtQuery *q, bool outermost, MtError *err);

#endif
