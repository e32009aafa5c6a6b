/* CALL: the table of procedures, and reading their arguments. */
#include "session/upkeep/upkeep.h"

#include "planner/emit/eval.h"
#include "session/core/core.h"
#include "session/ddl/ddl.h"
#include "session/core/schemas.h"

#include <string.h>

/* ---- arguments ---- */

static bool bad_arguments (const MtExpr *call, MtSpan span, const MtArgument *known, size_t count,
                           MtError *err)
{
   char list[256] = "";
   for (size_t i = 0; i < count; i++) {
      strncat (list, i ? ", " : "", sizeof list - strlen (list) - 1);
      strncat (list, known[i].name, sizeof list - strlen (list) - 1);
   }
   mt_error_at (err, span, MT_E_UNDEFINED_FUNCTION, "%s has other arguments",
                call->call.name->name.text);
   return mt_error_hint (err, "Its arguments are: %s.", list);
}

bool mt_call_arguments (const MtExpr *call, const MtArgument *known, size_t count, MtExpr **out,
                        MtError *err)
{
   const MtNameList *n = call->call.arg_names;
   size_t at = 0;
   for (const MtExprList *e = call->call.args; e; e = e->next, at++, n = n ? n->next : NULL) {
      bool named = n && n->name.text;
      size_t k = named ? 0 : at;
      while (named && k < count && !mt_ieq (n->name.text, known[k].name))
         k++;
      if (k >= count || out[k])
         return bad_arguments (call, e->expr->span, known, count, err);
      out[k] = e->expr;
   }
   for (size_t i = 0; i < count; i++)
      if (!out[i] && !known[i].optional)
         return bad_arguments (call, call->span, known, count, err);
   return true;
}

bool mt_call_value (MtStatement *st, const MtExpr *e, MtTypeId type, MtVal *out, MtError *err)
{
   MtX *x;
   *out = mt_v_null ();
   return !e || (mt_bind_expr (st->arena, &st->env, e, mt_type (type), &x, err) &&
                 mt_eval_const (st->arena, x, &st->env, out, err));
}

/* Reads an argument that names a view: a text, or a name without quotes. Sets *schema and *name. */
static bool read_name (MtStatement *st, const MtExpr *e, MtName *schema, MtName *name, MtError *err)
{
   MtVal v;
   *schema = *name = (MtName) {.span = MT_NO_SPAN};
   if (e->kind == MT_EXPR_COLUMN) {
      for (const MtNameList *n = e->column.parts; n; n = n->next) {
         *schema = *name;
         *name = n->name;
      }
      return true;
   }
   if (!mt_call_value (st, e, MT_T_TEXT, &v, err))
      return false;
   if (v.type != MT_STRING)
      return mt_error_at (err, e->span, MT_E_PARAMETER, "the name of a view cannot be NULL");
   mt_read_relation (st->arena, (MtStr) {(const char *) v.p, v.len}, schema, name);
   return true;
}

bool mt_call_view (MtStatement *st, const MtExpr *e, MtContinuous **out, MtError *err)
{
   MtName schema, name;
   const MtTable *t;
   if (!read_name (st, e, &schema, &name, err))
      return false;
   schema.span = name.span = e->span;
   if (!mt_place_name (st->session, st->arena, &schema, &name, NULL, err) ||
       !mt_need_table (st, &name, &t, err) ||
       !mt_continuous_find (st->session, st->arena, t->name, out, err))
      return false;
   return *out || mt_error_at (err, e->span, MT_E_WRONG_OBJECT,
                               "relation \"%s\" is not a continuous view", t->name);
}

/* ---- refresh_continuous_aggregate ---- */

static bool read_time (MtStatement *st, const MtExpr *e, const MtContinuous *v, int64_t open,
                       int64_t *out, MtError *err)
{
   MtVal time;
   if (!mt_call_value (st, e, v->type, &time, err))
      return false;
   *out = time.type == MT_DATE ? time.i : open;
   return true;
}

static bool run_refresh (MtStatement *st, MtError *err)
{
   enum { VIEW, FROM, TO, FORCE, COUNT };
   static const MtArgument known[COUNT] = {{"continuous_aggregate", false},
                                           {"window_start", false},
                                           {"window_end", false},
                                           {"force", true}};
   MtExpr *args[COUNT] = {NULL};
   MtContinuous *v;
   MtRange window;
   MtVal force;
   uint64_t count;
   if (!mt_call_arguments (st->stmt->call.x, known, COUNT, args, err) ||
       !mt_call_view (st, args[VIEW], &v, err) ||
       !read_time (st, args[FROM], v, MT_TIME_MIN, &window.lo, err) ||
       !read_time (st, args[TO], v, MT_TIME_MAX, &window.hi, err) ||
       !mt_call_value (st, args[FORCE], MT_T_BOOL, &force, err))
      return false;
   if (window.lo >= window.hi) {
      mt_error_at (err, args[FROM]->span, MT_E_PARAMETER, "refresh window too small");
      return mt_error_hint (err, "The start of the refresh window must be before the end.");
   }
   return mt_refresh_continuous (st, v->name, window, force.type == MT_BOOL && force.i, &count,
                                 err);
}

/* ---- the table ---- */

static const struct {
   const char *name;
   bool (*run) (MtStatement *st, MtError *err);
} procedures[] = {{"drop_chunks", mt_run_drop_chunks},
                  {"refresh_continuous_aggregate", run_refresh},
                  {"add_continuous_aggregate_policy", mt_run_add_policy},
                  {"remove_continuous_aggregate_policy", mt_run_remove_policy}};

bool mt_run_call (MtStatement *st, MtError *err)
{
   const MtNameList *name = st->stmt->call.x->call.name;
   mt_result_set_tag (st->result, st->stmt->call.select ? "SELECT" : "CALL");
   st->result->counts_rows = st->stmt->call.select;
   for (size_t i = 0; !name->next && i < sizeof procedures / sizeof *procedures; i++)
      if (mt_ieq (name->name.text, procedures[i].name))
         return procedures[i].run (st, err);
   mt_error_at (err, st->stmt->call.x->span, MT_E_UNDEFINED_FUNCTION, "procedure %s does not exist",
                name->name.text);
   return mt_error_hint (err, "To call a function, use SELECT.");
}
