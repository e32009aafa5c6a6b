/* The planner's settings, and its candidates. A candidate is one way to read a table: a layout and
 * a cut, which is the level at which a plan stops reading the documents. */
#ifndef MT_CANDIDATE_H
#define MT_CANDIDATE_H

#include "engine/engine.h"
#include "query/query.h"

typedef struct MtPlanSettings {
   /* SET layout: only this layout is read. NULL: the planner chooses the cheapest. */
   const char *layout;
   /* The only table that `layout` applies to. NULL: it applies to all tables. */
   const struct MtTable *layout_of;
   /* SET cut: only this cut (the level at which a plan stops reading) is used. NULL: the planner
    * chooses the cheapest. */
   const char *cut;
   /* In attached collections, documents that do not match the descriptor are skipped. */
   bool skip_malformed;
   bool require_full_pushdown;
   /* SET pushdown_off: stages and operators that must not be sent to servers, separated by commas.
    * "*": all. NULL: none. */
   const char *pushdown_off;
   bool outline; /* for EXPLAIN: fill MtPlan.outline, the tree of the plan's steps */
   /* The query may read a temporary table, which is not on the server, so a server can't join it
    * with other tables. */
   bool temporary;
   /* false: plans read all data without shortcuts. Tests compare the results of both. */
   bool optimize;
   MtTextStyle style;
   const MtCaps *caps;
   const MtCancel *cancel; /* checked while the query is planned; NULL: none */
   /* Callback: returns whether an index of the collection has this field as its first field. NULL:
    * indexes are unknown. */
   bool (*indexed) (void *ctx, const char *collection, const char *field);
   void *indexed_ctx;
   /* Callback: finds which blocks (compressed groups of documents) of a collection would be read
    * for a pipeline of $match stages; like mt_engine_opened. NULL: all blocks are read. */
   bool (*opened) (void *ctx, const char *collection, const bson_t *stages, MtOpenedBlocks *out);
   /* Callback: returns whether the engine stores these fields column by column; like
    * mt_engine_keeps_columns. NULL: it stores no columns. */
   bool (*columns) (void *ctx, const char *collection, const char *const *fields, size_t count);
   void *opened_ctx; /* the argument ctx of `opened` and `columns` */
} MtPlanSettings;

/* One way to read a table of the statement, with its estimated cost. */
typedef struct MtCandidate {
   const char *table;
   const char *layout;
   /* The level at which reading stops: "document", "ts", "records", "hour + records" … */
   const char *cut;
   /* Which occurrence of the table in the query this is, from 1; a self-join has two. */
   int table_use;
   bool legal;
   bool chosen;
   /* Estimated cost: the bytes to read, plus charges for documents, visited entries (array elements
    * and map values), checked conditions, and group keys. */
   double cost;
   double cells, bytes; /* estimated number of entries and bytes to read */
   double rows;         /* estimated rows that satisfy the filters */
   const char *reason;  /* why the candidate can't answer the query; "" if it can */
   int64_t grain_ms;    /* length of the time interval of one entry; 0: the exact time is known */
   /* For the chosen candidate: the number of partitions to read, and of all partitions of its
    * store. Both are 0 if the store is not partitioned. */
   size_t partitions_read, partitions;
   /* Names of the partitions to read, for EXPLAIN. Consecutive ones are abbreviated as "first to
    * last". NULL: the store is not partitioned. */
   const char *partition_names;
   /* The order in which partitions are read, for EXPLAIN: "newest first" …; NULL: it is not
    * defined. */
   const char *order;
   /* Reading stops at the partition after which no other can change the result. */
   bool stops;
   bool expires; /* rows with times before expired_ms have expired, and are not read */
   int64_t expired_ms;
} MtCandidate;

#endif
