/* The builders of statements that define tables, layouts, views and indexes. */
#include "parser/build_constraint_int.h"
#include "parser/build_matview_int.h"
#include "parser/build_select_int.h"
#include "parser/grammar.h"

/* ---- CREATE TABLE ---- */

MtStmt *mt_b_create_table (MtParser *p, MtToken t, MtQualified name, MtTableItems items,
                           MtToken end, MtLayoutDef *layout)
{
   MtStmt *s = mt_b_stmt (p, MT_STMT_CREATE_TABLE, t, layout ? layout->span : end.span);
   s->create_table.schema = name.schema;
   s->create_table.name = name.name;
   s->create_table.if_not_exists = name.flag;
   s->create_table.columns = items.first;
   s->create_table.keys = items.keys;
   s->create_table.checks = items.checks;
   s->create_table.layout = layout;
   return s;
}

MtWithData mt_b_with_data (bool none, MtToken t) { return (MtWithData) {none, t.span}; }

static MtStmt *create_table_from (MtParser *p, MtToken t, MtQualified name, MtNames columns,
                                  MtLayoutDef *layout, MtSpan source, MtWithData data)
{
   MtStmt *s = mt_b_create_table (p, t, name, (MtTableItems) {0}, t, layout);
   s->create_table.as_names = columns.first;
   s->create_table.no_data = data.none;
   s->span = mt_b_join_spans (t.span, data.span.len ? data.span : source);
   return s;
}

MtStmt *mt_b_create_table_as (MtParser *p, MtToken t, MtQualified name, MtNames columns,
                              MtLayoutDef *layout, MtSelect *q, MtWithData data)
{
   MtStmt *s = create_table_from (p, t, name, columns, layout, q->span, data);
   s->create_table.as = q;
   return s;
}

MtStmt *mt_b_create_table_from (MtParser *p, MtToken t, MtQualified name, MtToken from,
                                MtFrom *file, MtLayoutDef *layout)
{
   return mt_b_create_table_as (p, t, name, MT_EMPTY (MtNames), layout,
                                mt_b_select_table (p, from, file), (MtWithData) {0});
}

MtStmt *mt_b_create_table_execute (MtParser *p, MtToken t, MtQualified name, MtNames columns,
                                   MtLayoutDef *layout, MtStmt *execute, MtWithData data)
{
   MtStmt *s = create_table_from (p, t, name, columns, layout, execute->span, data);
   s->create_table.execute = execute;
   return s;
}

MtOnCommitRule mt_b_on_commit (MtOnCommitClause clause, MtToken on, MtToken end)
{
   return (MtOnCommitRule) {clause, mt_b_join_spans (on.span, end.span)};
}

MtStmt *mt_b_temporary (MtStmt *s, bool temporary, MtOnCommitRule rule)
{
   s->create_table.temporary = temporary;
   s->create_table.on_commit = rule.clause;
   if (rule.clause)
      s->span = mt_b_join_spans (s->span, rule.span);
   return s;
}

static bool is_continuous (const MtOption *o)
{
   static const char *const names[] = {"continuous", "materialized_only", "timescaledb.continuous",
                                       "timescaledb.materialized_only"};
   for (size_t i = 0; i < sizeof names / sizeof *names; i++)
      if (mt_ieq (o->name.text, names[i]))
         return true;
   return false;
}

/* Builds CREATE MATERIALIZED VIEW from a CREATE TABLE … AS. Moves the options of a continuous view
 * from the layout's options to create_table.continuous. */
MtStmt *mt_b_create_matview (MtStmt *s)
{
   MtLayoutDef *layout = s->create_table.layout;
   MtOption **from = layout ? &layout->options : NULL, **to = &s->create_table.continuous;
   s->create_table.materialized = true;
   while (from && *from) {
      if (!is_continuous (*from)) {
         from = &(*from)->next;
         continue;
      }
      *to = *from;
      *from = (*from)->next;
      to = &(*to)->next;
      *to = NULL;
   }
   return s;
}

