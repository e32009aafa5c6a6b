/* \bind and the commands for prepared statements. */
#include "shell/commands/command_int.h"
#include "base/memory.h"

#include <string.h>

bool mt_cmd_bind (MtCall *c)
{
   MtShell *sh = c->sh;
   mt_bound_clear (sh);
   sh->binds = true;
   sh->bound = mt_calloc ("parameters", c->argc + 1, sizeof *sh->bound);
   for (; sh->bound_count < c->argc; sh->bound_count++)
      sh->bound[sh->bound_count] = mt_heap_strdup (c->argv[sh->bound_count]);
   return true;
}

/* Starts the text of a statement with `verb` and a name, the command's first argument. Returns
 * false if the name is missing; the error is reported. */
static bool begin (MtCall *c, const char *verb, MtBuf *sql)
{
   if (!c->argc) {
      mt_complain (c->sh, "\\%s: missing required argument", c->name);
      return false;
   }
   mt_buf_adds (sql, verb);
   mt_buf_quoted (sql, '"', mt_str (c->argv[0]));
   return true;
}

static bool run (MtCall *c, MtBuf *sql)
{
   bool ok = mt_run_statement (c->sh, sql->p, sql->n);
   mt_buf_free (sql);
   return ok;
}

bool mt_cmd_parse (MtCall *c)
{
   MtBuf sql = {0}, *query = &c->src->query;
   if (!begin (c, "PREPARE ", &sql))
      return false;
   mt_buf_adds (&sql, " AS ");
   mt_buf_add (&sql, query->p ? query->p : "", query->n);
   mt_buf_clear (query);
   return run (c, &sql);
}

bool mt_cmd_close_prepared (MtCall *c)
{
   MtBuf sql = {0};
   return begin (c, "DEALLOCATE ", &sql) && run (c, &sql);
}

/* Replaces the query buffer by EXECUTE of the named prepared statement, with the values as untyped
 * string literals. */
bool mt_cmd_bind_named (MtCall *c)
{
   MtBuf *query = &c->src->query;
   mt_buf_clear (query);
   if (!begin (c, "EXECUTE ", query))
      return false;
   for (size_t i = 1; i < c->argc; i++) {
      mt_buf_adds (query, i == 1 ? " (" : ", ");
      mt_buf_quoted (query, '\'', mt_str (c->argv[i]));
   }
   if (c->argc > 1)
      mt_buf_addc (query, ')');
   return true;
}
