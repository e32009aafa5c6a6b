/* The builders of sequences, and of columns that take their values from one. */
#include "parser/build_sequence_int.h"
#include "parser/grammar.h"

#include <errno.h>
#include <stdlib.h>

MtSequenceOption *mt_b_sequence_option (MtParser *p, MtSequenceWord word, MtToken t, MtToken end)
{
   MtSequenceOption *o = MT_NEW (p->a, MtSequenceOption);
   o->word = word;
   o->span = mt_b_join_spans (t.span, end.span);
   return o;
}

MtSequenceOption *mt_b_sequence_off (MtParser *p, MtSequenceWord word, MtToken t, MtToken end)
{
   MtSequenceOption *o = mt_b_sequence_option (p, word, t, end);
   o->off = true;
   return o;
}

MtSequenceOption *mt_b_sequence_named (MtParser *p, MtSequenceWord word, MtToken t, MtNames name)
{
   MtSequenceOption *o = mt_b_sequence_option (p, word, t, t);
   o->off = word == MT_SEQUENCE_OWNED && !name.first->next &&
            mt_ieq (name.first->name.text, "none");
   o->owner = o->off ? NULL : name.first;
   o->span = mt_b_join_spans (t.span, name.last->name.span);
   return o;
}

/* Builds a sequence option from its number; mt_b_sequence_word sets which option it is. */
MtSequenceOption *mt_b_sequence_number (MtParser *p, MtToken sign, MtToken number, bool minus)
{
   MtSequenceOption *o = mt_b_sequence_option (p, MT_SEQUENCE_START, sign, number);
   const char *text = mt_printf (p->a, "%s%s", minus ? "-" : "", number.text);
   char *end;
   errno = 0;
   o->number = strtoll (text, &end, 10);
   if (*end || errno)
      mt_b_fail (p, o->span, *end ? MT_E_TEXT_REPRESENTATION : MT_E_NUMERIC_RANGE,
                 *end ? "invalid input syntax for type bigint: \"%s\""
                      : "value \"%s\" is out of range for type bigint",
                 text);
   return o;
}

MtSequenceOption *mt_b_sequence_word (MtSequenceOption *o, MtSequenceWord word, MtToken t)
{
   o->word = word;
   o->span = mt_b_join_spans (t.span, o->span);
   return o;
}

MtSequenceOptions mt_b_sequence_options (MtSequenceOptions list, MtSequenceOption *more)
{
   if (!more)
      return list;
   if (list.last)
      list.last->next = more;
   else
      list.first = more;
   for (list.last = more; list.last->next;)
      list.last = list.last->next;
   list.end = list.last->span;
   return list;
}

MtStmt *mt_b_sequence (MtParser *p, MtStmtKind kind, MtToken t, MtQualified name,
                       MtSequenceOptions options)
{
   MtStmt *s = mt_b_stmt (p, kind, t, options.first ? options.end : name.span);
   s->sequence.schema = name.schema;
   s->sequence.name = name.name;
   s->sequence.if_exists = name.flag;
   s->sequence.options = options.first;
   return s;
}

MtStmt *mt_b_sequence_rename (MtParser *p, MtToken t, MtQualified name, MtToken to)
{
   MtStmt *s = mt_b_sequence (p, MT_STMT_ALTER_SEQUENCE, t, name, MT_EMPTY (MtSequenceOptions));
   s->sequence.new_name = mt_b_name (to);
   s->span = mt_b_join_spans (t.span, to.span);
   return s;
}

MtQualified mt_b_cross_database (MtParser *p, MtToken db, MtToken schema, MtToken name)
{
   MtNameList *n = MT_NEW (p->a, MtNameList), *whole = MT_NEW (p->a, MtNameList);
   MtQualified q = mt_b_qualified (p, schema, name);
   q.span = mt_b_join_spans (db.span, name.span);
   n->name = mt_b_name (db);
   n->next = whole;
   whole->name.text = mt_printf (p->a, "%s.%s.%s", db.text, schema.text, name.text);
   whole->name.span = q.span;
   whole->next = p->databases;
   p->databases = n;
   return q;
}

