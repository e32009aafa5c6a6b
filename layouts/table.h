/* A logical table, and the layouts that store its rows.
 *
 * A layout is data: a tree of levels, read from a BSON descriptor (docs/lemma.md). A level is a
 * node of the tree, such as an array of sub-documents. A cell is one element of a level. A binding
 * says which column a stored value belongs to. No code depends on a preset's name. Everything in
 * this header is immutable once it is made, except the list of a store's partitions. */
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
   /* The column is a sub-document whose fields are also columns. Such columns are last, and SELECT
    * * omits them. */
   bool inner;
   /* The field's name in documents, unless a layout stores the column at another path. By default
    * it is `name`. */
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
   MT_ENC_NATIVE, /* the type's usual BSON type */
   /* text, for map keys and for numbers stored as strings; padded with zeros to `pad` digits */
   MT_ENC_TEXT,
   MT_ENC_DATE,     /* for times: a BSON date */
   MT_ENC_EPOCH_S,  /* for times: a number of seconds since 1970 */
   MT_ENC_EPOCH_MS, /* for times: a number of milliseconds since 1970 */
   MT_ENC_FORMAT    /* for times: a text in the format `format` (layouts/unit.h) */
} MtEncodingKind;

/* The name of each MtEncodingKind in descriptors; the array ends with NULL. */
extern const char *const mt_encoding_words[];

typedef struct MtEncoding {
   MtEncodingKind kind;
   /* For numbers: the BSON type that is written (MT_INT32, MT_INT64, MT_DOUBLE). When read, every
    * numeric type is accepted. */
   uint8_t as;
   int pad; /* for MT_ENC_TEXT: the least number of digits */
   const char *format;
} MtEncoding;

typedef enum MtBindKind {
   MT_BIND_COLUMN,     /* the exact value of a column, which may be the time */
   MT_BIND_TIME_TRUNC, /* the time, rounded down to `unit` */
   /* A part of the time, such as the hour of the day: the number of `unit`s since the start of the
    * enclosing unit `of`, plus `base`. `unit` has a fixed length, or is the month of the year. */
   MT_BIND_TIME_PART
} MtBindKind;

/* Where in a document a binding's value is read from. */
typedef enum MtBindFrom {
   MT_FROM_FIELD,
   MT_FROM_KEY,   /* the name of a map's field */
   MT_FROM_INDEX, /* the index in an array of slots (elements with a fixed index) */
   MT_FROM_ID     /* a part of the document's composed _id; only in the root */
} MtBindFrom;

typedef struct MtBinding {
   MtBindKind kind;
   int column; /* index into MtTable.columns; for truncated times and parts, the time column */
   MtUnit unit, of;
   int base;
   MtBindFrom from;
   /* MT_FROM_FIELD: the dotted path of the field in the level's value. MT_FROM_ID: NULL, or the
    * path of a field with a copy that is written but never read. Otherwise NULL. */
   const char *at;
   /* encoding of the field, key or copy; the encoding in the id is in MtIdPart */
   MtEncoding encoding;
   size_t id_part; /* MT_FROM_ID: index into MtStoreDesc.id */
} MtBinding;

/* ---- levels ---- */

/* The paths at which a cell (one element of a nesting level) stores pre-aggregates of one measure:
 * the sum, minimum, maximum, and number of non-NULL values. NULL: it is not stored; "": the cell is
 * this value itself. */
typedef struct MtMeasureAgg {
   int column;
   const char *sum, *min, *max, *nonnull;
   /* The BSON type of the sum: MT_INT64, MT_DOUBLE or MT_DECIMAL. MT_INT32 means int32 as long as
    * the sum is in range, else int64. */
   uint8_t as;
} MtMeasureAgg;

/* The pre-aggregates (stored counts, sums, extremes and states) of each cell (array or map element)
 * of a level. */
