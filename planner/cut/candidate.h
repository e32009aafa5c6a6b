/* The planner's settings, and the candidates: all ways to read a table that the planner
 * compared. */
#ifndef MT_CANDIDATE_H
#define MT_CANDIDATE_H

#include "engine/engine.h"
#include "query/query.h"

typedef struct MtPlanSettings {
   /* SET layout: only this layout is read. NULL: the cheapest one. */
   const char *layout;
   /* `layout` applies to this table only. NULL: to all tables. */
   const struct MtTable *layout_of;
   /* SET cut: only this cut is read. NULL: the cheapest one. */
   const char *cut;
   /* Documents of another shape in attached collections are left out. */
   bool skip_malformed;
   bool require_full_pushdown;
   bool outline; /* MtPlan.outline is filled */
   /* The query reads a temporary table, or may read one. A server can't join with it. */
   bool temporary;
   /* false: no cut above the leaves and no pruning. Tests compare the results of both. */
   bool optimize;
   MtTextStyle style;
   const MtCaps *caps;
   const MtCancel *cancel; /* checked while the query is planned; NULL: none */
   /* Whether an index of the collection begins with the field. NULL: nothing is known about
    * indexes. */
   bool (*indexed) (void *ctx, const char *collection, const char *field);
   void *indexed_ctx;
} MtPlanSettings;

/* One way to read a table of the statement. */
typedef struct MtCandidate {
   const char *table;
   const char *layout;
   const char *cut; /* "document", "ts", "records", "hour + records" (hybrid) … */
   /* Which occurrence of a table in the query the candidate is for: 1, 2, … */
   int table_use;
   bool legal;
   bool chosen;
   /* Estimated bytes that are read, plus a charge for each cell. */
   double cost;
   double cells, bytes; /* estimates */
   const char *reason;  /* why the candidate can't answer; "" when it can */
   int64_t grain_ms;    /* how exactly its cells give the time; 0: to the millisecond */
   /* Of the chosen candidate: how many of its partitions are read. partitions is 0 without
    * partitions. */
   size_t partitions_read, partitions;
   /* The partitions that are read: the first and the last of each run. NULL: none. */
   const char *partition_names;
   /* The order in which partitions are read: "newest first" … NULL: no order. */
   const char *order;
   /* Later partitions are read only while the earlier ones don't give the whole answer. */
   bool stops;
   bool expires; /* rows before expired_ms are left out as expired */
   int64_t expired_ms;
} MtCandidate;

#endif
