/* A logical table, and the layouts that store its rows.
 *
 * A layout is data: a tree of levels, read from a BSON descriptor (docs/lemma.md). The planner and
 * the writer handle kinds of levels; no code depends on a preset's name. Everything in this header
 * is immutable once it is made, except the list of a store's partitions. */
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
   /* A measure that only counts up: a stored 0 is no sample. */
   bool counter;
   bool not_null;
   /* A sub-document whose fields are columns, too. It stands behind all other columns, and * leaves
    * it out. */
   bool inner;
   /* The field's name where a level stores the column under its own name; by default `name`. */
   const char *field;
   /* Of the time column: all times are multiples of this; 0: any time. */
   int64_t period_ms;
   const char *default_sql; /* NULL: none */
} MtColumn;

/* ---- encodings and bindings ---- */

/* How a bound value is stored. */
typedef enum MtEncodingKind {
   MT_ENC_NATIVE,   /* the BSON representation of the column's type */
   MT_ENC_TEXT,     /* text: map keys, and numbers kept as strings; padded with zeros to `pad` */
   MT_ENC_DATE,     /* time: a BSON date */
   MT_ENC_EPOCH_S,  /* time: a number of seconds */
   MT_ENC_EPOCH_MS, /* time: a number of milliseconds */
   MT_ENC_FORMAT    /* time: text by `format` (layouts/unit.h) */
} MtEncodingKind;

/* The descriptor's word for each MtEncodingKind; ended by NULL. */
extern const char *const mt_encoding_words[];

typedef struct MtEncoding {
   MtEncodingKind kind;
   /* Of numbers: the BSON type that is written (MT_INT32, MT_INT64, MT_DOUBLE). Reading accepts all
    * of them. */
   uint8_t as;
   int pad; /* of text: the least number of digits */
   const char *format;
} MtEncoding;

typedef enum MtBindKind {
   MT_BIND_COLUMN,     /* a column's exact value; the time column's, too */
   MT_BIND_TIME_TRUNC, /* the time, truncated to `unit`, as an instant */
   /* The number of whole `unit`s since the start of the `of` that contains the time, plus `base`.
    * The unit has a fixed length, or is the month of the year. */
   MT_BIND_TIME_PART
} MtBindKind;

/* The place that a binding's value is read from. */
typedef enum MtBindFrom {
   MT_FROM_FIELD,
   MT_FROM_KEY,   /* a map's key */
   MT_FROM_INDEX, /* an index into slots */
   MT_FROM_ID     /* a part of the store's composed id; only in the root */
} MtBindFrom;

typedef struct MtBinding {
   MtBindKind kind;
   int column; /* index into MtTable.columns; the time column for truncated times and parts */
   MtUnit unit, of;
   int base;
   MtBindFrom from;
   /* MT_FROM_FIELD: a dotted path relative to the node's value. MT_FROM_ID: the path of a copy that
    * is written and never read, or NULL. Else NULL. */
   const char *at;
   MtEncoding encoding; /* of the field, the key or the copy; the id's part has its own */
   size_t id_part;      /* MT_FROM_ID: index into MtStoreDesc.id */
} MtBinding;

/* ---- levels ---- */

/* What a cell keeps of one measure. Paths are relative to the node's value. NULL: not kept; "": the
 * value itself. */
typedef struct MtMeasureAgg {
   int column;
   const char *sum, *min, *max, *nonnull;
   /* The BSON type of the sum. MT_INT32 means int32 while the sum fits, else int64; the others are
    * MT_INT64, MT_DOUBLE and MT_DECIMAL. */
   uint8_t as;
} MtMeasureAgg;

/* The pre-aggregates of a cell. */
typedef struct MtPreagg {
   bool present;
   const char *n; /* path of the number of records; NULL: not kept */
   uint8_t n_as;
   MtMeasureAgg *measures;
   size_t measure_count;
   bool zero_is_absent; /* zero: "absent": a stored 0, or no value, means that there is no sample */
} MtPreagg;

