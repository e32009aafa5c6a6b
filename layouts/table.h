/* A logical table, and the layouts that store its rows.
 *
 * A layout is data: a tree of levels, read from a BSON descriptor (docs/lemma.md). A level is a
 * node of the tree, such as an array of sub-documents. A cell is one element of a level. A binding
 * says which column a stored value is. No code depends on a preset's name. Everything in this
 * header is immutable once it is made, except the list of a store's partitions. */
#ifndef MT_TABLE_H
#define MT_TABLE_H

#include "base/limits.h"
#include "layouts/unit.h"
#include "types/type.h"

#include <string.h>

/* ---- columns ---- */

typedef enum MtRole { MT_COL_PLAIN, MT_COL_TIME, MT_COL_DIMENSION, MT_COL_MEASURE } MtRole;

typedef struct MtColumn {
   const char *name;
   MtType type;
   MtRole role;
   /* The measure is a counter, which only grows. A stored 0 means that there is no sample. */
   bool counter;
   bool not_null;
   /* The column is a sub-document whose fields are also columns. Such columns come last, and SELECT
    * * omits them. */
   bool inner;
   /* The field name in documents, where a level stores the column under its own name. By default
    * `name`. */
   const char *field;
   /* For the time column: all times are multiples of this number of ms; 0: any time. */
   int64_t period_ms;
   const char *default_sql; /* the DEFAULT expression as SQL; NULL: none */
   /* The column is GENERATED AS IDENTITY: `default_sql` takes the next value of its sequence.
    * always: statements must not give other values. */
   bool identity, always;
   const char *domain; /* the domain by which the column was declared; NULL: none */
} MtColumn;

/* ---- encodings and bindings ---- */

/* The form in which documents store a column's value. */
typedef enum MtEncodingKind {
   MT_ENC_NATIVE,   /* as BSON stores the column's type */
   MT_ENC_TEXT,     /* text: map keys, and numbers kept as strings; padded with zeros to `pad` */
   MT_ENC_DATE,     /* time: a BSON date */
   MT_ENC_EPOCH_S,  /* time: a number of seconds */
   MT_ENC_EPOCH_MS, /* time: a number of milliseconds */
   MT_ENC_FORMAT    /* time: text by `format` (layouts/unit.h) */
} MtEncodingKind;

/* The descriptor's word for each MtEncodingKind; the array ends with NULL. */
extern const char *const mt_encoding_words[];

typedef struct MtEncoding {
   MtEncodingKind kind;
   /* For numbers: the BSON type that is written (MT_INT32, MT_INT64, MT_DOUBLE). Reading accepts
    * every number type. */
   uint8_t as;
   int pad; /* for MT_ENC_TEXT: the least number of digits */
   const char *format;
} MtEncoding;

typedef enum MtBindKind {
   MT_BIND_COLUMN,     /* the exact value of a column, such as the time */
   MT_BIND_TIME_TRUNC, /* the time, rounded down to `unit` */
   /* A part of the time, such as the hour of the day: `unit`s since the start of the `of`, plus
    * `base`. The unit has a fixed length, or is the month of the year. */
   MT_BIND_TIME_PART
} MtBindKind;

/* The place that a binding's value is read from. */
typedef enum MtBindFrom {
   MT_FROM_FIELD,
   MT_FROM_KEY,   /* a map's key */
   MT_FROM_INDEX, /* an index into an array of slots */
   MT_FROM_ID     /* a part of the document's composed _id; only in the root */
} MtBindFrom;

typedef struct MtBinding {
   MtBindKind kind;
   int column; /* index into MtTable.columns; for truncated times and parts, the time column */
   MtUnit unit, of;
   int base;
   MtBindFrom from;
   /* MT_FROM_FIELD: the dotted path of the field in the level's value. MT_FROM_ID: the path of a
    * copy that is written but never read, or NULL. Else NULL. */
   const char *at;
   MtEncoding encoding; /* of the field, the key or the copy; MtIdPart has the encoding in the id */
   size_t id_part;      /* MT_FROM_ID: index into MtStoreDesc.id */
} MtBinding;

/* ---- levels ---- */

/* The paths at which a cell (one element of a level) stores the sum, count and extremes of one
 * measure. NULL: not stored; "": the cell's value itself. */
typedef struct MtMeasureAgg {
   int column;
   const char *sum, *min, *max, *nonnull;
   /* The BSON type of the sum: MT_INT64, MT_DOUBLE or MT_DECIMAL. MT_INT32: int32 while the sum
    * fits, else int64. */
   uint8_t as;
} MtMeasureAgg;

