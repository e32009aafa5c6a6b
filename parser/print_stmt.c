/* Prints the syntax trees of statements as SQL. */
#include "parser/lexer_int.h"
#include "parser/print_int.h"

#include <string.h>

static void qualified (MtName schema, MtName name, MtBuf *out)
{
   if (schema.text) {
      mt_print_name (schema, out);
      mt_buf_addc (out, '.');
   }
   mt_print_name (name, out);
}

static void alias (MtName name, MtBuf *out)
{
   if (!name.text)
      return;
   mt_buf_adds (out, " AS ");
   mt_print_name (name, out);
}

static void name_list (const MtNameList *l, MtBuf *out)
{
   if (!l)
      return;
   mt_buf_adds (out, " (");
   mt_print_names (l, out);
   mt_buf_addc (out, ')');
}

static void option_value (const MtOption *o, MtBuf *out)
{
   switch (o->kind) {
   case MT_OPT_NONE: break;
   case MT_OPT_STRING: mt_print_string (o->value, out); break;
   case MT_OPT_NUMBER:
   case MT_OPT_WORD:
   case MT_OPT_BOOL: mt_buf_add (out, o->value.p, o->value.n); break;
   case MT_OPT_LIST:
      mt_buf_addc (out, '(');
      mt_print_names (o->list, out);
      mt_buf_addc (out, ')');
      break;
   }
}

/* Prints options as (a = 1, b). With ' ' as `between`, prints (a 1, b). */
static void options (const MtOption *o, const char *between, MtBuf *out)
{
   mt_buf_addc (out, '(');
   for (; o; o = o->next) {
      mt_print_name (o->name, out);
      if (o->kind != MT_OPT_NONE)
         mt_buf_adds (out, between);
      option_value (o, out);
      if (o->next)
         mt_buf_adds (out, ", ");
   }
   mt_buf_addc (out, ')');
}

static void print_layout (const MtLayoutDef *l, MtBuf *out)
{
   if (l->name.text) {
      mt_buf_addc (out, ' ');
      mt_print_name (l->name, out);
   }
   if (l->access.text) {
      mt_buf_adds (out, " USING ");
      mt_print_name (l->access, out);
   }
   if (l->options) {
      mt_buf_adds (out, " WITH ");
      options (l->options, " = ", out);
   }
}

static void print_role (const MtColumnDef *c, MtBuf *out)
{
   static const char *const roles[] = {"", " TIME", " DIMENSION", " MEASURE"};
   mt_buf_adds (out, roles[c->role]);
   if (c->counter)
      mt_buf_adds (out, " COUNTER");
   if (c->period.p) {
      mt_buf_adds (out, " PERIOD ");
      mt_print_string (c->period, out);
   }
   if (c->field.p) {
      mt_buf_adds (out, " FIELD ");
      mt_print_string (c->field, out);
   }
}

static void in_parens (const char *before, const MtExpr *e, const char *after, MtBuf *out)
{
   if (!e)
      return;
   mt_buf_adds (out, before);
   mt_print_expr (e, out);
   mt_buf_adds (out, after);
}

static void print_sequence_option (const MtSequenceOption *o, MtBuf *out)
{
   static const char *const words[] = {"AS",         "INCREMENT BY", "MINVALUE", "MAXVALUE",
                                       "START WITH", "CACHE",        "CYCLE",    "RESTART",
                                       "OWNED BY",   "SEQUENCE NAME"};
   bool no = o->off && o->word != MT_SEQUENCE_RESTART && o->word != MT_SEQUENCE_OWNED;
   mt_buf_printf (out, "%s%s", no ? "NO " : "", words[o->word]);
   if (o->word == MT_SEQUENCE_OWNED && o->off)
      mt_buf_adds (out, " NONE");
   if (o->off || o->word == MT_SEQUENCE_CYCLE)
      return;
   mt_buf_adds (out, o->word == MT_SEQUENCE_RESTART ? " WITH " : " ");
   if (o->type)
      mt_print_type (o->type, out);
   else if (!o->owner)
      mt_buf_printf (out, "%lld", (long long) o->number);
   for (const MtNameList *n = o->owner; n; n = n->next) {
      mt_print_name (n->name, out);
      mt_buf_adds (out, n->next ? "." : "");
   }
}

static void print_sequence_options (const MtSequenceOption *o, const char *before, MtBuf *out)
{
   for (; o; o = o->next, before = " ") {
      mt_buf_adds (out, before);
      print_sequence_option (o, out);
   }
}

static void print_identity (const MtColumnDef *c, MtBuf *out)
{
   if (!c->identity)
      return;
   mt_buf_printf (out, " GENERATED %s AS IDENTITY",
                  c->identity == MT_IDENTITY_ALWAYS ? "ALWAYS" : "BY DEFAULT");
   print_sequence_options (c->sequence, " (", out);
   mt_buf_adds (out, c->sequence ? ")" : "");
}

static void print_check (const MtCheckDef *c, MtBuf *out)
{
   if (c->name.text) {
      mt_buf_adds (out, "CONSTRAINT ");
      mt_print_name (c->name, out);
      mt_buf_addc (out, ' ');
   }
   in_parens ("CHECK (", c->expr, ")", out);
}

