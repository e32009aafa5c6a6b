/* Values of domains: values of the base type for which the domain's constraints are checked. */
#include "analyze/types/domain.h"

#include "analyze/types/coerce.h"
#include "parser/parser.h"

#include <string.h>

bool mt_find_domain (MtBinder *b, const MtTypeName *tn, MtDomain *out)
{
   MtTypeId id;
   bool may = b->env && b->env->domain && !mt_named_type (b, tn->name.text, &id);
   return may && b->env->domain (b->env->ctx, b->a, tn->name.text, out);
}

typedef struct Value {
   MtX *x;
} Value;

static MtX *the_value (void *ctx, const MtX *column) { return ((Value *) ctx)->x; }

bool mt_bind_domain_check (MtBinder *b, const MtDomain *d, const MtExpr *e, MtX *value, MtX **out)
{
   MtColumn column = {.name = "value", .type = d->base, .field = "value"};
   MtRelColumn *columns = MT_NEW_N (b->a, MtRelColumn, 2);
   MtTable t = {.name = d->name, .columns = &column, .column_count = 1, .time_column = -1};
   columns[0] = mt_rel_column_stored (&column);
   MtRel rel = {
      .kind = MT_REL_TABLE, .alias = d->name, .table = &t, .column_count = 1, .columns = columns};
   MtScope s = {.rel = &rel, .clause = MT_CLAUSE_CHECK};
   MtX *x;
   if (!mt_bind_bool (b, &s, e, "CHECK", &x))
      return false;
   *out = mt_x_map_columns (b->a, x, the_value, &(Value) {value});
   return true;
}

static MtX *call (MtBinder *b, const char *name, MtType t, MtX *const *list, int n)
{
   MtX **args = MT_NEW_N (b->a, MtX *, (size_t) n);
   memcpy (args, list, (size_t) n * sizeof *args);
   return mt_x_call (b->a, mt_hidden_func (name), t, args, n, list[0]->span);
}

bool mt_domain_value (MtBinder *b, const MtDomain *d, MtX *x, MtX **out)
{
   MtX *name = mt_x_text (b->a, d->name, MT_NO_SPAN);
   if (x->is_volatile) {
      mt_refuse (b, x->span, "a volatile value of a domain is");
      return mt_error_hint (b->err, "Compute it in a WITH query that is MATERIALIZED.");
   }
   *out = d->not_null ? call (b, "$domain_not_null", d->base, (MtX *[]) {x, name}, 2) : x;
   for (size_t i = 0; i < d->check_count; i++) {
      const char *sql = d->checks[i].sql;
      MtExpr *e;
      MtX *holds;
      if (!mt_parse_expr (b->a, sql, strlen (sql), &e, b->err) ||
          !mt_bind_domain_check (b, d, e, x, &holds))
         return false;
      MtX *args[] = {*out, holds, name, mt_x_text (b->a, d->checks[i].name, MT_NO_SPAN)};
      *out = call (b, "$domain_check", d->base, args, 4);
   }
   return true;
}
