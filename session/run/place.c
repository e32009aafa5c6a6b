/* Replaces the names of relations in a statement by their names in the catalog, such as
 * "schema.name", which are found along search_path (session/core/schemas.h). The names in FROM are
 * left to the binder. */
#include "session/core/schemas.h"
#include "session/run/run.h"
#include "session/run/statement.h"

#include <string.h>

typedef struct Placing {
   MtSession *s;
   MtArena *a;
   MtError *err;
} Placing;

static bool place (Placing *p, const MtStmt *in, const MtStmt **out);

/* ---- databases ---- */

/* Fails if a name such as db.schema.table has another database than the current one. */
static bool check_databases (Placing *p, const MtStmt *in)
{
   MtVal own;
   for (const MtNameList *n = in->databases; n; n = n->next->next) {
      if (!mt_system_lookup (p->s, p->a, "database", &own, p->err))
         return false;
      if (!mt_str_is ((MtStr) {(const char *) own.p, own.len}, n->name.text))
         return mt_error_at (p->err, n->next->name.span, MT_E_FEATURE,
                             "cross-database references are not implemented: \"%s\"",
                             n->next->name.text);
   }
   return true;
}

/* ---- lists ---- */

/* Replaces a name in the list of a DROP. *gone: the schema does not exist, and IF EXISTS allows it
 * (with a notice). */
static bool place_listed (Placing *p, MtStmt *copy, MtName *schema, MtName *name, bool *gone)
{
   *gone = false;
   if (!mt_place_name (p->s, p->a, schema, name, copy->drop.if_exists ? gone : NULL, p->err))
      return false;
   if (*gone)
      mt_notice (p->s, "NOTICE", NULL, "schema \"%s\" does not exist, skipping", schema->text);
   return true;
}

static bool place_list (Placing *p, MtStmt *copy)
{
   const MtNameList *n = copy->drop.names, *q = copy->drop.schemas;
   MtNameList **names = &copy->drop.names, **schemas = &copy->drop.schemas;
   *names = *schemas = NULL;
   for (; n; n = n->next, q = q ? q->next : NULL) {
      MtNameList *name = MT_NEW (p->a, MtNameList), *schema = MT_NEW (p->a, MtNameList);
      bool gone;
      name->name = n->name;
      schema->name = q ? q->name : (MtName) {.span = MT_NO_SPAN};
      if (!place_listed (p, copy, &schema->name, &name->name, &gone))
         return false;
      if (gone)
         continue;
      *names = name;
      names = &name->next;
      *schemas = schema;
      schemas = &schema->next;
   }
   return true;
}

/* ---- single names ---- */

/* If the table's name was changed from `before` to `now`, sets the alias to the name as written,
 * because WHERE and RETURNING use it. */
static void keep_alias (MtName *alias, const MtName *before, const MtName *now)
{
   if (!alias->text && before->text && strcmp (before->text, now->text) != 0) {
      *alias = *before;
      alias->quoted = true;
   }
}

static bool creates (const MtStmt *s)
{
   return s->kind == MT_STMT_CREATE_VIEW || s->kind == MT_STMT_CREATE_SEQUENCE ||
          (s->kind == MT_STMT_CREATE_TABLE && !mt_creates_temporary (s));
}

/* Replaces the name of the relation that the statement changes or creates. If the schema is
 * missing, statements that change rows fail with 42P01, as in PostgreSQL. */
static bool place_target (Placing *p, MtStmt *copy, MtName *schema, MtName *name)
{
   MtName before = *name, given = *schema;
   bool gone = false, rows = mt_stmt_row (copy)->flags & MT_SF_ROWS,
        may_miss = rows && copy->kind != MT_STMT_COPY;
   if (copy->kind == MT_STMT_CREATE_TABLE && !creates (copy))
      return true; /* a temporary table */
   if (creates (copy))
      return mt_place_new (p->s, p->a, schema, name, p->err);
   if (!mt_place_name (p->s, p->a, schema, name, may_miss ? &gone : NULL, p->err))
      return false;
   if (gone)
      return mt_error_at (p->err, given.span, MT_E_UNDEFINED_TABLE,
                          "relation \"%s.%s\" does not exist", given.text, name->text);
   if (copy->kind == MT_STMT_INSERT)
      keep_alias (&copy->insert.alias, &before, name);
   if (copy->kind == MT_STMT_UPDATE || copy->kind == MT_STMT_DELETE || copy->kind == MT_STMT_MERGE)
      keep_alias (&copy->change.alias, &before, name);
   return true;
}

