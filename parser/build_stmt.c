/* The builders of statements other than SELECT. */
#include "parser/build_int.h"
#include "parser/grammar.h"

#include <ctype.h>
#include <string.h>

static MtStmt *stmt (MtParser *p, MtStmtKind kind, MtToken t, MtSpan end)
{
   MtStmt *s = MT_NEW (p->a, MtStmt);
   s->kind = kind;
   s->span = mt_b_join_spans (t.span, end);
   return s;
}

MtStmt *mt_b_select_stmt (MtParser *p, MtSelect *s)
{
   MtSelect *first = s; /* in a set operation such as UNION, the first SELECT contains the INTO */
   while (first->kind == MT_SELECT_SETOP)
      first = first->setop.left;
   MtInto *into = first->into;
   if (into) {
      first->into = NULL;
      MtStmt *st = mt_b_create_table_as (p, (MtToken) {.span = s->span},
                                         (MtQualified) {.schema = into->schema, .name = into->name},
                                         MT_EMPTY (MtNames), NULL, s, (MtWithData) {0});
      return mt_b_temporary (st, into->temporary, (MtOnCommitRule) {MT_ON_COMMIT_NONE, MT_NO_SPAN});
   }
   MtStmt *st = stmt (p, MT_STMT_SELECT, (MtToken) {.span = s->span}, s->span);
   st->select = s;
   return st;
}

MtStmt *mt_b_explain (MtParser *p, MtToken t, MtOptions options, MtStmt *s)
{
   MtStmt *st = stmt (p, MT_STMT_EXPLAIN, t, s->span);
   st->explain.options = options.first;
   st->explain.stmt = s;
   return st;
}

MtOptions mt_b_explain_flags (MtParser *p, MtToken analyze, MtToken verbose)
{
   MtOptions o = mt_b_options (mt_b_option (p, analyze));
   if (verbose.text)
      MT_PUSH (o, mt_b_option (p, verbose));
   return o;
}

/* ---- INSERT ---- */

MtStmt *mt_b_insert (MtParser *p, MtToken t, MtQualified table, MtInsertRest rest, MtOnConflict *c,
                     MtTargets returning)
{
   MtStmt *s = stmt (p, MT_STMT_INSERT, t, rest.span);
   s->insert.schema = table.schema;
   s->insert.table = table.name;
   s->insert.alias = table.alias;
   s->insert.columns = rest.columns;
   s->insert.source = rest.source;
   s->insert.conflict = c;
   s->insert.returning = returning.first;
   if (c)
      s->span = mt_b_join_spans (s->span, c->span);
   if (returning.last)
      s->span = mt_b_join_spans (s->span, returning.last->expr->outer);
   return s;
}

/* Builds WITH … INSERT. The WITH clause moves to the query of the INSERT, because nothing else
 * can refer to it. */
MtStmt *mt_b_insert_with (MtParser *p, MtWith with, MtStmt *s)
{
   s->span = mt_b_join_spans (with.span, s->span);
   if (!s->insert.source)
      return s;
   if (s->insert.source->with)
      mt_b_fail (p, with.span, MT_E_FEATURE,
                 "WITH both before INSERT and in its query is not supported");
   s->insert.source->with = with.first;
   s->insert.source->with_recursive = with.recursive;
   return s;
}

MtInsertRest mt_b_insert_from (MtNames columns, MtSelect *s)
{
   return (MtInsertRest) {columns.first, s, s->span};
}
MtInsertRest mt_b_insert_default (MtToken end) { return (MtInsertRest) {NULL, NULL, end.span}; }

MtOnConflict *mt_b_conflict (MtParser *p, MtToken t, MtConflictTarget target, MtToken end)
{
   MtOnConflict *c = MT_NEW (p->a, MtOnConflict);
   c->target = target.list;
   c->target_where = target.where;
   c->constraint = target.constraint;
   c->span = mt_b_join_spans (t.span, end.span);
   return c;
}

