#include "shell/core/vars.h"
#include "base/memory.h"
#include "types/numeric.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool mt_var_name_ok (const char *name, size_t n)
{
   for (size_t i = 0; i < n; i++) {
      unsigned char c = (unsigned char) name[i];
      if (!isalnum (c) && c != '_' && c < 0x80)
         return false;
   }
   return n > 0;
}

/* Returns the index of the variable in the sorted list (*found true), or the index at which it has
 * to be inserted. */
static size_t place (const MtVars *vars, const char *name, size_t n, bool *found)
{
   size_t lo = 0, hi = vars->n;
   *found = false;
   while (lo < hi) {
      size_t mid = (lo + hi) / 2;
      int c = strncmp (vars->v[mid].name, name, n);
      if (c == 0 && vars->v[mid].name[n])
         c = 1;
      if (c == 0) {
         *found = true;
         return mid;
      }
      if (c < 0)
         lo = mid + 1;
      else
         hi = mid;
   }
   return lo;
}

static char *copy (const char *s) { return mt_heap_printf ("%s", s); }

void mt_var_set (MtVars *vars, const char *name, const char *value)
{
   bool found;
   size_t i = place (vars, name, strlen (name), &found);
   char *v = copy (value);
   if (found) {
      free (vars->v[i].value);
      vars->v[i].value = v;
      return;
   }
   MT_GROW ("variables", vars->v, vars->n, vars->cap, 32);
   memmove (vars->v + i + 1, vars->v + i, (vars->n - i) * sizeof *vars->v);
   vars->v[i] = (MtVariable) {copy (name), v};
   vars->n++;
}

void mt_var_unset (MtVars *vars, const char *name)
{
   bool found;
   size_t i = place (vars, name, strlen (name), &found);
   if (!found)
      return;
   free (vars->v[i].name);
   free (vars->v[i].value);
   memmove (vars->v + i, vars->v + i + 1, (vars->n - i - 1) * sizeof *vars->v);
   vars->n--;
}

const char *mt_var_get_n (const MtVars *vars, const char *name, size_t n)
{
   bool found;
   size_t i = place (vars, name, n, &found);
   return found ? vars->v[i].value : NULL;
}

const char *mt_var_get (const MtVars *vars, const char *name)
{
   return mt_var_get_n (vars, name, strlen (name));
}

void mt_vars_free (MtVars *vars)
{
   for (size_t i = 0; i < vars->n; i++) {
      free (vars->v[i].name);
      free (vars->v[i].value);
   }
   free (vars->v);
   *vars = (MtVars) {0};
}

bool mt_parse_bool (const char *s, bool *out)
{
   return mt_bool_word ((MtStr) {s, strlen (s)}, out);
}

bool mt_var_bool (const MtVars *vars, const char *name, bool otherwise)
{
   const char *s = mt_var_get (vars, name);
   bool b;
   return s && mt_parse_bool (s, &b) ? b : otherwise;
}

long mt_var_long (const MtVars *vars, const char *name, long otherwise)
{
   const char *s = mt_var_get (vars, name);
   char *end;
   long v = s ? strtol (s, &end, 10) : 0;
   return s && end != s && !*end ? v : otherwise;
}
