/* Descriptors of layouts: from BSON to MtLayout and back. The grammar is in docs/lemma.md. */
#ifndef MT_DESCRIPTOR_H
#define MT_DESCRIPTOR_H

#include "layouts/presets/preset.h"
#include "layouts/table.h"

/* The place of an error in a descriptor. */
typedef struct MtBlame {
   const char *layout; /* its name; borrowed */
   /* A preset made the descriptor, so the error cannot point into text of the user's. */
   bool preset;
   MtError *err;    /* borrowed */
   char path[1000]; /* "stores[0].root.bind[1]"; "": the descriptor as a whole */
   bool name;       /* the field's name at that path is wrong, not its value */
} MtBlame;

/* Reads and checks a layout's descriptor against the table's columns; t->layouts is ignored. *out
 * is in arena a. 42P17, with the path in the descriptor and the reason, if it is contradictory. */
bool mt_layout_parse (MtArena *a, const MtTable *t, const char *name, const bson_t *descriptor,
                      MtLayout *out, MtError *err);
/* Like mt_layout_parse, for a descriptor that a preset made: errors state what the table lacks,
 * without a path. */
bool mt_layout_parse_preset (MtArena *a, const MtTable *t, const char *name,
                             const bson_t *descriptor, MtLayout *out, MtError *err);
/* Checks a descriptor without a table, and refuses one that fits no table. 42P17 in blame->err, and
 * its place in *blame. */
bool mt_descriptor_check (MtArena *a, const char *name, const bson_t *descriptor, MtBlame *blame);
/* Appends the layout's descriptor, without statistics, to `out`. */
bool mt_layout_to_bson (const MtTable *t, const MtLayout *l, bson_t *out, MtError *err);

/* Sets the shard key of every store of the layout. The option's value is "_id" or a list of columns
 * that are fields of the documents; the word "hashed" may follow one of them. In arena a. 22023
 * with the reason, 42703. */
bool mt_layout_shard (MtArena *a, const MtTable *t, MtLayout *l, const MtPresetOption *option,
                      MtError *err);
/* Gives the layout's first store another collection, whose name is borrowed. 42P17. */
bool mt_layout_move (const MtTable *t, MtLayout *l, const char *collection, MtError *err);

#endif