/* The pre-aggregates (stored counts, sums and extremes) of each cell of a level. */
typedef struct MtPreagg {
   bool present;
   const char *n; /* path of the number of records; NULL: not stored */
   uint8_t n_as;
   MtMeasureAgg *measures;
   size_t measure_count;
   struct MtCellState *states; /* states of aggregates (layouts/cell_state.h) */
   size_t state_count;
   /* A stored 0, or no value, means that there is no sample (descriptor: zero: "absent"). */
   bool zero_is_absent;
} MtPreagg;

/* How each cell of a level stores its records. */
typedef struct MtRaw {
   bool present;
   /* true: a cell has an array of records at path `at`. false: the cell itself is one record. */
   bool many;
   const char *at;
   /* The columns that a record itself stores, because no level above has them. Each has a path in
    * the record ("": the record is the value itself) and an encoding. */
   int *columns;
   const char **paths;
   MtEncoding *encodings;
   size_t count;
} MtRaw;

/* The fields in which a document stores the first and the last time of its records. */
typedef struct MtTimeRange {
   bool present;
   bool exact;            /* true: the least and greatest time; false: only bounds */
   const char *min, *max; /* paths relative to the document */
   MtEncoding encoding;
} MtTimeRange;

typedef enum MtNodeKind {
   MT_NODE_DOCUMENT, /* the root */
   MT_NODE_LIST,     /* an array of sub-documents */
   MT_NODE_MAP,      /* a sub-document whose keys are bound */
   MT_NODE_SLOTS,    /* an array whose index is a part of the time, such as the hour */
   MT_NODE_SCALAR,   /* exactly one cell */
   MT_NODE_PAIRS, /* an array of short arrays, one for each cell; paths are positions "0", "1", … */
   MT_NODE_ARRAYS /* several arrays of equal length; cell i has the i-th element of each */
} MtNodeKind;

/* The word for each MtNodeKind in descriptors and in \d+; the array ends with NULL. */
extern const char *const mt_node_kind_words[];

typedef struct MtNode MtNode;
struct MtNode {
   MtNodeKind kind;
   int id;    /* number of the node in the store's tree, in preorder; the root is 0 */
   int depth; /* number of levels above this one */
   /* The level's name in EXPLAIN and SET cut: the column or unit that the level's key gives.
    * "document" for the root. */
   const char *name;
   /* The level's path in the value of the level above. "" for the root, or if the level is that
    * value itself. */
   const char *at;
   MtBinding *binds;
   size_t bind_count;
   MtTimeRange range;
   MtPreagg agg;
   MtRaw raw;
   /* Names of top-level fields, in the order in which the writer writes them. Other fields
    * follow. */
   const char **order;
   size_t order_count;
   /* For MT_NODE_PAIRS and MT_NODE_ARRAYS: the paths of a cell's values, in the order of
    * writing. */
   const char **fields;
   /* For MT_NODE_ARRAYS: the path of each array in the value of the level above. */
   const char **places;
   size_t field_count;
   MtNode *parent;
   /* The levels below. A single one divides this level's cells further. Several are redundant
    * copies, and a plan reads only one of them. */
   MtNode **subs;
   size_t sub_count;
};

/* ---- stores ---- */

/* A part of a composed _id: a fixed text (`literal`), or if `literal` is NULL, a binding's
 * value. */
typedef struct MtIdPart {
   const char *literal;
   MtBinding bind;
} MtIdPart;

typedef enum MtWriteMode {
   MT_WRITE_INSERT,
   MT_WRITE_PUSH,
   MT_WRITE_PACK,
   MT_WRITE_INC,
   MT_WRITE_NEWER
} MtWriteMode;

/* How the parts of a composed id are escaped. */
typedef enum MtEscape {
   /* Not given in the descriptor: escapes, except in collections that others made. */
   MT_ESCAPE_USUAL,
   MT_ESCAPE_PERCENT, /* "%25" for `%`; likewise for the first byte of the literal that follows */
   MT_ESCAPE_NONE
} MtEscape;

/* One field of a collection's shard key. */
typedef struct MtShardField {
   const char *at; /* "_id", or the path of a field of the document's root level */
   bool hashed;
} MtShardField;

/* A partition: the collection of a store's records from start_ms to just before end_ms. */
typedef struct MtPartition {
   const char *collection;
   int64_t start_ms, end_ms;
} MtPartition;