typedef struct MtPreagg {
   bool present;
   const char *n; /* path of the number of records; NULL: not stored */
   uint8_t n_as;
   MtMeasureAgg *measures;
   size_t measure_count;
   struct MtCellState *states; /* stored states of aggregate functions (layouts/cell_state.h) */
   size_t state_count;
   /* If the stored value is 0 or missing, there is no sample (in descriptors: zero: "absent"). */
   bool zero_is_absent;
} MtPreagg;

/* How each cell of a level stores its records. */
typedef struct MtRaw {
   bool present;
   /* true: a cell has an array of records at path `at`; false: the cell itself is one record */
   bool many;
   const char *at;
   /* The columns that a record stores, because no level above stores them. `paths` has each
    * column's path in the record ("": the record is this one value), `encodings` its encoding. */
   int *columns;
   const char **paths;
   MtEncoding *encodings;
   size_t count;
} MtRaw;

/* The fields in which a document stores the earliest and latest time of its records. */
typedef struct MtTimeRange {
   bool present;
   /* true: they are the exact earliest and latest time; false: they are bounds */
   bool exact;
   const char *min, *max; /* paths relative to the document */
   MtEncoding encoding;
} MtTimeRange;

typedef enum MtNodeKind {
   MT_NODE_DOCUMENT, /* the document, which is the root level */
   MT_NODE_LIST,     /* an array of sub-documents */
   MT_NODE_MAP,      /* a sub-document whose field names are values of a binding */
   MT_NODE_SLOTS,    /* an array whose index is a part of the time, such as the hour */
   MT_NODE_SCALAR,   /* a level with exactly one cell */
   /* an array of tuples (short arrays), one for each cell; paths are indexes "0", "1", … */
   MT_NODE_PAIRS,
   MT_NODE_ARRAYS /* parallel arrays of equal length; cell i has element i of each */
} MtNodeKind;

/* The name of each MtNodeKind in descriptors and in \d+; the array ends with NULL. */
extern const char *const mt_node_kind_words[];

typedef struct MtNode MtNode;
struct MtNode {
   MtNodeKind kind;
   int id;    /* index of the node in the store's tree, in preorder; the root has 0 */
   int depth; /* number of levels above this one */
   /* The level's name in EXPLAIN and SET cut: the column or unit of time that distinguishes its
    * cells. "document" for the root. */
   const char *name;
   /* The level's path in a cell of the level above. "" for the root, or if the level is that cell's
    * whole value. */
   const char *at;
   MtBinding *binds;
   size_t bind_count;
   MtTimeRange range;
   MtPreagg agg;
   MtRaw raw;
   /* Names of top-level fields, in the order in which they are written. Fields that are not listed
    * follow. */
   const char **order;
   size_t order_count;
   /* For MT_NODE_PAIRS and MT_NODE_ARRAYS: the path of each of a cell's values, in the order of
    * writing. */
   const char **fields;
   /* For MT_NODE_ARRAYS: the path of each parallel array in a cell of the level above. */
   const char **places;
   size_t field_count;
   MtNode *parent;
   /* The nested levels. A single one divides this level's cells further. If there are several, they
    * are redundant copies of the same data, and a plan reads only one of them. */
   MtNode **subs;
   size_t sub_count;
};

/* ---- stores ---- */

/* A part of a composed _id: a fixed text (`literal`), or, if `literal` is NULL, the value of a
 * binding. */
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

/* How values are escaped in a composed id, so that their ends can be found. */
typedef enum MtEscape {
   /* The descriptor does not say: MT_ESCAPE_PERCENT, but MT_ESCAPE_NONE in collections that other
    * programs made. */
   MT_ESCAPE_USUAL,
   /* "%25" stands for "%", and likewise for the first byte of the fixed text that follows */
   MT_ESCAPE_PERCENT,
   MT_ESCAPE_NONE
} MtEscape;

/* One field of a collection's shard key. */
typedef struct MtShardField {
   const char *at; /* "_id", or the path of a field of the document's root level */
   bool hashed;
} MtShardField;

/* A partition: the collection with the store's records from start_ms to just before end_ms. */
typedef struct MtPartition {
   const char *collection;
   int64_t start_ms, end_ms;
} MtPartition;

