/* Collections that no table was declared over. A random sample of documents gives their columns. */
#ifndef MT_UNDECLARED_H
#define MT_UNDECLARED_H

#include "layouts/infer/seen.h"
#include "session/files/files.h"
#include "session/state/session.h"

typedef struct MtUndeclared MtUndeclared;

/* A sample of a collection. */
typedef struct MtCollectionSample {
   const char *collection;
   MtSeen *root;
   uint64_t sampled;          /* number of documents in the sample */
   uint64_t documents, bytes; /* of the whole collection */
   const char *hidden;        /* fields that no column can read; NULL: none */
} MtCollectionSample;

/* Finds a collection by name (exact, or in any case) and samples it. fresh: takes a new sample
 * even if there is one. *out = NULL: there is none, or the name is reserved. Borrowed from the
 * session; valid until the sample after the next. */
bool mt_undeclared_find (MtSession *s, const char *name, bool exact, bool fresh, MtUndeclared **out,
                         MtError *err);
/* Receives the documents of a sample; false: no more are wanted. */
typedef struct MtSampleVisit {
   bool (*visit) (void *ctx, const bson_t *doc);
   void *ctx;
} MtSampleVisit;
/* Passes the documents of a new random sample to v->visit. */
bool mt_undeclared_visit (MtSession *s, const char *collection, const MtSampleVisit *v,
                          MtError *err);
bool mt_is_undeclared (const MtSession *s, const MtTable *t);
const MtTable *mt_undeclared_table (const MtUndeclared *u);
/* Returns the file of the target that the collection is; NULL: it is none. */
const MtFileTable *mt_undeclared_file (const MtUndeclared *u);
const MtCollectionSample *mt_undeclared_sample (const MtUndeclared *u);

/* Checks the types of all values that the block computes with, unless they were checked before.
 * XX001 if some have another type than the sample; with on_malformed = 'skip' their documents
 * are skipped with a warning. q is over an undeclared collection. */
bool mt_undeclared_check (MtStatement *st, const MtQuery *q, bool outermost, MtError *err);

#endif
