/* A logical table, and the layouts in which it is stored.
 *
 * A layout is data: a tree of levels, read from a BSON descriptor whose grammar is docs/lemma.md.
 * The planner and the writer know level kinds, never a preset's name. Everything here is immutable
 * once made. */
#ifndef MT_TABLE_H
#define MT_TABLE_H

#include "base/limits.h"
#include "types/type.h"

typedef enum MtRole { MT_COL_PLAIN, MT_COL_TIME, MT_COL_DIMENSION, MT_COL_MEASURE } MtRole;

typedef struct MtColumn {
   const char *name;
   MtType type;
   MtRole role;
   bool counter; /* a measure that only ever counts up: a stored 0 is no sample */
   bool not_null;
   bool inner; /* a sub-document whose fields are columns, too: not among those that * means. Behind
                  all others */
   const char *field; /* stored name for levels that store it under its own name; the column's name
                         by default */
   int64_t period_ms; /* time column: 0 none */
   const char *default_sql; /* NULL: none */
} MtColumn;

typedef enum MtKeeps { MT_KEEPS_RECORDS, MT_KEEPS_SUMS, MT_KEEPS_LATEST } MtKeeps;

/* How a bound value is written in the document. */
typedef enum MtEncodingKind {
   MT_ENC_NATIVE,   /* the column type's own BSON representation */
   MT_ENC_TEXT,     /* as text: map keys, numbers kept as strings; padded with zeros to `pad` */
   MT_ENC_DATE,     /* time: BSON date */
   MT_ENC_EPOCH_S,  /* time: a number of seconds */
   MT_ENC_EPOCH_MS, /* time: a number of milliseconds */
   MT_ENC_FORMAT    /* time: text by `format`, of %Y %m %d %H %M %S and literals */
} MtEncodingKind;

typedef struct MtEncoding {
   MtEncodingKind kind;
   uint8_t
      as; /* numbers: the BSON type that is written (MT_INT32, MT_INT64, MT_DOUBLE); all are read */
   int pad; /* text: at least so many digits */
   const char *format;
} MtEncoding;

typedef enum MtUnit {
   MT_UNIT_MS,
   MT_UNIT_SECOND,
   MT_UNIT_MINUTE,
   MT_UNIT_HOUR,
   MT_UNIT_DAY,
   MT_UNIT_WEEK,
   MT_UNIT_MONTH,
   MT_UNIT_YEAR,
   MT_UNIT_EPOCH
} MtUnit;
int64_t mt_unit_ms (MtUnit u); /* 0: month, year, epoch have no fixed length */
/* The time n units behind `start`, which is the start of a longer unit. */
int64_t mt_utc_add (int64_t start, MtUnit u, int64_t n);
/* How many whole `unit`s fit at most between the starts of two `of`s; 0: no bound. */
int64_t mt_part_count (MtUnit unit, MtUnit of);
const char *mt_unit_name (MtUnit u);
bool mt_unit_by_name (MtStr name, MtUnit *out);

typedef enum MtBindKind {
   MT_BIND_COLUMN,     /* the column's exact value (the time column too) */
   MT_BIND_TIME_TRUNC, /* the time truncated to `unit` (UTC), as an instant in a time encoding */
   MT_BIND_TIME_PART   /* the number of whole `unit`s since the start of the `of` around it, plus
                          base; unit is of fixed length, or the month of the year */
} MtBindKind;

typedef enum MtBindFrom {
   MT_FROM_FIELD,
   MT_FROM_KEY,
   MT_FROM_INDEX,
   MT_FROM_ID /* the root's only: a part of the store's composed id */
} MtBindFrom;

typedef struct MtBinding {
   MtBindKind kind;
   int column; /* index into MtTable.columns; the time column for parts */
   MtUnit unit, of;
   int base;
   MtBindFrom from;
   /* MT_FROM_FIELD: path relative to the node's value, dots between names; MT_FROM_ID: of a copy
    * that is written and never read, or NULL; else NULL. */
   const char *at;
   MtEncoding encoding; /* of the field, the key or the copy; the id's part has its own */
   size_t id_part;      /* MT_FROM_ID: index into MtStoreDesc.id */
} MtBinding;

typedef struct MtMeasureAgg {
   int column;
   const char *sum, *min, *max,
      *nonnull; /* paths relative to the node's value; NULL: not kept; "": the value itself */
   uint8_t as;  /* BSON type written for the sum (MT_INT32: int32 while it fits, else int64;
                   MT_INT64, MT_DOUBLE, MT_DECIMAL) */
} MtMeasureAgg;

