/* CREATE, ALTER and DROP SEQUENCE; the sequences of serial and IDENTITY columns. */
#include "session/core/core.h"
#include "session/core/objects.h"
#include "session/core/schemas.h"
#include "session/core/sequence.h"
#include "session/coordinate/coordinate.h"
#include "session/ddl/ddl.h"
#include "session/ddl/dependents.h"

#include <string.h>

/* ---- options ---- */

static bool out_of_range (MtError *err, const char *what, int64_t value, MtTypeId type)
{
   return mt_error (err, MT_E_PARAMETER, "%s (%lld) is out of range for sequence data type %s",
                    what, (long long) value, mt_type_info (type)->display);
}

/* Returns the default MAXVALUE (`most`) or MINVALUE of a sequence. up: it ascends, so it has 1 and
 * the greatest value of the type; a descending one has -1 and the least value. */
static int64_t bound_of (MtTypeId type, bool up, bool most)
{
   int bits = type == MT_T_INT2 ? 15 : 31;
   int64_t high = type == MT_T_INT8 ? INT64_MAX : (INT64_C (1) << bits) - 1;
   if (most)
      return up ? high : -1;
   return up ? 1 : -high - 1;
}

static bool type_of (MtStatement *st, const MtSequenceOption *o, MtTypeId *out, MtError *err)
{
   MtType t;
   if (!mt_bind_type (st->arena, &st->env, o->type, &t, err))
      return false;
   *out = t.id;
   return t.id == MT_T_INT2 || t.id == MT_T_INT4 || t.id == MT_T_INT8 ||
          mt_error (err, MT_E_PARAMETER, "sequence type must be smallint, integer, or bigint");
}

static bool owner_of (MtStatement *st, const MtSequenceOption *o, MtSequence *q, MtError *err)
{
   const MtTable *t;
   const MtNameList *n = o->owner;
   q->table = q->column = NULL;
   if (o->off)
      return true;
   MtName schema = {.span = MT_NO_SPAN};
   if (n->next && n->next->next) {
      schema = n->name;
      n = n->next;
   }
   if (!n->next || n->next->next) {
      mt_error (err, MT_E_SYNTAX, "invalid OWNED BY option");
      return mt_error_hint (err, "Specify OWNED BY table.column or OWNED BY NONE.");
   }
   int at;
   MtName table = n->name;
   if (!mt_place_name (st->session, st->arena, &schema, &table, NULL, err) ||
       !mt_need_table (st, &table, &t, err) || !mt_need_column (t, &n->next->name, &at, err))
      return false;
   q->table = mt_table_id (st->arena, t);
   q->column = t->columns[at].name;
   return true;
}

/* The options of a statement, indexed by their keyword; NULL: the option is not given. */
typedef const MtSequenceOption *Given[MT_SEQUENCE_GENERATED + 1];

static bool sort_options (const MtSequenceOption *o, Given given, MtError *err)
{
   for (; o; o = o->next) {
      if (given[o->word])
         return mt_error_at (err, o->span, MT_E_SYNTAX, "conflicting or redundant options");
      given[o->word] = o;
   }
   return true;
}

static bool check_bounds (const MtSequence *q, MtError *err)
{
   int64_t high = bound_of (q->type, true, true), low = bound_of (q->type, false, false);
   if (q->most > high || q->most < low)
      return out_of_range (err, "MAXVALUE", q->most, q->type);
   if (q->least > high || q->least < low)
      return out_of_range (err, "MINVALUE", q->least, q->type);
   if (q->least >= q->most)
      return mt_error (err, MT_E_PARAMETER, "MINVALUE (%lld) must be less than MAXVALUE (%lld)",
                       (long long) q->least, (long long) q->most);
   return true;
}

static bool check_within (const MtSequence *q, const char *what, int64_t value, MtError *err)
{
   if (value < q->least)
      return mt_error (err, MT_E_PARAMETER, "%s value (%lld) cannot be less than MINVALUE (%lld)",
                       what, (long long) value, (long long) q->least);
   return value <= q->most ||
          mt_error (err, MT_E_PARAMETER, "%s value (%lld) cannot be greater than MAXVALUE (%lld)",
                    what, (long long) value, (long long) q->most);
}

/* Sets a bound (MINVALUE or MAXVALUE): to the number of option o, or to the default `usual` if the
 * sequence is new, the option is NO MINVALUE, or the bound is still `before`, the default of the
 * old type. */
static void set_bound (int64_t *bound, const MtSequenceOption *o, int64_t before, int64_t usual,
                       bool create)
{
   if (o && !o->off)
      *bound = o->number;
   else if (o || create || *bound == before)
      *bound = usual;
}

