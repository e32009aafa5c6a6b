/* Which fields of the stored documents a pipeline reads. */
#ifndef MT_ENGINE_FIELDS_H
#define MT_ENGINE_FIELDS_H

#include "base/value.h"

/* The fields that pipelines read of one collection. Paths have no array indexes: "a.b" is the field
 * b of a, or of each element of the array a. "*" is any name: "a.*.b". A path with "[]" at the end,
 * such as "a[]", means that only the entries of a are counted or listed. The path "" is the whole
 * document. Paths are sorted. No path lies within another one. */
typedef struct MtFieldsOf {
   const char *collection;
   const char **paths;
   size_t count;
} MtFieldsOf;

/* The collections that pipelines read, in the order in which they are found. */
typedef struct MtFieldsRead {
   MtFieldsOf *list;
   size_t count, cap;
} MtFieldsRead;

/* Adds to `out` the fields that a pipeline reads. It runs over `collection` (NULL: it has documents
 * of its own), and has the stages `stages` and then `more` (arrays; NULL: none). The pipelines
 * within its stages count, too. Where a stage or operator is unknown, all fields that it names
 * count as read, so `out` may have too many fields, but not too few. Memory is in arena a. */
void mt_fields_read (MtArena *a, const char *collection, const bson_t *stages, const bson_t *more,
                     MtFieldsRead *out);
/* Returns the fields of a collection; NULL: the pipelines do not read it. Borrowed from r. */
const MtFieldsOf *mt_fields_of (const MtFieldsRead *r, const char *collection);

/* Adds the paths of `from`, which may be of another collection. Memory is in arena a. */
void mt_fields_join (MtArena *a, MtFieldsOf *to, const MtFieldsOf *from);

/* How a pipeline reads a part of a document. */
typedef enum MtPartUse {
   MT_PART_UNREAD,
   MT_PART_ENTRIES, /* its entries are counted or listed */
   MT_PART_READ
} MtPartUse;
/* Returns how the part at `path` is read: a path of n names, without array indexes. */
MtPartUse mt_part_use (const MtFieldsOf *f, const MtStr *path, size_t n);

#endif