/* The records of a cell. */
typedef struct MtRaw {
   bool present;
   /* An array of records at path `at`; else one record, which is the node's value itself. */
   bool many;
   const char *at;
   /* The columns of each record that no level binds, with their paths relative to the record ("":
    * the record itself is the value) and their encodings. */
   int *columns;
   const char **paths;
   MtEncoding *encodings;
   size_t count;
} MtRaw;

/* Where a document stores the range of its records' times. */
typedef struct MtTimeRange {
   bool present;
   bool exact;            /* the records' least and greatest time; else only bounds of them */
   const char *min, *max; /* paths relative to the document */
   MtEncoding encoding;
} MtTimeRange;

typedef enum MtNodeKind {
   MT_NODE_DOCUMENT, /* the root */
   MT_NODE_LIST,     /* an array of sub-documents */
   MT_NODE_MAP,      /* a sub-document whose keys are bound */
   MT_NODE_SLOTS,    /* an array whose index is a part of the time */
   MT_NODE_SCALAR,   /* exactly one cell */
   MT_NODE_PAIRS,    /* an array of arrays; a cell's paths are positions: "0", "1" … */
   MT_NODE_ARRAYS    /* parallel arrays; a cell's paths are their names */
} MtNodeKind;

/* The word for each MtNodeKind in descriptors and in \d+; ended by NULL. */
extern const char *const mt_node_kind_words[];

typedef struct MtNode MtNode;
struct MtNode {
   MtNodeKind kind;
   int id;    /* preorder number in the store's tree; the root has 0 */
   int depth; /* number of levels above */
   /* The level's name in EXPLAIN and SET cut: the bound column or unit; "document" for the root. */
   const char *name;
   /* Path relative to the parent's value; "" for the root and for the value itself. */
   const char *at;
   MtBinding *binds;
   size_t bind_count;
   MtTimeRange range;
   MtPreagg agg;
   MtRaw raw;
   /* The order in which the writer writes top-level fields. Names that are not listed follow. */
   const char **order;
   size_t order_count;
   /* Pairs and arrays: the paths of a cell's values, in writing order. */
   const char **fields;
   const char **places; /* arrays: the path of each array in the parent's value */
   size_t field_count;
   MtNode *parent;
   /* Children. A single child refines this level. Several children are redundant copies, of which a
    * plan reads one. */
   MtNode **subs;
   size_t sub_count;
};

/* ---- stores ---- */

/* A part of a composed _id: a literal, or if that is NULL, a binding's value. */
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
   MT_ESCAPE_USUAL,   /* the descriptor leaves it open: escapes, except in attached collections */
   MT_ESCAPE_PERCENT, /* "%25" for `%`; likewise for the first byte of the literal that follows */
   MT_ESCAPE_NONE
} MtEscape;

/* A field of a collection's shard key. */
typedef struct MtShardField {
   const char *at; /* "_id", or the path of a binding of the root */
   bool hashed;
} MtShardField;

/* One of a store's collections: of the records from start_ms until before end_ms. */
typedef struct MtPartition {
   const char *collection;
   int64_t start_ms, end_ms;
} MtPartition;

/* The partitions that exist now; updated by mt_partitions_look. */
typedef struct MtPartitions {
   MtUnit unit;       /* MT_UNIT_DAY or MT_UNIT_MONTH */
   MtPartition *list; /* in order of time; an old list stays valid as long as the table */
   size_t count;
   MtArena *arena; /* the table's */
} MtPartitions;