static void print_key (const MtKeyDef *k, bool columns, MtBuf *out)
{
   static const char *const words[] = {
      [MT_KEYDEF_SUMS] = "KEY", [MT_KEYDEF_PRIMARY] = "PRIMARY KEY", [MT_KEYDEF_UNIQUE] = "UNIQUE"};
   if (k->name.text) {
      mt_buf_adds (out, "CONSTRAINT ");
      mt_print_name (k->name, out);
      mt_buf_addc (out, ' ');
   }
   mt_buf_adds (out, words[k->kind]);
   if (k->nulls_equal)
      mt_buf_adds (out, " NULLS NOT DISTINCT");
   if (columns)
      name_list (k->columns, out);
}

static void print_column (const MtColumnDef *c, MtBuf *out)
{
   mt_print_name (c->name, out);
   mt_buf_addc (out, ' ');
   mt_print_type (c->type, out);
   print_role (c, out);
   if (c->null_said)
      mt_buf_adds (out, c->not_null ? " NOT NULL" : " NULL");
   if (c->default_value) {
      mt_buf_adds (out, " DEFAULT ");
      mt_print_bexpr (c->default_value, out);
   }
   in_parens (" GENERATED ALWAYS AS (", c->generated, ") STORED", out);
   print_identity (c, out);
   for (const MtKeyDef *k = c->keys; k; k = k->next) {
      mt_buf_addc (out, ' ');
      print_key (k, false, out);
   }
   for (const MtCheckDef *k = c->checks; k; k = k->next) {
      mt_buf_addc (out, ' ');
      print_check (k, out);
   }
}

static void print_execute (const MtStmt *s, MtBuf *out)
{
   mt_buf_adds (out, "EXECUTE ");
   mt_print_name (s->execute.name, out);
   if (s->execute.args) {
      mt_buf_adds (out, " (");
      mt_print_exprs (s->execute.args, out);
      mt_buf_addc (out, ')');
   }
}

static void print_create_table (const MtStmt *s, MtBuf *out)
{
   static const char *const on_commit[] = {"", " ON COMMIT PRESERVE ROWS", " ON COMMIT DELETE ROWS",
                                           " ON COMMIT DROP"};
   mt_buf_printf (out, "CREATE %s%s%s", s->create_table.temporary ? "TEMPORARY " : "",
                  s->create_table.materialized ? "MATERIALIZED VIEW " : "TABLE ",
                  s->create_table.if_not_exists ? "IF NOT EXISTS " : "");
   qualified (s->create_table.schema, s->create_table.name, out);
   name_list (s->create_table.as_names, out);
   const MtStmt *execute = s->create_table.execute;
   if (!s->create_table.as && !execute) {
      mt_buf_adds (out, " (");
      for (const MtColumnDef *c = s->create_table.columns; c; c = c->next) {
         print_column (c, out);
         if (c->next)
            mt_buf_adds (out, ", ");
      }
      for (const MtKeyDef *k = s->create_table.keys; k; k = k->next) {
         if (s->create_table.columns || k != s->create_table.keys)
            mt_buf_adds (out, ", ");
         print_key (k, true, out);
      }
      for (const MtCheckDef *k = s->create_table.checks; k; k = k->next) {
         if (s->create_table.columns || s->create_table.keys || k != s->create_table.checks)
            mt_buf_adds (out, ", ");
         print_check (k, out);
      }
      mt_buf_addc (out, ')');
   }
   if (s->create_table.layout)
      print_layout (s->create_table.layout, out);
   mt_buf_adds (out, on_commit[s->create_table.on_commit]);
   if (s->create_table.as || execute) {
      mt_buf_adds (out, " AS ");
      if (execute)
         print_execute (execute, out);
      else
         mt_print_select (s->create_table.as, out);
      if (s->create_table.no_data)
         mt_buf_adds (out, " WITH NO DATA");
   }
}

static void returning (const MtTarget *list, MtBuf *out)
{
   if (!list)
      return;
   mt_buf_adds (out, " RETURNING ");
   mt_print_targets (list, out);
}

static void print_assignments (const MtAssign *a, MtBuf *out)
{
   for (; a; a = a->next) {
      if (a->row)
         mt_buf_addc (out, '(');
      mt_print_names (a->columns, out);
      mt_buf_adds (out, a->row ? ") = " : " = ");
      mt_print_expr (a->value, out);
      if (a->next)
         mt_buf_adds (out, ", ");
   }
}

static void print_conflict (const MtOnConflict *c, MtBuf *out)
{
   mt_buf_adds (out, " ON CONFLICT");
   if (c->constraint.text) {
      mt_buf_adds (out, " ON CONSTRAINT ");
      mt_print_name (c->constraint, out);
   }
   if (c->target) {
      mt_buf_adds (out, " (");
      mt_print_exprs (c->target, out);
      mt_buf_addc (out, ')');
   }
   if (c->target_where) {
      mt_buf_adds (out, " WHERE ");
      mt_print_expr (c->target_where, out);
   }
   mt_buf_adds (out, c->updates ? " DO UPDATE SET " : " DO NOTHING");
   print_assignments (c->set, out);
   if (c->where) {
      mt_buf_adds (out, " WHERE ");
      mt_print_expr (c->where, out);
   }
}

