/* Makes lookups for SQL functions over the system catalog. A lookup is a single text, or a document
 * whose fields have an OID as name and a text as value. */
#include "layouts/collections/partition.h"
#include "session/core/keys.h"
#include "functions/routine.h"
#include "parser/parser.h"
#include "session/core/core.h"
#include "session/core/domains.h"
#include "session/core/checks.h"
#include "session/core/objects.h"
#include "session/core/schemas.h"
#include "session/core/sequence.h"
#include "session/core/system.h"
#include "session/core/types.h"

#include "engine/pipe.h"
#include "analyze/routines/user_func.h"

#include <string.h>

typedef struct MtSystemLookup {
   const char *what;
   MtVal value;
   struct MtSystemLookup *next;
} MtSystemLookup;

typedef struct Making {
   MtSystem *system;
   MtArena *a;
   MtError *err;
   bson_t *doc; /* the result, unless the function sets *out */
} Making;

static void add_text (bson_t *doc, int64_t oid, const char *text)
{
   char key[24];
   snprintf (key, sizeof key, "%lld", (long long) oid);
   if (text)
      mt_doc_add (doc, key, mt_cell_text (text));
}

/* ---- texts ---- */

/* Sets *out to the name of the database: the last part of the target's path or URI, without
 * .mts. */
static bool database_name (Making *m, MtVal *out)
{
   const char *target = m->system->session->options.target,
              *at = target ? strstr (target, "://") : NULL, *name = "mtsql";
   size_t n = strlen (name);
   if (at) {
      const char *slash = strchr (at + 3, '/');
      name = slash ? slash + 1 : "test";
      n = strcspn (name, "?");
   } else if (target) {
      size_t end = strlen (target);
      while (end > 1 && target[end - 1] == '/')
         end--;
      const char *p = target + end;
      while (p > target && p[-1] != '/')
         p--;
      name = p;
      n = (size_t) (target + end - p);
      if (n > 4 && strncmp (p + n - 4, ".mts", 4) == 0)
         n -= 4;
   }
   *out = mt_v_str (n ? mt_strndup (m->a, name, n) : "test", n ? n : 4);
   return true;
}

static bool user_name (Making *m, MtVal *out)
{
   *out = mt_cell_text (mt_user_name (m->system->session, m->a));
   return true;
}

static bool version_text (Making *m, MtVal *out)
{
   *out = mt_cell_text ("PostgreSQL " MT_SERVER_VERSION);
   return true;
}

/* ---- names ---- */

static bool class_names (Making *m, MtVal *out)
{
   size_t n;
   const MtRelation *all = mt_system_relations (m->system, &n);
   for (size_t i = 0; i < n; i++) {
      add_text (m->doc, all[i].oid, mt_relation_shown (m->a, &all[i]));
      if (all[i].schema_name && !all[i].hidden)
         mt_doc_add (m->doc, mt_printf (m->a, "%lld.schema", (long long) all[i].oid),
                     mt_cell_text (all[i].schema_name));
   }
   return true;
}

typedef const char *(*RoutineText) (MtArena *a, const MtRoutine *r);

static bool of_routines (Making *m, RoutineText text)
{
   size_t n;
   const MtRoutine *all = mt_system_routines (m->system, &n);
   for (size_t i = 0; i < n; i++)
      if (all[i].kind != MT_ROUTINE_OPERATOR && all[i].kind != MT_ROUTINE_CAST)
         add_text (m->doc, all[i].oid, text (m->a, &all[i]));
   return true;
}

static const char *name_text (MtArena *a, const MtRoutine *r) { return mt_quoted (a, r->name); }
static const char *full_text (MtArena *a, const MtRoutine *r)
{
   return mt_printf (a, "%s(%s)", mt_quoted (a, r->name), r->types);
}
static const char *arguments_text (MtArena *a, const MtRoutine *r) { return r->arguments; }
static const char *result_text (MtArena *a, const MtRoutine *r) { return r->result; }

static bool proc_names (Making *m, MtVal *out)
{
   int64_t oid;
   const char *name;
   add_text (m->doc, MT_OID_ARRAY_IN, "array_in");
   for (size_t i = 0; (name = mt_type_io_name (i, &oid)); i++)
      add_text (m->doc, oid, name);
   return of_routines (m, name_text);
}

static bool procedure_names (Making *m, MtVal *out) { return of_routines (m, full_text); }
static bool argument_texts (Making *m, MtVal *out) { return of_routines (m, arguments_text); }
static bool result_texts (Making *m, MtVal *out) { return of_routines (m, result_text); }

