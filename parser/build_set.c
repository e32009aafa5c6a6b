/* The builders of options, settings and maintenance statements. */
#include "parser/build_constraint_int.h"
#include "parser/build_matview_int.h"

#include <string.h>

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

MtOption *mt_b_option_in (MtParser *p, MtToken space, MtOption *o)
{
   o->name.text = mt_printf (p->a, "%s.%s", mt_b_name (space).text, o->name.text);
   o->name.span = mt_b_join_spans (space.span, o->name.span);
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

/* ---- settings ---- */

MtStmt *mt_b_set_begin (MtStmt *s, MtToken t, bool local)
{
   s->set.local = local;
   s->span = mt_b_join_spans (t.span, s->span);
   return s;
}

MtStmt *mt_b_set (MtParser *p, MtToken name, MtOptions values)
{
   MtStmt *s = mt_b_stmt (p, MT_STMT_SET, name, values.last->span);
   s->set.name = mt_b_name (name);
   s->set.values = values.first;
   return s;
}

MtStmt *mt_b_set_default (MtParser *p, MtToken name, MtToken end)
{
   MtStmt *s = mt_b_stmt (p, MT_STMT_SET, name, end.span);
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
   MtStmt *s = mt_b_stmt (p, kind, t, end.span);
   s->set.name = mt_b_name (name);
   return s;
}

/* ---- maintenance ---- */

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
   MtStmt *s = mt_b_stmt (p, kind, t, table.name.text ? table.span : t.span);
   s->maintain.schema = table.schema;
   s->maintain.table = table.name;
   s->maintain.layout = layout.text ? mt_b_name (layout) : (MtName) {0};
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
   MtStmt *s = mt_b_stmt (p, MT_STMT_PREALLOCATE, t, from.span.len ? from.span : length.span);
   s->preallocate.schema = table.schema;
   s->preallocate.table = table.name;
   s->preallocate.length = (MtTypedText) {mt_b_str (length), length.span};
   if (from.span.len)
      s->preallocate.from = (MtTypedText) {mt_b_str (from), from.span};
   return s;
}

MtStmt *mt_b_load (MtParser *p, MtToken t, MtToken file)
{
   MtStmt *s = mt_b_stmt (p, MT_STMT_LOAD, t, file.span);
   s->load.file = mt_b_str (file);
   s->load.span = file.span;
   return s;
}

MtStmt *mt_b_set_constraints (MtParser *p, MtToken t, MtNames names, MtToken when)
{
   MtStmt *s = mt_b_stmt (p, MT_STMT_SET_CONSTRAINTS, t, when.span);
   s->drop.names = names.first;
   if (when.quoted || (!mt_ieq (when.text, "deferred") && !mt_ieq (when.text, "immediate")))
      mt_b_syntax_error (p, when);
   return s;
}