/* A store's partitions (one collection for each month or day), as mt_partitions_look last read
 * them. */
typedef struct MtPartitions {
   MtUnit unit; /* MT_UNIT_DAY or MT_UNIT_MONTH */
   /* sorted by time; when it is replaced, the old list stays valid as long as the table */
   MtPartition *list;
   size_t count;
   MtArena *arena; /* the table's arena, where lists are allocated */
} MtPartitions;

/* A store: documents of one structure, in one collection or in partitions. A layout has one or more
 * stores. */
typedef struct MtStoreDesc {
   const char *collection; /* the collection's name; with partitions, the prefix of their names */
   MtPartitions *parts;    /* NULL: all documents are in one collection */
   MtIdPart *id;           /* parts of a composed _id; NULL: the _id is an ObjectId or a column */
   size_t id_count;
   MtEscape escape;
   MtWriteMode write;
   bool repeats; /* several documents can have the same key */
   /* For MT_WRITE_PACK: the writer begins a new document after this many cells; 0:
    * MT_FLUSH_LEVELS. */
   int64_t flush_levels;
   /* Options of the server's time-series collection (engine/collections.h); NULL: an ordinary
    * collection. */
   const struct MtTimeseries *timeseries;
   /* For MT_WRITE_INC: one write in this many creates, ahead of time, the document of its series
    * for the next period (layouts/pack/prealloc.h). 0: none does. */
   int64_t preallocate;
   MtShardField *shard; /* the shard key in a sharded cluster */
   size_t shard_count;
   MtNode *root;
   MtNode **nodes; /* all nodes of the tree; the index is MtNode.id */
   size_t node_count;
   /* Another client is writing to several collections, or died while it did, so this collection may
    * have too few or too many rows. Not stored in the catalog. */
   bool suspect;
} MtStoreDesc;

#define MT_FLUSH_LEVELS 50000

/* ---- statistics for the planner, counted by the writer or measured by ANALYZE ---- */

typedef struct MtNodeStats {
   double cells; /* number of cells (elements of this level) in the whole collection */
   double bytes; /* size of these cells without their nested levels */
} MtNodeStats;

typedef struct MtStoreStats {
   bool present;
   double documents, bytes, records;
   bool has_time;
   int64_t min_ms, max_ms; /* bounds of the times of all records */
   /* Sum over all documents of the time from the first record to the last. 0: unknown, or no level
    * stores a document's time range. */
   double spans_ms;
   MtNodeStats *nodes; /* statistics for each node; NULL if !present */
   /* For each column, the number of NULLs written since the layout was created. On a server it is
    * reliable only in that 0 means no NULLs. NULL: unknown. */
   uint64_t *nulls;
   size_t null_columns;
   /* For an attached layout: the number and size of the documents when a statement last asked the
    * engine, as it does before each read. Never stored. */
   bool seen; /* seen_documents and seen_bytes are known */
   double seen_documents, seen_bytes;
} MtStoreStats;

/* ---- layouts and tables ---- */

/* What a layout keeps: all records; sums; the latest record of each key; or a roll-up. A roll-up
 * keeps sums, extremes and aggregate states for each key and period, with possibly fewer key
 * columns than the table has dimensions. Then another layout has the records. */
typedef enum MtKeeps { MT_KEEPS_RECORDS, MT_KEEPS_SUMS, MT_KEEPS_LATEST, MT_KEEPS_ROLLUP } MtKeeps;

/* The name of each MtKeeps in descriptors; the array ends with NULL. */
extern const char *const mt_keeps_words[];
typedef enum MtPresums { MT_PRESUMS_TRUST, MT_PRESUMS_VERIFY, MT_PRESUMS_IGNORE } MtPresums;