MtOnConflict *mt_b_conflict_update (MtParser *p, MtToken t, MtConflictTarget target, MtAssigns set,
                                    MtExpr *where)
{
   MtOnConflict *c = mt_b_conflict (p, t, target, t);
   c->updates = true;
   c->set = set.first;
   c->where = where;
   c->span = mt_b_join_spans (c->span, where ? where->outer : set.last->value->outer);
   return c;
}

/* ---- UPDATE, DELETE ---- */

MtAssigns mt_b_assigns (MtAssign *a) { return (MtAssigns) {a, a}; }

MtAssign *mt_b_assign (MtParser *p, MtNames columns, MtExpr *value, bool row)
{
   MtAssign *a = MT_NEW (p->a, MtAssign);
   a->columns = columns.first;
   a->value = value;
   a->row = row;
   return a;
}

static MtStmt *change (MtParser *p, MtStmtKind kind, MtToken t, MtQualified table, MtFroms from,
                       MtExpr *where, MtTargets returning)
{
   MtStmt *s = stmt (p, kind, t, table.span);
   s->change.schema = table.schema;
   s->change.table = table.name;
   s->change.alias = table.alias;
   s->change.from = from.first;
   s->change.where = where;
   s->change.returning = returning.first;
   if (from.last)
      s->span = mt_b_join_spans (s->span, from.last->span);
   if (where)
      s->span = mt_b_join_spans (s->span, where->outer);
   if (returning.last)
      s->span = mt_b_join_spans (s->span, returning.last->expr->outer);
   return s;
}

MtAssign *mt_b_assign_part (MtParser *p, MtToken column, MtExpr *value)
{
   MtAssign *a = mt_b_assign (p, mt_b_names (p, column), value, false);
   a->part = true;
   return a;
}

MtStmt *mt_b_update (MtParser *p, MtToken t, MtQualified table, MtAssigns set, MtFroms from,
                     MtExpr *where, MtTargets returning)
{
   MtStmt *s = change (p, MT_STMT_UPDATE, t, table, from, where, returning);
   s->change.set = set.first;
   s->span = mt_b_join_spans (s->span, set.last->value->outer);
   return s;
}

MtStmt *mt_b_delete (MtParser *p, MtToken t, MtQualified table, MtFroms from, MtExpr *where,
                     MtTargets returning)
{
   return change (p, MT_STMT_DELETE, t, table, from, where, returning);
}

MtStmt *mt_b_change_with (MtWith with, MtStmt *s)
{
   s->span = mt_b_join_spans (with.span, s->span);
   s->change.with = with.first;
   s->change.with_recursive = with.recursive;
   return s;
}

/* ---- PREPARE, EXECUTE ---- */

MtTypes mt_b_types (MtParser *p, MtTypeName *t)
{
   MtTypeList *l = MT_NEW (p->a, MtTypeList);
   l->type = t;
   return (MtTypes) {l, l};
}

void mt_b_push_type (MtParser *p, MtTypes *list, MtTypeName *t)
{
   MtTypes one = mt_b_types (p, t);
   MT_PUSH (*list, one.first);
}

MtStmt *mt_b_prepare (MtParser *p, MtToken t, MtToken name, MtTypes types, MtStmt *inner)
{
   MtStmt *s = stmt (p, MT_STMT_PREPARE, t, inner->span);
   s->prepare.name = mt_b_name (name);
   s->prepare.types = types.first;
   s->prepare.stmt = inner;
   return s;
}

MtStmt *mt_b_execute (MtParser *p, MtToken t, MtToken name, MtExprs args, MtToken end)
{
   MtStmt *s = stmt (p, MT_STMT_EXECUTE, t, end.span);
   s->execute.name = mt_b_name (name);
   s->execute.args = args.first;
   return s;
}

MtStmt *mt_b_deallocate (MtParser *p, MtToken t, MtToken name, MtToken end)
{
   MtStmt *s = stmt (p, MT_STMT_DEALLOCATE, t, end.span);
   s->execute.name = mt_b_name (name);
   return s;
}

/* ---- CREATE TABLE ---- */