/* Documents of one form. */
typedef struct MtStoreDesc {
   const char *collection; /* of partitions: the beginning of their names */
   MtPartitions *parts;    /* NULL: one collection has all documents */
   MtIdPart *id;           /* count 0: the writer makes an ObjectId, or the root binds _id */
   size_t id_count;
   MtEscape escape;
   MtWriteMode write;
   bool repeats; /* several documents can have the same key */
   /* MT_WRITE_PACK: a document is closed after this many cells; 0: MT_FLUSH_LEVELS. */
   int64_t flush_levels;
   /* How a server's time-series collection is created (engine/engine.h); NULL: it is an ordinary
    * collection. */
   const struct MtTimeseries *timeseries;
   /* MT_WRITE_INC: one write in this many creates the next period's document of its series
    * (layouts/pack/prealloc.h); 0: none does. */
   int64_t preallocate;
   MtShardField *shard; /* the shard key on a router */
   size_t shard_count;
   MtNode *root;
   MtNode **nodes; /* by id */
   size_t node_count;
   /* A writer is active in several collections, or died there. The collection may have too few or
    * too many rows. Never stored. */
   bool suspect;
} MtStoreDesc;

#define MT_FLUSH_LEVELS 50000

/* ---- statistics, for the planner: counted by the writer or measured by ANALYZE ---- */

typedef struct MtNodeStats {
   double cells; /* cells of this level in the whole collection */
   double bytes; /* of these cells without their children */
} MtNodeStats;

typedef struct MtStoreStats {
   bool present;
   double documents, bytes, records;
   bool has_time;
   int64_t min_ms, max_ms; /* bounds of the time column */
   MtNodeStats *nodes;     /* node_count of them; NULL if !present */
   /* Per column, the NULLs written since the layout was made; on a server only 0 or not. NULL: not
    * known. */
   uint64_t *nulls;
   size_t null_columns;
} MtStoreStats;

/* ---- layouts and tables ---- */

typedef enum MtKeeps { MT_KEEPS_RECORDS, MT_KEEPS_SUMS, MT_KEEPS_LATEST } MtKeeps;
typedef enum MtPresums { MT_PRESUMS_TRUST, MT_PRESUMS_VERIFY, MT_PRESUMS_IGNORE } MtPresums;

typedef struct MtLayout {
   const char *name;
   /* The words of USING and WITH, for display. `preset` is "" if a descriptor was given. */
   const char *preset;
   const char *options_text;
   bool attached; /* others made the collections: DROP TABLE keeps them */
   MtPresums presums;
   MtKeeps keeps;
   int *key; /* columns; of sums and latest */
   size_t key_count;
   /* Of latest: all columns but the key and the time, in this order. Among records of one time, the
    * greater values win. The descriptor names the first tie_given of them. */
   int *tie;
   size_t tie_count, tie_given;
   MtStoreDesc *stores;
   size_t store_count;
   MtStoreStats *stats; /* parallel to stores */
   bool clean;          /* false during a write on an engine without atomic steps */
   /* When rows expire in this layout, if that is before they expire in the table
    * (layouts/expire.h); NULL: with the table. */
   const struct MtExpiry *expiry;
} MtLayout;

/* What a commit does with a temporary table. */
typedef enum MtOnCommit { MT_COMMIT_KEEPS, MT_COMMIT_EMPTIES, MT_COMMIT_DROPS } MtOnCommit;

typedef struct MtTable {
   const char *name;
   /* The session's own: its name in the catalog and its collections' names begin with
    * MT_TEMPORARY. */
   bool temporary;
   MtOnCommit on_commit;
   MtColumn *columns;
   size_t column_count;
   int time_column; /* -1: none */
   int *key;        /* the declared key, or NULL */
   size_t key_count;
   bool unique; /* PRIMARY KEY: no two rows have the same key */
   MtLayout *layouts;
   size_t layout_count;
   int64_t version;
   /* On a server: distinguishes the table from earlier and later tables of its name; 0: not
    * known. */
   int64_t made;
   /* When rows expire in all layouts (layouts/expire.h); NULL: never, or as the layouts say. */
   const struct MtExpiry *expiry;
   /* Only while a descriptor is checked without a table (mt_descriptor_check); else NULL. */
   const struct MtSketch *sketch;
   /* On a server: how often the statistics of this version were added to. */
   int64_t writes;
} MtTable;