typedef struct MtLayout {
   const char *name;
   /* The statement's USING name (`preset`) and WITH options, for display. `preset` is "" if the
    * user gave a descriptor. */
   const char *preset;
   const char *options_text;
   bool attached; /* the collections belong to other programs, so DROP TABLE does not drop them */
   MtPresums presums;
   MtKeeps keeps;
   int *key; /* the key columns of a layout of sums or of latest records */
   size_t key_count;
   /* For a layout of latest records: the columns that decide between records of one key with equal
    * times, in order of priority. The record with the greater value is kept. The descriptor names
    * the first tie_given columns; the table's other columns follow. */
   int *tie;
   size_t tie_count, tie_given;
   MtStoreDesc *stores;
   size_t store_count;
   MtStoreStats *stats; /* one for each of `stores` */
   /* false while a statement writes to the layout on an engine without atomic steps */
   bool clean;
   /* Retention of this layout, if it is shorter than the table's (layouts/expire.h). NULL: it is
    * the table's. */
   const struct MtExpiry *expiry;
} MtLayout;

/* Whether a commit keeps, empties or drops a temporary table (ON COMMIT). */
typedef enum MtOnCommit { MT_COMMIT_KEEPS, MT_COMMIT_EMPTIES, MT_COMMIT_DROPS } MtOnCommit;