/* Applies the options `given` to sequence q, a new one if `create`. q->type stays unless AS is
 * given. */
static bool apply (MtStatement *st, Given given, bool create, MtSequence *q, MtError *err)
{
   MtTypeId before = q->type;
   bool was_up = q->increment > 0;
   if (given[MT_SEQUENCE_AS] && !type_of (st, given[MT_SEQUENCE_AS], &q->type, err))
      return false;
   if (given[MT_SEQUENCE_INCREMENT])
      q->increment = given[MT_SEQUENCE_INCREMENT]->number;
   if (q->increment == 0)
      return mt_error (err, MT_E_PARAMETER, "INCREMENT must not be zero");
   bool up = q->increment > 0;
   if (given[MT_SEQUENCE_CYCLE])
      q->cycle = !given[MT_SEQUENCE_CYCLE]->off;
   set_bound (&q->most, given[MT_SEQUENCE_MAXVALUE], bound_of (before, was_up, true),
              bound_of (q->type, up, true), create);
   set_bound (&q->least, given[MT_SEQUENCE_MINVALUE], bound_of (before, was_up, false),
              bound_of (q->type, up, false), create);
   if (!check_bounds (q, err))
      return false;
   if (given[MT_SEQUENCE_START])
      q->start = given[MT_SEQUENCE_START]->number;
   else if (create)
      q->start = up ? q->least : q->most;
   if (!check_within (q, "START", q->start, err))
      return false;
   if (given[MT_SEQUENCE_CACHE])
      q->cache = given[MT_SEQUENCE_CACHE]->number;
   if (q->cache <= 0)
      return mt_error (err, MT_E_PARAMETER, "CACHE (%lld) must be greater than zero",
                       (long long) q->cache);
   return !given[MT_SEQUENCE_OWNED] || owner_of (st, given[MT_SEQUENCE_OWNED], q, err);
}

/* ---- names ---- */

static bool is_taken (MtStatement *st, const char *name, bool *taken, MtError *err)
{
   const MtTable *t;
   const MtCatalogObject *index;
   if (!mt_catalog_find_among (st->session->catalog, MT_PERMANENT_TABLES, name, true, &t, err))
      return false;
   mt_catalog_find_object (st->session->catalog, "index", name, &index);
   *taken = t || index || mt_is_view (st->session, name) || mt_is_sequence (st->session, name);
   return true;
}

static bool check_schema (const MtName *schema, MtError *err)
{
   return !schema->text || mt_ieq (schema->text, "public") ||
          mt_error_at (err, schema->span, MT_E_SCHEMA, "schema \"%s\" does not exist",
                       schema->text);
}

/* Finds the sequence `name`. *out NULL: it does not exist, and IF EXISTS was given. */
static bool named (MtStatement *st, const MtName *schema, const MtName *name, bool if_exists,
                   MtSequence **out, MtError *err)
{
   const MtTable *t;
   if (!check_schema (schema, err) ||
       !mt_sequence_find (st->session, st->arena, mt_str (name->text), true, out, err) ||
       !mt_catalog_find (st->session->catalog, name->text, true, &t, err))
      return false;
   if (*out)
      return true;
   if (t)
      return mt_error (err, MT_E_WRONG_OBJECT, "\"%s\" is not a sequence", name->text);
   bool drop = st->stmt->kind == MT_STMT_DROP_SEQUENCE;
   if (!if_exists)
      return mt_error (err, MT_E_UNDEFINED_TABLE, "%s \"%s\" does not exist",
                       drop ? "sequence" : "relation", name->text);
   mt_notice (st->session, "NOTICE", NULL, "%s \"%s\" does not exist, skipping",
              drop ? "sequence" : "relation", name->text);
   return true;
}

/* ---- CREATE SEQUENCE ---- */

bool mt_sequence_make (MtStatement *st, const MtSequence *q, MtError *err)
{
   return mt_sequence_save (st, q, err) && mt_sequence_write (st->session, q, q->start, false, err);
}

