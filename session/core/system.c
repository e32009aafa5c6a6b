/* The system catalog: pg_catalog and information_schema as tables. The binder reads their rows with
 * mt_system_table; SQL functions over the catalog read it with mt_system_lookup. */
#include "types/binary.h"
#include "session/core/system.h"

#include "engine/pipe.h"
#include "session/core/core.h"

#include <ctype.h>
#include <string.h>

MtSystem *mt_system (MtSession *s)
{
   if (s->system)
      return s->system;
   MtArena *a = mt_arena_new ("system tables", s->arena);
   s->system = MT_NEW (a, MtSystem);
   *s->system = (MtSystem) {.session = s, .arena = a};
   return s->system;
}

void mt_system_reset (MtSession *s)
{
   if (s->system)
      mt_arena_free (s->system->arena);
   s->system = NULL;
}

const MtRoutine *mt_system_routines (MtSystem *y, size_t *count)
{
   MtBindEnv env = {0};
   mt_set_routines (y->session, &env);
   if (!y->routines)
      y->routines = mt_routines (y->arena, &env, &y->routine_count);
   *count = y->routine_count;
   return y->routines;
}

const MtSystemRow *mt_system_row (size_t index)
{
   static const MtSystemRow *const lists[] = {mt_system_relation_tables, mt_system_routine_tables,
                                              mt_system_other_tables};
   for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
      for (const MtSystemRow *r = lists[i]; r->name; r++)
         if (index-- == 0)
            return r;
   return NULL;
}

/* ---- finding a table or view ---- */

bool mt_is_system (const MtName *schema, const MtName *name)
{
   const MtSystemRow *row;
   bool found = false;
   for (size_t i = 0; mt_may_be_system (schema, name) && (row = mt_system_row (i)); i++)
      found = found || mt_system_is_named (row->schema, row->name, schema, name);
   for (const MtSystemView *v = mt_system_views; v->name; v++)
      found = found || mt_system_is_named (v->schema, v->name, schema, name);
   return found;
}

const char *const *mt_system_names (size_t *count)
{
   static _Thread_local const char *names[256];
   const MtSystemRow *row;
   *count = 0;
   for (size_t i = 0; (row = mt_system_row (i)) && *count < 256; i++)
      names[(*count)++] = row->name;
   for (const MtSystemView *v = mt_system_views; v->name && *count < 256; v++)
      names[(*count)++] = v->name;
   return names;
}

/* ---- columns and rows ---- */

static MtStr trimmed (const char *p, const char *end)
{
   while (p < end && isspace ((unsigned char) *p))
      p++;
   while (end > p && isspace ((unsigned char) end[-1]))
      end--;
   return (MtStr) {p, (size_t) (end - p)};
}

/* Finds the types name and "char" of the catalog, and arrays of them, by their names without
 * quotes. */
static bool catalog_type (MtStr name, MtType *out)
{
   bool array = name.n > 2 && name.p[name.n - 1] == ']';
   MtStr element = {name.p, name.n - (array ? 2 : 0)};
   if (mt_str_is (element, "char"))
      *out = mt_type_catalog_char ();
   else if (mt_str_is (element, "name"))
      *out = mt_type_catalog_name ();
   else
      return false;
   if (array)
      out->id = mt_type_array (out->id);
   return true;
}

/* Parses one column of MtSystemRow.columns, "name type [= default]", and appends it to f->columns
 * and f->defaults. */