MtStmt *mt_b_alter_matview (MtStmt *s)
{
   s->alter_table.materialized = true;
   return s;
}

MtStmt *mt_b_refresh (MtParser *p, MtToken t, bool concurrently, MtQualified name, MtWithData data)
{
   MtStmt *s = mt_b_stmt (p, MT_STMT_REFRESH, t, data.span.len ? data.span : name.span);
   s->refresh.schema = name.schema;
   s->refresh.name = name.name;
   s->refresh.concurrently = concurrently;
   s->refresh.no_data = data.none;
   return s;
}

MtTableItems mt_b_items_column (MtParser *p, MtTableItems items, MtColumnDef *c)
{
   if (items.last)
      items.last->next = c;
   else
      items.first = c;
   items.last = c;
   return items;
}

MtTableItems mt_b_items_key (MtParser *p, MtTableItems items, MtKey k)
{
   if (k.check)
      return mt_b_items_check (items, k.check);
   for (const MtKeyDef *d = items.keys; k.key && d; d = d->next)
      if (d->kind != MT_KEYDEF_UNIQUE && k.key->kind != MT_KEYDEF_UNIQUE)
         mt_b_fail (p, k.key->span, MT_E_INVALID_DEFINITION,
                    "multiple primary keys for a table are not allowed");
   if (k.key && items.last_key)
      items.last_key->next = k.key;
   else if (k.key)
      items.keys = k.key;
   items.last_key = k.key ? k.key : items.last_key;
   return items;
}

MtColumnDef *mt_b_column_def (MtParser *p, MtToken name, MtTypeName *type)
{
   MtColumnDef *c = MT_NEW (p->a, MtColumnDef);
   c->name = mt_b_name (name);
   c->type = type;
   c->span = mt_b_join_spans (name.span, type->span);
   return c;
}

static void until (MtColumnDef *c, MtSpan end)
{
   c->span = mt_b_join_spans (c->span, end);
   c->constraint = (MtName) {0}; /* the names of other constraints are not stored */
}

static void once (MtParser *p, const MtColumnDef *c, MtToken t, bool already, const char *what)
{
   if (already)
      mt_b_fail (p, t.span, MT_E_SYNTAX, "multiple %s specified for column \"%s\"", what,
                 c->name.text);
}

void mt_b_column_role (MtParser *p, MtColumnDef *c, MtColumnRole role, MtToken t)
{
   once (p, c, t, c->role != MT_ROLE_NONE, "roles");
   c->role = role;
   until (c, t.span);
}

void mt_b_column_period (MtParser *p, MtColumnDef *c, MtToken t, MtToken period)
{
   mt_b_column_role (p, c, MT_ROLE_TIME, t);
   c->period = mt_b_str (period);
   c->period_span = period.span;
   until (c, period.span);
}

void mt_b_column_counter (MtParser *p, MtColumnDef *c, MtToken t, MtToken end)
{
   mt_b_column_role (p, c, MT_ROLE_MEASURE, t);
   c->counter = true;
   until (c, end.span);
}

void mt_b_column_field (MtParser *p, MtColumnDef *c, MtToken t, MtToken field)
{
   once (p, c, t, c->field.p != NULL, "fields");
   c->field = mt_b_str (field);
   until (c, field.span);
}

void mt_b_column_not_null (MtParser *p, MtColumnDef *c, MtToken t, MtToken end, bool not_null)
{
   if (c->null_said && c->not_null != not_null)
      mt_b_fail (p, t.span, MT_E_SYNTAX, "conflicting NULL/NOT NULL declarations for column \"%s\"",
                 c->name.text);
   c->null_said = true;
   c->not_null = not_null;
   until (c, end.span);
}