/* A store's partitions (one collection per month or day), as mt_partitions_look last found them. */
typedef struct MtPartitions {
   MtUnit unit;       /* MT_UNIT_DAY or MT_UNIT_MONTH */
   MtPartition *list; /* in order of time; a replaced list stays valid as long as the table */
   size_t count;
   MtArena *arena; /* the arena of the table */
} MtPartitions;

/* A store: the documents of one form, in a collection or in partitions. A layout has one or more
 * stores. */
typedef struct MtStoreDesc {
   const char *collection; /* with partitions, the beginning of their names */
   MtPartitions *parts;    /* NULL: one collection has all documents */
   MtIdPart *id;           /* parts of a composed _id; none: _id is an ObjectId, or a column */
   size_t id_count;
   MtEscape escape;
   MtWriteMode write;
   bool repeats; /* several documents can have the same key */
   /* For MT_WRITE_PACK: the writer ends a document after this many cells; 0: MT_FLUSH_LEVELS. */
   int64_t flush_levels;
   /* Options of the server's time-series collection (engine/collections.h); NULL: an ordinary
    * collection. */
   const struct MtTimeseries *timeseries;
   /* For MT_WRITE_INC: one write in this many creates the next period's document of its series
    * (layouts/pack/prealloc.h). 0: no write does. */
   int64_t preallocate;
   MtShardField *shard; /* the shard key on a router */
   size_t shard_count;
   MtNode *root;
   MtNode **nodes; /* all nodes of the tree, by MtNode.id */
   size_t node_count;
   /* Another client is writing to several collections, or died while it did. This collection may
    * have too few or too many rows. Not saved in the catalog. */
   bool suspect;
} MtStoreDesc;

#define MT_FLUSH_LEVELS 50000

/* ---- statistics, for the planner: counted by the writer or measured by ANALYZE ---- */

typedef struct MtNodeStats {
   double cells; /* number of cells (elements of this level) in the whole collection */
   double bytes; /* size of these cells without the levels below */
} MtNodeStats;

typedef struct MtStoreStats {
   bool present;
   double documents, bytes, records;
   bool has_time;
   int64_t min_ms, max_ms; /* bounds of the records' times */
   /* The time from each document's first record to its last, of all documents together. 0: not
    * known, or no level keeps a document's range of time. */
   double spans_ms;
   MtNodeStats *nodes; /* statistics of each node; NULL if !present */
   /* Per column, the number of NULLs written since the layout was created. On a server, only
    * whether it is 0 is right. NULL: not known. */
   uint64_t *nulls;
   size_t null_columns;
   /* Of an attached layout: the number and size of the documents when a statement last asked the
    * engine. It does so before each statement that reads them. Never saved. */
   bool seen; /* they are known */
   double seen_documents, seen_bytes;
} MtStoreStats;

/* ---- layouts and tables ---- */

/* What a layout keeps. A roll-up keeps sums, extremes and states of the records of each key and
 * period; the key can have fewer columns than the table has dimensions. Another layout has the
 * records. */
typedef enum MtKeeps { MT_KEEPS_RECORDS, MT_KEEPS_SUMS, MT_KEEPS_LATEST, MT_KEEPS_ROLLUP } MtKeeps;

/* The descriptor's word for each MtKeeps; the array ends with NULL. */
extern const char *const mt_keeps_words[];
typedef enum MtPresums { MT_PRESUMS_TRUST, MT_PRESUMS_VERIFY, MT_PRESUMS_IGNORE } MtPresums;

typedef struct MtLayout {
   const char *name;
   /* The texts of USING (`preset`) and WITH, for display. `preset` is "" if the user gave a
    * descriptor. */
   const char *preset;
   const char *options_text;
   bool attached; /* other programs made the collections, so DROP TABLE keeps them */
   MtPresums presums;
   MtKeeps keeps;
   int *key; /* the key columns of a layout of sums or of latest records */
   size_t key_count;
   /* For a layout of latest records: the columns that break a tie between records of one time, in
    * order. The record with the greater value wins. The descriptor names the first tie_given
    * columns; the others follow. */
   int *tie;
   size_t tie_count, tie_given;
   MtStoreDesc *stores;
   size_t store_count;
   MtStoreStats *stats; /* one for each of `stores` */
   bool clean;          /* false while a statement writes on an engine without atomic steps */
   /* When rows expire in this layout, if earlier than in the table (layouts/expire.h). NULL: at the
    * same time as in the table. */
   const struct MtExpiry *expiry;
} MtLayout;