MtQualified mt_b_stepped_name (MtParser *p, MtToken first, MtSteps steps)
{
   MtToken parts[3] = {first};
   int n = 1;
   for (MtStep *s = steps.first; s; s = s->next) {
      if (s->kind != MT_STEP_NAME || n == 3) {
         mt_b_syntax_error (p, (MtToken) {.span = s->span});
         break;
      }
      parts[n++] = s->name;
   }
   if (n == 3)
      return mt_b_cross_database (p, parts[0], parts[1], parts[2]);
   return n == 2 ? mt_b_qualified (p, parts[0], parts[1]) : mt_b_qualified (p, MT_NO_TOKEN, first);
}

MtStmt *mt_b_create_schema (MtParser *p, MtToken t, MtToken name, MtToken owner)
{
   MtStmt *s = mt_b_stmt (p, MT_STMT_CREATE_SCHEMA, t, owner.text ? owner.span : name.span);
   s->define_schema.name = mt_b_name (name);
   s->define_schema.owner = mt_b_name (owner);
   return s;
}

MtStmt *mt_b_schema_if (MtStmt *create)
{
   create->define_schema.if_not_exists = true;
   return create;
}

MtStmt *mt_b_rename_schema (MtParser *p, MtToken t, MtToken name, MtToken to)
{
   MtStmt *s = mt_b_stmt (p, MT_STMT_ALTER_SCHEMA, t, to.span);
   s->define_schema.name = mt_b_name (name);
   s->define_schema.new_name = mt_b_name (to);
   return s;
}

void mt_b_column_identity (MtParser *p, MtColumnDef *c, MtToken t, MtIdentity identity,
                           MtSequenceOptions options, MtToken end)
{
   if (c->identity)
      mt_b_fail (p, t.span, MT_E_SYNTAX, "multiple identity specifications for column \"%s\"",
                 c->name.text);
   if (c->default_value)
      mt_b_fail (p, t.span, MT_E_SYNTAX, "both default and identity specified for column \"%s\"",
                 c->name.text);
   c->identity = identity;
   c->sequence = options.first;
   c->span = mt_b_join_spans (c->span, options.end.len ? options.end : end.span);
}

MtStmt *mt_b_alter_identity (MtParser *p, MtToken t, MtToken name, MtIdentity identity,
                             MtSequenceOptions options, MtToken end)
{
   MtToken last = options.end.len ? (MtToken) {.span = options.end} : end;
   MtStmt *s = mt_b_alter_column (p, t, MT_NO_QUALIFIED, name,
                                  identity ? MT_ALTER_ADD_IDENTITY : MT_ALTER_IDENTITY, last);
   MtColumnDef *c = s->alter_table.column = MT_NEW (p->a, MtColumnDef);
   c->name = mt_b_name (name);
   c->identity = identity;
   c->sequence = options.first;
   c->span = s->span;
   return s;
}

MtSequenceOption *mt_b_identity_option (MtParser *p, MtSequenceOption *o)
{
   static const char *const names[] = {[MT_SEQUENCE_AS] = "as",
                                       [MT_SEQUENCE_OWNED] = "owned_by",
                                       [MT_SEQUENCE_RESTART] = "restart",
                                       [MT_SEQUENCE_NAME] = "sequence_name",
                                       [MT_SEQUENCE_GENERATED] = NULL};
   if (names[o->word])
      mt_b_fail (p, o->span, MT_E_SYNTAX, "sequence option \"%s\" not supported here",
                 names[o->word]);
   return o;
}

MtStmt *mt_b_restart (MtStmt *truncate, bool restart)
{
   truncate->drop.restart = restart;
   return truncate;
}

MtInsertRest mt_b_insert_overriding (MtInsertRest rest, MtNames columns, MtOverriding o)
{
   rest.columns = columns.first;
   rest.overriding = o;
   return rest;
}
