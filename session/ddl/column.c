/* Makes a table's column from its definition: type, role and default. */
#include "session/core/core.h"
#include "session/ddl/ddl.h"
#include "types/datetime.h"

#include <string.h>

static bool read_period (const MtColumnDef *d, int64_t *ms, MtError *err)
{
   MtInterval iv;
   if (!mt_interval_in (d->period.p, d->period.n, &iv, err)) {
      err->span = d->period_span;
      return false;
   }
   if (iv.months || iv.us % 1000 || iv.us < 0 || iv.days < 0 || (iv.days == 0 && iv.us == 0))
      return mt_error_at (err, d->period_span, MT_E_PARAMETER,
                          "a period must be a positive, fixed time of whole milliseconds");
   *ms = iv.days * MT_DAY_MS + iv.us / 1000;
   return true;
}

bool mt_can_store (MtTypeId id, MtSpan span, MtError *err)
{
   if (mt_type_element (id) == MT_T_RECORD) {
      mt_error_at (err, span, MT_E_TABLE_DEFINITION, "a column cannot have pseudo-type %s",
                   mt_type_info (id)->display);
      return mt_error_hint (err, "Store its fields in columns of their own, or as jsonb.");
   }
   if (!mt_type_is_oid (mt_type_element (id)))
      return true;
   mt_error_at (err, span, MT_E_FEATURE, "columns of type %s are not supported",
                mt_type_info (id)->display);
   return mt_error_hint (err, "Store the name as text, or the OID as bigint.");
}

bool mt_set_default (MtStatement *st, const MtExpr *value, MtColumn *c, MtError *err)
{
   MtBuf text = {0};
   MtX *x;
   const char *sequence;
   if (!mt_sequence_in_default (st, value, &sequence, err))
      return false;
   if (!mt_bind_expr (st->arena, &st->env, value, c->type, &x, err))
      return false;
   mt_print_expr (value, &text);
   c->default_sql = value->kind == MT_EXPR_NULL ? NULL : mt_strndup (st->arena, text.p, text.n);
   c->default_sql = sequence ? sequence : c->default_sql;
   mt_buf_free (&text);
   return true;
}

static MtRole role_of (MtColumnRole role)
{
   switch (role) {
   case MT_ROLE_TIME: return MT_COL_TIME;
   case MT_ROLE_DIMENSION: return MT_COL_DIMENSION;
   case MT_ROLE_MEASURE: return MT_COL_MEASURE;
   default: return MT_COL_PLAIN;
   }
}

bool mt_build_column (MtStatement *st, const MtColumnDef *d, MtColumn *c, MtError *err)
{
   MtType type;
   MtTypeName name = *d->type;
   mt_serial_type (d->type, &name.name.text);
   MtDomain domain = {0};
   mt_domain_of (st->arena, &st->env, d->type, &domain);
   type = domain.base;
   if ((!domain.name && !mt_bind_type (st->arena, &st->env, &name, &type, err)) ||
       !mt_can_store (type.id, d->type->span, err))
      return false;
   if (d->generated)
      return mt_error_at (err, d->span, MT_E_FEATURE, "GENERATED is not supported");
   *c = (MtColumn) {
      .name = d->name.text, .type = type, .domain = domain.name, .default_sql = domain.default_sql};
   c->role = role_of (d->role);
   c->counter = d->counter;
   c->not_null = d->not_null;
   c->field = d->field.p ? mt_strndup (st->arena, d->field.p, d->field.n) : d->name.text;
   if (d->role == MT_ROLE_TIME && !mt_type_is_datetime (type.id))
      return mt_error_at (err, d->type->span, MT_E_DATATYPE_MISMATCH,
                          "the time column must be of type timestamptz, timestamp or date");
   if (d->period.p && !read_period (d, &c->period_ms, err))
      return false;
   return !d->default_value || mt_set_default (st, d->default_value, c, err);
}