typedef struct MtPreagg {
   bool present;
   const char *n; /* path of the number of records; NULL: not kept */
   uint8_t n_as;
   MtMeasureAgg *measures;
   size_t measure_count;
   bool
      zero_is_absent; /* zero: "absent": a stored 0 (or no value) means that there was no sample */
} MtPreagg;

typedef struct MtRaw {
   bool present;
   bool many; /* an array of records under `at`; otherwise one record: the node's value itself */
   const char *at;
   int *
      columns; /* columns kept in each record (measures; also dimensions or time not bound above) */
   const char **paths;    /* parallel: relative to the record; "": the record itself is the value */
   MtEncoding *encodings; /* parallel */
   size_t count;
} MtRaw;

typedef struct MtTimeRange {
   bool present;
   bool exact;            /* the bounds are the records' own min and max; else merely bounds */
   const char *min, *max; /* paths relative to the document */
   MtEncoding encoding;
} MtTimeRange;

typedef enum MtNodeKind {
   MT_NODE_DOCUMENT,
   MT_NODE_LIST,
   MT_NODE_MAP,
   MT_NODE_SLOTS,
   MT_NODE_SCALAR,
   MT_NODE_PAIRS, /* an array of arrays: paths in a cell are positions, "0", "1" … */
   MT_NODE_ARRAYS /* parallel arrays: paths in a cell are their names */
} MtNodeKind;

/* What descriptors and \d+ call them, by MtNodeKind; ended by NULL. */
extern const char *const mt_node_kind_words[];

typedef struct MtNode MtNode;
struct MtNode {
   MtNodeKind kind;
   int id;           /* preorder number in the store's tree, root 0 */
   int depth;        /* levels above it */
   const char *name; /* what EXPLAIN and SET cut call it: the bound column or unit, "document" for
                        the root */
   const char
      *at; /* path relative to the parent's value; "" for the root and for "the value itself" */
   MtBinding *binds;
   size_t bind_count;
   MtTimeRange range;
   MtPreagg agg;
   MtRaw raw;
   const char **order; /* the writer's order of this node's top-level fields, where it isn't the
                          usual one; names not listed follow */
   size_t order_count;
   /* pairs and arrays: the paths of a cell's values, in the order in which they are written */
   const char **fields;
   const char **places; /* arrays: where each one lies in the parent's value */
   size_t field_count;
   MtNode *parent;
   MtNode **subs; /* children: one refines (sub), several are redundant copies (alt) of which a plan
                     reads one */
   size_t sub_count;
};

typedef struct MtIdPart {
   const char *literal; /* or NULL: */
   MtBinding bind;
} MtIdPart;

typedef enum MtWriteMode {
   MT_WRITE_INSERT,
   MT_WRITE_PUSH,
   MT_WRITE_PACK,
   MT_WRITE_INC,
   MT_WRITE_NEWER
} MtWriteMode;

/* How the parts of a composed id are written. */
typedef enum MtEscape {
   MT_ESCAPE_USUAL,   /* the descriptor doesn't say: with escapes, unless others made the
                       * collection */
   MT_ESCAPE_PERCENT, /* "%25" for `%`, and alike for the first byte of the literal behind the
                       * part */
   MT_ESCAPE_NONE     /* as they are */
} MtEscape;

/* A field of a collection's shard key. */
typedef struct MtShardField {
   const char *at; /* "_id", or where a binding of the root is */
   bool hashed;
} MtShardField;

/* A collection of a store that has one a month or a day: that of the records from start_ms up to,
 * but not, end_ms (UTC). */
typedef struct MtPartition {
   const char *collection;
   int64_t start_ms, end_ms;
} MtPartition;

/* What of a description isn't fixed: the partitions are the collections that there are
 * (partition.h). */
typedef struct MtPartitions {
   MtUnit unit;       /* MT_UNIT_DAY, MT_UNIT_MONTH */
   MtPartition *list; /* by time; borrowed until the table is */
   size_t count;
   MtArena *arena; /* the table's */
} MtPartitions;

