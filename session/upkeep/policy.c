/* Refresh policies of continuous views: which window of time `mtsql --maintain` refreshes, and
 * when. */
#include "session/upkeep/upkeep.h"

#include "session/core/core.h"
#include "types/datetime.h"

#include <string.h>

enum { VIEW, START, END, EVERY, IF_NOT_EXISTS, COUNT };

/* Evaluates an argument that is an interval. *text: the interval as text; NULL: the argument is
 * NULL. */
static bool read_interval (MtStatement *st, const MtExpr *e, const char **text, MtInterval *out,
                           MtError *err)
{
   MtVal v;
   MtBuf printed = {0};
   MtType type = mt_type (MT_T_INTERVAL);
   *text = NULL;
   if (!mt_call_value (st, e, MT_T_INTERVAL, &v, err))
      return false;
   if (mt_is_nullish (v))
      return true;
   bool ok = mt_value_print (type, v, &st->env.style, &printed, err) &&
             mt_interval_in (printed.p, printed.n, out, err);
   *text = ok ? mt_strndup (st->arena, printed.p, printed.n) : NULL;
   mt_buf_free (&printed);
   return ok;
}

/* Sets *out to the current time minus an interval. */
static bool before_now (MtStatement *st, MtInterval iv, int64_t *out, MtError *err)
{
   iv = (MtInterval) {-iv.months, -iv.days, -iv.us};
   return mt_ts_add_interval (st->env.style.now_ms, iv, NULL, out, err);
}

static bool read_policy (MtStatement *st, MtExpr *const args[COUNT], MtPolicy *out, MtError *err)
{
   MtInterval start = {0}, end = {0}, every = {0};
   const char *text;
   int64_t from = MT_TIME_MIN, to = MT_TIME_MAX, due = st->env.style.now_ms;
   *out = (MtPolicy) {.set = true};
   if (!read_interval (st, args[START], &out->start, &start, err) ||
       !read_interval (st, args[END], &out->end, &end, err) ||
       !read_interval (st, args[EVERY], &text, &every, err) ||
       (out->start && !before_now (st, start, &from, err)) ||
       (out->end && !before_now (st, end, &to, err)) || !before_now (st, every, &due, err))
      return false;
   out->every_ms = st->env.style.now_ms - due;
   if (out->every_ms < 0)
      return mt_error_at (err, args[EVERY]->span, MT_E_PARAMETER,
                          "schedule_interval must not be negative");
   if (from < to)
      return true;
   mt_error_at (err, args[START]->span, MT_E_PARAMETER, "policy refresh window too small");
   return mt_error_hint (err, "start_offset must be larger than end_offset.");
}

/* Gives the result one row: the name of the view, in a column named `column`. */
static void show_view (MtStatement *st, const char *column, const char *name)
{
   const char *const columns[] = {column};
   const char *shown = mt_strdup (st->result->arena, name);
   mt_result_text_columns (st->result, 1, columns);
   mt_result_add_row (st->result, &shown);
}

static bool save (MtStatement *st, MtContinuous *v, MtError *err)
{
   static const char *const columns[] = {"remove_continuous_aggregate_policy",
                                         "add_continuous_aggregate_policy"};
   if (mt_engine_caps (st->session->engine)->read_only)
      return mt_error (err, MT_E_READ_ONLY, "cannot change \"%s\": the target is read-only",
                       v->name);
   if (!mt_continuous_save (st->session, st->arena, v, err))
      return false;
   if (st->stmt->call.select)
      show_view (st, columns[v->policy.set], v->name);
   return true;
}

bool mt_run_add_policy (MtStatement *st, MtError *err)
{
   static const MtArgument known[COUNT] = {{"continuous_aggregate", false},
                                           {"start_offset", false},
                                           {"end_offset", false},
                                           {"schedule_interval", false},
                                           {"if_not_exists", true}};
   MtExpr *args[COUNT] = {NULL};
   MtContinuous *v;
   MtVal lenient;
   if (!mt_call_arguments (st->stmt->call.x, known, COUNT, args, err) ||
       !mt_call_view (st, args[VIEW], &v, err) ||
       !mt_call_value (st, args[IF_NOT_EXISTS], MT_T_BOOL, &lenient, err))
      return false;
   if (v->policy.set && lenient.type == MT_BOOL && lenient.i) {
      mt_notice (st->session, "NOTICE", NULL,
                 "continuous view \"%s\" has a policy already, skipping", v->name);
      return true;
   }
   if (v->policy.set)
      return mt_error (err, MT_E_DUPLICATE_OBJECT, "continuous view \"%s\" has a policy already",
                       v->name) ||
             mt_error_hint (err, "Use remove_continuous_aggregate_policy first.");
   return read_policy (st, args, &v->policy, err) && save (st, v, err);
}

bool mt_run_remove_policy (MtStatement *st, MtError *err)
{
   static const MtArgument known[] = {{"continuous_aggregate", false}, {"if_exists", true}};
   MtExpr *args[2] = {NULL};
   MtContinuous *v;
   MtVal lenient;
   if (!mt_call_arguments (st->stmt->call.x, known, 2, args, err) ||
       !mt_call_view (st, args[0], &v, err) ||
       !mt_call_value (st, args[1], MT_T_BOOL, &lenient, err))
      return false;
   if (!v->policy.set && !(lenient.type == MT_BOOL && lenient.i))
      return mt_error (err, MT_E_UNDEFINED_OBJECT, "continuous view \"%s\" has no policy", v->name);
   v->policy = (MtPolicy) {0};
   return save (st, v, err);
}