bool mt_run_create_sequence (MtStatement *st, MtError *err)
{
   const MtStmt *s = st->stmt;
   const char *name = s->sequence.name.text;
   MtSequence q = {.name = name, .type = MT_T_INT8, .increment = 1, .cache = 1};
   Given given = {NULL};
   bool taken;
   mt_result_set_tag (st->result, "CREATE SEQUENCE");
   if (s->sequence.temporary || mt_is_temporary_schema (&s->sequence.schema)) {
      mt_error (err, MT_E_FEATURE, "temporary sequences are not supported");
      return mt_error_hint (err, "A temporary table can have a column of the type serial.");
   }
   if (!check_schema (&s->sequence.schema, err) || !is_taken (st, name, &taken, err))
      return false;
   if (taken && s->sequence.if_exists) {
      mt_notice (st->session, "NOTICE", NULL, "relation \"%s\" already exists, skipping", name);
      return true;
   }
   if (taken)
      return mt_error (err, MT_E_DUPLICATE_TABLE, "relation \"%s\" already exists", name);
   if (!sort_options (s->sequence.options, given, err) || !apply (st, given, true, &q, err))
      return false;
   if (given[MT_SEQUENCE_RESTART] || given[MT_SEQUENCE_NAME])
      return mt_error_at (
         err, given[given[MT_SEQUENCE_RESTART] ? MT_SEQUENCE_RESTART : MT_SEQUENCE_NAME]->span,
         MT_E_SYNTAX, "invalid sequence option");
   if (mt_engine_caps (st->session->engine)->read_only)
      return mt_error (err, MT_E_READ_ONLY, "cannot create a sequence: the target is read-only");
   if (!mt_step_begin (st->session, err))
      return false;
   if (mt_sequence_make (st, &q, err) && mt_step_commit (st->session, err))
      return true;
   mt_step_rollback (st->session);
   return false;
}

/* ---- defaults that use a sequence ---- */

static const char *default_of (MtSession *s, MtArena *a, const char *name)
{
   return mt_printf (a, "nextval(%s)", mt_quoted_text (a, mt_qualified (s, a, name)));
}

bool mt_sequence_in_default (MtStatement *st, const MtExpr *value, const char **sql, MtError *err)
{
   MtSequence *q;
   *sql = NULL;
   if (value->kind != MT_EXPR_CALL || !value->call.args || value->call.args->next ||
       !mt_ieq (value->call.name->name.text, "nextval"))
      return true;
   const MtExpr *name = value->call.args->expr;
   if (name->kind == MT_EXPR_CAST)
      name = name->cast.arg;
   if (name->kind != MT_EXPR_STRING)
      return true;
   if (!mt_sequence_find (st->session, st->arena, name->str, false, &q, err))
      return false;
   if (!q)
      return mt_error (err, MT_E_UNDEFINED_TABLE, "relation \"%.*s\" does not exist",
                       (int) name->str.n, name->str.p);
   *sql = default_of (st->session, st->arena, q->name);
   return true;
}

/* Replaces the default expression `from` by `to` in the columns of all tables, and saves the
 * tables. */
static bool change_defaults (MtStatement *st, const char *from, const char *to, MtError *err)
{
   size_t n;
   const MtTable *const *all = mt_catalog_tables (st->session->catalog, &n);
   for (size_t i = 0; i < n; i++) {
      MtTable next = *all[i];
      bool any = false;
      next.columns = MT_NEW_N (st->arena, MtColumn, next.column_count + 1);
      memcpy (next.columns, all[i]->columns, next.column_count * sizeof (MtColumn));
      for (size_t k = 0; k < next.column_count; k++)
         if (next.columns[k].default_sql && strcmp (next.columns[k].default_sql, from) == 0) {
            next.columns[k].default_sql = to;
            any = true;
         }
      if (any && !mt_catalog_save (st->session->catalog, &next, NULL, err))
         return false;
   }
   return true;
}

/* ---- DROP SEQUENCE ---- */

static bool may_drop (const MtSequence *q, MtError *err)
{
   if (!q->identity)
      return true;
   mt_error (err, MT_E_DEPENDENT_OBJECTS,
             "cannot drop sequence %s because column %s of table %s requires it", q->name,
             q->column, q->table);
   return mt_error_hint (err, "You can drop column %s of table %s instead.", q->column, q->table);
}

bool mt_run_drop_sequence (MtStatement *st, MtError *err)
{
   const MtNameList *schema = st->stmt->drop.schemas;
   mt_result_set_tag (st->result, "DROP SEQUENCE");
   for (const MtNameList *n = st->stmt->drop.names; n; n = n->next) {
      MtSequence *q;
      const MtName none = {0};
      if (!named (st, schema ? &schema->name : &none, &n->name, st->stmt->drop.if_exists, &q, err))
         return false;
      schema = schema ? schema->next : NULL;
      if (!q)
         continue;
      MtDropped d = {.shown = mt_printf (st->arena, "sequence %s", q->name),
                     .word = mt_unqualified (st->session, q->name),
                     .default_sql = default_of (st->session, st->arena, q->name)};
      if (!may_drop (q, err) || !mt_drop_users (st, &d, st->stmt->drop.cascade, err) ||
          !mt_step_begin (st->session, err))
         return false;
      if (!mt_sequence_remove (st, q, err) || !mt_step_commit (st->session, err)) {
         mt_step_rollback (st->session);
         return false;
      }
   }
   return true;
}

