/* Descriptors of layouts: from BSON to MtLayout and back. The grammar is in docs/lemma.md. */
#ifndef MT_DESCRIPTOR_H
#define MT_DESCRIPTOR_H

#include "layouts/presets/preset.h"
#include "layouts/table.h"

/* The position of an error in a descriptor, for the error's message. */
typedef struct MtBlame {
   const char *layout; /* the layout's name; borrowed */
   /* A preset made the descriptor, so an error cannot point into the user's text. */
   bool preset;
   MtError *err;    /* where errors are stored; borrowed */
   char path[1000]; /* such as "stores[0].root.bind[1]"; "": the descriptor as a whole */
   bool name;       /* the field's name at that path is wrong, not its value */
} MtBlame;

/* Reads a layout's descriptor, and checks it against the table's columns; t->layouts is ignored.
 * *out is in arena a. 42P17 if the descriptor is invalid, with the path in it and the reason. */
bool mt_layout_parse (MtArena *a, const MtTable *t, const char *name, const bson_t *descriptor,
                      MtLayout *out, MtError *err);
/* Like mt_layout_parse, for a descriptor that a preset made. Error messages then state the table's
 * fault, without a path in the descriptor, which the user never saw. */
bool mt_layout_parse_preset (MtArena *a, const MtTable *t, const char *name,
                             const bson_t *descriptor, MtLayout *out, MtError *err);
/* Checks a descriptor without a table: is there a table that it can store? If the descriptor is
 * invalid, blame->err has error 42P17 and *blame has the position of the fault. */
bool mt_descriptor_check (MtArena *a, const char *name, const bson_t *descriptor, MtBlame *blame);
/* Appends the layout's descriptor, without statistics, to `out`. */
bool mt_layout_to_bson (const MtTable *t, const MtLayout *l, bson_t *out, MtError *err);

/* Sets the shard key of every store of the layout from the option `shard_key`. Its value is "_id"
 * or a list of columns, each stored in a field of the documents; the word "hashed" may follow one
 * column. The key is in arena a. 22023 if a store can't have this shard key, 42703 if a column does
 * not exist. */
bool mt_layout_shard (MtArena *a, const MtTable *t, MtLayout *l, const MtPresetOption *option,
                      MtError *err);
/* Changes the collection of the layout's first store to `collection`, which is borrowed. 42P17 if
 * the layout is then invalid. */
bool mt_layout_move (const MtTable *t, MtLayout *l, const char *collection, MtError *err);

#endif