typedef struct MtStoreDesc {
   const char *collection; /* with `parts`: what their names begin with */
   MtPartitions *parts;    /* NULL: one collection has all documents */
   MtIdPart *id;           /* count 0: an ObjectId made by the writer */
   size_t id_count;
   MtEscape escape;
   MtWriteMode write;
   bool repeats;         /* one key may occur in several documents */
   int64_t flush_levels; /* pack: a document is closed after so many level elements; 0: 50,000 */
   const struct MtTimeseries *timeseries; /* how a server's time-series collection is made
                                             (engine/engine.h); NULL: it's an ordinary one */
   int64_t preallocate; /* inc: one hit in so many makes the next period's document of its series
                           (layouts/prealloc.h); 0: none does */
   MtShardField *shard; /* by which the collection is sharded where it is made on a router */
   size_t shard_count;
   MtNode *root;
   MtNode **nodes; /* all, by id */
   size_t node_count;
   bool suspect; /* somebody writes to several collections, or has died amidst it: this one may not
                    have all of it, or more. Never stored */
} MtStoreDesc;

typedef enum MtPresums { MT_PRESUMS_TRUST, MT_PRESUMS_VERIFY, MT_PRESUMS_IGNORE } MtPresums;

/* What the writer counted or ANALYZE measured, per node of each store: the planner's statistics. */
typedef struct MtNodeStats {
   double cells; /* elements of this level in the whole collection */
   double bytes; /* of the elements' own bytes, children left out */
} MtNodeStats;

typedef struct MtStoreStats {
   bool present;
   double documents, bytes, records;
   bool has_time;
   int64_t min_ms, max_ms; /* of the time column: bounds */
   MtNodeStats *nodes;     /* node_count; NULL when !present */
   uint64_t *nulls;        /* by column: NULLs that the writer wrote since the layout was made (on a
                              server: 0 or not); NULL: not known */
   size_t null_columns;
} MtStoreStats;

typedef struct MtLayout {
   const char *name;
   const char *preset; /* what USING said, for display only; "" when made from a descriptor alone */
   const char *options_text; /* what WITH said, for display and \d */
   bool attached;            /* collections made by others: DROP TABLE keeps them */
   MtPresums presums;
   MtKeeps keeps;
   int *key; /* columns; sums and latest */
   size_t key_count;
   int *tie; /* latest: columns whose greater value wins among records of one time, in this order:
                all but the key and the time */
   size_t tie_count, tie_given; /* the first ones are those that the descriptor names */
   MtStoreDesc *stores;
   size_t store_count;
   MtStoreStats *stats; /* parallel to stores */
   bool clean;          /* false while a write is under way on an engine without atomic steps */
   const struct MtExpiry *expiry; /* when rows expire here, which other layouts may still have
                                     (expire.h); NULL: with the table's */
} MtLayout;

/* What becomes of a temporary table when a transaction commits. */
typedef enum MtOnCommit { MT_COMMIT_KEEPS, MT_COMMIT_EMPTIES, MT_COMMIT_DROPS } MtOnCommit;

typedef struct MtTable {
   const char *name;
   bool temporary; /* the session's own: its collections' names begin with MT_TEMPORARY, and so does
                      what the catalog calls it */
   MtOnCommit on_commit;
   MtColumn *columns;
   size_t column_count;
   int time_column; /* -1: none */
   int *key;        /* declared key, or NULL */
   size_t key_count;
   bool unique; /* PRIMARY KEY: no two rows have the same key */
   MtLayout *layouts;
   size_t layout_count;
   int64_t version;
   int64_t made; /* on a server: tells it from others that had its name before, or come to have it;
                    0: not known */
   const struct MtExpiry
      *expiry; /* when rows expire in all layouts (expire.h); NULL: never, or as the layouts say */
   const struct MtSketch
      *sketch;     /* NULL, but while a descriptor is checked by itself: mt_descriptor_check */
   int64_t writes; /* how often others, or this session, added to the statistics of this version, on
                      a server */
} MtTable;

/* What the catalog calls a table, and what else is kept about it: its name, unless it is temporary.
 * In arena a, or borrowed from t. */
const char *mt_table_id (MtArena *a, const MtTable *t);

/* The path at which documents of a layout that keeps the latest records have a column's value;
 * NULL: in a part of the id alone. */
const char *mt_latest_path (const MtStoreDesc *s, int column);

/* Pairs and arrays: a cell is a few values at one position, without levels below. */
static inline bool mt_is_flat (const MtNode *n)
{
   return n->kind == MT_NODE_PAIRS || n->kind == MT_NODE_ARRAYS;
}
/* Levels that may have several cells alike. */
static inline bool mt_is_listed (const MtNode *n)
{
   return n->kind == MT_NODE_LIST || mt_is_flat (n);
}
/* Whether no way below the node leads to records. */
bool mt_keeps_sums_alone (const MtNode *n);
/* Whether null at a key or place of this level is no record: where a record is one value that
 * stands there. */
