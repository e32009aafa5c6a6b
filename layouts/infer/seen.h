/* The form of documents: a tree of the fields that were seen, with their types and frequencies. It
 * is made from a sample of a collection. */
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

/* A sub-document with more names than this is a map, whose values are described together. For the
 * root the limit is MT_MAX_COLUMNS. */
#define MT_SEEN_FIELDS 256
/* Arrays with more elements are not described as tuples. */
#define MT_SEEN_POSITIONS 8

/* All values that were seen at one path: of a field, of the elements of an array, or of a map. */
typedef struct MtSeen MtSeen;
struct MtSeen {
   const char *name; /* the field's name; "" for the root, an array's elements and a map's values */
   uint64_t count;
   uint64_t types[MT_SEEN_TYPES];
   double low,
      high;       /* of finite numbers and of dates in milliseconds; low > high: there were none */
   uint64_t grid; /* greatest common divisor of whole numbers or dates; 0: all were 0 */
   uint64_t fractions; /* how many numbers were not whole, or beyond 2^53 */
   /* The format of all texts that are not times in another one: that of mt_format_of; NULL:
    * there is none. */
   const char *time_format;
   bool other_texts;     /* texts that are no times, or times in another format */
   uint64_t least, most; /* number of elements of an array, or of fields of a document */
   bool unnameable; /* no path reaches the field: its name is empty, or contains a dot, a NUL or a
                       leading dollar */

   /* For documents: the list of fields, in the order in which they were first seen. */
   MtSeen *fields, *last, *next;
   MtSeen *guess; /* while documents are added: the field that is searched first */
   size_t field_count, limit;
   MtSeen *elements; /* all elements of arrays; NULL: none was seen */
   /* For short arrays of scalars: the arrays as documents with the fields "0", "1", … NULL: none
    * was seen. */
   MtSeen *positions;
   MtSeen *values;  /* replaces `fields` for documents with more than MT_SEEN_FIELDS names */
   bool all_digits; /* every field name is a whole number, from key_low to key_high */
   uint32_t key_low, key_high;
   uint32_t key_digits; /* the least number of digits of a name; 1: no leading zeros */
};

/* Returns an empty tree, in arena a. */
MtSeen *mt_seen_new (MtArena *a);
/* Adds a document to the tree. Levels below MT_MAX_BSON_DEPTH are ignored. */
void mt_seen_add (MtArena *a, MtSeen *root, MtVal doc);
/* Returns the description of all values of a document or map together, in arena a. */
MtSeen *mt_seen_values (MtArena *a, const MtSeen *doc);
/* Returns how often the parent occurred without the field. */
uint64_t mt_seen_missing (const MtSeen *parent, const MtSeen *field);
/* Returns whether each parent has the field, with a value that is not null. */
bool mt_seen_always (const MtSeen *parent, const MtSeen *field);
/* Returns the field at a dotted path; NULL: none was seen. */
const MtSeen *mt_seen_at (const MtSeen *doc, const char *path);
/* Returns the unit of the values, in milliseconds, if they are times: 1 or 1000. Times are dates,
 * or whole numbers of seconds or milliseconds from 1985 to 2096. 0: the values are no times. */
double mt_seen_instant (const MtSeen *s);

/* Returns the format of the texts, if all values are times as text in one format of a fixed width,
 * which sorts as the times do; NULL: they are not. *type: date, timestamp or timestamptz. */
const char *mt_seen_time_text (const MtSeen *s, MtTypeId *type);

/* Returns the types that were seen, the most frequent first: "int 96%, string 4%". In arena a. */
const char *mt_seen_text (MtArena *a, const MtSeen *s);
/* Returns the narrowest column type that holds all values exactly; jsonb if no other does. */
MtTypeId mt_seen_column_type (const MtSeen *s);
/* Like mt_seen_column_type, but returns an array type if all values are arrays of one scalar
 * type. */
MtType mt_seen_type (const MtSeen *s);
/* Returns whether a sub-document is a map, whose field names are data. So it has more than
 * MT_SEEN_FIELDS names, or whole numbers that differ between documents, or all its values are
 * maps. */
bool mt_seen_is_map (const MtSeen *s);
/* Returns whether the fields of a sub-document can be columns: the value is always a document (or
 * null), and no map. */
bool mt_seen_flattens (const MtSeen *s);

/* Makes a table over a collection, in arena a. Columns have the names of their paths. A field that
 * cannot be divided into columns has type jsonb. *hidden: names of fields that no path reaches, in
 * arena a; NULL: none. 54011 if there are too many fields. */
bool mt_seen_table (MtArena *a, const char *collection, const MtSeen *root, MtTable *out,
                    const char **hidden, MtError *err);

#endif
