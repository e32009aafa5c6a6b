/* Recognising packed documents: from a sample of documents, makes a descriptor that reads their
 * records. */
#ifndef MT_INFER_H
#define MT_INFER_H

#include "layouts/infer/seen.h"
#include "layouts/presets/preset.h"

typedef struct MtInference MtInference;

/* Proposes how documents of this form are packed: the levels (lists, maps, slots) from the root to
 * the records, and the fields with the time. NULL: the documents are not packed, or no level below
 * the root has a measure. In arena a; root is borrowed. */
MtInference *mt_infer_levels (MtArena *a, const MtSeen *root);
/* Reads a document again, to find which of its fields are counts, sums, or earliest and latest
 * times. */
void mt_infer_look (MtInference *f, MtVal doc);
/* Makes the table, and its layout's descriptor as extended JSON (docs/lemma.md), in arena a.
 * partition: the unit "month" or "day"; NULL: there is one collection. *notes: comment lines on
 * doubtful decisions and on unused fields; "": none. */
void mt_infer_finish (MtInference *f, MtTable *out, const char **descriptor, const char *collection,
                      const char *partition, const char **notes);

/* A preset that describes a collection's documents. */
typedef struct MtPresetGuess {
   const char *preset;
   MtPresetOption options[5]; /* all options except the collection */
   size_t count;
   MtTable table;
} MtPresetGuess;

/* Guesses a preset from the names of fields. In arena a. The caller must check the guess against
 * documents. trust_fields: if _id and a field differ, the field is right. False: no preset fits. */
bool mt_infer_preset (MtArena *a, const char *collection, const MtSeen *root, bool trust_fields,
                      MtPresetGuess *out);

/* The time column of a table with a record for each document. */
typedef struct MtInferredTime {
   int column;         /* -1: the table has no time */
   MtTypeId type;      /* of a number or text that is a time */
   double scale;       /* of a number: its unit in milliseconds, 1 or 1000; 0: it is no number */
   const char *format; /* of a text; NULL: it is no text */
} MtInferredTime;

/* Returns the time: the first date, else the first number that looks like a time, else the first
 * text. */
MtInferredTime mt_infer_time (const MtTable *t, const MtSeen *root);
/* Returns the role of another column, from its type. */
MtRole mt_infer_role (const MtColumn *c);

/* A function that returns a name as SQL writes it, in quotes if necessary. In arena a. */
typedef const char *(*MtQuote) (MtArena *a, const char *name);

/* Returns the CREATE TABLE statement of a table, in arena a. layout: the layout's name; NULL: rows.
 * options: further options of WITH (", name = 'value'" or ""), which has the collection; NULL: no
 * WITH. */
const char *mt_infer_create_table (MtArena *a, const MtTable *t, const char *layout,
                                   const char *options, MtQuote identifier);

#endif
