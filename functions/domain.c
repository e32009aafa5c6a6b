/* The checks of domains. Analysis adds them to casts. */
#include "functions/core/rows.h"
#include "functions/core/row.h"

/* Returns the value; fails with 23502 if it is NULL. Arguments: value, name of the domain. */
static bool fn_domain_not_null (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = a[0];
   if (!mt_is_nullish (a[0]))
      return true;
   const char *domain = mt_strndup (ev->arena, (const char *) a[1].p, a[1].len);
   mt_error (ev->err, MT_E_NOT_NULL, "domain %s does not allow null values", domain);
   return mt_error_in_domain (ev->err, "public", domain, NULL);
}

/* Returns the value; fails with 23514 if the condition is false. Arguments: value, result of the
 * CHECK condition, names of the domain and the constraint. */
static bool fn_domain_check (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = a[0];
   if (a[1].type != MT_BOOL || a[1].i)
      return true;
   const char *domain = mt_strndup (ev->arena, (const char *) a[2].p, a[2].len),
              *check = mt_strndup (ev->arena, (const char *) a[3].p, a[3].len);
   mt_error (ev->err, MT_E_CHECK, "value for domain %s violates check constraint \"%s\"", domain,
             check);
   return mt_error_in_domain (ev->err, "public", domain, check);
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