void mt_b_column_default (MtParser *p, MtColumnDef *c, MtToken t, MtExpr *e)
{
   once (p, c, t, c->default_value != NULL, "default values");
   if (c->generated)
      mt_b_fail (p, t.span, MT_E_SYNTAX,
                 "both default and generation expression specified for column \"%s\"",
                 c->name.text);
   if (c->identity)
      mt_b_fail (p, t.span, MT_E_SYNTAX, "both default and identity specified for column \"%s\"",
                 c->name.text);
   c->default_value = e;
   until (c, e->outer);
}

void mt_b_column_generated (MtParser *p, MtColumnDef *c, MtToken t, MtExpr *e, MtToken end)
{
   once (p, c, t, c->generated != NULL, "generation clauses");
   if (c->default_value)
      mt_b_fail (p, t.span, MT_E_SYNTAX,
                 "both default and generation expression specified for column \"%s\"",
                 c->name.text);
   c->generated = e;
   until (c, end.span);
}

MtLayoutDef *mt_b_layout (MtParser *p, MtToken t, MtToken access, MtOptions options, MtToken end)
{
   MtLayoutDef *l = MT_NEW (p->a, MtLayoutDef);
   l->access = mt_b_name (access);
   l->options = options.first;
   l->span = mt_b_join_spans (t.span, end.span);
   return l;
}

MtLayoutDef *mt_b_layout_named (MtParser *p, MtToken name, MtLayoutDef *l)
{
   l->name = mt_b_name (name);
   l->span = mt_b_join_spans (name.span, l->span);
   return l;
}

/* ---- DROP, ALTER ---- */

MtDropList mt_b_drop_list (MtParser *p, MtDropList list, MtQualified q)
{
   MtToken name = {.span = q.name.span, .text = q.name.text, .quoted = q.name.quoted};
   MtToken schema = {.span = q.schema.span, .text = q.schema.text, .quoted = q.schema.quoted};
   if (list.names.first) {
      mt_b_push_name (p, &list.names, name);
      mt_b_push_name (p, &list.schemas, schema);
   } else {
      list.names = mt_b_names (p, name);
      list.schemas = mt_b_names (p, schema);
   }
   MtDropArgs *args = MT_NEW (p->a, MtDropArgs);
   *args = (MtDropArgs) {.given = q.has_types, .types = q.types};
   if (list.last)
      list.last->next = args;
   else
      list.first = args;
   list.last = args;
   list.if_exists |= q.flag;
   list.qualified |= q.schema.text != NULL;
   list.end = q.span;
   return list;
}

MtStmt *mt_b_drop (MtParser *p, MtStmtKind kind, MtToken t, MtDropList names, MtBehavior b)
{
   MtStmt *s = mt_b_stmt (p, kind, t, b.span.len ? b.span : names.end);
   s->drop.names = names.names.first;
   s->drop.schemas = names.qualified ? names.schemas.first : NULL;
   s->drop.args = names.first;
   s->drop.if_exists = names.if_exists;
   s->drop.cascade = b.cascade;
   return s;
}

MtBehavior mt_b_behavior (bool cascade, MtToken t) { return (MtBehavior) {cascade, t.span}; }

static MtStmt *alter (MtParser *p, MtToken t, MtQualified table, MtAlterKind action, MtSpan end)
{
   MtStmt *s = mt_b_stmt (p, MT_STMT_ALTER_TABLE, t, end);
   s->alter_table.schema = table.schema;
   s->alter_table.table = table.name;
   s->alter_table.if_exists = table.flag;
   s->alter_table.action = action;
   return s;
}

MtAlterActions mt_b_alter_actions (MtAlterActions list, MtStmt *action)
{
   MtStmt *last = action;
   while (last->alter_table.next)
      last = last->alter_table.next;
   if (list.last)
      list.last->alter_table.next = action;
   return (MtAlterActions) {list.last ? list.first : action, last};
}

MtStmt *mt_b_alter_table (MtToken t, MtQualified table, MtAlterActions actions)
{
   MtSpan span = mt_b_join_spans (t.span, actions.last->span);
   for (MtStmt *s = actions.first; s; s = s->alter_table.next) {
      s->span = span;
      s->alter_table.schema = table.schema;
      s->alter_table.table = table.name;
      s->alter_table.if_exists = table.flag;
   }
   return actions.first;
}