/* Whether a commit keeps, empties or drops a temporary table (ON COMMIT). */
typedef enum MtOnCommit { MT_COMMIT_KEEPS, MT_COMMIT_EMPTIES, MT_COMMIT_DROPS } MtOnCommit;

/* A CHECK constraint. */
typedef struct MtTableCheck {
   const char *name;
   const char *sql;      /* the condition, over the table's columns */
   const char **columns; /* the columns that it reads */
   size_t column_count;
} MtTableCheck;

typedef enum MtKeyKind {
   MT_KEY_PRIMARY, /* PRIMARY KEY */
   MT_KEY_UNIQUE,  /* UNIQUE */
   MT_KEY_INDEX    /* CREATE UNIQUE INDEX, which is no constraint */
} MtKeyKind;

typedef enum MtKeyTest {
   MT_KEY_EQ,
   MT_KEY_LT,
   MT_KEY_LE,
   MT_KEY_GT,
   MT_KEY_GE,
   MT_KEY_IS_NULL,
   MT_KEY_NOT_NULL
} MtKeyTest;

/* One of the conditions, combined by AND, of a partial index that a server can have. */
typedef struct MtKeyTerm {
   int column;
   MtKeyTest test;
   MtVal value; /* of a comparison */
} MtKeyTerm;

/* A key: no two rows have the same values in its columns. Rows with a NULL there differ from all
 * others, unless nulls_equal. */
typedef struct MtTableKey {
   const char *name;
   MtKeyKind kind;
   int *columns;
   size_t count;
   bool nulls_equal; /* NULLS NOT DISTINCT */
   /* The condition of a partial index: the key holds for rows that meet it. NULL: all rows. */
   const MtTableCheck *where;
   /* `where` as conditions for a server's index. NULL: a server's index can't have it. */
   MtKeyTerm *terms;
   size_t term_count;
} MtTableKey;

typedef struct MtTable {
   const char *name;
   /* The table is temporary. Its name in the catalog, and the names of its collections, begin with
    * MT_TEMPORARY. */
   bool temporary;
   MtOnCommit on_commit;
   MtColumn *columns;
   size_t column_count;
   int time_column; /* index of the column with the time; -1: none */
   /* The columns of KEY, or of the PRIMARY KEY, in CREATE TABLE. They are the default key of
    * layouts. NULL: none. */
   int *key;
   size_t key_count;
   MtTableKey *keys; /* the PRIMARY KEY first */
   size_t unique_count;
   MtTableCheck *checks; /* sorted by name */
   size_t check_count;
   MtLayout *layouts;
   size_t layout_count;
   int64_t version;
   /* On a server: a number that distinguishes this table from other tables of the same name,
    * dropped or created later. 0: not known. */
   int64_t made;
   /* When rows expire in all layouts (layouts/expire.h). NULL: only by the expiry of single
    * layouts, if any. */
   const struct MtExpiry *expiry;
   /* The columns found so far, while a descriptor is checked without a table (mt_descriptor_check).
    * Else NULL. */
   const struct MtSketch *sketch;
   /* On a server: how often a statement added to the statistics of this version of the table. */
   int64_t writes;
} MtTable;

/* A store, with the layout and the table that it belongs to. */
typedef struct MtTableStore {
   const MtTable *t;
   const MtLayout *l;
   const MtStoreDesc *s;
} MtTableStore;

/* Returns the table's _id in the catalog: its name, with a prefix if the table is temporary. In
 * arena a, or borrowed from t. */
const char *mt_table_id (MtArena *a, const MtTable *t);
/* Finds a column by name: exactly, or else (unless exact_only) the only column that matches without
 * regard to ASCII case. -1: none; -2: several. */
int mt_table_column (const MtTable *t, const char *name, bool exact_only);
/* Returns whether a column is in the list `key` of `count` columns. */
bool mt_in_key (const int *key, size_t count, int column);

/* Returns the table's PRIMARY KEY; NULL: none. */
static inline const MtTableKey *mt_primary_key (const MtTable *t)
{
   return t->unique_count && t->keys[0].kind == MT_KEY_PRIMARY ? &t->keys[0] : NULL;
}
/* Returns the words that SQL has for a kind of keys: PRIMARY KEY and so on. */
const char *mt_key_word (MtKeyKind kind);
/* Finds a key by its name; NULL: none. */
const MtTableKey *mt_key_named (const MtTable *t, const char *name);
/* Returns whether two keys have the same columns, in the same order. */
bool mt_same_columns (const MtTableKey *a, const MtTableKey *b);
/* Returns whether a row can have the same key as another row: none of its values is NULL, or NULLs
 * are equal. The condition of a partial index isn't checked. */
