/* Continuous views: creating them, refreshing them, and their refresh policies; and the statement
 * CALL. */
#ifndef MT_SESSION_UPKEEP_H
#define MT_SESSION_UPKEEP_H

#include "session/continuous/continuous.h"

/* ---- definition.c ---- */

/* Checks that the query of CREATE MATERIALIZED VIEW can be a continuous view, and fills *out from
 * it. Fails with 0A000 if it can't be refreshed bucket by bucket. */
bool mt_continuous_describe (MtStatement *st, MtContinuous *out, MtError *err);

/* ---- create.c ---- */

/* Runs CREATE MATERIALIZED VIEW … WITH (continuous). */
bool mt_run_create_continuous (MtStatement *st, MtError *err);
/* Runs ALTER MATERIALIZED VIEW … SET (option = value, …). Fails with 0A000 if the view is not
 * continuous. */
bool mt_run_alter_continuous (MtStatement *st, MtError *err);
/* Returns whether CREATE MATERIALIZED VIEW has options of a continuous view. Their values are
 * checked later. */
bool mt_creates_continuous (const MtStmt *s);

/* ---- refresh.c ---- */

/* Computes the stale buckets of a continuous view that lie within the window, and new buckets from
 * the watermark (up to which all were computed) to the window's end. force: computes all buckets of
 * the window. *count: the number of computed buckets. Fails with 55006 if another program refreshes
 * the view. */
bool mt_refresh_continuous (MtStatement *st, const char *name, MtRange window, bool force,
                            uint64_t *count, MtError *err);
/* Runs REFRESH MATERIALIZED VIEW for a continuous view. */
bool mt_run_refresh_continuous (MtStatement *st, const char *name, MtError *err);

/* ---- call.c ---- */

/* Runs CALL. Also runs a SELECT of one of the procedures that are functions in TimescaleDB. */
bool mt_run_call (MtStatement *st, MtError *err);

/* A parameter of a procedure. */
typedef struct MtArgument {
   const char *name;
   bool optional;
} MtArgument;

/* Puts the arguments of a call, given by position or by name, into out[] in the order of the
 * parameters `known`; NULL: not given. Fails with 42883 if an argument is unknown or missing. */
bool mt_call_arguments (const MtExpr *call, const MtArgument *known, size_t count, MtExpr **out,
                        MtError *err);
/* Evaluates an argument as a value of a type. e NULL: the value is NULL. */
bool mt_call_value (MtStatement *st, const MtExpr *e, MtTypeId type, MtVal *out, MtError *err);
/* Finds the continuous view that an argument names, as text or as a name without quotes. Errors:
 * 42P01 there is none, 42809 it is another relation. */
bool mt_call_view (MtStatement *st, const MtExpr *e, MtContinuous **out, MtError *err);

/* ---- policy.c ---- */

bool mt_run_add_policy (MtStatement *st, MtError *err);
bool mt_run_remove_policy (MtStatement *st, MtError *err);

#endif