static inline bool mt_null_is_no_cell (const MtNode *n)
{
   return n->kind == MT_NODE_SLOTS || (n->kind == MT_NODE_MAP && n->raw.present && !n->raw.many &&
                                       n->raw.count == 1 && !*n->raw.paths[0]);
}
/* True when each record is a document of its own. */
static inline bool mt_store_is_rows (const MtStoreDesc *s)
{
   return s->root->raw.present && !s->root->raw.many;
}
/* True when a binding of the root lies at or under _id. */
bool mt_root_binds_id (const MtStoreDesc *s);

/* Documents that others made and nobody has counted: what is added to them says nothing of how many
 * there are. */
static inline bool mt_is_uncounted (const MtLayout *l)
{
   return l->attached && !(l->stats && l->stats[0].present);
}

/* Others made the layout's collections: their ids have no escapes, unless the descriptor says
 * otherwise. */
void mt_layout_attach (MtLayout *l);

/* Column by name: exact, or else the only one that matches without regard to ASCII case. -1: none,
 * -2: ambiguous. */
int mt_table_column (const MtTable *t, const char *name, bool exact_only);
/* Whether a column is among a key's, a table's or a layout's. */
bool mt_in_key (const int *key, size_t count, int column);

/* ---- descriptors ---- */

/* An option of WITH. */
typedef struct MtPresetOption {
   const char *name;
   const char *value; /* text */
   MtSpan span;
} MtPresetOption;

/* Where a descriptor is wrong. */
typedef struct MtBlame {
   const char *layout; /* its name; borrowed */
   bool preset;        /* a preset made it: there is no text of the user's to point at */
   MtError *err;       /* what is wrong; borrowed */
   char path[1000];    /* "stores[0].root.bind[1]"; "" the descriptor as a whole */
   bool name;          /* the name of the field at that path, not its value */
} MtBlame;

/* Checks a descriptor by itself: refuses what can't work with any table. 42P17 in blame->err, and
 * its place in blame. */
bool mt_descriptor_check (MtArena *a, const char *name, const bson_t *descriptor, MtBlame *blame);
/* Reads and checks a layout's descriptor against the table's columns (t->layouts is not looked at).
 * In arena a. 42P17 with the path inside the descriptor and the reason when it contradicts itself
 * or can't work. */
bool mt_layout_parse (MtArena *a, const MtTable *t, const char *name, const bson_t *descriptor,
                      MtLayout *out, MtError *err);
/* The same with a preset's descriptor: errors say what the table lacks, and not where in a
 * descriptor nobody wrote. */
bool mt_layout_parse_preset (MtArena *a, const MtTable *t, const char *name,
                             const bson_t *descriptor, MtLayout *out, MtError *err);
/* Shards every store of the layout by what an option says: "_id", or columns that are fields of the
 * documents, "a, b"; "hashed" behind one hashes it. In arena a. 22023 with the reason where it
 * can't be; 42703. */
bool mt_layout_shard (MtArena *a, const MtTable *t, MtLayout *l, const MtPresetOption *option,
                      MtError *err);
/* Another collection for the layout's first store. In arena a, or borrowed. 42P17. */
bool mt_layout_move (const MtTable *t, MtLayout *l, const char *collection, MtError *err);
/* Back to BSON, appended to `out` (statistics not included). */
bool mt_layout_to_bson (const MtTable *t, const MtLayout *l, bson_t *out, MtError *err);

/* ---- presets: each makes a descriptor from options ---- */

/* The descriptor of preset `preset` with options for table t, as BSON appended to `out`.
 * collection_default: the collection when none is named. 42704 for an unknown preset (near name
 * offered), 22023 for an unknown option or a bad value. */
bool mt_preset_descriptor (MtArena *a, const MtTable *t, const char *preset,
                           const MtPresetOption *options, size_t option_count,
                           const char *collection_default, bson_t *out, MtError *err);
/* Names of presets, for completion, help and hints; ended by NULL. */
const char *const *mt_preset_names (void);
bool mt_is_preset (const char *name);

/* ---- the catalog's form ---- */

bool mt_table_to_bson (const MtTable *t, bson_t *out,
                       MtError *err); /* {_id: name, …} with statistics */
bool mt_table_from_bson (MtArena *a, const bson_t *doc, MtTable *out,
                         MtError *err); /* validated: XX001 when damaged */

#endif