MtStmt *mt_b_create_table (MtParser *p, MtToken t, MtQualified name, MtTableItems items,
                           MtToken end, MtLayoutDef *layout)
{
   MtStmt *s = stmt (p, MT_STMT_CREATE_TABLE, t, layout ? layout->span : end.span);
   s->create_table.schema = name.schema;
   s->create_table.name = name.name;
   s->create_table.if_not_exists = name.flag;
   s->create_table.columns = items.first;
   s->create_table.key = items.key;
   s->create_table.primary = items.primary;
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

MtStmt *mt_b_create_matview (MtStmt *s)
{
   s->create_table.materialized = true;
   return s;
}

MtStmt *mt_b_alter_matview (MtStmt *s)
{
   s->alter_table.materialized = true;
   return s;
}

MtStmt *mt_b_refresh (MtParser *p, MtToken t, bool concurrently, MtQualified name, MtWithData data)
{
   MtStmt *s = stmt (p, MT_STMT_REFRESH, t, data.span.len ? data.span : name.span);
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
   if (items.key)
      mt_b_fail (p, k.span, MT_E_INVALID_DEFINITION,
                 "multiple primary keys for a table are not allowed");
   if (k.names)
      items.key = k.names;
   items.primary |= k.primary;
   return items;
}

MtKey mt_b_key (MtToken t, MtNames names, bool primary)
{
   return (MtKey) {names.first, primary, t.span};
}

MtKey mt_b_key_refused (MtParser *p, MtToken t, const char *what)
{
   mt_b_refuse (p, t, what);
   return (MtKey) {.span = t.span};
}

MtColumnDef *mt_b_column_def (MtParser *p, MtToken name, MtTypeName *type)
{
   MtColumnDef *c = MT_NEW (p->a, MtColumnDef);
   c->name = mt_b_name (name);
   c->type = type;
   c->span = mt_b_join_spans (name.span, type->span);
   return c;
}

static void until (MtColumnDef *c, MtSpan end) { c->span = mt_b_join_spans (c->span, end); }

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
   c->default_value = e;
   until (c, e->outer);
}

void mt_b_column_primary (MtParser *p, MtColumnDef *c, MtToken t, MtToken end)
{
   c->primary_key = true;
   until (c, end.span);
}

void mt_b_column_unique (MtParser *p, MtColumnDef *c, MtToken t)
{
   c->unique = true;
   until (c, t.span);
}