/* A CHECK constraint. */
typedef struct MtTableCheck {
   const char *name;
   const char *sql;      /* the condition as SQL, over the table's columns */
   const char **columns; /* the columns that it reads */
   size_t column_count;
   bool not_valid; /* NOT VALID: rows that were there before it may violate it */
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

/* One condition of a partial index's WHERE, in a form that a server's index can have. Several are
 * combined by AND. */
typedef struct MtKeyTerm {
   int column;
   MtKeyTest test;
   MtVal value; /* for a comparison: the constant */
} MtKeyTerm;

/* A unique key: no two rows have the same values in its columns. A row with a NULL in the key does
 * not conflict with any row, unless nulls_equal. */
typedef struct MtTableKey {
   const char *name;
   MtKeyKind kind;
   int *columns;
   size_t count;
   bool nulls_equal; /* NULLS NOT DISTINCT */
   /* The condition of a partial index: only rows that meet it must be unique. NULL: all rows. */
   const MtTableCheck *where;
   /* `where` as conditions that a server's index can have. NULL: it can't be expressed so. */
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
   int time_column; /* index of the table's time column; -1: none */
   /* The columns of KEY or PRIMARY KEY in CREATE TABLE. They are the default key of layouts. NULL:
    * none. */
   int *key;
   size_t key_count;
   MtTableKey *keys; /* the unique keys; the PRIMARY KEY is first */
   size_t unique_count;
   MtTableCheck *checks; /* sorted by name */
   size_t check_count;
   MtLayout *layouts;
   size_t layout_count;
   int64_t version;
   /* On a server: a number that distinguishes this table from other tables of the same name,
    * dropped or created later. 0: not known. */
   int64_t made;
   /* Retention of the table, in all layouts (layouts/expire.h). NULL: rows expire only by the
    * retention of single layouts, if any. */
   const struct MtExpiry *expiry;
   /* In a table made from a descriptor alone (mt_descriptor_check): the columns found so far.
    * Otherwise NULL. */
   const struct MtSketch *sketch;
   /* On a server: the number of statements that have added to the statistics of this version of the
    * table. */
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
/* Returns the index of the column `name`: the one with exactly this name, or else (unless
 * exact_only) the only one that matches case-insensitively (ASCII). -1: none; -2: several match. */
int mt_table_column (const MtTable *t, const char *name, bool exact_only);
/* Returns whether a column is among the `count` columns of `key`. */
bool mt_in_key (const int *key, size_t count, int column);

/* Returns the table's PRIMARY KEY; NULL: none. */
static inline const MtTableKey *mt_primary_key (const MtTable *t)
{
   return t->unique_count && t->keys[0].kind == MT_KEY_PRIMARY ? &t->keys[0] : NULL;
}
/* Returns the SQL keywords of a kind of key: PRIMARY KEY and so on. */
const char *mt_key_word (MtKeyKind kind);
/* Returns the table's unique key with this name; NULL: none. */
const MtTableKey *mt_key_named (const MtTable *t, const char *name);
/* Returns whether two keys have the same columns, in the same order. */
bool mt_same_columns (const MtTableKey *a, const MtTableKey *b);
/* Returns whether a row can conflict with another row in key k: none of its key values is NULL, or
 * NULLs are equal. The condition of a partial index isn't checked. */
bool mt_key_counts (const MtTableKey *k, const MtVal *row);

/* Marks a layout as attached: its collections belong to other programs. Unless the descriptor says
 * otherwise, their ids have no escapes. */
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

/* Returns whether the level's cells are tuples (MT_NODE_PAIRS), or elements of parallel arrays
 * (MT_NODE_ARRAYS). Such levels have no nested levels. */
static inline bool mt_is_flat (const MtNode *n)
{
   return n->kind == MT_NODE_PAIRS || n->kind == MT_NODE_ARRAYS;
}
/* Returns whether the level is an array in which several cells (elements) can have the same key. */
static inline bool mt_is_listed (const MtNode *n)
{
   return n->kind == MT_NODE_LIST || mt_is_flat (n);
}
/* Returns whether neither the node nor any nested level keeps records. */
bool mt_keeps_sums_alone (const MtNode *n);
/* Returns whether a null in place of a cell (element) of the nesting level means that there is no
 * record. */
static inline bool mt_null_is_no_cell (const MtNode *n)
{
   return n->kind == MT_NODE_SLOTS || (n->kind == MT_NODE_MAP && n->raw.present && !n->raw.many &&
                                       n->raw.count == 1 && !*n->raw.paths[0]);
}
/* Returns the nesting level's binding, of the exact or truncated time, whose field is at `path`.
 * NULL: there is none. */
const MtBinding *mt_bound_time (const MtTable *t, const MtNode *n, const char *path);

/* ---- stores ---- */

/* Returns whether each document of the store is a single record. */
static inline bool mt_store_is_rows (const MtStoreDesc *s)
{
   return s->root->raw.present && !s->root->raw.many;
}
/* Returns whether _id, or a field of _id, is the field of a binding of the root level. */
bool mt_root_binds_id (const MtStoreDesc *s);
/* Returns the root level's binding of the time, exact or truncated. NULL: there is none. *unit is
 * the unit to which it is truncated; MT_UNIT_MS: it is exact. */
const MtBinding *mt_root_time (const MtTable *t, const MtStoreDesc *s, MtUnit *unit);
/* Stores the leaves (lowest levels) of the store's tree in `out`, in preorder. If out is NULL, only
 * counts them. Returns their number. */
size_t mt_store_leaves (const MtStoreDesc *s, const MtNode **out);
/* Returns the first node that keeps records; NULL: the store keeps only sums. */
const MtNode *mt_store_records (const MtStoreDesc *s);
/* Returns the path of a column in the documents of a layout of latest records; NULL: the column is
 * only in the id. */
const char *mt_latest_path (const MtStoreDesc *s, int column);

/* ---- stores in which each document is one record ---- */

/* Returns the path of a column in documents that are single records, and sets *e to its encoding.
 * NULL: the column has no path; "": it is the whole value. */
const char *mt_row_place (const MtStoreDesc *s, int column, const MtEncoding **e);
/* Returns the path of the field that stores only this column, in documents that are single records.
 * NULL: there is none. */
const char *mt_row_field (const MtStoreDesc *s, int column);
/* Sets `paths`, which has room for k->count paths, to the fields of key k, for a unique index on a
 * server. False if such an index can't enforce the key: a column has no field, the index would
 * distinguish values that are equal in SQL, or it can't have the key's condition. */
bool mt_key_fields (const MtTable *t, const MtTableKey *k, const MtStoreDesc *s,
                    const char **paths);
/* Writes the filter of the partial index by which a server enforces key k. It is empty if the index
 * has all documents. mt_key_fields must be true. */
bool mt_key_filter (const MtTable *t, const MtTableKey *k, const MtStoreDesc *s, bson_t *out,
                    MtError *err);

#endif