static void print_insert (const MtStmt *s, MtBuf *out)
{
   mt_buf_adds (out, "INSERT INTO ");
   qualified (s->insert.schema, s->insert.table, out);
   alias (s->insert.alias, out);
   name_list (s->insert.columns, out);
   mt_buf_addc (out, ' ');
   if (s->insert.overriding)
      mt_buf_printf (out, "OVERRIDING %s VALUE ",
                     s->insert.overriding == MT_OVERRIDING_SYSTEM ? "SYSTEM" : "USER");
   if (s->insert.source)
      mt_print_select (s->insert.source, out);
   else
      mt_buf_adds (out, "DEFAULT VALUES");
   if (s->insert.conflict)
      print_conflict (s->insert.conflict, out);
   returning (s->insert.returning, out);
}

/* Prints WITH before INSERT. It is stored in INSERT's query, where it may not change rows. */
static void print_writing_with (const MtStmt *s, MtBuf *out)
{
   MtStmt main = *s;
   MtSelect source;
   if (s->kind == MT_STMT_INSERT) {
      source = *s->insert.source;
      mt_print_with (&source, out);
      source.with = NULL;
      main.insert.source = &source;
   }
   mt_print_stmt (&main, out);
}

static void print_change (const MtStmt *s, MtBuf *out)
{
   bool update = s->kind == MT_STMT_UPDATE;
   mt_print_with (&(MtSelect) {.with = s->change.with, .with_recursive = s->change.with_recursive},
                  out);
   mt_buf_adds (out, update ? "UPDATE " : "DELETE FROM ");
   qualified (s->change.schema, s->change.table, out);
   alias (s->change.alias, out);
   if (update) {
      mt_buf_adds (out, " SET ");
      print_assignments (s->change.set, out);
   }
   if (s->change.from) {
      mt_buf_adds (out, update ? " FROM " : " USING ");
      mt_print_froms (s->change.from, out);
   }
   if (s->change.where) {
      mt_buf_adds (out, " WHERE ");
      mt_print_expr (s->change.where, out);
   }
   returning (s->change.returning, out);
}

static void print_index (const MtStmt *s, MtBuf *out)
{
   mt_buf_printf (out, "CREATE %sINDEX %s", s->create_index.unique ? "UNIQUE " : "",
                  s->create_index.if_not_exists ? "IF NOT EXISTS " : "");
   mt_print_name (s->create_index.name, out);
   mt_buf_adds (out, s->create_index.name.text ? " ON " : "ON ");
   qualified (s->create_index.schema, s->create_index.table, out);
   name_list (s->create_index.columns, out);
   if (s->create_index.nulls_equal)
      mt_buf_adds (out, " NULLS NOT DISTINCT");
   if (s->create_index.where) {
      mt_buf_adds (out, " WHERE ");
      mt_print_expr (s->create_index.where, out);
   }
}

static void print_comment (const MtStmt *s, MtBuf *out)
{
   static const char *const on[] = {"TABLE ", "VIEW ", "COLUMN "};
   mt_buf_printf (out, "COMMENT ON %s", on[s->comment.on]);
   qualified (s->comment.schema, s->comment.name, out);
   mt_buf_adds (out, s->comment.column.text ? "." : "");
   mt_print_name (s->comment.column, out);
   mt_buf_adds (out, " IS ");
   if (s->comment.text.p)
      mt_print_string (s->comment.text, out);
   else
      mt_buf_adds (out, "NULL");
}

static void print_prepare (const MtStmt *s, MtBuf *out)
{
   mt_buf_adds (out, "PREPARE ");
   mt_print_name (s->prepare.name, out);
   for (const MtTypeList *t = s->prepare.types; t; t = t->next) {
      mt_buf_adds (out, t == s->prepare.types ? " (" : ", ");
      mt_print_type (t->type, out);
      if (!t->next)
         mt_buf_addc (out, ')');
   }
   mt_buf_adds (out, " AS ");
   mt_print_stmt (s->prepare.stmt, out);
}

static void drop_args (const MtDropArgs *args, MtBuf *out)
{
   mt_buf_addc (out, '(');
   for (const MtTypeList *t = args->types; t; t = t->next) {
      mt_print_type (t->type, out);
      if (t->next)
         mt_buf_adds (out, ", ");
   }
   mt_buf_addc (out, ')');
}

/* Prints the object of CHECK or REPAIR: {TABLE t | LAYOUT l OF t} [FROM l]. */
static void print_maintain (const char *what, const MtStmt *s, MtBuf *out)
{
   mt_buf_adds (out, what);
   mt_buf_adds (out, s->maintain.layout.text ? " LAYOUT " : " TABLE ");
   if (s->maintain.layout.text) {
      mt_print_name (s->maintain.layout, out);
      mt_buf_adds (out, " OF ");
   }
   qualified (s->maintain.schema, s->maintain.table, out);
   if (!s->maintain.from.text)
      return;
   mt_buf_adds (out, " FROM ");
   mt_print_name (s->maintain.from, out);
}

static void print_vacuum (const MtStmt *s, MtBuf *out)
{
   mt_buf_adds (out, s->maintain.full ? "VACUUM FULL" : "VACUUM");
   if (s->maintain.analyze)
      mt_buf_adds (out, " ANALYZE");
   if (s->maintain.table.text) {
      mt_buf_addc (out, ' ');
      qualified (s->maintain.schema, s->maintain.table, out);
      name_list (s->maintain.columns, out);
   }
}

