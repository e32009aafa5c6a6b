/* Continuous views: materialized views over a query that is grouped by time buckets. A statement
 * that changes the source marks the touched buckets as stale, and a refresh computes only these
 * again. README.md draws the protocol. */
#ifndef MT_SESSION_CONTINUOUS_H
#define MT_SESSION_CONTINUOUS_H

#include "planner/cut/range.h"
#include "session/state/session.h"

/* The schema under which a query reads the stored rows of a continuous view alone. */
#define MT_STORED_SCHEMA "_mtsql_stored"

/* When `--maintain` refreshes a view. */
typedef struct MtPolicy {
   bool set;
   const char *start, *end; /* intervals before now; NULL: open */
   int64_t every_ms;        /* 0: at each pass */
} MtPolicy;

typedef struct MtContinuous {
   const char *name;   /* the name of its table */
   const char *id;     /* stays the same when the view is renamed */
   const char *source; /* the table whose time is bucketed */
   const char *time;   /* the source's time column, as the query names it */
   const char *bucket; /* the bucket's expression, with $1 in the place of the time */
   const char *column; /* the view's column that has the bucket */
   MtTypeId type;      /* of the time */
   /* The width of all buckets, and the start of one of them. width 0: buckets of the calendar,
    * which differ in length. */
   int64_t width_ms, origin_ms;
   /* Buckets from here on are not stored. MT_TIME_MIN: none is stored. */
   int64_t watermark_ms;
   /* Rows of the source before this time were removed by retention. Their buckets stay as they are.
    * MT_TIME_MIN: none were removed. */
   int64_t kept_ms;
   bool materialized_only; /* reads return stored buckets only */
   MtPolicy policy;
} MtContinuous;

/* ---- object.c: continuous views in the catalog ---- */

/* Returns whether the catalog has any continuous view. */
bool mt_has_continuous (MtSession *s);
/* Finds a continuous view by the name of its table, in arena a; *out NULL: there is none. XX001 if
 * it is damaged. */
bool mt_continuous_find (MtSession *s, MtArena *a, const char *name, MtContinuous **out,
                         MtError *err);
/* Returns all continuous views, sorted by name, in arena a. XX001 if one is damaged. */
bool mt_continuous_list (MtSession *s, MtArena *a, MtContinuous **out, size_t *count, MtError *err);
/* Makes the object's body, in arena a. */
const bson_t *mt_continuous_body (MtArena *a, const MtContinuous *v);
bool mt_continuous_save (MtSession *s, MtArena *a, const MtContinuous *v, MtError *err);
/* Removes a continuous view and its stale marks from the catalog. Does nothing if it is none. */
bool mt_continuous_forget (MtSession *s, const char *name, MtError *err);
bool mt_continuous_rename (MtSession *s, const char *name, const char *to, MtError *err);
/* The time at which `--maintain` last refreshed a view; 0: never. A document beside the catalog's
 * objects, which does not change the catalog's version. */
bool mt_continuous_ran (MtSession *s, MtArena *a, const MtContinuous *v, int64_t *out,
                        MtError *err);
bool mt_continuous_note_run (MtSession *s, MtArena *a, const MtContinuous *v, int64_t now_ms,
                             MtError *err);
/* 2BP01 if a continuous view reads the table. */
bool mt_no_continuous_reads (MtSession *s, const char *table, MtError *err);

/* ---- bucket.c ---- */

/* Sets *out to the bucket that contains a time. */
bool mt_bucket_of (MtSession *s, const MtContinuous *v, int64_t ms, MtRange *out, MtError *err);
/* Rounds a time down or up to the start of a bucket. MT_TIME_MIN and MT_TIME_MAX stay. */
bool mt_bucket_floor (MtSession *s, const MtContinuous *v, int64_t *ms, MtError *err);
bool mt_bucket_ceil (MtSession *s, const MtContinuous *v, int64_t *ms, MtError *err);
/* Widens ranges to whole buckets, in arena a. */
bool mt_bucket_widen (MtSession *s, MtArena *a, const MtContinuous *v, MtRangeSet *ranges,
                      MtError *err);
