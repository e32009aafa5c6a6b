/* What documents look like: a tree of the fields that were seen, with the types and the share of
 * each. Made from a sample of a collection that nobody declared. */
#ifndef MT_SEEN_H
#define MT_SEEN_H

#include "layouts/table.h"

typedef enum MtSeenType {
   MT_SEEN_NULL, /* null and undefined */
   MT_SEEN_INT,  /* int32 */
   MT_SEEN_LONG, /* int64 */
   MT_SEEN_DOUBLE,
   MT_SEEN_DECIMAL,
   MT_SEEN_STRING,
   MT_SEEN_BOOL,
   MT_SEEN_DATE,
   MT_SEEN_OBJECTID,
   MT_SEEN_UUID,   /* binary of subtype 4 */
   MT_SEEN_BINARY, /* binary of subtype 0 */
   MT_SEEN_DOC,
   MT_SEEN_ARRAY,
   MT_SEEN_OTHER,
   MT_SEEN_TYPES
} MtSeenType;

#define MT_SEEN_FIELDS \
   256 /* a sub-document with more names than this is a map: its values are looked at together; of \
          the root, MT_MAX_COLUMNS */

#define MT_SEEN_POSITIONS 8 /* arrays with more elements are no tuples */

/* A field, the elements of an array, or the values of a map: all that was seen at one path. */
typedef struct MtSeen MtSeen;
struct MtSeen {
   const char *name; /* "" for the root, an array's elements and a map's values */
   uint64_t count;   /* how often it was there */
   uint64_t types[MT_SEEN_TYPES];
   double low,
      high; /* of finite numbers; of dates in milliseconds; above each other when there were none */
   uint64_t grid; /* greatest common divisor of the whole numbers, or of the dates' milliseconds; 0:
                     none but 0 */
   uint64_t fractions;   /* numbers that aren't whole, or beyond 2^53 */
   uint64_t least, most; /* elements of an array, fields of a document */
   bool unnameable; /* the name is empty, or has a dot, a NUL or a leading dollar: no path reaches
                       it */

   MtSeen *fields, *last, *next; /* of a document, in the order of their first appearance */
   MtSeen *guess; /* while documents are added: where the next name is looked for first */
   size_t field_count, limit;
   MtSeen *elements; /* of an array; NULL: none was seen */
   /* of short arrays of scalars, as if each were a document with the names "0", "1" …; NULL:
    * none was seen */
   MtSeen *positions;
   MtSeen *values;  /* of a document with more than MT_SEEN_FIELDS names: instead of fields */
   bool all_digits; /* of a document: every name is a whole number … */
   uint32_t key_low, key_high; /* … from here to here … */
   uint32_t key_digits;        /* … of at least so many digits; 1: no leading zeros */
};

/* An empty tree, in arena a. */
MtSeen *mt_seen_new (MtArena *a);
/* Adds a document. Depth beyond MT_MAX_BSON_DEPTH isn't looked at. */
void mt_seen_add (MtArena *a, MtSeen *root, MtVal doc);
/* A document's fields, or a map's values, as one: what each value looks like. In arena a. */
MtSeen *mt_seen_values (MtArena *a, const MtSeen *doc);
/* How often the parent was there without this field. */
uint64_t mt_seen_missing (const MtSeen *parent, const MtSeen *field);
/* The field at a path of names joined by dots; NULL: none was seen there. */
const MtSeen *mt_seen_at (const MtSeen *doc, const char *path);
/* Milliseconds of one of its units, when the values are instants: dates, or whole numbers of
 * seconds or milliseconds from 1985 to 2096. 0: they aren't. */
double mt_seen_instant (const MtSeen *s);

/* "int 96%, string 4%": the types that were seen, most frequent first. In arena a. */
const char *mt_seen_text (MtArena *a, const MtSeen *s);
/* The column type that holds all that was seen exactly: jsonb where no narrower one does. */
MtTypeId mt_seen_column_type (const MtSeen *s);
/* The same, and, where there are nothing but arrays of one scalar type, its array type: such
 * elements are read as they are, so numbers have to be of one kind. */
MtType mt_seen_type (const MtSeen *s);
/* A sub-document whose names are data: more of them than MT_SEEN_FIELDS, or whole numbers that
 * aren't simply the same few (from 0 on) in every document, or names above such maps. */
bool mt_seen_is_map (const MtSeen *s);
/* Only documents (and nulls) that are no map: its fields can be columns of their own. */
bool mt_seen_flattens (const MtSeen *s);

/* A table over a collection that nobody declared, its columns named by their paths; a sub-document
 * that isn't one everywhere, an array of several types, and what has many names are columns of type
 * jsonb. *hidden: names of fields that no path reaches, in arena a; NULL: none. Errors: 54011 when
 * there are too many fields. */
bool mt_seen_table (MtArena *a, const char *collection, const MtSeen *root, MtTable *out,
                    const char **hidden, MtError *err);

#endif
