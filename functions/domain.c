/* The checks of domains. Analysis adds them to casts. */
#include "functions/core/rows.h"
#include "functions/core/row.h"

/* Returns the value; fails with 23502 if it is NULL. Arguments: value, name of the domain. */
static bool fn_domain_not_null (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = a[0];
   return !mt_is_nullish (a[0]) ||
          mt_error (ev->err, MT_E_NOT_NULL, "domain %.*s does not allow null values",
                    (int) a[1].len, (const char *) a[1].p);
}

/* Returns the value; fails with 23514 if the condition is false. Arguments: value, result of the
 * CHECK condition, names of the domain and the constraint. */
static bool fn_domain_check (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = a[0];
   return a[1].type != MT_BOOL || a[1].i ||
          mt_error (ev->err, MT_E_CHECK, "value for domain %.*s violates check constraint \"%.*s\"",
                    (int) a[2].len, (const char *) a[2].p, (int) a[3].len, (const char *) a[3].p);
}

const MtFunc mt_fn_domain[] = {
   MT_ROW ("$domain_not_null", "any, text -> any", MT_F_NOT_STRICT, NULL,
           MT_OPN ("domain_not_null", domain_not_null, 0), "a value of a domain that is NOT NULL",
           "SELECT 5::positive => 5"),
   MT_ROW ("$domain_check", "any, bool, text, text -> any", MT_F_NOT_STRICT, NULL,
           MT_OPN ("domain_check", domain_check, 0), "a value of a domain with a condition",
           "SELECT '7'::positive + 1 => 8"),
   {.name = NULL},
};