/* Returns the table's name in the catalog. It is in arena a, or borrowed from t. */
const char *mt_table_id (MtArena *a, const MtTable *t);
/* Finds a column by name: exactly, or else (unless exact_only) the only column that matches without
 * regard to ASCII case. -1: none; -2: several. */
int mt_table_column (const MtTable *t, const char *name, bool exact_only);
/* Returns whether a column is one of a key's. */
bool mt_in_key (const int *key, size_t count, int column);

/* Marks a layout as one of collections that others made. Their ids have no escapes, unless the
 * descriptor says otherwise. */
void mt_layout_attach (MtLayout *l);
/* Returns whether the number of documents is unknown: others made them, and no ANALYZE has counted
 * them. */
static inline bool mt_is_uncounted (const MtLayout *l)
{
   return l->attached && !(l->stats && l->stats[0].present);
}

/* ---- nodes ---- */

/* Returns whether a path (NULL: none) is _id, or lies in it. */
static inline bool mt_path_in_id (const char *path)
{
   return path && !strncmp (path, "_id", 3) && (!path[3] || path[3] == '.');
}

/* Returns whether a cell is a few values at one position, without levels below. */
static inline bool mt_is_flat (const MtNode *n)
{
   return n->kind == MT_NODE_PAIRS || n->kind == MT_NODE_ARRAYS;
}
/* Returns whether several cells of the level can have the same key. */
static inline bool mt_is_listed (const MtNode *n)
{
   return n->kind == MT_NODE_LIST || mt_is_flat (n);
}
/* Returns whether neither the node nor any level below keeps records. */
bool mt_keeps_sums_alone (const MtNode *n);
/* Returns whether a null at a key or index of this level means that there is no record. */
static inline bool mt_null_is_no_cell (const MtNode *n)
{
   return n->kind == MT_NODE_SLOTS || (n->kind == MT_NODE_MAP && n->raw.present && !n->raw.many &&
                                       n->raw.count == 1 && !*n->raw.paths[0]);
}
/* Returns the node's binding of the time at a path; NULL: none. */
const MtBinding *mt_bound_time (const MtTable *t, const MtNode *n, const char *path);

/* ---- stores ---- */

/* Returns whether each record is a document of its own. */
static inline bool mt_store_is_rows (const MtStoreDesc *s)
{
   return s->root->raw.present && !s->root->raw.many;
}
/* Returns whether the root binds _id, or a field in it. */
bool mt_root_binds_id (const MtStoreDesc *s);
/* Returns the root's binding of the time, exact or truncated; NULL: none. *unit: the time is known
 * to this unit; MT_UNIT_MS: exactly. */
const MtBinding *mt_root_time (const MtTable *t, const MtStoreDesc *s, MtUnit *unit);
/* Stores the leaves of the tree in `out` (NULL: only counts), in preorder. Returns their number. */
size_t mt_store_leaves (const MtStoreDesc *s, const MtNode **out);
/* Returns the first node that keeps records; NULL: the store keeps only sums. */
const MtNode *mt_store_records (const MtStoreDesc *s);
/* Returns the path of a column in documents of a layout that keeps the latest records; NULL: only
 * the id has the column. */
const char *mt_latest_path (const MtStoreDesc *s, int column);

/* ---- stores in which each record is a document ---- */

/* Returns the path and the encoding of a column in a document; NULL: none. "": the whole value. */
const char *mt_row_place (const MtStoreDesc *s, int column, const MtEncoding **e);
/* Returns the path of a column's own field; NULL: none. */
const char *mt_row_field (const MtStoreDesc *s, int column);
/* Stores the paths of the PRIMARY KEY's fields, over which a unique index compares keys as SQL
 * does. `paths` has room for the whole key. False: there are no such fields, or the index would
 * treat keys as different that are equal in SQL. */
bool mt_key_fields (const MtTable *t, const MtStoreDesc *s, const char **paths);

#endif
