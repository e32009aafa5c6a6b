/* Builds the query that reads a continuous view: a union of its stored buckets, and of the view's
 * query over all other times. */
#include "session/continuous/continuous.h"

#include "types/datetime.h"

#include <string.h>

/* ---- conditions ---- */

static void put_time (MtTypeId type, int64_t ms, MtBuf *out)
{
   if (type == MT_T_TIMESTAMPTZ) {
      mt_buf_adds (out, "timestamptz '");
      mt_timestamptz_out (ms, NULL, out);
   } else {
      mt_buf_adds (out, "timestamp '");
      mt_timestamp_out (ms, out);
   }
   mt_buf_adds (out, "'");
}

static void put_range (const char *column, MtTypeId type, MtRange r, MtBuf *out)
{
   if (r.lo != MT_TIME_MIN) {
      mt_buf_printf (out, "%s >= ", column);
      put_time (type, r.lo, out);
   }
   if (r.hi != MT_TIME_MAX) {
      mt_buf_printf (out, "%s%s < ", r.lo != MT_TIME_MIN ? " AND " : "", column);
      put_time (type, r.hi, out);
   }
}

const char *mt_continuous_condition (MtArena *a, const char *column, MtTypeId type,
                                     MtRangeSet ranges)
{
   MtBuf text = {0};
   if (mt_ranges_is_all (ranges))
      return NULL;
   mt_buf_adds (&text, ranges.count ? "" : "false");
   for (int i = 0; i < ranges.count; i++) {
      mt_buf_adds (&text, i ? " OR (" : "(");
      put_range (column, type, ranges.ranges[i], &text);
      mt_buf_adds (&text, ")");
   }
   const char *out = mt_strndup (a, text.p, text.n);
   mt_buf_free (&text);
   return out;
}

/* ---- the query ---- */

/* Adds the SQL text `condition` to the WHERE of s. */
static bool restrict_to (MtArena *a, MtSelect *s, const char *condition, MtError *err)
{
   const char *all = s->plain.where ? mt_printf (a, "(%s) AND (%s)",
                                                 mt_expr_text (a, s->plain.where), condition)
                                    : condition;
   return mt_parse_expr (a, all, strlen (all), &s->plain.where, err);
}

bool mt_continuous_query (MtArena *a, const MtContinuous *v, const char *definition,
                          MtRangeSet ranges, const char **out, MtError *err)
{
   MtStmt *stmt = NULL;
   MtBuf text = {0};
   const char *condition = mt_continuous_condition (a, v->time, v->type, ranges);
   if (!mt_parse (a, definition, strlen (definition), &stmt, err) || !stmt ||
       stmt->kind != MT_STMT_SELECT || stmt->select->kind != MT_SELECT_PLAIN)
      return mt_error (err, MT_E_CORRUPT, "materialized view \"%s\" in the catalog is damaged",
                       v->name);
   if (condition && !restrict_to (a, stmt->select, condition, err))
      return false;
   mt_print_select (stmt->select, &text);
   *out = mt_strndup (a, text.p, text.n);
   mt_buf_free (&text);
   return true;
}

/* ---- the union ---- */

/* Returns whether the source may have rows at time ms or later, by its statistics. On a server
 * these can be too low, so the answer is always true there. */
static bool has_rows_since (MtSession *s, const MtTable *source, int64_t ms)
{
   if (!mt_engine_caps (s->engine)->savepoints || ms == MT_TIME_MIN)
      return true;
   for (size_t i = 0; i < source->layout_count; i++) {
      const MtLayout *l = &source->layouts[i];
      for (size_t k = 0; k < l->store_count; k++)
         if (l->attached || !l->stats || !l->stats[k].present ||
             (l->stats[k].documents > 0 && (!l->stats[k].has_time || l->stats[k].max_ms >= ms)))
            return true;
   }
   return false;
}

/* Returns whether a read of a continuous view computes buckets at time ms or later, which are then
 * not read from the stored rows. */