/* ---- ALTER SEQUENCE ---- */

static bool rename_sequence (MtStatement *st, MtSequence *q, int64_t last, bool called,
                             MtError *err)
{
   const MtName *to = &st->stmt->sequence.new_name;
   MtSequence next = *q;
   bool taken;
   next.name = to->text;
   if (!is_taken (st, to->text, &taken, err))
      return false;
   if (taken)
      return mt_error (err, MT_E_DUPLICATE_TABLE, "relation \"%s\" already exists", to->text);
   if (!mt_step_begin (st->session, err))
      return false;
   if (mt_sequence_save (st, &next, err) &&
       mt_sequence_write (st->session, &next, last, called, err) &&
       change_defaults (st, default_of (st->session, st->arena, q->name),
                        default_of (st->session, st->arena, next.name), err) &&
       mt_sequence_remove (st, q, err) && mt_step_commit (st->session, err))
      return true;
   mt_step_rollback (st->session);
   return false;
}

/* Applies `options` to sequence q. *out is what mt_sequence_change saves. */
static bool change_options (MtStatement *st, MtSequence *q, const MtSequenceOption *options,
                            MtSequenceChange *out, MtError *err)
{
   Given given = {NULL};
   int64_t last;
   bool called;
   mt_sequences_settle (st->session);
   if (!mt_sequence_read (st->session, q, &last, &called, err) ||
       !sort_options (options, given, err) || !apply (st, given, false, q, err))
      return false;
   const MtSequenceOption *restart = given[MT_SEQUENCE_RESTART];
   if (restart)
      last = restart->off ? q->start : restart->number;
   *out = (MtSequenceChange) {q, restart != NULL, last};
   return check_within (q, "RESTART", last, err);
}

bool mt_sequence_change (MtStatement *st, const MtSequenceChange *c, MtError *err)
{
   return mt_sequence_save (st, c->sequence, err) &&
          (!c->restarts || mt_sequence_write (st->session, c->sequence, c->next, false, err));
}

bool mt_run_alter_sequence (MtStatement *st, MtError *err)
{
   const MtStmt *s = st->stmt;
   MtSequence *q;
   MtSequenceChange change;
   int64_t last;
   bool called;
   mt_result_set_tag (st->result, "ALTER SEQUENCE");
   if (!named (st, &s->sequence.schema, &s->sequence.name, s->sequence.if_exists, &q, err))
      return false;
   if (!q)
      return true;
   if (s->sequence.new_name.text) {
      mt_sequences_settle (st->session);
      return mt_sequence_read (st->session, q, &last, &called, err) &&
             rename_sequence (st, q, last, called, err);
   }
   if (!change_options (st, q, s->sequence.options, &change, err))
      return false;
   for (const MtSequenceOption *o = s->sequence.options; o; o = o->next)
      if (o->word == MT_SEQUENCE_OWNED && q->identity)
         return mt_error (err, MT_E_FEATURE, "cannot change ownership of identity sequence");
   if (!mt_step_begin (st->session, err))
      return false;
   if (mt_sequence_change (st, &change, err) && mt_step_commit (st->session, err))
      return true;
   mt_step_rollback (st->session);
   return false;
}

/* ---- serial and IDENTITY ---- */

static const struct {
   const char *name, *type;
   MtTypeId id;
} serials[] = {
   {"serial", "int4", MT_T_INT4},      {"serial4", "int4", MT_T_INT4},
   {"bigserial", "int8", MT_T_INT8},   {"serial8", "int8", MT_T_INT8},
   {"smallserial", "int2", MT_T_INT2}, {"serial2", "int2", MT_T_INT2},
};

MtTypeId mt_serial_type (const MtTypeName *t, const char **name)
{
   for (size_t i = 0; t && i < sizeof serials / sizeof *serials; i++)
      if (!t->schema.text && !t->array_dims && mt_ieq (t->name.text, serials[i].name)) {
         *name = serials[i].type;
         return serials[i].id;
      }
   return MT_T_UNKNOWN;
}

/* Sets *out to a name for the sequence of a column: "table_column_seq", with a number appended if
 * the name is taken. */