/* Adds a CHECK to a column. Several CHECKs are joined by AND. */
void mt_b_column_check (MtParser *p, MtColumnDef *c, MtToken t, MtExpr *e, MtToken end)
{
   c->check = c->check ? mt_b_junction (p, MT_EXPR_AND, c->check, e) : e;
   until (c, end.span);
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

/* ---- options ---- */

MtOptions mt_b_options (MtOption *o) { return (MtOptions) {o, o}; }

MtOption *mt_b_option (MtParser *p, MtToken name)
{
   MtOption *o = MT_NEW (p->a, MtOption);
   o->name = mt_b_name (name);
   o->kind = MT_OPT_NONE;
   o->span = name.span;
   return o;
}

MtOption *mt_b_option_value (MtParser *p, MtToken name, MtOptionValue v)
{
   MtOption *o = mt_b_option (p, name);
   o->kind = v.kind;
   o->value = v.value;
   o->list = v.list;
   o->span = v.span;
   return o;
}

MtOptionValue mt_b_option_atom (MtParser *p, int kind, MtToken t)
{
   return (MtOptionValue) {kind, mt_b_str (t), NULL, t.span};
}

MtOptionValue mt_b_option_negative (MtParser *p, MtToken minus, MtToken t)
{
   MtStr v = {mt_printf (p->a, "-%s", t.text), t.n + 1};
   return (MtOptionValue) {MT_OPT_NUMBER, v, NULL, mt_b_join_spans (minus.span, t.span)};
}

MtOptionValue mt_b_option_zone_interval (MtParser *p, MtToken t)
{
   MtStr v = mt_str (mt_printf (p->a, MT_ZONE_INTERVAL "%s", t.text));
   return (MtOptionValue) {MT_OPT_STRING, v, NULL, t.span};
}

MtOptionValue mt_b_option_bool (bool value, MtToken t)
{
   return (MtOptionValue) {MT_OPT_BOOL, value ? MT_STR ("true") : MT_STR ("false"), NULL, t.span};
}

MtOptionValue mt_b_option_word (MtParser *p, MtToken t)
{
   if (!t.quoted && mt_ieq (t.text, "off"))
      return mt_b_option_bool (false, t);
   return mt_b_option_atom (p, MT_OPT_WORD, t);
}

MtOptionValue mt_b_option_list (MtToken l, MtNames names, MtToken r)
{
   return (MtOptionValue) {MT_OPT_LIST, {NULL, 0}, names.first, mt_b_join_spans (l.span, r.span)};
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
   MtStmt *s = stmt (p, kind, t, b.span.len ? b.span : names.end);
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
   MtStmt *s = stmt (p, MT_STMT_ALTER_TABLE, t, end);
   s->alter_table.schema = table.schema;
   s->alter_table.table = table.name;
   s->alter_table.if_exists = table.flag;
   s->alter_table.action = action;
   return s;
}

MtAlterActions mt_b_alter_actions (MtAlterActions list, MtStmt *action)
{
   list.last->alter_table.next = action;
   return (MtAlterActions) {list.first, action};
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
   return s;
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

/* ---- CALL ---- */

MtStmt *mt_b_call_stmt (MtParser *p, MtToken t, MtExpr *call)
{
   MtStmt *s = stmt (p, MT_STMT_CALL, t, call->outer);
   s->call.x = call;
   return s;
}

/* Returns the expression of a SELECT that has only one expression and no other clause, or NULL. */
static MtExpr *only_expr (const MtSelect *s)
{
   bool plain = s->kind == MT_SELECT_PLAIN && !s->with && !s->limit && !s->offset && !s->order &&
                !s->into;
   const MtTarget *t = plain ? s->plain.targets : NULL;
   bool bare = t && !t->next && !s->plain.from && !s->plain.where && !s->plain.distinct &&
               !s->plain.group_by && !s->plain.having;
   return bare ? t->expr : NULL;
}

MtStmt *mt_b_lone_call (MtStmt *s)
{
   MtExpr *x = s->kind == MT_STMT_SELECT ? only_expr (s->select) : NULL;
   if (!x || x->kind != MT_EXPR_CALL || x->call.name->next ||
       !mt_ieq (x->call.name->name.text, "drop_chunks"))
      return s;
   s->kind = MT_STMT_CALL;
   s->call.x = x;
   s->call.select = true;
   return s;
}

/* ---- COPY ---- */

MtCopyWhat mt_b_copy_table (MtQualified table, MtNames columns, bool from)
{
   return (MtCopyWhat) {.table = table, .columns = columns.first, .from = from};
}

MtCopyWhat mt_b_copy_query (MtStmt *s)
{
   return s->kind == MT_STMT_SELECT ? (MtCopyWhat) {.query = s->select}
                                    : (MtCopyWhat) {.change = s};
}

MtStmt *mt_b_copy (MtParser *p, MtToken t, MtCopyWhat what, MtToken file, MtCopyClauses options,
                   MtExpr *where)
{
   MtStmt *s = stmt (p, MT_STMT_COPY, t, file.span);
   s->copy.schema = what.table.schema;
   s->copy.table = what.table.name;
   s->copy.columns = what.columns;
   s->copy.query = what.query;
   s->copy.change = what.change;
   s->copy.from = what.from;
   if (file.code == MT_TK_SCONST)
      s->copy.file = mt_b_str (file);
   s->copy.file_span = file.span;
   s->copy.options = options.first;
   s->copy.where = where;
   if (options.span.len)
      s->span = mt_b_join_spans (s->span, options.span);
   if (where)
      s->span = mt_b_join_spans (s->span, where->outer);
   return s;
}

MtCopyClauses mt_b_copy_options (MtOptions o, MtToken end)
{
   return (MtCopyClauses) {o.first, o.last, end.span};
}

/* Adds an option in the old syntax of COPY without parentheses, such as CSV HEADER DELIMITER
 * ';'. The word `format` is an option by itself. */
MtCopyClauses mt_b_copy_old (MtParser *p, MtCopyClauses o, MtToken t, const char *name,
                             MtToken value)
{
   MtToken n = {.span = t.span, .text = name, .n = (uint32_t) strlen (name)};
   int kind = value.code == MT_TK_SCONST ? MT_OPT_STRING : MT_OPT_WORD;
   MtOption *opt = value.text ? mt_b_option_value (p, n, mt_b_option_atom (p, kind, value))
                              : mt_b_option (p, n);
   if (o.last)
      MT_PUSH (o, opt);
   else
      o.first = o.last = opt;
   o.span = opt->span;
   return o;
}

/* Adds the option FORCE QUOTE a, b in the old syntax of COPY. */
MtCopyClauses mt_b_copy_force (MtParser *p, MtCopyClauses o, MtToken t, const char *name,
                               MtNames columns)
{
   MtCopyClauses with = mt_b_copy_old (p, o, t, name, MT_NO_TOKEN);
   with.last->kind = MT_OPT_LIST;
   with.last->list = columns.first;
   return with;
}

/* ---- settings ---- */

MtStmt *mt_b_set_begin (MtStmt *s, MtToken t, bool local)
{
   s->set.local = local;
   s->span = mt_b_join_spans (t.span, s->span);
   return s;
}

MtStmt *mt_b_set (MtParser *p, MtToken name, MtOptions values)
{
   MtStmt *s = stmt (p, MT_STMT_SET, name, values.last->span);
   s->set.name = mt_b_name (name);
   s->set.values = values.first;
   return s;
}

MtStmt *mt_b_set_default (MtParser *p, MtToken name, MtToken end)
{
   MtStmt *s = stmt (p, MT_STMT_SET, name, end.span);
   s->set.name = mt_b_name (name);
   s->set.is_default = true;
   return s;
}

MtToken mt_b_renamed (MtToken t, const char *name)
{
   t.text = name;
   t.n = strlen (name);
   return t;
}

MtStmt *mt_b_setting (MtParser *p, MtStmtKind kind, MtToken t, MtToken name, MtToken end)
{
   MtStmt *s = stmt (p, kind, t, end.span);
   s->set.name = mt_b_name (name);
   return s;
}

MtStmt *mt_b_analyze (MtParser *p, MtToken t, MtQualified table)
{
   MtStmt *s = stmt (p, MT_STMT_ANALYZE, t, table.name.text ? table.span : t.span);
   s->maintain.schema = table.schema;
   s->maintain.table = table.name;
   return s;
}

MtStmt *mt_b_analyzed_columns (MtStmt *s, MtNames columns)
{
   s->maintain.columns = columns.first;
   return s;
}

static bool is_on (const MtOption *o)
{
   static const char *const off[] = {"false", "off", "0"};
   for (size_t i = 0; i < sizeof off / sizeof *off; i++)
      if (o->kind != MT_OPT_NONE && mt_str_ieq (o->value, mt_str (off[i])))
         return false;
   return true;
}

MtStmt *mt_b_maintain_options (MtParser *p, MtStmt *s, MtOptions options)
{
   static const char *const known[] = {"verbose",       "skip_locked",   "analyze",
                                       "full",          "freeze",        "disable_page_skipping",
                                       "index_cleanup", "process_toast", "truncate",
                                       "parallel"};
   bool vacuum = s->kind == MT_STMT_VACUUM;
   for (const MtOption *o = options.first; o; o = o->next) {
      size_t i = 0, n = vacuum ? sizeof known / sizeof *known : 2;
      while (i < n && !mt_ieq (o->name.text, known[i]))
         i++;
      if (i == n)
         mt_b_fail (p, o->name.span, MT_E_SYNTAX, "unrecognized %s option \"%s\"",
                    vacuum ? "VACUUM" : "ANALYZE", o->name.text);
      if (mt_ieq (o->name.text, "analyze"))
         s->maintain.analyze = is_on (o);
      if (mt_ieq (o->name.text, "full"))
         s->maintain.full = is_on (o);
   }
   return s;
}

MtStmt *mt_b_maintain (MtParser *p, MtStmtKind kind, MtToken t, MtToken layout, MtQualified table)
{
   MtStmt *s = stmt (p, kind, t, table.name.text ? table.span : t.span);
   s->maintain.schema = table.schema;
   s->maintain.table = table.name;
   s->maintain.layout = layout.text ? mt_b_name (layout) : (MtName) {0};
   return s;
}

MtStmt *mt_b_repair (MtStmt *s, MtToken from)
{
   s->maintain.from = from.text ? mt_b_name (from) : (MtName) {0};
   return s;
}

MtStmt *mt_b_vacuum (MtStmt *s, bool full, bool analyze)
{
   s->maintain.full = full;
   s->maintain.analyze = analyze;
   return s;
}

MtStmt *mt_b_preallocate (MtParser *p, MtToken t, MtQualified table, MtToken length, MtToken from)
{
   MtStmt *s = stmt (p, MT_STMT_PREALLOCATE, t, from.span.len ? from.span : length.span);
   s->preallocate.schema = table.schema;
   s->preallocate.table = table.name;
   s->preallocate.length = (MtTypedText) {mt_b_str (length), length.span};
   if (from.span.len)
      s->preallocate.from = (MtTypedText) {mt_b_str (from), from.span};
   return s;
}

MtStmt *mt_b_load (MtParser *p, MtToken t, MtToken file)
{
   MtStmt *s = stmt (p, MT_STMT_LOAD, t, file.span);
   s->load.file = mt_b_str (file);
   s->load.span = file.span;
   return s;
}

MtStmt *mt_b_create_layout (MtParser *p, MtToken t, bool or_replace, MtToken name,
                            MtToken descriptor)
{
   MtStmt *s = stmt (p, MT_STMT_CREATE_LAYOUT, t, descriptor.span);
   s->create_layout.name = mt_b_name (name);
   s->create_layout.or_replace = or_replace;
   s->create_layout.descriptor = mt_b_str (descriptor);
   s->create_layout.descriptor_span = descriptor.span;
   return s;
}

MtStmt *mt_b_create_view (MtParser *p, MtToken t, bool or_replace, MtQualified name,
                          MtNames columns, MtSelect *query)
{
   MtStmt *s = stmt (p, MT_STMT_CREATE_VIEW, t, query->span);
   s->create_view.schema = name.schema;
   s->create_view.name = name.name;
   s->create_view.or_replace = or_replace;
   s->create_view.columns = columns.first;
   s->create_view.query = query;
   return s;
}

MtIndexColumns mt_b_index_columns (MtParser *p, MtToken name, bool ordered)
{
   return (MtIndexColumns) {mt_b_names (p, name), ordered};
}

MtIndexColumns mt_b_push_index_column (MtParser *p, MtIndexColumns list, MtToken name, bool ordered)
{
   mt_b_push_name (p, &list.names, name);
   list.ordered |= ordered;
   return list;
}

MtStmt *mt_b_create_index (MtParser *p, MtToken t, MtToken name, bool if_not_exists,
                           MtQualified table, MtToken method, MtIndexColumns columns, MtToken end)
{
   MtStmt *s = stmt (p, MT_STMT_CREATE_INDEX, t, end.span);
   s->create_index.name = mt_b_name (name);
   s->create_index.if_not_exists = if_not_exists;
   s->create_index.schema = table.schema;
   s->create_index.table = table.name;
   s->create_index.method = mt_b_name (method);
   s->create_index.columns = columns.names.first;
   s->create_index.ordered = columns.ordered;
   return s;
}

MtStmt *mt_b_comment (MtParser *p, MtToken t, MtCommentOn on, MtQualified name, MtToken text)
{
   MtStmt *s = stmt (p, MT_STMT_COMMENT, t, text.span);
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

/* ---- functions ---- */

/* Returns whether the word after `end` begins no option, so that the error should name this
 * word. */
static bool other_clause (const MtParser *p, MtSpan end)
{
   size_t at = (size_t) end.start + end.len;
   while (at < p->len && isspace ((unsigned char) p->text[at]))
      at++;
   return at < p->len && isalpha ((unsigned char) p->text[at]);
}

MtStmt *mt_b_create_function (MtParser *p, MtToken t, bool or_replace, MtQualified name,
                              MtFuncArgs args, MtFuncOptions o)
{
   MtStmt *s = stmt (p, MT_STMT_CREATE_FUNCTION, t, o.end.len ? o.end : name.span);
   if (o.end.len && other_clause (p, o.end))
      return s;
   if (!o.returns)
      mt_b_fail (p, name.span, MT_E_FUNCTION_DEFINITION, "function result type must be specified");
   if (!o.body.text)
      mt_b_fail (p, name.span, MT_E_FUNCTION_DEFINITION, "no function body specified");
   if (!o.language.text)
      mt_b_fail (p, name.span, MT_E_FUNCTION_DEFINITION, "no language specified");
   s->create_function.name = name.name;
   s->create_function.or_replace = or_replace;
   s->create_function.args = args.first;
   s->create_function.returns = o.returns;
   s->create_function.language = mt_b_name (o.language);
   s->create_function.body = mt_b_str (o.body);
   s->create_function.body_span = o.body.span;
   s->create_function.body_at = o.body_at;
   s->create_function.symbol = mt_b_str (o.symbol);
   s->create_function.volatility = o.volatility;
   s->create_function.strict = o.strict;
   return s;
}

MtFuncArgs mt_b_func_args (MtFunctionArg *arg) { return (MtFuncArgs) {arg, arg}; }

MtFunctionArg *mt_b_func_arg (MtParser *p, MtToken name, MtTypeName *type)
{
   MtFunctionArg *a = MT_NEW (p->a, MtFunctionArg);
   a->name = mt_b_name (name);
   a->type = type;
   return a;
}

MtFunctionArg *mt_b_func_arg_refused (MtParser *p, MtToken mode, MtTypeName *type)
{
   mt_b_refuse (p, mode, "a function with OUT, INOUT or VARIADIC arguments");
   return mt_b_func_arg (p, MT_NO_TOKEN, type);
}

MtFunctionArg *mt_b_func_arg_default (MtFunctionArg *arg, MtExpr *e)
{
   arg->default_value = e;
   return arg;
}

static void one_option (MtParser *p, bool already, MtSpan span)
{
   if (already)
      mt_b_fail (p, span, MT_E_SYNTAX, "conflicting or redundant options");
}

MtFuncOptions mt_b_func_returns (MtParser *p, MtFuncOptions o, MtTypeName *type)
{
   one_option (p, o.returns != NULL, type->span);
   o.returns = type;
   o.end = type->span;
   return o;
}

MtFuncOptions mt_b_func_returns_table (MtParser *p, MtFuncOptions o, MtToken t)
{
   mt_b_refuse (p, t, "a function that returns a table");
   return o;
}

MtFuncOptions mt_b_func_language (MtParser *p, MtFuncOptions o, MtToken name, MtToken end)
{
   one_option (p, o.language.text != NULL, end.span);
   o.language = name;
   o.end = end.span;
   return o;
}

/* Returns the offset of a literal's text in the statement, or -1 if the statement has the text
 * with escapes or doubled quotes. */
static int literal_text_at (const MtParser *p, MtToken t)
{
   const char *text = p->text + t.span.start;
   int skip = 1;
   if (text[0] == '$')
      while (text[skip++] != '$')
         ;
   return text[0] == '$' || text[0] == '\''
             ? (memcmp (text + skip, t.text, t.n) == 0 ? t.span.start + skip : -1)
             : -1;
}

MtFuncOptions mt_b_func_body (MtParser *p, MtFuncOptions o, MtToken body, MtToken symbol)
{
   one_option (p, o.body.text != NULL, body.span);
   o.body = body;
   o.body_at = literal_text_at (p, body);
   o.symbol = symbol;
   o.end = symbol.text ? symbol.span : body.span;
   return o;
}

MtFuncOptions mt_b_func_volatility (MtParser *p, MtFuncOptions o, int volatility, MtToken t)
{
   one_option (p, o.has_volatility, t.span);
   o.has_volatility = true;
   o.volatility = volatility;
   o.end = t.span;
   return o;
}

MtFuncOptions mt_b_func_strict (MtFuncOptions o, bool strict, MtToken t)
{
   o.strict = strict;
   o.end = t.span;
   return o;
}
