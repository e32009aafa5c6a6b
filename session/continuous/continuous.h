/* Continuous views: materialized views of a query that groups by time buckets. A statement that
 * changes the source table marks the buckets of the changed rows as stale, and a refresh computes
 * only these again. README.md has a diagram of the protocol. */
#ifndef MT_SESSION_CONTINUOUS_H
#define MT_SESSION_CONTINUOUS_H

#include "planner/cut/range.h"
#include "session/state/session.h"

/* Schema name by which a query reads only the stored rows of a continuous view. */
#define MT_STORED_SCHEMA "_mtsql_stored"

/* The policy by which `--maintain` refreshes a view. */
typedef struct MtPolicy {
   bool set;
   const char *start, *end; /* intervals before now: what to refresh; NULL: no limit */
   int64_t every_ms;        /* milliseconds between refreshes; 0: at each run of --maintain */
} MtPolicy;

typedef struct MtContinuous {
   const char *name;   /* name of the view's table in the catalog */
   const char *id;     /* stays the same when the view is renamed */
   const char *source; /* the table whose rows are grouped by time */
   const char *time;   /* the source's time column, as the query names it */
   const char *bucket; /* the bucket expression as SQL, with $1 for the time */
   const char *column; /* the view's column with the start of the bucket */
   MtTypeId type;      /* type of the time column */
   /* The width of all buckets, and the start of one of them. width_ms 0: calendar buckets, which
    * differ in length. */
   int64_t width_ms, origin_ms;
   /* Buckets from this time on are not stored, but computed when the view is read. MT_TIME_MIN: no
    * bucket is stored. */
   int64_t watermark_ms;
   /* Retention has removed the source's rows before this time, so their buckets can't be computed
    * again, and stay as they are. MT_TIME_MIN: no rows were removed. */
   int64_t kept_ms;
   bool materialized_only; /* reads return only stored buckets */
   MtPolicy policy;
} MtContinuous;

/* ---- object.c: definitions in the catalog ---- */

/* Returns whether the catalog has any continuous view. */
bool mt_has_continuous (MtSession *s);
/* Finds a continuous view by the name of its table, in arena a. *out is NULL if there is none.
 * XX001 if its definition is damaged. */
bool mt_continuous_find (MtSession *s, MtArena *a, const char *name, MtContinuous **out,
                         MtError *err);
/* Returns all continuous views, sorted by name, in arena a. XX001 if a definition is damaged. */
bool mt_continuous_list (MtSession *s, MtArena *a, MtContinuous **out, size_t *count, MtError *err);
/* Returns the body of the catalog object for a continuous view, in arena a. */
const bson_t *mt_continuous_body (MtArena *a, const MtContinuous *v);
bool mt_continuous_save (MtSession *s, MtArena *a, const MtContinuous *v, MtError *err);
/* Removes the definition of a continuous view, and its marks of stale buckets, from the catalog.
 * Does nothing if there is no such view. */
bool mt_continuous_forget (MtSession *s, const char *name, MtError *err);
bool mt_continuous_rename (MtSession *s, const char *name, const char *to, MtError *err);
/* Read and save the time at which `--maintain` last refreshed a view; 0: never. It is stored in a
 * document that is not a catalog object, so that it does not change the catalog's version. */
bool mt_continuous_ran (MtSession *s, MtArena *a, const MtContinuous *v, int64_t *out,
                        MtError *err);
bool mt_continuous_note_run (MtSession *s, MtArena *a, const MtContinuous *v, int64_t now_ms,
                             MtError *err);
/* Fails with 2BP01 if a continuous view reads the table. */
bool mt_no_continuous_reads (MtSession *s, const char *table, MtError *err);

/* ---- bucket.c: time buckets ---- */

/* Sets *out to the bucket that contains time ms. */
bool mt_bucket_of (MtSession *s, const MtContinuous *v, int64_t ms, MtRange *out, MtError *err);
/* Round *ms down (floor) or up (ceil) to the start of a bucket. MT_TIME_MIN and MT_TIME_MAX stay as
 * they are. */
bool mt_bucket_floor (MtSession *s, const MtContinuous *v, int64_t *ms, MtError *err);
bool mt_bucket_ceil (MtSession *s, const MtContinuous *v, int64_t *ms, MtError *err);
/* Widens time ranges to whole buckets. The result is in arena a. */
bool mt_bucket_widen (MtSession *s, MtArena *a, const MtContinuous *v, MtRangeSet *ranges,
                      MtError *err);