static void read_column (MtFillRows *f, MtStr text)
{
   MtError ignored;
   const char *space = memchr (text.p, ' ', text.n), *end = text.p + text.n,
              *equals = memchr (text.p, '=', text.n);
   MtStr type = trimmed (space, equals ? equals : end),
         value = equals ? trimmed (equals + 1, end) : (MtStr) {"", 0};
   MtRelColumn *c = &f->columns[f->count];
   MtVal *v = &f->defaults[f->count++];
   c->name = mt_strndup (f->a, text.p, (size_t) (space - text.p));
   c->type = mt_type (MT_T_TEXT);
   c->nullable = true;
   if (mt_str_is (type, "int2vector") || mt_str_is (type, "oidvector"))
      c->type = mt_type_vector (mt_str_is (type, "int2vector") ? MT_T_INT2 : MT_T_OID);
   else if (!catalog_type (type, &c->type))
      mt_type_by_name (type, &c->type.id);
   *v = equals ? mt_v_null () : mt_v_missing ();
   if (equals && !mt_str_is (value, "null"))
      mt_value_parse (f->a, c->type, value, NULL, v, &ignored);
}

static void read_columns (MtFillRows *f)
{
   size_t most = 1;
   for (const char *p = f->row->columns; *p; p++)
      most += *p == ',';
   f->columns = MT_NEW_N (f->a, MtRelColumn, most);
   f->defaults = MT_NEW_N (f->a, MtVal, most);
   for (const char *p = f->row->columns; *p;) {
      const char *end = p + strcspn (p, ",");
      read_column (f, trimmed (p, end));
      p = end + (*end == ',');
   }
}

void mt_system_add (MtFillRows *f, const MtVal *values, int count)
{
   bson_t row;
   char key[24];
   int at = 0;
   snprintf (key, sizeof key, "%zu", f->row_count++);
   mt_doc_begin (f->rows, key, &row);
   for (int i = 0; i < f->count; i++) {
      MtVal v = f->defaults[i];
      if (v.type == MT_MISSING)
         v = at < count ? values[at++] : mt_v_null ();
      mt_doc_add (&row, f->columns[i].name, v);
   }
   mt_doc_end (f->rows, &row);
}

MtVal mt_cell_array (MtFillRows *f, const MtVal *values, size_t count)
{
   MtVal v = mt_v_null ();
   MtError ignored;
   mt_v_make_array (f->a, values, count, &v, &ignored);
   return v;
}

static bool fill_table (MtSystem *y, MtArena *a, const MtSystemRow *row, bool rows,
                        MtSystemTable *out, MtError *err)
{
   MtFillRows f = {.system = y, .a = a, .row = row, .rows = mt_doc_new (a), .err = err};
   read_columns (&f);
   if (rows && row->fill)
      row->fill (&f);
   *out = (MtSystemTable) {row->name, f.columns, f.count, mt_v_array (f.rows)};
   return !f.failed;
}

bool mt_system_table (void *ctx, MtArena *a, const MtName *schema, const MtName *name,
                      MtSystemTable *out, MtError *err)
{
   const MtSystemRow *row;
   if (!mt_may_be_system (schema, name))
      return true;
   for (size_t i = 0; (row = mt_system_row (i)); i++)
      if (mt_system_is_named (row->schema, row->name, schema, name)) {
         MtSystem *y = mt_system (ctx);
         return fill_table (y, a, row, !y->columns_only, out, err);
      }
   return true;
}

/* ---- names ---- */

const char *mt_schema_name (int64_t oid)
{
   switch (oid) {
   case MT_OID_PG_CATALOG: return "pg_catalog";
   case MT_OID_PUBLIC: return "public";
   case MT_OID_TEMPORARY: return "pg_temp_1";
   default: return "information_schema";
   }
}

int64_t mt_schema_oid (const char *name)
{
   uint32_t h = 2166136261u;
   for (const char *p = name; *p; p++)
      h = (h ^ (uint8_t) *p) * 16777619u;
   return 16384 + h % 90000000u;
}

const char *mt_relation_schema (const MtRelation *r)
{
   return r->schema_name ? r->schema_name : mt_schema_name (r->schema);
}

const char *mt_relation_shown (MtArena *a, const MtRelation *r)
{
   const char *name = mt_quoted (a, r->name);
   return r->schema == MT_OID_INFORMATION_SCHEMA || r->hidden
             ? mt_printf (a, "%s.%s", mt_quoted (a, mt_relation_schema (r)), name)
             : name;
}