bool mt_key_counts (const MtTableKey *k, const MtVal *row);

/* Marks a layout as attached: other programs made its collections. Their ids have no escapes,
 * unless the descriptor says otherwise. */
void mt_layout_attach (MtLayout *l);
/* Returns whether the layout's number of documents is unknown, because other programs made the
 * documents and ANALYZE has not counted them. */
static inline bool mt_is_uncounted (const MtLayout *l)
{
   return l->attached && !(l->stats && l->stats[0].present);
}

/* ---- nodes ---- */

/* Returns whether a path is _id or a field of _id. False if path is NULL. */
static inline bool mt_path_in_id (const char *path)
{
   return path && !strncmp (path, "_id", 3) && (!path[3] || path[3] == '.');
}

/* Returns whether the level's cells are elements of several arrays, or short arrays
 * (MT_NODE_ARRAYS, MT_NODE_PAIRS). They have no levels below. */
static inline bool mt_is_flat (const MtNode *n)
{
   return n->kind == MT_NODE_PAIRS || n->kind == MT_NODE_ARRAYS;
}
/* Returns whether the level is a list: several of its cells (elements) can have the same key. */
static inline bool mt_is_listed (const MtNode *n)
{
   return n->kind == MT_NODE_LIST || mt_is_flat (n);
}
/* Returns whether neither the node nor any level below keeps records. */
bool mt_keeps_sums_alone (const MtNode *n);
/* Returns whether a null in place of one of the level's cells (elements) means that there is no
 * record. */
static inline bool mt_null_is_no_cell (const MtNode *n)
{
   return n->kind == MT_NODE_SLOTS || (n->kind == MT_NODE_MAP && n->raw.present && !n->raw.many &&
                                       n->raw.count == 1 && !*n->raw.paths[0]);
}
/* Returns the level's binding that stores the time (exact or truncated) at a path. NULL: there is
 * none. */
const MtBinding *mt_bound_time (const MtTable *t, const MtNode *n, const char *path);

/* ---- stores ---- */

/* Returns whether each record is a document of its own. */
static inline bool mt_store_is_rows (const MtStoreDesc *s)
{
   return s->root->raw.present && !s->root->raw.many;
}
/* Returns whether _id, or a field of _id, is a column of the document's root level. */
bool mt_root_binds_id (const MtStoreDesc *s);
/* Returns the binding that stores the time, exact or truncated, in the document's root level. NULL:
 * there is none. *unit: the time is truncated to this unit; MT_UNIT_MS: exact. */
const MtBinding *mt_root_time (const MtTable *t, const MtStoreDesc *s, MtUnit *unit);
/* Stores the leaves (lowest levels) of the store's tree in `out`, in preorder. out NULL: only
 * counts them. Returns the number of leaves. */
size_t mt_store_leaves (const MtStoreDesc *s, const MtNode **out);
/* Returns the first node that keeps records; NULL: the store keeps only sums. */
const MtNode *mt_store_records (const MtStoreDesc *s);
/* Returns the path of a column in documents of a layout that keeps the latest records; NULL: only
 * the id has the column. */
const char *mt_latest_path (const MtStoreDesc *s, int column);

/* ---- stores in which each record is a document ---- */

/* Returns the path of a column in documents of one record each, and its encoding in *e. NULL: no
 * path. "": the whole value. */
const char *mt_row_place (const MtStoreDesc *s, int column, const MtEncoding **e);
/* Returns the path of the field that stores only this column, in documents of one record each.
 * NULL: there is none. */
const char *mt_row_field (const MtStoreDesc *s, int column);
/* Stores in `paths` the paths of a key's fields, for a unique index. `paths` has room for the whole
 * key. False if a column has no field, an index would distinguish keys that are equal in SQL, or
 * an index can't have the key's condition. */
bool mt_key_fields (const MtTable *t, const MtTableKey *k, const MtStoreDesc *s,
                    const char **paths);
/* Writes the filter of the partial index that keeps a key in a server's collection. It is empty if
 * the index has all documents. Call it if mt_key_fields is true. */
bool mt_key_filter (const MtTable *t, const MtTableKey *k, const MtStoreDesc *s, bson_t *out,
                    MtError *err);

#endif
