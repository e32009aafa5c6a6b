/* The form of a collection's documents, found from a sample: a tree of all fields that occur, with
 * their types and frequencies. */
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

/* A sub-document with more field names than this counts as a map: its names are data, and its
 * values are described together. For the root the limit is MT_MAX_COLUMNS. */
#define MT_SEEN_FIELDS 256
/* Arrays with more elements are not described as tuples (arrays with a meaning for each index). */
#define MT_SEEN_POSITIONS 8

/* Description of all sampled values at one path: the values of one field, the elements of an array,
 * or the values of a map. */
typedef struct MtSeen MtSeen;
struct MtSeen {
   const char *name; /* the field's name; "" for the root, an array's elements and a map's values */
   uint64_t count;
   uint64_t types[MT_SEEN_TYPES];
   double low,
      /* range of the finite numbers, and of dates in milliseconds; low > high: there were none */
      high;
   uint64_t grid;      /* greatest common divisor of integers and dates; 0: all were 0 */
   uint64_t fractions; /* number of non-integers, and of integers beyond 2^53 */
   /* The format of the texts that are times, if all of them have the same format (mt_format_of);
    * NULL: none was seen. */
   const char *time_format;
   bool other_texts;     /* some text is not a time, or is a time in another format */
   uint64_t least, most; /* number of elements of an array, or of fields of a document */
   /* no path reaches the field: its name is empty, or has a dot, a NUL byte or a leading dollar */
   bool unnameable;

   /* For documents: the list of fields in the order of their first occurrence. `next` links the
    * list that this field is in. */
   MtSeen *fields, *last, *next;
   MtSeen *guess; /* while documents are added: the field that is tried first for the next name */
   size_t field_count, limit;
   MtSeen *elements; /* description of all elements of the arrays; NULL: no array was seen */
   /* For short arrays of scalars: the arrays described as documents with the fields "0", "1", …;
    * NULL: no such array was seen. */
   MtSeen *positions;
   MtSeen *values;  /* replaces `fields` for documents with more than MT_SEEN_FIELDS names */
   bool all_digits; /* every field name is a number in digits, from key_low to key_high */
   uint32_t key_low, key_high;
   uint32_t key_digits; /* least number of digits of a name; 1: there are no leading zeros */
};

/* Returns the root of an empty tree, in arena a, to which mt_seen_add adds documents. */
MtSeen *mt_seen_new (MtArena *a);
/* Adds the fields of a document to the tree. Values that are nested deeper than MT_MAX_BSON_DEPTH
 * are ignored. */
void mt_seen_add (MtArena *a, MtSeen *root, MtVal doc);
/* Returns one description, in arena a, of the values of all fields of doc together. */
MtSeen *mt_seen_values (MtArena *a, const MtSeen *doc);
/* Returns in how many of the parent's documents the field was missing. */
uint64_t mt_seen_missing (const MtSeen *parent, const MtSeen *field);
/* Returns whether all of the parent's documents have the field, with a value other than null. */
bool mt_seen_always (const MtSeen *parent, const MtSeen *field);
/* Returns the description of the field at a dotted path; NULL: no document has the field. */
const MtSeen *mt_seen_at (const MtSeen *doc, const char *path);
/* Returns the unit of the values in milliseconds if they are times, else 0. Times are dates (unit
 * 1), or integers that, as seconds (1000) or milliseconds (1), are from 1985 to 2096. */
double mt_seen_instant (const MtSeen *s);

/* Returns the format of the values if all are times as text in one format whose texts sort like the
 * times; else NULL. *type is set to date, timestamp or timestamptz. */
const char *mt_seen_time_text (const MtSeen *s, MtTypeId *type);

/* Returns a text with the types of the values, the most frequent first, such as "int 96%, string
 * 4%", in arena a. */
const char *mt_seen_text (MtArena *a, const MtSeen *s);
/* Returns the narrowest column type that holds all values exactly; jsonb if there is no other. */
MtTypeId mt_seen_column_type (const MtSeen *s);
/* Like mt_seen_column_type, but returns an array type if all values are arrays of one scalar
 * type. */
MtType mt_seen_type (const MtSeen *s);
/* Returns whether sub-documents are a map, whose field names are data. They are if they have more
 * than MT_SEEN_FIELDS names, if the names are integers that differ between documents, or if all
 * values are maps themselves. */
bool mt_seen_is_map (const MtSeen *s);
/* Returns whether the fields of sub-documents can become columns: all values are documents or null,
 * and they are not maps. */
bool mt_seen_flattens (const MtSeen *s);

/* Makes a table over a collection, in arena a. Each column is named by its path. A field that can't
 * be divided into columns gets type jsonb. *hidden is set to a list of the fields that no path
 * reaches, in arena a; NULL: none. 54011 if there are too many fields. */
bool mt_seen_table (MtArena *a, const char *collection, const MtSeen *root, MtTable *out,
                    const char **hidden, MtError *err);

#endif
