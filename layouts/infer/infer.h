/* Recognising packed documents: from a sample to a descriptor that reads them as records. */
#ifndef MT_INFER_H
#define MT_INFER_H

#include "layouts/infer/seen.h"
#include "layouts/presets/preset.h"

typedef struct MtInference MtInference;

/* How documents of this shape could be packed: the levels (arrays of sub-documents, maps, slots)
 * from the root to the records, and which fields say the time. NULL: they aren't packed, or nothing
 * below the root says what a record is. In arena a; root is borrowed. */
MtInference *mt_infer_levels (MtArena *a, const MtSeen *root);
/* Looks at a document again: which of its numbers are counts and sums of the records below, or
 * their earliest and latest times. */
void mt_infer_look (MtInference *f, MtVal doc);
/* The table and its layout's descriptor (extended JSON, docs/lemma.md), in arena a. partition: its
 * unit, "month" or "day"; NULL: the collection is one. *notes: lines of comments on what is
 * doubtful, and on fields that took no part; "": none. */
void mt_infer_finish (MtInference *f, MtTable *out, const char **descriptor, const char *collection,
                      const char *partition, const char **notes);

/* A preset that describes a collection's documents, by the names of their fields. */
typedef struct MtPresetGuess {
   const char *preset;
   MtPresetOption options[5]; /* beside the collection */
   size_t count;
   MtTable table;
} MtPresetGuess;

/* False: none does. trust_fields: where _id and fields disagree, fields are right. A guess that the
 * caller checks against documents. In arena a. */
bool mt_infer_preset (MtArena *a, const char *collection, const MtSeen *root, bool trust_fields,
                      MtPresetGuess *out);

/* A name as SQL has to write it, in arena a. */
typedef const char *(*MtQuote) (MtArena *a, const char *name);

/* The statement that declares such a table; layout: its name, NULL: rows. options: NULL, or more of
 * them behind the collection of the table's name
 * (", name = 'value'" or ""). In arena a. */
const char *mt_infer_create_table (MtArena *a, const MtTable *t, const char *layout,
                                   const char *options, MtQuote identifier);

#endif