/* Adds the number of buckets in `range` to *count. The range must be bounded, and consist of whole
 * buckets. */
bool mt_bucket_count (MtSession *s, const MtContinuous *v, MtRange range, uint64_t *count,
                      MtError *err);
/* Sets v->origin_ms and v->width_ms. fixed: no bucket depends on the calendar, so all have one
 * width. */
bool mt_bucket_measure (MtSession *s, MtContinuous *v, bool fixed, MtError *err);

/* ---- stale.c: marks of stale buckets ---- */

/* A mark that the stored rows of the buckets in `range` are not up to date. */
typedef struct MtStale {
   const char *name; /* name of the mark's catalog object */
   MtRange range;
   /* A refresh is computing the buckets now (or its process has died). A statement that changes
    * rows in them must add another mark. */
   bool claimed;
} MtStale;

/* Returns all marks of a view, in arena a. */
MtStale *mt_stale_list (MtSession *s, MtArena *a, const MtContinuous *v, size_t *count);
/* Returns the union of the marked ranges, in arena a; only of claimed marks, if `claimed`. */
MtRangeSet mt_stale_ranges (MtSession *s, MtArena *a, const MtContinuous *v, bool claimed);
bool mt_stale_add (MtSession *s, MtArena *a, const MtContinuous *v, MtRange range, bool claimed,
                   MtError *err);
bool mt_stale_drop (MtSession *s, const char *name, MtError *err);
/* Sets *out to the time before which the source lacks rows, so that earlier buckets can't be
 * computed again. It is never after the watermark. */
bool mt_kept_before (MtSession *s, const MtContinuous *v, int64_t now_ms, int64_t *out,
                     MtError *err);
/* Records that retention has removed the rows of a table before a time. Call it in the write step
 * that removes them. */
bool mt_continuous_expired (MtSession *s, MtArena *a, const char *table, int64_t before_ms,
                            MtError *err);

/* ---- touch.c: marking the buckets that a statement changes ---- */

/* The buckets that a statement changes, for each continuous view that reads the table directly or
 * through other continuous views. */
typedef struct MtTouch MtTouch;

/* Begins recording the buckets that a statement changes in table t. *out, in the statement's arena,
 * is NULL if no continuous view reads t. All functions below accept NULL for it. */
bool mt_touch_open (MtStatement *st, const MtTable *t, MtTouch **out, MtError *err);
/* Adds the bucket of a row that is inserted, deleted or changed. time: the row's time. */
bool mt_touch_time (MtTouch *x, MtVal time, MtError *err);
/* Adds the buckets of all rows in these time ranges. */
bool mt_touch_ranges (MtTouch *x, MtRangeSet ranges, MtError *err);
/* Adds all buckets, because any row may change. */
bool mt_touch_all (MtTouch *x, MtError *err);
/* Saves those marks that the catalog does not have yet. On the embedded engine they are part of the
 * statement's write step. On a server, call it before the rows are written. */
bool mt_touch_save (MtTouch *x, MtError *err);
/* On a server: saves the marks of the last added row, unless its buckets are marked already. Call
 * it before each row that is sent before the statement ends. */
bool mt_touch_ahead (MtTouch *x, MtError *err);
/* On a server: reads the stored marks, and saves again those that a refresh has claimed since
 * mt_touch_save. Call it after the rows were written. */
bool mt_touch_confirm (MtTouch *x, MtError *err);

/* ---- read.c: the query of a continuous view ---- */

/* Returns the SQL condition that the times in `column` are in the ranges, in arena a. NULL: it is
 * true for all times. */
const char *mt_continuous_condition (MtArena *a, const char *column, MtTypeId type,
                                     MtRangeSet ranges);
/* Sets *out to the view's query as SQL, restricted to rows of the source in these time ranges. In
 * arena a. */
bool mt_continuous_query (MtArena *a, const MtContinuous *v, const char *definition,
                          MtRangeSet ranges, const char **out, MtError *err);
/* Returns whether the source may have rows after the watermark, which are not stored in the
 * view. */
bool mt_continuous_has_tail (MtSession *s, MtArena *a, const MtContinuous *v);
/* Sets *out to the query that reads a continuous view: a union of its stored buckets and of those
 * computed from the source. In arena a. out->query is NULL if the stored rows suffice. t: the
 * view's table. */
bool mt_continuous_view (MtSession *s, MtArena *a, const MtTable *t, const char *definition,
                         MtView *out, MtError *err);

#endif