static bool namespace_names (Making *m, MtVal *out)
{
   static const int64_t oids[] = {MT_OID_PG_CATALOG, MT_OID_PUBLIC, MT_OID_INFORMATION_SCHEMA,
                                  MT_OID_TEMPORARY};
   bool own = mt_engine_temporary (m->system->session->engine) != NULL;
   for (size_t i = 0; i < sizeof oids / sizeof *oids - !own; i++)
      add_text (m->doc, oids[i], mt_schema_name (oids[i]));
   size_t n;
   const char **names = mt_schema_names (m->system->session, m->a, &n);
   for (size_t i = 0; i < n; i++)
      add_text (m->doc, mt_schema_oid (names[i]), mt_quoted (m->a, names[i]));
   return true;
}

/* Adds the names of the schemas on the search path to the lookup: in `t` with the schemas that are
 * always searched, in `f` only those that search_path names. */
static bool searched_schemas (Making *m, MtVal *out)
{
   for (int implicit = 0; implicit < 2; implicit++) {
      size_t n;
      const char **path = mt_search_path (m->system->session, m->a, implicit, &n);
      MtVals list = {0};
      MtVal array;
      for (size_t i = 0; i < n; i++)
         mt_vals_add (&list, m->a, mt_cell_text (path[i]));
      if (!mt_v_make_array (m->a, list.v, list.n, &array, m->err))
         return false;
      mt_doc_add (m->doc, implicit ? "t" : "f", array);
   }
   return true;
}

static bool type_names (Making *m, MtVal *out)
{
   size_t n;
   const MtOwnType *all = mt_own_type_list (m->system->session, m->a, &n);
   for (size_t i = 0; i < n; i++) {
      const char *name = mt_quoted (m->a, all[i].name);
      add_text (m->doc, all[i].oid, name);
      add_text (m->doc, all[i].array_oid, mt_printf (m->a, "%s[]", name));
   }
   int64_t oid;
   const char *pseudo;
   for (size_t i = 0; (pseudo = mt_pseudo_type (i, &oid)); i++)
      add_text (m->doc, oid, mt_quoted (m->a, pseudo));
   const MtDomain *domains = mt_domain_list (m->system->session, m->a, &n);
   for (size_t i = 0; i < n; i++)
      add_text (m->doc, domains[i].oid, mt_quoted (m->a, domains[i].name));
   return true;
}

static bool keywords (Making *m, MtVal *out)
{
   const char *word;
   char where;
   bool bare;
   for (size_t i = 0; mt_keyword_at (i, &word, &where, &bare); i++)
      mt_doc_add (m->doc, word, mt_v_cstr (mt_printf (m->a, "%c%d", where, bare)));
   return true;
}

static bool role_names (Making *m, MtVal *out)
{
   MtVal name;
   user_name (m, &name);
   add_text (m->doc, MT_OID_ROLE, (const char *) name.p);
   return true;
}

/* ---- definitions ---- */

static bool view_definitions (Making *m, MtVal *out)
{
   size_t n;
   const MtRelation *all = mt_system_relations (m->system, &n);
   for (size_t i = 0; i < n; i++)
      add_text (m->doc, all[i].oid, all[i].definition);
   return true;
}

static bool index_definitions (Making *m, MtVal *out)
{
   size_t n;
   const MtRelation *all = mt_system_relations (m->system, &n);
   for (size_t i = 0; i < n; i++) {
      const MtIndexInfo *x = all[i].index;
      const char *columns = "";
      if (!x)
         continue;
      for (size_t k = 0; k < x->column_count; k++) {
         const char *column = mt_quoted (m->a, x->columns[k]);
         columns = mt_printf (m->a, "%s%s%s", columns, k ? ", " : "", column);
         mt_doc_add (m->doc, mt_printf (m->a, "%lld.%zu", (long long) all[i].oid, k + 1),
                     mt_cell_text (column));
      }
      const char *schema = mt_quoted (m->a, mt_relation_schema (&all[i]));
      for (int pretty = 0; pretty < 2; pretty++) {
         const char *rest = all[i].key
                               ? mt_key_index_shown (m->a, all[i].of->table, all[i].key, pretty)
                               : mt_printf (m->a, "(%s)", columns);
         const char *on = mt_quoted (m->a, all[i].of->name);
         if (!pretty)
            on = mt_printf (m->a, "%s.%s", schema, on);
         mt_doc_add (m->doc, mt_printf (m->a, pretty ? "%lld.0" : "%lld", (long long) all[i].oid),
                     mt_cell_text (mt_printf (m->a, "CREATE %sINDEX %s ON %s USING btree %s",
                                              all[i].key ? "UNIQUE " : "",
                                              mt_quoted (m->a, all[i].name), on, rest)));
      }
   }
   return true;
}

