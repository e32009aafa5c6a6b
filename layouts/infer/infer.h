/* Recognizes packed documents: makes, from a sample of a collection, a descriptor by which their
 * records can be read. */
#ifndef MT_INFER_H
#define MT_INFER_H

#include "layouts/infer/seen.h"
#include "layouts/presets/preset.h"

typedef struct MtInference MtInference;

/* Guesses how documents of the form `root` pack their records: the nested levels (lists, maps,
 * slots) from the root to the records, and the fields with the time. NULL: the documents are not
 * packed, or no level below the root has a measure. The result is in arena a; root is borrowed. */
MtInference *mt_infer_levels (MtArena *a, const MtSeen *root);
/* Compares the numeric fields of one more document with its records, to find which fields are
 * counts, sums, or earliest and latest times. Call it for each document of the sample. */
void mt_infer_look (MtInference *f, MtVal doc);
/* Makes the table, and its layout's descriptor as extended JSON (docs/lemma.md), in arena a.
 * partition: the unit "month" or "day"; NULL: there is one collection. *notes: comment lines on
 * doubtful decisions and on unused fields; "": none. */
void mt_infer_finish (MtInference *f, MtTable *out, const char **descriptor, const char *collection,
                      const char *partition, const char **notes);

/* A preset and its options that describe the documents of a collection, and the table for them. */
typedef struct MtPresetGuess {
   const char *preset;
   MtPresetOption options[5]; /* all options except the collection */
   size_t count;
   MtTable table;
} MtPresetGuess;

/* Guesses a preset from the names of fields. The result is in arena a. False: no preset fits. The
 * caller must check the guess against documents. trust_fields: if the _id and a field have
 * different values, the field's is right. */
bool mt_infer_preset (MtArena *a, const char *collection, const MtSeen *root, bool trust_fields,
                      MtPresetGuess *out);

/* The time column that was found in a table where each document is one record. */
typedef struct MtInferredTime {
   int column;    /* -1: the table has no time */
   MtTypeId type; /* type of the times, if the column is a number or text */
   /* for a number: the milliseconds of its unit, 1 or 1000; 0: the column is not a number */
   double scale;
   const char *format; /* for a text: the format of its times; NULL: the column is not a text */
} MtInferredTime;

/* Returns the column that is the table's time: the first date, else the first number that looks
 * like a time, else the first text that looks like a time. */
MtInferredTime mt_infer_time (const MtTable *t, const MtSeen *root);
/* Returns the role (such as dimension or measure) of a column other than the time, guessed from its
 * type. */
MtRole mt_infer_role (const MtColumn *c);

/* A function that returns a name as SQL writes it, in quotes if necessary. In arena a. */
typedef const char *(*MtQuote) (MtArena *a, const char *name);

/* Returns the CREATE TABLE statement of a table, in arena a. layout: the layout's name; NULL: rows.
 * options: further options of WITH (", name = 'value'" or ""), which has the collection; NULL: no
 * WITH. */
const char *mt_infer_create_table (MtArena *a, const MtTable *t, const char *layout,
                                   const char *options, MtQuote identifier);

#endif
