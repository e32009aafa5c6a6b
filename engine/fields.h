/* Finds which fields of the stored documents a pipeline reads. */
#ifndef MT_ENGINE_FIELDS_H
#define MT_ENGINE_FIELDS_H

#include "base/value.h"

/* The fields of one collection that pipelines read. A path like "a.b" has no array indexes: it is
 * the field b of a, or of each element of array a. "*" stands for any name, as in "a.*.b". A path
 * that ends with "[]", such as "a[]", means that only the number or the names of a's elements are
 * read, not their values. The path "" is the whole document. The paths are sorted, and no path is
 * below another one. */
typedef struct MtFieldsOf {
   const char *collection;
   const char **paths;
   size_t count;
} MtFieldsOf;

/* The collections that pipelines read, and their fields. */
typedef struct MtFieldsRead {
   MtFieldsOf *list;
   size_t count, cap;
} MtFieldsRead;

/* Adds the fields that a pipeline reads to `out`. collection: the collection that it runs over;
 * NULL: it begins with its own documents. Its stages are `stages` followed by `more`; both are
 * arrays, and may be NULL. Pipelines inside its stages are included. For an unknown stage or
 * operator, all fields that it names count as read. So `out` may have too many fields, but never
 * too few. Memory is in arena a. */
void mt_fields_read (MtArena *a, const char *collection, const bson_t *stages, const bson_t *more,
                     MtFieldsRead *out);
/* Returns the fields of a collection that are read. NULL: the pipelines do not read the collection.
 * Borrowed from r. */
const MtFieldsOf *mt_fields_of (const MtFieldsRead *r, const char *collection);

/* Adds the paths of `from`, which may belong to another collection, to `to`. Memory is in arena
 * a. */
void mt_fields_join (MtArena *a, MtFieldsOf *to, const MtFieldsOf *from);

/* How pipelines read a field of stored documents. */
typedef enum MtPartUse {
   MT_PART_UNREAD,
   MT_PART_ENTRIES, /* only the names or the number of its fields or elements are read */
   MT_PART_READ
} MtPartUse;
/* Returns how pipelines read the field at `path`, an array of n names without array indexes. */
MtPartUse mt_part_use (const MtFieldsOf *f, const MtStr *path, size_t n);

#endif