MtStmt *mt_b_alter_add (MtParser *p, MtToken t, MtQualified table, bool if_not_exists,
                        MtLayoutDef *l)
{
   MtStmt *s = alter (p, t, table, MT_ALTER_ADD_LAYOUT, l->span);
   s->alter_table.action_if_exists = if_not_exists;
   s->alter_table.layout = l;
   s->alter_table.name = l->name;
   return s;
}

MtStmt *mt_b_alter_name (MtParser *p, MtToken t, MtQualified table, MtAlterKind action,
                         MtQualified name)
{
   MtStmt *s = alter (p, t, table, action, name.span);
   s->alter_table.action_if_exists = name.flag;
   s->alter_table.name = name.name;
   return s;
}

MtStmt *mt_b_alter_add_column (MtParser *p, MtToken t, MtQualified table, bool if_not_exists,
                               MtColumnDef *c)
{
   MtStmt *s = alter (p, t, table, MT_ALTER_ADD_COLUMN, c->span);
   s->alter_table.action_if_exists = if_not_exists;
   s->alter_table.column = c;
   s->alter_table.name = c->name;
   return mt_b_alter_split_key (p, s);
}

MtStmt *mt_b_alter_behavior (MtStmt *s, MtBehavior b)
{
   s->alter_table.cascade = b.cascade;
   if (b.span.len)
      s->span = mt_b_join_spans (s->span, b.span);
   return s;
}

MtStmt *mt_b_alter_column (MtParser *p, MtToken t, MtQualified table, MtToken name,
                           MtAlterKind action, MtToken end)
{
   MtStmt *s = alter (p, t, table, action, end.span);
   s->alter_table.name = mt_b_name (name);
   return s;
}

MtStmt *mt_b_alter_type (MtParser *p, MtToken t, MtQualified table, MtToken name, MtTypeName *type,
                         MtExpr *using_expr)
{
   MtStmt *s = mt_b_alter_column (p, t, table, name, MT_ALTER_COLUMN_TYPE, name);
   s->span = mt_b_join_spans (s->span, using_expr ? using_expr->outer : type->span);
   s->alter_table.column = mt_b_column_def (p, name, type);
   s->alter_table.using_expr = using_expr;
   return s;
}

MtStmt *mt_b_alter_default (MtParser *p, MtToken t, MtQualified table, MtToken name, MtExpr *value)
{
   MtStmt *s = mt_b_alter_column (p, t, table, name, MT_ALTER_SET_DEFAULT, name);
   s->span = mt_b_join_spans (s->span, value->outer);
   s->alter_table.column = MT_NEW (p->a, MtColumnDef);
   s->alter_table.column->name = mt_b_name (name);
   s->alter_table.column->default_value = value;
   return s;
}

MtStmt *mt_b_alter_rename (MtParser *p, MtToken t, MtQualified table, MtToken from, MtToken to)
{
   MtStmt *s = alter (p, t, table, MT_ALTER_RENAME_COLUMN, to.span);
   s->alter_table.name = mt_b_name (from);
   s->alter_table.new_name = mt_b_name (to);
   return s;
}

MtStmt *mt_b_alter_options (MtParser *p, MtToken t, MtQualified table, MtAlterKind action,
                            MtOptions options, MtToken end)
{
   MtStmt *s = alter (p, t, table, action, end.span);
   s->alter_table.options = options.first;
   return s;
}

MtStmt *mt_b_alter_of_layout (MtStmt *s, MtToken layout)
{
   s->alter_table.name = mt_b_name (layout);
   return s;
}

/* ---- layouts, views, indexes, comments ---- */