static bool made_name (MtStatement *st, const MtTable *t, const char *column, const char **out,
                       MtError *err)
{
   bool taken = true;
   const char *base = mt_printf (st->arena, "%s_%s_seq", t->name, column);
   *out = base;
   for (int i = 1; is_taken (st, *out, &taken, err); i++) {
      if (!taken)
         return true;
      *out = mt_printf (st->arena, "%s%d", base, i);
   }
   return false;
}

/* Sets *out to the name in SEQUENCE NAME, as it is stored. NULL: o is NULL. 42P07 if a relation has
 * the name. */
static bool given_name (MtStatement *st, const MtSequenceOption *o, const char **out, MtError *err)
{
   bool taken;
   *out = NULL;
   if (!o)
      return true;
   const MtNameList *n = o->owner;
   MtName schema = {.span = MT_NO_SPAN}, name = n->name;
   if (n->next && n->next->next)
      return mt_error_at (err, o->span, MT_E_FEATURE,
                          "a database in the name of a sequence is not supported");
   if (n->next) {
      schema = n->name;
      name = n->next->name;
   }
   if (!mt_place_new (st->session, st->arena, &schema, &name, err) ||
       !is_taken (st, name.text, &taken, err))
      return false;
   *out = name.text;
   return !taken || mt_error (err, MT_E_DUPLICATE_TABLE, "relation \"%s\" already exists",
                              mt_unqualified (st->session, name.text));
}

bool mt_identity_change (MtStatement *st, const MtTable *t, MtColumn *c, MtSequenceChange *out,
                         MtError *err)
{
   size_t n;
   MtSequence *all = mt_sequence_list (st->session, st->arena, &n);
   const char *id = mt_table_id (st->arena, t);
   const MtSequenceOption *options = st->stmt->alter_table.column->sequence;
   for (const MtSequenceOption *o = options; o; o = o->next)
      if (o->word == MT_SEQUENCE_GENERATED)
         c->always = !o->off;
   for (size_t i = 0; i < n; i++)
      if (all[i].identity && strcmp (all[i].table, id) == 0 && strcmp (all[i].column, c->name) == 0)
         return change_options (st, &all[i], options, out, err);
   return mt_error (err, MT_E_UNDEFINED_OBJECT, "no owned sequence found");
}

bool mt_column_sequence (MtStatement *st, const MtTable *t, const MtColumnDef *d, MtColumn *c,
                         MtSequence **out, MtError *err)
{
   const char *type;
   MtTypeId serial = mt_serial_type (d->type, &type);
   Given given = {NULL};
   *out = NULL;
   if (serial == MT_T_UNKNOWN && !d->identity)
      return true;
   if (serial != MT_T_UNKNOWN && d->identity)
      return mt_error_at (err, d->span, MT_E_SYNTAX,
                          "both default and identity specified for column \"%s\" of table \"%s\"",
                          c->name, t->name);
   if (d->null_said && !d->not_null)
      return mt_error_at (
         err, d->span, MT_E_SYNTAX,
         "conflicting NULL/NOT NULL declarations for column \"%s\" of table \"%s\"", c->name,
         t->name);
   if (c->type.id != MT_T_INT2 && c->type.id != MT_T_INT4 && c->type.id != MT_T_INT8)
      return mt_error (err, MT_E_PARAMETER,
                       "identity column type must be smallint, integer, or bigint");
   if (c->default_sql)
      return mt_error_at (err, d->span, MT_E_SYNTAX,
                          "multiple default values specified for column \"%s\" of table \"%s\"",
                          c->name, t->name);
   MtSequence *q = *out = MT_NEW (st->arena, MtSequence);
   *q = (MtSequence) {.type = c->type.id, .increment = 1, .cache = 1};
   if (!sort_options (d->sequence, given, err) || !apply (st, given, true, q, err))
      return false;
   if (given[MT_SEQUENCE_OWNED] || given[MT_SEQUENCE_RESTART])
      return mt_error_at (
         err, given[given[MT_SEQUENCE_OWNED] ? MT_SEQUENCE_OWNED : MT_SEQUENCE_RESTART]->span,
         MT_E_SYNTAX, "invalid sequence option");
   if (!given_name (st, given[MT_SEQUENCE_NAME], &q->name, err) ||
       (!q->name && !made_name (st, t, c->name, &q->name, err)))
      return false;
   q->table = mt_table_id (st->arena, t);
   q->column = c->name;
   q->identity = d->identity != MT_IDENTITY_NONE;
   c->default_sql = default_of (st->session, st->arena, q->name);
   c->identity = d->identity != MT_IDENTITY_NONE;
   c->always = d->identity == MT_IDENTITY_ALWAYS;
   c->not_null = true;
   return true;
}