static bool computes_since (MtSession *s, MtArena *a, const MtContinuous *v, int64_t ms)
{
   MtRangeSet stale = mt_stale_ranges (s, a, v, v->materialized_only);
   return (!v->materialized_only && mt_continuous_has_tail (s, a, v)) ||
          mt_ranges_intersect (a, stale, mt_ranges_one (a, ms, MT_TIME_MAX)).count > 0;
}

bool mt_continuous_has_tail (MtSession *s, MtArena *a, const MtContinuous *v)
{
   const MtTable *source;
   MtContinuous *below;
   MtError ignored;
   if (!mt_catalog_find_among (s->catalog, MT_PERMANENT_TABLES, v->source, true, &source,
                               &ignored) ||
       !source)
      return false;
   return has_rows_since (s, source, v->watermark_ms) ||
          !mt_continuous_find (s, a, v->source, &below, &ignored) ||
          (below && computes_since (s, a, below, v->watermark_ms));
}

/* Sets *out to the time ranges whose buckets are computed by the view's query, rather than read
 * from the stored rows. */
static bool fresh_ranges (MtSession *s, MtArena *a, const MtContinuous *v, MtRangeSet *out,
                          MtError *err)
{
   int64_t kept;
   if (!mt_kept_before (s, v, mt_wall_ms (), &kept, err))
      return false;
   MtRangeSet stale = mt_stale_ranges (s, a, v, v->materialized_only);
   stale = mt_ranges_intersect (a, stale, mt_ranges_one (a, kept, MT_TIME_MAX));
   *out = v->materialized_only || !mt_continuous_has_tail (s, a, v)
             ? mt_ranges_intersect (a, stale, mt_ranges_one (a, MT_TIME_MIN, v->watermark_ms))
             : mt_ranges_union (a, stale, mt_ranges_one (a, v->watermark_ms, MT_TIME_MAX));
   return true;
}

static void put_columns (const MtTable *t, MtArena *a, MtBuf *out)
{
   for (size_t i = 0; i < t->column_count; i++)
      mt_buf_printf (out, "%s%s", i ? ", " : "", mt_quoted (a, t->columns[i].name));
}

static bool make_view (MtArena *a, const MtTable *t, const char *sql, MtView *out, MtError *err)
{
   MtStmt *stmt = NULL;
   if (!mt_parse (a, sql, strlen (sql), &stmt, err) || !stmt || stmt->kind != MT_STMT_SELECT)
      return mt_error (err, MT_E_CORRUPT, "materialized view \"%s\" in the catalog is damaged",
                       t->name);
   out->name = t->name;
   out->query = stmt->select;
   out->count = (int) t->column_count;
   out->columns = MT_NEW_N (a, const char *, t->column_count + 1);
   for (size_t i = 0; i < t->column_count; i++)
      out->columns[i] = t->columns[i].name;
   out->own = out->columns;
   return true;
}

bool mt_continuous_view (MtSession *s, MtArena *a, const MtTable *t, const char *definition,
                         MtView *out, MtError *err)
{
   MtContinuous *v;
   MtRangeSet fresh;
   const char *query;
   if (!mt_continuous_find (s, a, t->name, &v, err) || (v && !fresh_ranges (s, a, v, &fresh, err)))
      return false;
   if (!v || !fresh.count)
      return true;
   if (!mt_continuous_query (a, v, definition, fresh, &query, err))
      return false;
   MtBuf sql = {0};
   MtRangeSet stored = mt_ranges_without (a, mt_ranges_all (a), fresh);
   mt_buf_adds (&sql, "SELECT ");
   put_columns (t, a, &sql);
   mt_buf_printf (&sql, " FROM %s.%s WHERE %s UNION ALL %s", MT_STORED_SCHEMA,
                  mt_quoted (a, t->name),
                  mt_continuous_condition (a, mt_quoted (a, v->column), v->type, stored), query);
   bool ok = make_view (a, t, sql.p, out, err);
   mt_buf_free (&sql);
   return ok;
}