/* Adds the definition of each constraint, by its OID. pretty: without needless parentheses, as psql
 * requests it. */
static bool constraint_texts (Making *m, bool pretty)
{
   size_t n;
   const MtRelation *all = mt_system_relations (m->system, &n);
   for (size_t i = 0; i < n; i++) {
      if (all[i].constraint)
         add_text (m->doc, all[i].constraint, mt_key_shown (m->a, all[i].of->table, all[i].key));
      for (size_t k = 0; all[i].table && k < all[i].table->check_count; k++)
         add_text (m->doc, mt_check_oid (&all[i], k),
                   pretty ? mt_printf (m->a, "CHECK (%s)%s", all[i].table->checks[k].sql,
                                       all[i].table->checks[k].not_valid ? " NOT VALID" : "")
                          : mt_check_shown (m->a, &all[i].table->checks[k]));
   }
   const MtDomain *domains = mt_domain_list (m->system->session, m->a, &n);
   for (size_t i = 0; i < n; i++)
      for (size_t k = 0; k < domains[i].check_count; k++)
         add_text (m->doc, domains[i].checks[k].oid,
                   mt_check_shown (m->a, &(MtTableCheck) {.sql = domains[i].checks[k].sql}));
   return true;
}

static bool constraint_definitions (Making *m, MtVal *out) { return constraint_texts (m, false); }
static bool pretty_constraints (Making *m, MtVal *out) { return constraint_texts (m, true); }

static bool function_definitions (Making *m, MtVal *out)
{
   size_t n;
   const MtRoutine *all = mt_system_routines (m->system, &n);
   for (size_t i = 0; i < n; i++) {
      const bson_t *body = mt_routine_body (m->system, &all[i]);
      const char *text;
      if (body && !mt_func_definition (m->a, body, &text, m->err))
         return false;
      add_text (m->doc, all[i].oid, body ? text : NULL);
   }
   return true;
}

static bool comment_texts (Making *m, MtVal *out)
{
   size_t n;
   MtSession *s = m->system->session;
   const MtRelation *all = mt_system_relations (m->system, &n);
   for (size_t i = 0; i < n; i++) {
      const MtRelation *r = &all[i];
      if (!r->id)
         continue;
      add_text (m->doc, r->oid, mt_comment_on (s, m->a, r->id, NULL));
      for (size_t k = 0; r->table && k < r->table->column_count; k++) {
         const char *text = mt_comment_on (s, m->a, r->id, r->table->columns[k].name);
         if (text)
            mt_doc_add (m->doc, mt_printf (m->a, "%lld.%zu", (long long) r->oid, k + 1),
                        mt_cell_text (text));
      }
   }
   const MtRoutine *p = mt_system_routines (m->system, &n);
   for (size_t i = 0; i < n; i++)
      add_text (m->doc, p[i].oid, p[i].summary);
   return true;
}

/* ---- sequences ---- */

static const char *sequence_text (Making *m, const char *stored)
{
   const char *name, *schema = mt_schema_of (m->system->session, m->a, stored, &name);
   return mt_printf (m->a, "%s.%s", schema ? mt_quoted (m->a, schema) : "public",
                     mt_quoted (m->a, name));
}

/* Adds the sequence of each serial and IDENTITY column, with the key "OID of the table.column". */
static bool column_sequences (Making *m, MtVal *out)
{
   size_t n, relations;
   const MtSequence *q = mt_sequence_list (m->system->session, m->a, &n);
   const MtRelation *r = mt_system_relations (m->system, &relations);
   for (size_t i = 0; i < n; i++)
      for (size_t k = 0; q[i].table && k < relations; k++)
         if (r[k].table && strcmp (r[k].id, q[i].table) == 0)
            mt_doc_add (m->doc, mt_printf (m->a, "%lld.%s", (long long) r[k].oid, q[i].column),
                        mt_cell_text (sequence_text (m, q[i].name)));
   return true;
}

/* Adds the last value of each sequence, by its OID; NULL: nextval was not called yet. */
static bool last_values (Making *m, MtVal *out)
{
   size_t n;
   const MtRelation *all = mt_system_relations (m->system, &n);
   for (size_t i = 0; i < n; i++) {
      int64_t last;
      bool called;
      if (!all[i].sequence)
         continue;
      if (!mt_sequence_read (m->system->session, all[i].sequence, &last, &called, m->err))
         return false;
      mt_doc_add (m->doc, mt_printf (m->a, "%lld", (long long) all[i].oid),
                  called ? mt_v_int64 (last) : mt_v_null ());
   }
   return true;
}

