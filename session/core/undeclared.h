/* Undeclared collections: collections that exist, but for which no table was declared. A random
 * sample of their documents gives the columns. */
#ifndef MT_UNDECLARED_H
#define MT_UNDECLARED_H

#include "layouts/infer/seen.h"
#include "session/files/files.h"
#include "session/state/session.h"

typedef struct MtUndeclared MtUndeclared;

/* The fields and types seen in a random sample of a collection. */
typedef struct MtCollectionSample {
   const char *collection;
   MtSeen *root;
   uint64_t sampled;          /* number of documents in the sample */
   uint64_t documents, bytes; /* of the whole collection, not of the sample */
   const char *hidden;        /* fields that no column can read; NULL: none */
} MtCollectionSample;

/* Finds a collection by name and samples it. exact false: upper and lower case may differ. fresh:
 * takes a new sample even if there is one. *out = NULL: there is no such collection, or its name is
 * reserved. Borrowed from the session; valid until the next but one sample is taken. */
bool mt_undeclared_find (MtSession *s, const char *name, bool exact, bool fresh, MtUndeclared **out,
                         MtError *err);
/* A callback for the documents of a sample. It returns false to end the visit. */
typedef struct MtSampleVisit {
   bool (*visit) (void *ctx, const bson_t *doc);
   void *ctx;
} MtSampleVisit;
/* Takes a new random sample of a collection, and passes its documents to v->visit. */
bool mt_undeclared_visit (MtSession *s, const char *collection, const MtSampleVisit *v,
                          MtError *err);
bool mt_is_undeclared (const MtSession *s, const MtTable *t);
const MtTable *mt_undeclared_table (const MtUndeclared *u);
/* Returns the text file (CSV, JSON …) whose rows the collection has, if the session has opened a
 * file or a folder of files. NULL: it is an ordinary collection. */
const MtFileTable *mt_undeclared_file (const MtUndeclared *u);
const MtCollectionSample *mt_undeclared_sample (const MtUndeclared *u);

/* Checks that all values of the columns with which q computes have the types that the sample found,
 * unless they were checked before. q reads an undeclared collection. Fails with XX001 if some
 * values have another type; with on_malformed = 'skip', documents with such values are skipped with
 * a warning. outermost: q is the statement's whole query; columns that it only returns are then
 * checked when they are printed. */
bool mt_undeclared_check (MtStatement *st, const MtQuery *q, bool outermost, MtError *err);

#endif