static void print_schema (const MtStmt *s, MtBuf *out)
{
   bool create = s->kind == MT_STMT_CREATE_SCHEMA;
   mt_buf_adds (out, create ? "CREATE SCHEMA " : "ALTER SCHEMA ");
   mt_buf_adds (out, s->define_schema.if_not_exists ? "IF NOT EXISTS " : "");
   mt_print_name (s->define_schema.name, out);
   if (create && !s->define_schema.owner.text)
      return;
   mt_buf_adds (out, create ? " AUTHORIZATION " : " RENAME TO ");
   mt_print_name (create ? s->define_schema.owner : s->define_schema.new_name, out);
}

static void print_sequence (const MtStmt *s, MtBuf *out)
{
   bool create = s->kind == MT_STMT_CREATE_SEQUENCE;
   mt_buf_printf (out, "%s%sSEQUENCE ", create ? "CREATE " : "ALTER ",
                  s->sequence.temporary ? "TEMPORARY " : "");
   if (s->sequence.if_exists)
      mt_buf_adds (out, create ? "IF NOT EXISTS " : "IF EXISTS ");
   qualified (s->sequence.schema, s->sequence.name, out);
   print_sequence_options (s->sequence.options, " ", out);
   if (s->sequence.new_name.text) {
      mt_buf_adds (out, " RENAME TO ");
      mt_print_name (s->sequence.new_name, out);
   }
}

static void print_label (const char *before, const MtLabel *l, MtBuf *out)
{
   mt_buf_adds (out, before);
   mt_print_string (l->text, out);
}

static void print_type (const MtStmt *s, MtBuf *out)
{
   bool create = s->kind == MT_STMT_CREATE_TYPE;
   mt_buf_adds (out, create ? "CREATE TYPE " : "ALTER TYPE ");
   qualified (s->type.schema, s->type.name, out);
   if (create) {
      mt_buf_adds (out, " AS ENUM (");
      for (const MtLabel *l = s->type.labels; l; l = l->next)
         print_label (l == s->type.labels ? "" : ", ", l, out);
      mt_buf_addc (out, ')');
   } else if (s->type.change == MT_TYPE_RENAME) {
      mt_buf_adds (out, " RENAME TO ");
      mt_print_name (s->type.new_name, out);
   } else if (s->type.change == MT_TYPE_RENAME_VALUE) {
      print_label (" RENAME VALUE ", s->type.labels, out);
      print_label (" TO ", s->type.other, out);
   } else {
      print_label (s->type.if_not_exists ? " ADD VALUE IF NOT EXISTS " : " ADD VALUE ",
                   s->type.labels, out);
      if (s->type.other)
         print_label (s->type.before ? " BEFORE " : " AFTER ", s->type.other, out);
   }
}

/* Prints the parts of a domain, which are those of a column behind its name. */
static void print_domain (const MtStmt *s, MtBuf *out)
{
   static const char *const changes[] = {[MT_DOMAIN_ADD_CHECK] = " ADD",
                                         [MT_DOMAIN_DROP_CONSTRAINT] = " DROP CONSTRAINT ",
                                         [MT_DOMAIN_SET_NOT_NULL] = " SET NOT NULL",
                                         [MT_DOMAIN_DROP_NOT_NULL] = " DROP NOT NULL",
                                         [MT_DOMAIN_SET_DEFAULT] = " SET DEFAULT ",
                                         [MT_DOMAIN_DROP_DEFAULT] = " DROP DEFAULT"};
   const MtColumnDef *d = s->domain.def;
   bool create = s->kind == MT_STMT_CREATE_DOMAIN;
   mt_buf_adds (out, create ? "CREATE DOMAIN " : "ALTER DOMAIN ");
   qualified (s->domain.schema, s->domain.name, out);
   mt_buf_adds (out, create ? " AS " : changes[s->domain.change]);
   if (create) {
      mt_print_type (d->type, out);
      mt_buf_adds (out, d->not_null ? " NOT NULL" : "");
   }
   if (d->default_value) {
      mt_buf_adds (out, create ? " DEFAULT " : "");
      mt_print_expr (d->default_value, out);
   }
   for (const MtCheckDef *c = d->checks; c; c = c->next) {
      mt_buf_addc (out, ' ');
      print_check (c, out);
   }
   if (s->domain.constraint.text) {
      mt_buf_adds (out, s->domain.if_exists ? "IF EXISTS " : "");
      mt_print_name (s->domain.constraint, out);
   }
}

static void print_drop (const char *what, const MtStmt *s, MtBuf *out)
{
   mt_buf_printf (out, "%s%s", what, s->drop.if_exists ? " IF EXISTS" : "");
   const MtNameList *schema = s->drop.schemas;
   const MtDropArgs *args = s->kind == MT_STMT_DROP_FUNCTION ? s->drop.args : NULL;
   for (const MtNameList *n = s->drop.names; n; n = n->next) {
      mt_buf_addc (out, ' ');
      qualified (schema ? schema->name : (MtName) {0}, n->name, out);
      if (args && args->given)
         drop_args (args, out);
      if (args)
         args = args->next;
      if (schema)
         schema = schema->next;
      if (n->next)
         mt_buf_addc (out, ',');
   }
   if (s->drop.restart)
      mt_buf_adds (out, " RESTART IDENTITY");
   if (s->drop.cascade)
      mt_buf_adds (out, " CASCADE");
}

