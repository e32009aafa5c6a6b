/* The planner's settings, and its candidates. A candidate is one way to read a table: a layout and
 * the level at which reading stops. */
#ifndef MT_CANDIDATE_H
#define MT_CANDIDATE_H

#include "engine/engine.h"
#include "query/query.h"

typedef struct MtPlanSettings {
   /* SET layout: only this layout is read. NULL: the cheapest one. */
   const char *layout;
   /* `layout` applies to this table only. NULL: to all tables. */
   const struct MtTable *layout_of;
   /* SET cut: the planner reads only at this cut (the level at which a plan stops reading). NULL:
    * at the cheapest one. */
   const char *cut;
   /* In attached collections, documents that do not match the descriptor are skipped. */
   bool skip_malformed;
   bool require_full_pushdown;
   /* SET pushdown_off: the stages and operators that servers must not run, with commas between them.
    * "*": all. NULL: none. */
   const char *pushdown_off;
   bool outline; /* EXPLAIN: fill MtPlan.outline, the tree of steps */
   /* The query may read a temporary table. A server can't join with a temporary table. */
   bool temporary;
   /* false: plans read all leaves and skip nothing. Tests compare results with true and false. */
   bool optimize;
   MtTextStyle style;
   const MtCaps *caps;
   const MtCancel *cancel; /* checked while the query is planned; NULL: none */
   /* Returns whether an index of the collection begins with the field. NULL: indexes are
    * unknown. */
   bool (*indexed) (void *ctx, const char *collection, const char *field);
   void *indexed_ctx;
   /* Finds out which blocks of a collection a pipeline of $match stages would open, as
    * mt_engine_opened does. NULL: all blocks. */
   bool (*opened) (void *ctx, const char *collection, const bson_t *stages, MtOpenedBlocks *out);
   /* Returns whether the engine keeps these fields as columns, as mt_engine_keeps_columns does.
    * NULL: it has no columns. */
   bool (*columns) (void *ctx, const char *collection, const char *const *fields, size_t count);
   void *opened_ctx; /* of `opened` and `columns` */
} MtPlanSettings;

/* One way to read a table of the statement. */
typedef struct MtCandidate {
   const char *table;
   const char *layout;
   /* The level at which reading stops: "document", "ts", "records", "hour + records" … */
   const char *cut;
   /* The number of the table's occurrence in the query: 1, 2, … A self-join has two. */
   int table_use;
   bool legal;
   bool chosen;
   /* Estimated cost: the bytes to read, plus charges for documents, visited cells (entries of a
    * level), checked conditions, and keys of groups. */
   double cost;
   double cells, bytes; /* estimated cells (entries of the level) and bytes to read */
   double rows;         /* estimated rows that satisfy the filters */
   const char *reason;  /* why the candidate can't answer the query; "" if it can */
   int64_t grain_ms;    /* length of time in one entry of the level; 0: exact time */
   /* Set for the chosen candidate: partitions to read, and all partitions of its store. Both are 0
    * if the store is not partitioned. */
   size_t partitions_read, partitions;
   /* Names of the partitions to read, for EXPLAIN. Consecutive partitions are shown as "first to
    * last". NULL: no partitions. */
   const char *partition_names;
   /* The order in which partitions are read, for EXPLAIN: "newest first" … NULL: any order. */
   const char *order;
   /* Reading stops at the first partition after which the answer is complete. */
   bool stops;
   bool expires; /* rows with a time before expired_ms have expired and are not read */
   int64_t expired_ms;
} MtCandidate;

#endif
