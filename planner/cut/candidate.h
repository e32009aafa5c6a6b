/* What the session asks of the planner, and the ways to read a table that it had to choose
 * between. */
#ifndef MT_CANDIDATE_H
#define MT_CANDIDATE_H

#include "engine/engine.h"
#include "query/query.h"

typedef struct MtPlanSettings {
   const char *layout;              /* SET layout: only this one; NULL: the cheapest */
   const struct MtTable *layout_of; /* `layout` is for this table alone; NULL: for all */
   const char *cut;                 /* SET cut: only this one; NULL: the cheapest */
   bool skip_malformed; /* attached collections have documents of another shape, to be left out */
   bool require_full_pushdown;
   bool outline;   /* MtPlan.outline is wanted */
   bool temporary; /* a temporary table is in it, or may be: a server can't join with it */
   bool optimize;  /* false: no cut above the leaves, no pruning (tests: NoREC) */
   MtTextStyle style;
   const MtCaps *caps;
   const MtCancel *cancel; /* looked at while the query is planned; NULL: none */
   /* Whether an index of a collection begins with that field; NULL: nobody knows. */
   bool (*indexed) (void *ctx, const char *collection, const char *field);
   void *indexed_ctx;
} MtPlanSettings;

/* One way in which a table of the statement could be read. */
typedef struct MtCandidate {
   const char *table;
   const char *layout;
   const char *cut; /* "document", "ts", "records", "hour + records" (hybrid) … */
   int table_use;   /* which use of a table in the query it is for: 1, 2, … */
   bool legal;
   bool chosen;
   double cost;                        /* bytes touched, estimated, plus a charge a cell */
   double cells, bytes;                /* estimates */
   const char *reason;                 /* why it can't answer, or "" */
   int64_t grain_ms;                   /* how well its cells tell the time; 0: exactly */
   size_t partitions_read, partitions; /* chosen: of so many partitions; 0: it has none */
   const char *partition_names; /* those that are read: first to last, of neighbours; NULL: none */
   const char *order; /* they are read one after the other: "newest first" …; NULL: in no order */
   bool stops;        /* the last of them only where those before don't give the whole answer */
   bool expires;      /* rows before expired_ms are left out, as expired */
   int64_t expired_ms;
} MtCandidate;

#endif