/* Returns the words of a change of a column. */
static const char *column_action (MtAlterKind kind)
{
   switch (kind) {
   case MT_ALTER_COLUMN_TYPE: return " TYPE ";
   case MT_ALTER_SET_DEFAULT: return " SET DEFAULT ";
   case MT_ALTER_DROP_DEFAULT: return " DROP DEFAULT";
   case MT_ALTER_SET_NOT_NULL: return " SET NOT NULL";
   default: return " DROP NOT NULL";
   }
}

static void print_extension (const MtStmt *s, MtBuf *out)
{
   const char *version = s->extension.version.text;
   bool create = s->kind == MT_STMT_CREATE_EXTENSION;
   mt_buf_adds (out, create ? "CREATE EXTENSION " : "ALTER EXTENSION ");
   mt_buf_adds (out, s->extension.if_not_exists ? "IF NOT EXISTS " : "");
   mt_print_name (s->extension.name, out);
   mt_buf_adds (out, create ? "" : " UPDATE");
   if (version) {
      mt_buf_adds (out, create ? " VERSION " : " TO ");
      mt_print_string (mt_str (version), out);
   }
   mt_buf_adds (out, s->extension.cascade ? " CASCADE" : "");
}

static void print_clause (const char *word, MtTypedText text, MtBuf *out)
{
   if (!text.str.p)
      return;
   mt_buf_adds (out, word);
   mt_print_string (text.str, out);
}

static void print_alert (const MtStmt *s, MtBuf *out)
{
   static const char *const switches[] = {"", " ENABLE", " DISABLE"};
   bool create = s->kind == MT_STMT_CREATE_ALERT;
   mt_buf_adds (out, create ? "CREATE " : "ALTER ");
   mt_buf_adds (out, s->alert.or_replace ? "OR REPLACE ALERT " : "ALERT ");
   if (s->alert.if_exists)
      mt_buf_adds (out, create ? "IF NOT EXISTS " : "IF EXISTS ");
   mt_print_name (s->alert.name, out);
   if (create) {
      mt_buf_adds (out, " AS ");
      mt_print_select (s->alert.query, out);
   } else if (s->alert.new_name.text) {
      mt_buf_adds (out, " RENAME TO ");
      mt_print_name (s->alert.new_name, out);
   } else {
      mt_buf_adds (out, s->alert.enable ? switches[s->alert.enable] : " SET");
   }
   print_clause (" FOR ", s->alert.lasting, out);
   print_clause (" EVERY ", s->alert.every, out);
   print_clause (" NOTIFY ", s->alert.notify, out);
}

static void print_alter_column (const MtStmt *s, MtBuf *out)
{
   MtAlterKind k = s->alter_table.action;
   mt_buf_adds (out, " ALTER COLUMN ");
   mt_print_name (s->alter_table.name, out);
   mt_buf_adds (out, column_action (k));
   if (k == MT_ALTER_COLUMN_TYPE)
      mt_print_type (s->alter_table.column->type, out);
   if (k == MT_ALTER_SET_DEFAULT)
      mt_print_expr (s->alter_table.column->default_value, out);
   if (s->alter_table.using_expr) {
      mt_buf_adds (out, " USING ");
      mt_print_expr (s->alter_table.using_expr, out);
   }
}

static void print_alter_action (const MtStmt *s, MtBuf *out)
{
   switch (s->alter_table.action) {
   case MT_ALTER_ADD_LAYOUT:
      mt_buf_adds (out,
                   s->alter_table.action_if_exists ? " ADD LAYOUT IF NOT EXISTS" : " ADD LAYOUT");
      print_layout (s->alter_table.layout, out);
      return;
   case MT_ALTER_DROP_LAYOUT:
      mt_buf_adds (out,
                   s->alter_table.action_if_exists ? " DROP LAYOUT IF EXISTS " : " DROP LAYOUT ");
      break;
   case MT_ALTER_RENAME_TO: mt_buf_adds (out, " RENAME TO "); break;
   case MT_ALTER_SET_SCHEMA: mt_buf_adds (out, " SET SCHEMA "); break;
   case MT_ALTER_ADD_COLUMN:
      mt_buf_adds (out,
                   s->alter_table.action_if_exists ? " ADD COLUMN IF NOT EXISTS " : " ADD COLUMN ");
      print_column (s->alter_table.column, out);
      return;
   case MT_ALTER_DROP_COLUMN:
      mt_buf_adds (out,
                   s->alter_table.action_if_exists ? " DROP COLUMN IF EXISTS " : " DROP COLUMN ");
      break;
   case MT_ALTER_ADD_CHECK:
      mt_buf_adds (out, " ADD ");
      print_check (s->alter_table.check, out);
      return;
   case MT_ALTER_ADD_KEY:
      mt_buf_adds (out, " ADD ");
      print_key (s->alter_table.key, true, out);
      return;
   case MT_ALTER_DROP_CONSTRAINT:
      mt_buf_adds (out, s->alter_table.action_if_exists ? " DROP CONSTRAINT IF EXISTS "
                                                        : " DROP CONSTRAINT ");
      break;
   case MT_ALTER_COLUMN_TYPE:
   case MT_ALTER_SET_DEFAULT:
   case MT_ALTER_DROP_DEFAULT:
   case MT_ALTER_SET_NOT_NULL:
   case MT_ALTER_DROP_NOT_NULL: print_alter_column (s, out); return;
   case MT_ALTER_SET_OPTIONS:
   case MT_ALTER_RESET_OPTIONS:
      if (s->alter_table.name.text) {
         mt_buf_adds (out, " LAYOUT ");
         mt_print_name (s->alter_table.name, out);
      }
      mt_buf_adds (out, s->alter_table.action == MT_ALTER_SET_OPTIONS ? " SET " : " RESET ");
      options (s->alter_table.options, " = ", out);
      return;
   case MT_ALTER_RENAME_COLUMN:
      mt_buf_adds (out, " RENAME COLUMN ");
      mt_print_name (s->alter_table.name, out);
      mt_buf_adds (out, " TO ");
      mt_print_name (s->alter_table.new_name, out);
      return;
   }
   mt_print_name (s->alter_table.name, out);
   if (s->alter_table.cascade)
      mt_buf_adds (out, " CASCADE");
}