/* ---- sizes, settings ---- */

static bool add_bytes (Making *m, const MtStoreDesc *s, int64_t *bytes)
{
   size_t n;
   const char *const *names = mt_store_collections_of (m->a, s, &n);
   for (size_t i = 0; i < n; i++) {
      MtCollStats stats;
      if (!mt_engine_stats (m->system->session->engine, names[i], &stats, m->err))
         return false;
      *bytes += (int64_t) stats.bytes;
   }
   return true;
}

static bool table_sizes (Making *m, MtVal *out)
{
   size_t n;
   const MtRelation *all = mt_system_relations (m->system, &n);
   int64_t total = 0;
   for (size_t i = 0; i < n; i++) {
      const MtTable *t = all[i].table;
      int64_t bytes = 0;
      for (size_t k = 0; t && k < t->layout_count; k++)
         for (size_t j = 0; j < t->layouts[k].store_count; j++)
            if (!add_bytes (m, &t->layouts[k].stores[j], &bytes))
               return false;
      mt_doc_add (m->doc, mt_printf (m->a, "%lld", (long long) all[i].oid), mt_v_int64 (bytes));
      total += bytes;
   }
   mt_doc_add (m->doc, mt_printf (m->a, "%d", MT_OID_DATABASE), mt_v_int64 (total));
   return true;
}

static bool setting_values (Making *m, MtVal *out)
{
   MtSettingInfo s;
   for (size_t i = 0; mt_setting_at (m->system->session, m->a, i, &s); i++)
      mt_doc_add (m->doc, s.name, mt_cell_text (s.value));
   return true;
}

/* ---- by name ---- */

static const struct {
   const char *what;
   bool (*make) (Making *m, MtVal *out);
} makers[] = {
   {"database", database_name},
   {"user", user_name},
   {"version", version_text},
   {"regclass", class_names},
   {"regproc", proc_names},
   {"regprocedure", procedure_names},
   {"regnamespace", namespace_names},
   {"schemas", searched_schemas},
   {"regtype", type_names},
   {"regrole", role_names},
   {"keywords", keywords},
   {"viewdefs", view_definitions},
   {"indexdefs", index_definitions},
   {"constraintdefs", constraint_definitions},
   {"prettyconstraints", pretty_constraints},
   {"functiondefs", function_definitions},
   {"arguments", argument_texts},
   {"results", result_texts},
   {"comments", comment_texts},
   {"sizes", table_sizes},
   {"settings", setting_values},
   {"serials", column_sequences},
   {"last_values", last_values},
};

/* Sets *out to the lookup with the name `what`, which is made at its first use. NULL in *out: there
 * is no such lookup. Borrowed while the statement runs. */
static bool find_lookup (MtSystem *y, const char *what, MtVal *out, MtError *err)
{
   for (const MtSystemLookup *l = y->lookups; l; l = l->next)
      if (strcmp (l->what, what) == 0) {
         *out = l->value;
         return true;
      }
   *out = mt_v_null ();
   for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
      if (strcmp (makers[i].what, what) != 0)
         continue;
      Making m = {y, y->arena, err, mt_doc_new (y->arena)};
      if (!makers[i].make (&m, out))
         return false;
      if (out->type == MT_NULL)
         *out = mt_v_doc (m.doc);
      MtSystemLookup *l = MT_NEW (y->arena, MtSystemLookup);
      *l = (MtSystemLookup) {makers[i].what, *out, y->lookups};
      y->lookups = l;
   }
   return true;
}

bool mt_system_lookup (void *ctx, MtArena *a, const char *what, MtVal *out, MtError *err)
{
   MtVal v;
   if (!find_lookup (mt_system (ctx), what, &v, err))
      return false;
   *out = mt_v_copy (a, v);
   return true;
}

bool mt_system_print_oid (void *ctx, MtTypeId t, int64_t oid, MtBuf *out)
{
   char key[24];
   MtError ignored;
   MtVal list;
   int n = snprintf (key, sizeof key, "%lld", (long long) oid);
   bool ok = find_lookup (mt_system (ctx), mt_type_info (t)->name, &list, &ignored) &&
             list.type == MT_DOC;
   MtVal name = ok ? mt_doc_get (list, key, (size_t) n) : mt_v_missing ();
   if (name.type == MT_STRING)
      mt_buf_add (out, (const char *) name.p, name.len);
   return name.type == MT_STRING;
}