MtStmt *mt_b_create_layout (MtParser *p, MtToken t, bool or_replace, MtToken name,
                            MtToken descriptor)
{
   MtStmt *s = mt_b_stmt (p, MT_STMT_CREATE_LAYOUT, t, descriptor.span);
   s->create_layout.name = mt_b_name (name);
   s->create_layout.or_replace = or_replace;
   s->create_layout.descriptor = mt_b_str (descriptor);
   s->create_layout.descriptor_span = descriptor.span;
   return s;
}

MtStmt *mt_b_create_view (MtParser *p, MtToken t, bool or_replace, MtQualified name,
                          MtNames columns, MtSelect *query)
{
   MtStmt *s = mt_b_stmt (p, MT_STMT_CREATE_VIEW, t, query->span);
   s->create_view.schema = name.schema;
   s->create_view.name = name.name;
   s->create_view.or_replace = or_replace;
   s->create_view.columns = columns.first;
   s->create_view.query = query;
   return s;
}

static void push (MtParser *p, MtNames *list, MtToken name)
{
   if (list->first)
      mt_b_push_name (p, list, name);
   else
      *list = mt_b_names (p, name);
}

MtIndexColumns mt_b_push_index_column (MtParser *p, MtIndexColumns list, MtToken name,
                                       MtToken class)
{
   push (p, &list.names, name);
   if (class.text)
      push (p, &list.classes, class);
   return list;
}

MtToken mt_b_word (const char *word, MtToken t, MtToken end)
{
   t.text = word;
   t.span = mt_b_join_spans (t.span, end.span);
   return t;
}

MtIndexEnd mt_b_index_clauses (MtParser *p, bool nulls_equal, MtExpr *where, const MtToken words[2])
{
   MtIndexEnd end = {.nulls_equal = nulls_equal, .where = where};
   for (int i = 0; i < 2; i++)
      if (words[i].text) {
         push (p, &end.ignored, words[i]);
         end.span = words[i].span;
      }
   if (where)
      end.span = where->outer;
   return end;
}

MtStmt *mt_b_create_index (MtParser *p, MtToken t, MtToken name, bool unique, MtQualified table,
                           MtToken method, MtIndexColumns columns, MtToken end)
{
   MtStmt *s = mt_b_stmt (p, MT_STMT_CREATE_INDEX, t, end.span);
   s->create_index.name = mt_b_name (name);
   s->create_index.unique = unique;
   s->create_index.schema = table.schema;
   s->create_index.table = table.name;
   s->create_index.method = mt_b_name (method);
   s->create_index.columns = columns.names.first;
   s->create_index.classes = columns.classes.first;
   s->create_index.ordered = columns.ordered;
   return s;
}

MtStmt *mt_b_index_end (MtStmt *s, MtIndexEnd end)
{
   s->create_index.nulls_equal = end.nulls_equal;
   s->create_index.where = end.where;
   s->create_index.ignored = end.ignored.first;
   if (end.span.len)
      s->span = mt_b_join_spans (s->span, end.span);
   return s;
}

MtStmt *mt_b_comment (MtParser *p, MtToken t, MtCommentOn on, MtQualified name, MtToken text)
{
   MtStmt *s = mt_b_stmt (p, MT_STMT_COMMENT, t, text.span);
   s->comment.on = on;
   s->comment.schema = name.schema;
   s->comment.name = name.name;
   if (text.code == MT_TK_SCONST)
      s->comment.text = mt_b_str (text);
   if (on == MT_COMMENT_COLUMN && !name.schema.text)
      mt_b_fail (p, name.span, MT_E_SYNTAX, "column name must be qualified");
   if (on == MT_COMMENT_COLUMN) {
      s->comment.schema = (MtName) {.span = MT_NO_SPAN};
      s->comment.name = name.schema;
      s->comment.column = name.name;
   }
   return s;
}

MtStmt *mt_b_comment_column (MtParser *p, MtToken t, MtToken schema, MtToken table, MtToken column,
                             MtToken text)
{
   MtStmt *s = mt_b_comment (p, t, MT_COMMENT_COLUMN, mt_b_qualified (p, table, column), text);
   s->comment.schema = mt_b_name (schema);
   return s;
}