static void print_alter (const MtStmt *s, MtBuf *out)
{
   mt_buf_printf (out, "ALTER %s%s", s->alter_table.materialized ? "MATERIALIZED VIEW " : "TABLE ",
                  s->alter_table.if_exists ? "IF EXISTS " : "");
   qualified (s->alter_table.schema, s->alter_table.table, out);
   print_alter_action (s, out);
   for (s = s->alter_table.next; s; s = s->alter_table.next) {
      mt_buf_addc (out, ',');
      print_alter_action (s, out);
   }
}

static void print_copy (const MtStmt *s, MtBuf *out)
{
   mt_buf_adds (out, "COPY ");
   if (s->copy.query) {
      mt_print_paren_select (s->copy.query, out);
   } else if (s->copy.change) {
      mt_buf_addc (out, '(');
      mt_print_stmt (s->copy.change, out);
      mt_buf_addc (out, ')');
   } else {
      qualified (s->copy.schema, s->copy.table, out);
      name_list (s->copy.columns, out);
   }
   mt_buf_adds (out, s->copy.from ? " FROM " : " TO ");
   if (s->copy.file.p)
      mt_print_string (s->copy.file, out);
   else
      mt_buf_adds (out, s->copy.from ? "STDIN" : "STDOUT");
   if (s->copy.options) {
      mt_buf_adds (out, " WITH ");
      options (s->copy.options, " ", out);
   }
   if (s->copy.where) {
      mt_buf_adds (out, " WHERE ");
      mt_print_expr (s->copy.where, out);
   }
}

static void print_set (const MtStmt *s, MtBuf *out)
{
   mt_buf_adds (out, s->set.local ? "SET LOCAL " : "SET ");
   mt_buf_adds (out, s->set.name.text);
   mt_buf_adds (out, " TO ");
   if (s->set.is_default)
      mt_buf_adds (out, "DEFAULT");
   for (const MtOption *o = s->set.values; o; o = o->next) {
      option_value (o, out);
      if (o->next)
         mt_buf_adds (out, ", ");
   }
}

static void print_explain (const MtStmt *s, MtBuf *out)
{
   mt_buf_adds (out, "EXPLAIN ");
   if (s->explain.options) {
      options (s->explain.options, " ", out);
      mt_buf_addc (out, ' ');
   }
   mt_print_stmt (s->explain.stmt, out);
}

static void print_advise (const MtStmt *s, MtBuf *out)
{
   mt_buf_adds (out, "ADVISE ");
   if (s->advise.options) {
      options (s->advise.options, " ", out);
      mt_buf_addc (out, ' ');
   }
   if (s->advise.select)
      mt_print_select (s->advise.select, out);
   else
      mt_print_string (s->advise.text, out);
}

static void print_function (const MtStmt *s, MtBuf *out)
{
   static const char *const volatility[] = {"", " STABLE", " IMMUTABLE"};
   mt_buf_adds (out,
                s->create_function.or_replace ? "CREATE OR REPLACE FUNCTION " : "CREATE FUNCTION ");
   mt_print_name (s->create_function.name, out);
   mt_buf_addc (out, '(');
   for (const MtFunctionArg *a = s->create_function.args; a; a = a->next) {
      mt_print_name (a->name, out);
      if (a->name.text)
         mt_buf_addc (out, ' ');
      mt_print_type (a->type, out);
      in_parens (" DEFAULT ", a->default_value, "", out);
      if (a->next)
         mt_buf_adds (out, ", ");
   }
   mt_buf_adds (out, ") RETURNS ");
   mt_print_type (s->create_function.returns, out);
   mt_buf_adds (out, " LANGUAGE ");
   mt_print_name (s->create_function.language, out);
   mt_buf_adds (out, volatility[s->create_function.volatility]);
   if (s->create_function.strict)
      mt_buf_adds (out, " STRICT");
   mt_buf_adds (out, " AS ");
   mt_print_string (s->create_function.body, out);
   if (s->create_function.symbol.p) {
      mt_buf_adds (out, ", ");
      mt_print_string (s->create_function.symbol, out);
   }
}