/* Adds the number of buckets in a bounded range of whole buckets to *count. */
bool mt_bucket_count (MtSession *s, const MtContinuous *v, MtRange range, uint64_t *count,
                      MtError *err);
/* Sets origin_ms and width_ms. fixed: no bucket depends on the calendar. */
bool mt_bucket_measure (MtSession *s, MtContinuous *v, bool fixed, MtError *err);

/* ---- stale.c: marks of stale buckets ---- */

/* A mark: the stored rows of these buckets are not valid. */
typedef struct MtStale {
   const char *name; /* of the catalog's object */
   MtRange range;
   /* A refresh computes the buckets now, or its process died. A statement that touches one of them
    * adds a mark of its own. */
   bool claimed;
} MtStale;

/* Returns the marks of a view, in arena a. */
MtStale *mt_stale_list (MtSession *s, MtArena *a, const MtContinuous *v, size_t *count);
/* Returns the union of the marks, in arena a; claimed: only of claimed ones. */
MtRangeSet mt_stale_ranges (MtSession *s, MtArena *a, const MtContinuous *v, bool claimed);
bool mt_stale_add (MtSession *s, MtArena *a, const MtContinuous *v, MtRange range, bool claimed,
                   MtError *err);
bool mt_stale_drop (MtSession *s, const char *name, MtError *err);
/* Returns the time before which the source has no complete rows: buckets before it can't be
 * computed again. Never above the watermark. */
bool mt_kept_before (MtSession *s, const MtContinuous *v, int64_t now_ms, int64_t *out,
                     MtError *err);
/* Records that rows of a table before a time were removed by retention. Call it in the step that
 * removes them. */
bool mt_continuous_expired (MtSession *s, MtArena *a, const char *table, int64_t before_ms,
                            MtError *err);

/* ---- touch.c: what a statement changes ---- */

/* The buckets of all continuous views that a statement touches, directly or through other
 * continuous views. */
typedef struct MtTouch MtTouch;

/* Begins a statement that changes rows of table t. Returns NULL if no continuous view reads it; the
 * functions below accept NULL. In the statement's arena. */
bool mt_touch_open (MtStatement *st, const MtTable *t, MtTouch **out, MtError *err);
/* Adds the time of a row that is inserted, deleted or changed. */
bool mt_touch_time (MtTouch *x, MtVal time, MtError *err);
/* Adds all rows of these times. */
bool mt_touch_ranges (MtTouch *x, MtRangeSet ranges, MtError *err);
/* Adds all rows. */
bool mt_touch_all (MtTouch *x, MtError *err);
/* Saves the marks that are missing. In process they belong to the statement's step. On a server
 * call it before the rows are written. */
bool mt_touch_save (MtTouch *x, MtError *err);
/* On a server: saves the marks of a row now if it is the first one of its buckets. Call it before
 * each row that is written at once. */
bool mt_touch_ahead (MtTouch *x, MtError *err);
/* On a server: reads the catalog's stored marks, and saves those again that a refresh has claimed
 * since mt_touch_save. Call it after the rows are written. */
bool mt_touch_confirm (MtTouch *x, MtError *err);

/* ---- read.c ---- */

/* Returns a condition on a column for times in the ranges, as SQL in arena a. NULL: always true. */
const char *mt_continuous_condition (MtArena *a, const char *column, MtTypeId type,
                                     MtRangeSet ranges);
/* Returns the view's query, restricted to these times of the source, as SQL in arena a. */
bool mt_continuous_query (MtArena *a, const MtContinuous *v, const char *definition,
                          MtRangeSet ranges, const char **out, MtError *err);
/* Returns whether the source may have rows behind the watermark. */
bool mt_continuous_has_tail (MtSession *s, MtArena *a, const MtContinuous *v);
/* Returns the query that unites stored and fresh buckets, in arena a; out->query NULL: the stored
 * rows alone are the view. t is the view's table. */
bool mt_continuous_view (MtSession *s, MtArena *a, const MtTable *t, const char *definition,
                         MtView *out, MtError *err);

#endif