/* Puts a relation's new name into the schema of its old name. */
static void in_same_schema (Placing *p, const MtName *old, MtName *name)
{
   const char *rest, *schema = mt_schema_of (p->s, p->a, old->text, &rest);
   if (schema && name->text)
      name->text = mt_printf (p->a, "%s.%s", schema, name->text);
}

/* Replaces the names that depend on the statement's relation, such as the new name in RENAME TO. */
static bool place_others (Placing *p, MtStmt *copy)
{
   switch (copy->kind) {
   case MT_STMT_ALTER_TABLE:
      if (copy->alter_table.action == MT_ALTER_RENAME_TO)
         in_same_schema (p, &copy->alter_table.table, &copy->alter_table.name);
      for (MtStmt **next = &copy->alter_table.next; *next; next = &(*next)->alter_table.next) {
         MtStmt *more = MT_NEW (p->a, MtStmt);
         *more = **next;
         more->alter_table.schema = copy->alter_table.schema;
         more->alter_table.table = copy->alter_table.table;
         *next = more;
      }
      return true;
   case MT_STMT_CREATE_INDEX:
      in_same_schema (p, &copy->create_index.table, &copy->create_index.name);
      return true;
   case MT_STMT_ALTER_INDEX:
   case MT_STMT_ALTER_SEQUENCE:
      in_same_schema (p, &copy->sequence.name, &copy->sequence.new_name);
      return true;
   case MT_STMT_DROP_INDEX:
   case MT_STMT_DROP_SEQUENCE: return place_list (p, copy);
   default: return true;
   }
}

/* ---- statements within statements ---- */

static bool place_ctes (Placing *p, MtStmt *copy)
{
   MtCte **next = &copy->with.ctes;
   for (; *next; next = &(*next)->next) {
      MtCte *cte = MT_NEW (p->a, MtCte);
      const MtStmt *stmt = (*next)->stmt;
      *cte = **next;
      *next = cte;
      if (stmt && !place (p, stmt, &stmt))
         return false;
      cte->stmt = (MtStmt *) (uintptr_t) stmt;
   }
   return true;
}

static bool place_inner (Placing *p, MtStmt *copy)
{
   MtStmt **inner = NULL;
   if (copy->kind == MT_STMT_EXPLAIN)
      inner = &copy->explain.stmt;
   else if (copy->kind == MT_STMT_PREPARE)
      inner = &copy->prepare.stmt;
   else if (copy->kind == MT_STMT_COPY && copy->copy.change)
      inner = &copy->copy.change;
   else if (copy->kind == MT_STMT_WITH)
      inner = &copy->with.main;
   const MtStmt *placed = inner ? *inner : NULL;
   if (copy->kind == MT_STMT_WITH && !place_ctes (p, copy))
      return false;
   if (!inner)
      return true;
   bool ok = place (p, placed, &placed);
   *inner = (MtStmt *) (uintptr_t) placed;
   return ok;
}

static bool place (Placing *p, const MtStmt *in, const MtStmt **out)
{
   const MtStmtRow *row = mt_stmt_row (in);
   MtStmt *copy = MT_NEW (p->a, MtStmt);
   *copy = *in;
   *out = copy;
   if (!check_databases (p, in))
      return false;
   if (row->flags & MT_SF_NAMES)
      return place_list (p, copy);
   if (row->name_at && !place_target (p, copy, (MtName *) (void *) ((char *) copy + row->schema_at),
                                      (MtName *) (void *) ((char *) copy + row->name_at)))
      return false;
   return place_others (p, copy) && place_inner (p, copy);
}

bool mt_place_names (MtStatement *st, MtError *err)
{
   Placing p = {st->session, st->arena, err};
   return place (&p, st->stmt, &st->stmt);
}