static void print_layout_stmt (const MtStmt *s, MtBuf *out)
{
   mt_buf_adds (out, s->create_layout.or_replace ? "CREATE OR REPLACE LAYOUT " : "CREATE LAYOUT ");
   mt_print_name (s->create_layout.name, out);
   mt_buf_adds (out, " AS ");
   mt_print_string (s->create_layout.descriptor, out);
}

static void print_word_and_name (const char *word, const char *name, MtBuf *out)
{
   mt_buf_printf (out, "%s %s", word, name ? name : "ALL");
}

static void print_modes (const MtTxnModes *m, MtBuf *out)
{
   static const char *const isolation[] = {"", " ISOLATION LEVEL READ UNCOMMITTED",
                                           " ISOLATION LEVEL READ COMMITTED",
                                           " ISOLATION LEVEL REPEATABLE READ",
                                           " ISOLATION LEVEL SERIALIZABLE"};
   static const char *const access[] = {"", " READ WRITE", " READ ONLY"}, *const deferrable[] = {
                                                                             "", " NOT DEFERRABLE",
                                                                             " DEFERRABLE"};
   mt_buf_printf (out, "%s%s%s", isolation[m->isolation], access[m->access],
                  deferrable[m->deferrable]);
}

static void print_transaction (const MtStmt *s, MtBuf *out)
{
   static const char *const verbs[] = {
      [MT_TXN_BEGIN] = "BEGIN",
      [MT_TXN_START] = "START TRANSACTION",
      [MT_TXN_COMMIT] = "COMMIT",
      [MT_TXN_ROLLBACK] = "ROLLBACK",
      [MT_TXN_SAVEPOINT] = "SAVEPOINT ",
      [MT_TXN_RELEASE] = "RELEASE SAVEPOINT ",
      [MT_TXN_ROLLBACK_TO] = "ROLLBACK TO SAVEPOINT ",
      [MT_TXN_SET] = "SET TRANSACTION",
      [MT_TXN_SET_SESSION] = "SET SESSION CHARACTERISTICS AS TRANSACTION"};
   mt_buf_adds (out, verbs[s->transaction.verb]);
   mt_print_name (s->transaction.name, out);
   print_modes (&s->transaction.modes, out);
   if (s->transaction.chain)
      mt_buf_adds (out, " AND CHAIN");
}

static void print_declare (const MtStmt *s, MtBuf *out)
{
   mt_buf_adds (out, "DECLARE ");
   mt_print_name (s->declare.name, out);
   mt_buf_printf (out, "%s%s%s CURSOR%s FOR ", s->declare.binary ? " BINARY" : "",
                  s->declare.scroll ? " SCROLL" : "", s->declare.no_scroll ? " NO SCROLL" : "",
                  s->declare.hold ? " WITH HOLD" : "");
   mt_print_select (s->declare.query, out);
}

static void print_fetch (const MtStmt *s, MtBuf *out)
{
   static const char *const how[] = {"FORWARD", "BACKWARD", "ABSOLUTE", "RELATIVE"};
   mt_buf_printf (out, "%s %s ", s->fetch.move ? "MOVE" : "FETCH", how[s->fetch.how]);
   if (s->fetch.count == INT64_MAX)
      mt_buf_adds (out, "ALL");
   else
      mt_buf_printf (out, "%lld", (long long) s->fetch.count);
   mt_buf_adds (out, " FROM ");
   mt_print_name (s->fetch.name, out);
}

static void print_preallocate (const MtStmt *s, MtBuf *out)
{
   mt_buf_adds (out, "PREALLOCATE ");
   qualified (s->preallocate.schema, s->preallocate.table, out);
   mt_buf_adds (out, " FOR ");
   mt_print_string (s->preallocate.length.str, out);
   if (s->preallocate.from.str.p) {
      mt_buf_adds (out, " FROM ");
      mt_print_string (s->preallocate.from.str, out);
   }
}

