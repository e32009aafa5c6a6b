/* The builders of INSERT, UPDATE, DELETE and COPY, and of EXPLAIN, PREPARE and CALL. */
#include "parser/build_int.h"
#include "parser/grammar.h"

#include <string.h>

/* Wraps a statement in an MT_STMT_WITH if its WITH has statements that change rows. */
static MtStmt *writing_with (MtParser *p, MtCte *ctes, MtStmt *s)
{
   const MtCte *c = ctes;
   while (c && !c->stmt)
      c = c->next;
   if (!c)
      return s;
   if (s->kind == MT_STMT_INSERT && !s->insert.source)
      mt_b_fail (p, s->span, MT_E_FEATURE,
                 "WITH that changes rows before DEFAULT VALUES is not supported");
   MtStmt *outer = mt_b_stmt (p, MT_STMT_WITH, (MtToken) {.span = s->span}, s->span);
   outer->with.main = s;
   outer->with.ctes = ctes;
   return outer;
}

MtStmt *mt_b_select_stmt (MtParser *p, MtSelect *s)
{
   MtSelect *first = s; /* in a set operation such as UNION, the first SELECT has the INTO clause */
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
   MtStmt *st = mt_b_stmt (p, MT_STMT_SELECT, (MtToken) {.span = s->span}, s->span);
   st->select = s;
   return writing_with (p, s->with, st);
}

MtStmt *mt_b_explain (MtParser *p, MtToken t, MtOptions options, MtStmt *s)
{
   MtStmt *st = mt_b_stmt (p, MT_STMT_EXPLAIN, t, s->span);
   st->explain.options = options.first;
   st->explain.stmt = s;
   return st;
}

MtStmt *mt_b_advise (MtParser *p, MtToken t, MtOptions options, MtSelect *select, MtToken text)
{
   MtStmt *st = mt_b_stmt (p, MT_STMT_ADVISE, t, select ? select->span : text.span);
   st->advise.options = options.first;
   st->advise.select = select;
   st->advise.text = select ? (MtStr) {0} : mt_b_str (text);
   st->advise.text_span = text.span;
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
   MtStmt *s = mt_b_stmt (p, MT_STMT_INSERT, t, rest.span);
   s->insert.schema = table.schema;
   s->insert.table = table.name;
   s->insert.alias = table.alias;
   s->insert.columns = rest.columns;
   s->insert.source = rest.source;
   s->insert.overriding = rest.overriding;
   s->insert.conflict = c;
   s->insert.returning = returning.first;
   if (c)
      s->span = mt_b_join_spans (s->span, c->span);
   if (returning.last)
      s->span = mt_b_join_spans (s->span, returning.last->expr->outer);
   return s;
}

/* Builds WITH … INSERT. The WITH clause is moved to the INSERT's query, because nothing else can
 * refer to its names. */
MtStmt *mt_b_insert_with (MtParser *p, MtWith with, MtStmt *s)
{
   s->span = mt_b_join_spans (with.span, s->span);
   if (!s->insert.source)
      return writing_with (p, with.first, s);
   if (s->insert.source->with)
      mt_b_fail (p, with.span, MT_E_FEATURE,
                 "WITH both before INSERT and in its query is not supported");
   s->insert.source->with = with.first;
   s->insert.source->with_recursive = with.recursive;
   return writing_with (p, with.first, s);
}

MtInsertRest mt_b_insert_from (MtNames columns, MtSelect *s)
{
   return (MtInsertRest) {.columns = columns.first, .source = s, .span = s->span};
}
MtInsertRest mt_b_insert_default (MtToken end) { return (MtInsertRest) {.span = end.span}; }

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
   MtStmt *s = mt_b_stmt (p, kind, t, table.span);
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

MtStmt *mt_b_change_with (MtParser *p, MtWith with, MtStmt *s)
{
   s->span = mt_b_join_spans (with.span, s->span);
   s->change.with = with.first;
   s->change.with_recursive = with.recursive;
   return writing_with (p, with.first, s);
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
   MtStmt *s = mt_b_stmt (p, MT_STMT_PREPARE, t, inner->span);
   s->prepare.name = mt_b_name (name);
   s->prepare.types = types.first;
   s->prepare.stmt = inner;
   return s;
}

MtStmt *mt_b_execute (MtParser *p, MtToken t, MtToken name, MtExprs args, MtToken end)
{
   MtStmt *s = mt_b_stmt (p, MT_STMT_EXECUTE, t, end.span);
   s->execute.name = mt_b_name (name);
   s->execute.args = args.first;
   return s;
}

MtStmt *mt_b_deallocate (MtParser *p, MtToken t, MtToken name, MtToken end)
{
   MtStmt *s = mt_b_stmt (p, MT_STMT_DEALLOCATE, t, end.span);
   s->execute.name = mt_b_name (name);
   return s;
}

/* ---- CALL ---- */

MtStmt *mt_b_call_stmt (MtParser *p, MtToken t, MtExpr *call)
{
   MtStmt *s = mt_b_stmt (p, MT_STMT_CALL, t, call->outer);
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
               !s->plain.group_by && !s->plain.sample && !s->plain.latest && !s->plain.having &&
               !s->plain.qualify;
   return bare ? t->expr : NULL;
}

/* Returns whether SELECT may call the procedure `name`, because it is a function in TimescaleDB. */
static bool is_selected (const char *name)
{
   static const char *const names[] = {"drop_chunks", "add_continuous_aggregate_policy",
                                       "remove_continuous_aggregate_policy"};
   for (size_t i = 0; i < sizeof names / sizeof *names; i++)
      if (mt_ieq (name, names[i]))
         return true;
   return false;
}

MtStmt *mt_b_lone_call (MtStmt *s)
{
   MtExpr *x = s->kind == MT_STMT_SELECT ? only_expr (s->select) : NULL;
   if (!x || x->kind != MT_EXPR_CALL || x->call.name->next ||
       !is_selected (x->call.name->name.text))
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
   MtStmt *s = mt_b_stmt (p, MT_STMT_COPY, t, file.span);
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

/* Adds an option in COPY's old syntax without parentheses, such as CSV HEADER DELIMITER ';'. t: its
 * position; name: the option's name; value: its value, or MT_NO_TOKEN. */
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