void mt_print_stmt (const MtStmt *s, MtBuf *out)
{
   switch (s->kind) {
   case MT_STMT_SELECT: mt_print_select (s->select, out); break;
   case MT_STMT_WITH: print_writing_with (s->with.main, out); break;
   case MT_STMT_INSERT: print_insert (s, out); break;
   case MT_STMT_UPDATE:
   case MT_STMT_DELETE: print_change (s, out); break;
   case MT_STMT_PREPARE: print_prepare (s, out); break;
   case MT_STMT_EXECUTE: print_execute (s, out); break;
   case MT_STMT_DEALLOCATE:
      mt_buf_adds (out, s->execute.name.text ? "DEALLOCATE " : "DEALLOCATE ALL");
      mt_print_name (s->execute.name, out);
      break;
   case MT_STMT_TRUNCATE: print_drop ("TRUNCATE", s, out); break;
   case MT_STMT_CREATE_TABLE: print_create_table (s, out); break;
   case MT_STMT_DROP_TABLE: print_drop ("DROP TABLE", s, out); break;
   case MT_STMT_ALTER_TABLE: print_alter (s, out); break;
   case MT_STMT_COPY: print_copy (s, out); break;
   case MT_STMT_ANALYZE:
      mt_buf_adds (out, s->maintain.table.text ? "ANALYZE " : "ANALYZE");
      qualified (s->maintain.schema, s->maintain.table, out);
      name_list (s->maintain.columns, out);
      break;
   case MT_STMT_PREALLOCATE: print_preallocate (s, out); break;
   case MT_STMT_SET: print_set (s, out); break;
   case MT_STMT_RESET: print_word_and_name ("RESET", s->set.name.text, out); break;
   case MT_STMT_SHOW: print_word_and_name ("SHOW", s->set.name.text, out); break;
   case MT_STMT_EXPLAIN: print_explain (s, out); break;
   case MT_STMT_ADVISE: print_advise (s, out); break;
   case MT_STMT_CREATE_FUNCTION: print_function (s, out); break;
   case MT_STMT_DROP_FUNCTION: print_drop ("DROP FUNCTION", s, out); break;
   case MT_STMT_CREATE_LAYOUT: print_layout_stmt (s, out); break;
   case MT_STMT_CREATE_VIEW:
      mt_buf_adds (out, s->create_view.or_replace ? "CREATE OR REPLACE VIEW " : "CREATE VIEW ");
      qualified (s->create_view.schema, s->create_view.name, out);
      name_list (s->create_view.columns, out);
      mt_buf_adds (out, " AS ");
      mt_print_select (s->create_view.query, out);
      break;
   case MT_STMT_CREATE_INDEX: print_index (s, out); break;
   case MT_STMT_DROP_INDEX: print_drop ("DROP INDEX", s, out); break;
   case MT_STMT_COMMENT: print_comment (s, out); break;
   case MT_STMT_CREATE_ALERT:
   case MT_STMT_ALTER_ALERT: print_alert (s, out); break;
   case MT_STMT_DROP_ALERT: print_drop ("DROP ALERT", s, out); break;
   case MT_STMT_CREATE_SEQUENCE:
   case MT_STMT_ALTER_SEQUENCE: print_sequence (s, out); break;
   case MT_STMT_CREATE_TYPE:
   case MT_STMT_ALTER_TYPE: print_type (s, out); break;
   case MT_STMT_CREATE_DOMAIN:
   case MT_STMT_ALTER_DOMAIN: print_domain (s, out); break;
   case MT_STMT_DROP_DOMAIN: print_drop ("DROP DOMAIN", s, out); break;
   case MT_STMT_DROP_TYPE: print_drop ("DROP TYPE", s, out); break;
   case MT_STMT_DROP_SEQUENCE: print_drop ("DROP SEQUENCE", s, out); break;
   case MT_STMT_CREATE_SCHEMA:
   case MT_STMT_ALTER_SCHEMA: print_schema (s, out); break;
   case MT_STMT_LOCK:
      print_drop ("LOCK TABLE", s, out);
      mt_buf_adds (out, " IN ACCESS SHARE MODE");
      break;
   case MT_STMT_DROP_SCHEMA: print_drop ("DROP SCHEMA", s, out); break;
   case MT_STMT_DROP_VIEW: print_drop ("DROP VIEW", s, out); break;
   case MT_STMT_DROP_MATVIEW: print_drop ("DROP MATERIALIZED VIEW", s, out); break;
   case MT_STMT_REFRESH:
      mt_buf_adds (out, s->refresh.concurrently ? "REFRESH MATERIALIZED VIEW CONCURRENTLY "
                                                : "REFRESH MATERIALIZED VIEW ");
      qualified (s->refresh.schema, s->refresh.name, out);
      if (s->refresh.no_data)
         mt_buf_adds (out, " WITH NO DATA");
      break;
   case MT_STMT_CHECK: print_maintain ("CHECK", s, out); break;
   case MT_STMT_REPAIR: print_maintain ("REPAIR", s, out); break;
   case MT_STMT_VACUUM: print_vacuum (s, out); break;
   case MT_STMT_CALL:
      mt_buf_adds (out, s->call.select ? "SELECT " : "CALL ");
      mt_print_expr (s->call.x, out);
      break;
   case MT_STMT_DROP_LAYOUT: print_drop ("DROP LAYOUT", s, out); break;
   case MT_STMT_TRANSACTION: print_transaction (s, out); break;
   case MT_STMT_DISCARD: {
      static const char *const what[] = {"DISCARD ALL", "DISCARD PLANS", "DISCARD SEQUENCES",
                                         "DISCARD TEMP", "UNLISTEN *"};
      mt_buf_adds (out, what[s->discard]);
      break;
   }
   case MT_STMT_DECLARE: print_declare (s, out); break;
   case MT_STMT_FETCH: print_fetch (s, out); break;
   case MT_STMT_CLOSE:
      mt_buf_adds (out, s->execute.name.text ? "CLOSE " : "CLOSE ALL");
      mt_print_name (s->execute.name, out);
      break;
   case MT_STMT_CREATE_EXTENSION:
   case MT_STMT_ALTER_EXTENSION: print_extension (s, out); break;
   case MT_STMT_DROP_EXTENSION: print_drop ("DROP EXTENSION", s, out); break;
   case MT_STMT_LOAD:
      mt_buf_adds (out, "LOAD ");
      mt_print_string (s->load.file, out);
      break;
   }
}
