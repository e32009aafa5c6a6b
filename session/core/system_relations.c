/* All relations with their OIDs, and the tables about them: pg_class, pg_attribute, pg_attrdef,
 * pg_index, pg_description, pg_namespace, pg_type. */
#include "session/core/core.h"
#include "session/core/checks.h"
#include "session/core/objects.h"
#include "session/core/schemas.h"
#include "session/core/sequence.h"
#include "session/core/domains.h"
#include "session/core/system.h"
#include "session/state/result.h"
#include "types/binary.h"
#include "session/core/types.h"

#include <string.h>

/* ---- relations ---- */

/* Returns a free OID that is a hash of kind and name, so the same name has the same OID in each
 * session. Temporary relations get the highest OIDs. */
static int64_t oid_of (MtSystem *y, const char *kind, const char *name)
{
   uint32_t h = 2166136261u;
   for (const char *p = kind; *p; p++)
      h = (h ^ (uint8_t) *p) * 16777619u;
   for (const char *p = name; *p; p++)
      h = (h ^ (uint8_t) *p) * 16777619u;
   int64_t oid = (mt_is_temporary (name) ? MT_FIRST_TEMPORARY_OID : 16384) +
                 h % 90000000u; /* OIDs of functions are larger */
   for (size_t i = 0; i < y->relation_count; i++)
      if (y->relations[i].oid == oid) {
         oid++;
         i = (size_t) -1;
      }
   return oid;
}

static MtRelation *add_relation (MtSystem *y, MtRelation r)
{
   MtRelation *to = &y->relations[y->relation_count++];
   *to = r;
   return to;
}

static void add_catalog (MtSystem *y)
{
   const MtSystemRow *row;
   int64_t oid = MT_OID_INFORMATION_SCHEMA + 1;
   for (size_t i = 0; (row = mt_system_row (i)); i++) {
      int64_t schema = strcmp (row->schema, "pg_catalog") == 0 ? MT_OID_PG_CATALOG
                                                               : MT_OID_INFORMATION_SCHEMA;
      add_relation (y, (MtRelation) {.oid = row->oid ? row->oid : oid++,
                                     .schema = schema,
                                     .name = row->name,
                                     .kind = 'r',
                                     .row = row});
   }
   for (const MtSystemView *v = mt_system_views; v->name; v++) {
      int64_t schema = strcmp (v->schema, "pg_catalog") == 0 ? MT_OID_PG_CATALOG
                                                             : MT_OID_INFORMATION_SCHEMA;
      add_relation (y, (MtRelation) {.oid = oid++,
                                     .schema = schema,
                                     .name = v->name,
                                     .kind = 'v',
                                     .view = v,
                                     .definition = v->sql});
   }
}

/* Adds the index of key k to the relations. PRIMARY KEY and UNIQUE are also constraints, which get
 * an OID of their own. */
static void add_key (MtSystem *y, const MtRelation *of, const MtTableKey *k)
{
   const MtTable *t = of->table;
   MtIndexInfo *x = MT_NEW (y->arena, MtIndexInfo);
   *x = (MtIndexInfo) {k->name, of->name, MT_NEW_N (y->arena, const char *, k->count + 1),
                       k->count};
   for (size_t i = 0; i < k->count; i++)
      x->columns[i] = t->columns[k->columns[i]].name;
   const char *id = mt_printf (y->arena, "%s%s", t->temporary ? MT_TEMPORARY : "", k->name);
   add_relation (
      y, (MtRelation) {.oid = oid_of (y, "index:", id),
                       .schema = of->schema,
                       .name = x->name,
                       .id = id,
                       .kind = 'i',
                       .index = x,
                       .key = k,
                       .of = of,
                       .constraint = k->kind == MT_KEY_INDEX ? 0 : oid_of (y, "constraint:", id)});
}

static const MtRelation *table_named (const MtSystem *y, const char *id)
{
   for (size_t i = 0; i < y->relation_count; i++)
      if (y->relations[i].table && strcmp (y->relations[i].id, id) == 0)
         return &y->relations[i];
   return NULL;
}

static void add_sequences (MtSystem *y, const MtSequence *list, size_t count)
{
   for (size_t i = 0; i < count; i++) {
      bool temporary = list[i].table && mt_is_temporary (list[i].table);
      add_relation (y, (MtRelation) {.oid = oid_of (y, "sequence:", list[i].name),
                                     .schema = temporary ? MT_OID_TEMPORARY : MT_OID_PUBLIC,
                                     .name = list[i].name,
                                     .id = list[i].name,
                                     .kind = 'S',
                                     .sequence = &list[i]});
   }
}

static const char *with_semicolon (MtArena *a, const char *sql)
{
   return sql ? mt_printf (a, " %s;", sql) : NULL;
}

static void add_table (MtSystem *y, const MtTable *t)
{
   const char *id = mt_table_id (y->arena, t),
              *definition = mt_matview_definition (y->session, y->arena, id);
   add_relation (y, (MtRelation) {.oid = oid_of (y, "table:", id),
                                  .schema = t->temporary ? MT_OID_TEMPORARY : MT_OID_PUBLIC,
                                  .name = t->name,
                                  .id = id,
                                  .hidden = !t->temporary &&
                                            mt_hidden_by_temporary (y->session, t->name),
                                  .kind = definition ? 'm' : 'r',
                                  .table = t,
                                  .definition = with_semicolon (y->arena, definition)});
}

/* Returns the index of a relation's schema in the search path `path`; SIZE_MAX: the path does not
 * have it. */
static size_t path_place (const char **path, size_t n, const MtRelation *r)
{
   const char *schema = mt_relation_schema (r);
   for (size_t i = 0; i < n; i++)
      if (strcmp (path[i], schema) == 0)
         return i;
   return SIZE_MAX;
}

/* Splits the stored names "schema.name" of relations, and sets `hidden` of each relation that its
 * bare name does not find, because of search_path. */
static void put_in_schemas (MtSystem *y)
{
   size_t n;
   const char **path = mt_search_path (y->session, y->arena, true, &n);
   for (size_t i = 0; i < y->relation_count; i++) {
      MtRelation *r = &y->relations[i];
      if (!r->id || r->schema != MT_OID_PUBLIC)
         continue;
      r->schema_name = mt_schema_of (y->session, y->arena, r->name, &r->name);
      if (r->schema_name)
         r->schema = mt_schema_oid (r->schema_name);
   }
   for (size_t i = 0; i < y->relation_count; i++) {
      MtRelation *r = &y->relations[i];
      size_t place = path_place (path, n, r);
      for (size_t k = 0; r->id && k < y->relation_count && !r->hidden; k++)
         r->hidden = place == SIZE_MAX ||
                     (y->relations[k].id && path_place (path, n, &y->relations[k]) < place &&
                      strcmp (y->relations[k].name, r->name) == 0);
   }
}

MtRelation *mt_system_relations (MtSystem *y, size_t *count)
{
   *count = y->relation_count;
   if (y->relations)
      return y->relations;
   size_t tables, views, indexes, sequences, own = 0, keys = 0;
   MtSession *s = y->session;
   const MtTable *const *t = mt_catalog_tables (s->catalog, &tables);
   const MtCatalogObject *v = mt_catalog_objects (s->catalog, "view", &views);
   const MtIndexInfo *x = mt_index_list (s, y->arena, &indexes);
   const MtSequence *q = mt_sequence_list (s, y->arena, &sequences);
   while (mt_system_row (own))
      own++;
   for (const MtSystemView *w = mt_system_views; w->name; w++)
      own++;
   for (size_t i = 0; i < tables; i++)
      keys += t[i]->unique_count;
   y->relations = MT_NEW_N (y->arena, MtRelation,
                            own + tables + keys + views + indexes + sequences + 1);
   add_catalog (y);
   for (size_t i = 0; i < tables; i++)
      add_table (y, t[i]);
   for (size_t i = 0; i < views; i++) {
      const char *name = mt_strdup (y->arena, v[i].name);
      add_relation (y, (MtRelation) {.oid = oid_of (y, "view:", name),
                                     .schema = MT_OID_PUBLIC,
                                     .name = name,
                                     .id = name,
                                     .hidden = mt_hidden_by_temporary (y->session, name),
                                     .kind = 'v',
                                     .definition = mt_printf (
                                        y->arena, " %s;", mt_view_definition (s, y->arena, name))});
   }
   for (size_t i = 0, n = y->relation_count; i < n; i++)
      for (size_t k = 0; y->relations[i].table && k < y->relations[i].table->unique_count; k++)
         add_key (y, &y->relations[i], &y->relations[i].table->keys[k]);
   for (size_t i = 0; i < indexes; i++) {
      const MtRelation *of = table_named (y, x[i].table);
      if (of)
         add_relation (y, (MtRelation) {.oid = oid_of (y, "index:", x[i].name),
                                        .schema = of->schema,
                                        .name = x[i].name,
                                        .id = x[i].name,
                                        .kind = 'i',
                                        .index = &x[i],
                                        .of = of});
   }
   add_sequences (y, q, sequences);
   if (!mt_path_is_plain (s))
      put_in_schemas (y);
   *count = y->relation_count;
   return y->relations;
}

/* ---- origins of results ---- */

typedef struct KnownOid {
   const char *id; /* a relation's name in the catalog */
   int64_t oid;
   struct KnownOid *next;
} KnownOid;

/* The OIDs of the relations that results have named, as long as the catalog stays the same. Making
 * the list of all relations for each result would be slow. */
struct MtRelationOids {
   MtArena *a;
   uint64_t generation; /* of the catalog */
   KnownOid *list;
};

static struct MtRelationOids *known_oids (MtSession *s)
{
   uint64_t now = mt_catalog_generation (s->catalog);
   struct MtRelationOids *known = s->relation_oids;
   if (known && known->generation == now)
      return known;
   if (known)
      mt_arena_free (known->a);
   MtArena *a = mt_arena_new ("OIDs of relations", s->arena);
   known = s->relation_oids = MT_NEW (a, struct MtRelationOids);
   *known = (struct MtRelationOids) {a, now, NULL};
   return known;
}

/* Returns the OID of a relation by its name in the catalog; 0: there is no such relation. */
static int64_t oid_by_id (MtSession *s, const char *id)
{
   struct MtRelationOids *known = known_oids (s);
   for (const KnownOid *k = known->list; k; k = k->next)
      if (strcmp (k->id, id) == 0)
         return k->oid;
   size_t n;
   const MtRelation *all = mt_system_relations (mt_system (s), &n);
   KnownOid *k = MT_NEW (known->a, KnownOid);
   *k = (KnownOid) {.id = mt_strdup (known->a, id), .next = known->list};
   for (size_t i = 0; i < n; i++)
      if (all[i].id && (all[i].table || all[i].kind == 'v') && strcmp (all[i].id, id) == 0)
         k->oid = all[i].oid;
   known->list = k;
   return k->oid;
}

void mt_result_origin (const MtResult *r, size_t column, int64_t *table, int *number)
{
   const MtOrigin *o = &r->columns[column].origin;
   *table = o->relation ? oid_by_id (r->session, o->relation) : 0;
   *number = *table ? o->column : 0;
}

/* ---- columns ---- */

static char identity_of (const MtColumn *c)
{
   if (!c->identity)
      return 0;
   return c->always ? 'a' : 'd';
}

static void sequence_columns (MtSystem *y, MtRelation *r)
{
   static const MtSystemColumn columns[] = {{"last_value", {.id = MT_T_INT8}, true, NULL, 0, NULL},
                                            {"log_cnt", {.id = MT_T_INT8}, true, NULL, 0, NULL},
                                            {"is_called", {.id = MT_T_BOOL}, true, NULL, 0, NULL}};
   r->column_count = sizeof columns / sizeof *columns;
   r->columns = MT_NEW_N (y->arena, MtSystemColumn, r->column_count);
   memcpy (r->columns, columns, sizeof columns);
}

static void table_columns (MtSystem *y, MtRelation *r)
{
   const MtTable *t = r->table;
   r->columns = MT_NEW_N (y->arena, MtSystemColumn, t->column_count + 1);
   for (size_t i = 0; i < t->column_count; i++) {
      const MtColumn *c = &t->columns[i];
      r->columns[r->column_count++] = (MtSystemColumn) {
         c->name,         c->type,
         c->not_null,     c->identity ? NULL : mt_default_shown (y->arena, c),
         identity_of (c), c->domain};
   }
}

static void index_columns (MtSystem *y, MtRelation *r)
{
   const MtTable *t = r->of->table;
   r->columns = MT_NEW_N (y->arena, MtSystemColumn, r->index->column_count + 1);
   for (size_t i = 0; i < r->index->column_count; i++) {
      int at = mt_table_column (t, r->index->columns[i], true);
      r->columns[r->column_count++] = (MtSystemColumn) {
         r->index->columns[i],
         at < 0 ? mt_type (MT_T_TEXT) : t->columns[at].type,
         false,
         NULL,
         0,
         NULL};
   }
}

/* Sets the columns of a view or of a table of the system catalog, by analyzing SELECT * from it. */
static void selected_columns (MtSystem *y, MtRelation *r)
{
   MtArena *a = mt_arena_new ("columns", y->arena);
   const char *sql = mt_printf (a, "SELECT * FROM %s.%s", mt_quoted (a, mt_relation_schema (r)),
                                mt_quoted (a, r->name));
   bool before = y->columns_only;
   MtStatement st;
   MtStmt *stmt;
   MtError ignored;
   MtColumnList given = {0};
   mt_statement_init (y->session, a, NULL, &st);
   bool looked = mt_look_begin (&st);
   y->columns_only = true;
   if (mt_parse (a, sql, strlen (sql), &stmt, &ignored) && (st.stmt = stmt) &&
       mt_check_select (&st, stmt->select, &given, &ignored)) {
      r->columns = MT_NEW_N (y->arena, MtSystemColumn, given.count + 1);
      for (const MtRelColumn *c = given.columns; r->column_count < given.count; c++)
         r->columns[r->column_count++] = (MtSystemColumn) {
            mt_strdup (y->arena, c->name), c->type, false, NULL, 0, NULL};
   }
   y->columns_only = before;
   mt_look_end (&st, looked);
   mt_arena_free (a);
}

static void relation_columns (MtSystem *y, MtRelation *r)
{
   if (r->columns)
      return;
   if (r->table)
      table_columns (y, r);
   else if (r->index)
      index_columns (y, r);
   else if (r->sequence)
      sequence_columns (y, r);
   else
      selected_columns (y, r);
   if (!r->columns)
      r->columns = MT_NEW (y->arena, MtSystemColumn);
}

/* ---- pg_class ---- */

/* Returns the number of rows by the statistics of a layout that keeps all records; -1: no such
 * layout has statistics. */
static double row_estimate (const MtTable *t)
{
   for (size_t i = 0; t && i < t->layout_count; i++) {
      const MtLayout *l = &t->layouts[i];
      double rows = 0;
      bool known = l->keeps == MT_KEEPS_RECORDS && l->stats;
      for (size_t k = 0; k < l->store_count && known; k++) {
         known = l->stats[k].present;
         rows += known ? l->stats[k].records : 0;
      }
      if (known)
         return rows;
   }
   return -1;
}

static double relation_rows (const MtRelation *r)
{
   switch (r->kind) {
   case 'r': return row_estimate (r->table);
   case 'i': return row_estimate (r->of->table);
   default: return 0;
   }
}

/* Returns the OID of the relation's access method in pg_am (heap or btree); 0: the relation is a
 * view or a sequence. */
static int64_t access_method (const MtRelation *r)
{
   switch (r->kind) {
   case 'r':
   case 'm': return 2;
   case 'i': return 403;
   default: return 0;
   }
}

static bool has_index (const MtSystem *y, const MtRelation *r)
{
   for (size_t i = 0; i < y->relation_count; i++)
      if (y->relations[i].of == r)
         return true;
   return false;
}

static size_t column_count (MtSystem *y, MtRelation *r)
{
   relation_columns (y, r);
   return r->column_count;
}

static void fill_class (MtFillRows *f)
{
   size_t n;
   MtRelation *all = mt_system_relations (f->system, &n);
   for (size_t i = 0; i < n; i++) {
      MtRelation *r = &all[i];
      char kind[2] = {r->kind, 0}, replica[2] = {r->table ? 'd' : 'n', 0};
      MT_ADD (f, mt_cell_oid (r->oid), mt_cell_text (r->name), mt_cell_oid (r->schema),
              mt_cell_oid (access_method (r)), mt_v_double (relation_rows (r)),
              mt_v_bool (has_index (f->system, r)),
              mt_cell_text (r->schema == MT_OID_TEMPORARY ? "t" : "p"),
              mt_cell_text (mt_strdup (f->a, kind)),
              mt_cell_int ((int64_t) column_count (f->system, r)),
              mt_cell_int (r->table ? (int64_t) r->table->check_count : 0),
              mt_v_bool (r->kind == 'v'),
              mt_v_bool (r->kind != 'm' || mt_matview_populated (f->system->session, r->id)),
              mt_cell_text (mt_strdup (f->a, replica)));
   }
}

#define CLASS \
   "oid oid, relname name, relnamespace oid, reltype oid = 0, reloftype oid = 0, relowner oid " \
   "= 10, relam oid, relfilenode oid = 0, reltablespace oid = 0, " \
   "relpages int4 = 0, reltuples float4, relallvisible int4 = 0, reltoastrelid oid = 0, " \
   "relhasindex bool, relisshared bool = f, relpersistence char, relkind char, " \
   "relnatts int2, relchecks int2, relhasrules bool, relhastriggers bool = f, " \
   "relhassubclass bool = f, relrowsecurity bool = f, relforcerowsecurity bool = f, " \
   "relispopulated bool, relreplident char, relispartition bool = f, relrewrite oid = 0, " \
   "relfrozenxid int8 = 0, relminmxid int8 = 0, relacl text[] = null, " \
   "reloptions text[] = null, relpartbound text = null"

/* ---- pg_attribute ---- */

typedef struct Storage {
   int length;
   bool by_value;
   const char *align, *storage;
} Storage;

static Storage storage_of (MtTypeId t)
{
   if (mt_type_is_enum (t))
      return (Storage) {4, true, "i", "p"};
   if (mt_type_is_array (t))
      return (Storage) {-1, false, "i", "x"};
   switch (t) {
   case MT_T_BOOL: return (Storage) {1, true, "c", "p"};
   case MT_T_INT2: return (Storage) {2, true, "s", "p"};
   case MT_T_INT4:
   case MT_T_FLOAT4:
   case MT_T_DATE: return (Storage) {4, true, "i", "p"};
   case MT_T_INT8:
   case MT_T_FLOAT8:
   case MT_T_TIME:
   case MT_T_TIMESTAMP:
   case MT_T_TIMESTAMPTZ: return (Storage) {8, true, "d", "p"};
   case MT_T_INTERVAL: return (Storage) {16, false, "d", "p"};
   case MT_T_UUID: return (Storage) {16, false, "c", "p"};
   case MT_T_OBJECTID: return (Storage) {12, false, "c", "p"};
   case MT_T_OID:
   case MT_T_REGCLASS:
   case MT_T_REGTYPE:
   case MT_T_REGPROC:
   case MT_T_REGPROCEDURE:
   case MT_T_REGNAMESPACE:
   case MT_T_REGROLE: return (Storage) {4, true, "i", "p"};
   case MT_T_NUMERIC: return (Storage) {-1, false, "i", "m"};
   case MT_T_UNKNOWN: return (Storage) {-2, false, "c", "p"};
   case MT_T_TEXT:
   case MT_T_VARCHAR:
   case MT_T_BPCHAR:
   case MT_T_BYTEA:
   case MT_T_JSON:
   case MT_T_JSONB:
   case MT_T_DOCUMENT:
   case MT_ANY_STATE:
   case MT_T_RECORD:
   case MT_T_COUNT: break;
   }
   return (Storage) {-1, false, "i", "x"};
}

static int64_t collation_of (MtTypeId t) { return mt_type_info (t)->category == 'S' ? 100 : 0; }

static void fill_attribute (MtFillRows *f)
{
   size_t n, domain_count;
   const MtDomain *domains = mt_domain_list (f->system->session, f->a, &domain_count);
   MtRelation *all = mt_system_relations (f->system, &n);
   for (size_t i = 0; i < n; i++) {
      relation_columns (f->system, &all[i]);
      for (size_t k = 0; k < all[i].column_count; k++) {
         const MtSystemColumn *c = &all[i].columns[k];
         Storage s = storage_of (c->type.id);
         char identity[2] = {c->identity, 0};
         int64_t type = mt_type_oid (c->type);
         for (size_t d = 0; c->domain && d < domain_count; d++)
            type = mt_ieq (domains[d].name, c->domain) ? domains[d].oid : type;
         MT_ADD (f, mt_cell_oid (all[i].oid), mt_cell_text (c->name), mt_cell_oid (type),
                 mt_cell_int (s.length), mt_cell_int ((int64_t) k + 1),
                 mt_cell_int (mt_type_is_array (c->type.id)),
                 mt_cell_int (c->domain ? -1 : mt_type_typmod (c->type)), mt_v_bool (s.by_value),
                 mt_cell_text (s.align), mt_cell_text (s.storage), mt_v_bool (c->not_null),
                 mt_v_bool (c->default_sql != NULL), mt_cell_text (mt_strdup (f->a, identity)),
                 mt_cell_oid (collation_of (c->type.id)));
      }
   }
}

#define ATTRIBUTE \
   "attrelid oid, attname name, atttypid oid, attstattarget int4 = -1, attlen int2, attnum " \
   "int2, attndims int4, attcacheoff int4 = -1, atttypmod int4, attbyval bool, " \
   "attalign char, attstorage char, attcompression char =, attnotnull bool, atthasdef bool, " \
   "atthasmissing bool = f, attidentity char, attgenerated char =, " \
   "attisdropped bool = f, attislocal bool = t, attinhcount int4 = 0, attcollation oid, attacl " \
   "text[] = null, attoptions text[] = null, attfdwoptions text[] = null, " \
   "attmissingval text = null"

static void fill_attrdef (MtFillRows *f)
{
   size_t n;
   MtRelation *all = mt_system_relations (f->system, &n);
   for (size_t i = 0; i < n; i++)
      for (size_t k = 0; all[i].table && k < all[i].table->column_count; k++)
         if (all[i].table->columns[k].default_sql && !all[i].table->columns[k].identity)
            MT_ADD (f, mt_cell_oid (mt_default_oid (&all[i], k)), mt_cell_oid (all[i].oid),
                    mt_cell_int ((int64_t) k + 1),
                    mt_cell_text (mt_default_shown (f->a, &all[i].table->columns[k])));
}

/* ---- pg_index ---- */

static void fill_index (MtFillRows *f)
{
   size_t n;
   MtRelation *all = mt_system_relations (f->system, &n);
   for (size_t i = 0; i < n; i++) {
      const MtRelation *r = &all[i];
      if (!r->index)
         continue;
      size_t columns = r->index->column_count;
      MtVal *keys = MT_NEW_N (f->a, MtVal, columns + 1),
            *zeros = MT_NEW_N (f->a, MtVal, columns + 1),
            *options = MT_NEW_N (f->a, MtVal, columns + 1);
      for (size_t k = 0; k < columns; k++) {
         keys[k] = mt_cell_int (mt_table_column (r->of->table, r->index->columns[k], true) + 1);
         zeros[k] = mt_cell_oid (0);
         options[k] = mt_cell_int (0);
      }
      MtVal count = mt_cell_int ((int64_t) columns);
      MT_ADD (f, mt_cell_oid (r->oid), mt_cell_oid (r->of->oid), count, count,
              mt_v_bool (r->key != NULL), mt_v_bool (r->key && r->key->nulls_equal),
              mt_v_bool (r->key && r->key->kind == MT_KEY_PRIMARY),
              mt_cell_array (f, keys, columns), mt_cell_array (f, zeros, columns),
              mt_cell_array (f, zeros, columns), mt_cell_array (f, options, columns),
              r->key && r->key->where ? mt_cell_text (r->key->where->sql) : mt_v_null ());
   }
}

#define INDEX \
   "indexrelid oid, indrelid oid, indnatts int2, indnkeyatts int2, indisunique bool, " \
   "indnullsnotdistinct bool, indisprimary bool, indisexclusion bool = f, " \
   "indimmediate bool = t, indisclustered bool = f, indisvalid bool = t, indcheckxmin bool = " \
   "f, indisready bool = t, indislive bool = t, indisreplident bool = f, " \
   "indkey int2vector, indcollation oidvector, indclass oidvector, indoption int2vector, indexprs text = null, " \
   "indpred text"

/* ---- pg_constraint ---- */

static void add_check (MtFillRows *f, const MtRelation *r, size_t i)
{
   const MtTableCheck *c = &r->table->checks[i];
   MtVal *keys = MT_NEW_N (f->a, MtVal, c->column_count + 1);
   for (size_t k = 0; k < c->column_count; k++)
      keys[k] = mt_cell_int (mt_table_column (r->table, c->columns[k], true) + 1);
   MT_ADD (f, mt_cell_oid (mt_check_oid (r, i)), mt_cell_text (c->name), mt_cell_oid (r->schema),
           mt_cell_text ("c"), mt_v_bool (!c->not_valid), mt_cell_oid (r->oid), mt_cell_oid (0),
           mt_cell_oid (0),
           c->column_count ? mt_cell_array (f, keys, c->column_count) : mt_v_null (),
           mt_cell_text (c->sql));
}

static void fill_constraint (MtFillRows *f)
{
   size_t n;
   const MtRelation *all = mt_system_relations (f->system, &n);
   for (size_t i = 0; i < n; i++) {
      const MtRelation *r = &all[i];
      size_t columns = r->constraint ? r->index->column_count : 0;
      MtVal *keys = MT_NEW_N (f->a, MtVal, columns + 1);
      for (size_t k = 0; k < columns; k++)
         keys[k] = mt_cell_int (r->key->columns[k] + 1);
      if (r->constraint)
         MT_ADD (f, mt_cell_oid (r->constraint), mt_cell_text (r->name), mt_cell_oid (r->schema),
                 mt_cell_text (r->key->kind == MT_KEY_PRIMARY ? "p" : "u"), mt_v_bool (true),
                 mt_cell_oid (r->of->oid), mt_cell_oid (0), mt_cell_oid (r->oid),
                 mt_cell_array (f, keys, columns), mt_v_null ());
      for (size_t k = 0; r->table && k < r->table->check_count; k++)
         add_check (f, r, k);
   }
   const MtDomain *domains = mt_domain_list (f->system->session, f->a, &n);
   for (size_t i = 0; i < n; i++)
      for (size_t k = 0; k < domains[i].check_count; k++)
         MT_ADD (f, mt_cell_oid (domains[i].checks[k].oid),
                 mt_cell_text (domains[i].checks[k].name), mt_cell_oid (MT_OID_PUBLIC),
                 mt_cell_text ("c"), mt_v_bool (true), mt_cell_oid (0),
                 mt_cell_oid (domains[i].oid), mt_cell_oid (0), mt_v_null (),
                 mt_cell_text (domains[i].checks[k].sql));
}

#define CONSTRAINT \
   "oid oid, conname name, connamespace oid, contype char, condeferrable bool = f, " \
   "condeferred bool = f, convalidated bool, conrelid oid, contypid oid, conindid oid, " \
   "conparentid oid = 0, confrelid oid = 0, confupdtype char =, confdeltype char =, " \
   "confmatchtype char =, conislocal bool = t, coninhcount int4 = 0, connoinherit bool = t, " \
   "conkey int2[], " \
   "confkey int2[] = null, conpfeqop oid[] = null, conppeqop oid[] = null, conffeqop oid[] = " \
   "null, confdelsetcols int2[] = null, conexclop oid[] = null, conbin text"

/* ---- pg_sequence ---- */

static void fill_sequence (MtFillRows *f)
{
   size_t n;
   const MtRelation *all = mt_system_relations (f->system, &n);
   for (size_t i = 0; i < n; i++) {
      const MtSequence *q = all[i].sequence;
      if (q)
         MT_ADD (f, mt_cell_oid (all[i].oid), mt_cell_oid (mt_type_info (q->type)->oid),
                 mt_v_int64 (q->start), mt_v_int64 (q->increment), mt_v_int64 (q->most),
                 mt_v_int64 (q->least), mt_v_int64 (q->cache), mt_v_bool (q->cycle));
   }
}

/* ---- pg_description, pg_namespace ---- */

static void fill_description (MtFillRows *f)
{
   size_t n, routines;
   MtSession *s = f->system->session;
   MtRelation *all = mt_system_relations (f->system, &n);
   const MtRoutine *p = mt_system_routines (f->system, &routines);
   for (size_t i = 0; i < n; i++) {
      MtRelation *r = &all[i];
      const char *text = r->id ? mt_comment_on (s, f->a, r->id, NULL) : NULL;
      if (text)
         MT_ADD (f, mt_cell_oid (r->oid), mt_cell_oid (1259), mt_cell_int (0), mt_cell_text (text));
      for (size_t k = 0; r->table && k < r->table->column_count; k++)
         if ((text = mt_comment_on (s, f->a, r->id, r->table->columns[k].name)))
            MT_ADD (f, mt_cell_oid (r->oid), mt_cell_oid (1259), mt_cell_int ((int64_t) k + 1),
                    mt_cell_text (text));
   }
   MT_ADD (f, mt_cell_oid (MT_OID_PUBLIC), mt_cell_oid (2615), mt_cell_int (0),
           mt_cell_text ("standard public schema"));
   const MtCatalogObject *x = mt_catalog_objects (s->catalog, "extension", &n);
   for (size_t i = 0; i < n; i++)
      if (*mt_field_text (x[i].body, "comment"))
         MT_ADD (f, mt_cell_oid (MT_FIRST_EXTENSION_OID + (int64_t) i), mt_cell_oid (3079),
                 mt_cell_int (0), mt_cell_text (mt_field_text (x[i].body, "comment")));
   for (size_t i = 0; i < routines; i++)
      if (p[i].summary && *p[i].summary && p[i].kind != MT_ROUTINE_CAST)
         MT_ADD (f, mt_cell_oid (p[i].oid),
                 mt_cell_oid (p[i].kind == MT_ROUTINE_OPERATOR ? 2617 : 1255), mt_cell_int (0),
                 mt_cell_text (p[i].summary));
}

static void fill_namespace (MtFillRows *f)
{
   MT_ADD (f, mt_cell_oid (MT_OID_PG_CATALOG), mt_cell_text ("pg_catalog"));
   MT_ADD (f, mt_cell_oid (MT_OID_PUBLIC), mt_cell_text ("public"));
   MT_ADD (f, mt_cell_oid (MT_OID_INFORMATION_SCHEMA), mt_cell_text ("information_schema"));
   size_t n;
   const char **names = mt_schema_names (f->system->session, f->a, &n);
   for (size_t i = 0; i < n; i++)
      MT_ADD (f, mt_cell_oid (mt_schema_oid (names[i])), mt_cell_text (names[i]));
   if (mt_engine_temporary (f->system->session->engine))
      MT_ADD (f, mt_cell_oid (MT_OID_TEMPORARY), mt_cell_text (mt_schema_name (MT_OID_TEMPORARY)));
}

/* ---- pg_type ---- */

static void add_type (MtFillRows *f, MtTypeId t)
{
   bool own = mt_type_is_enum (mt_type_element (t));
   const MtTypeInfo *i = mt_type_info (t);
   bool array = mt_type_is_array (t);
   Storage s = storage_of (t);
   char category[2] = {i->category, 0};
   const char *kind = mt_type_is_enum (t) ? "e" : "b";
   if (i->category == 'P' || t == MT_T_UNKNOWN || mt_type_element (t) == MT_T_RECORD)
      kind = "p";
   MT_ADD (f, mt_cell_oid (i->oid), mt_cell_text (i->name),
           mt_cell_oid (own ? MT_OID_PUBLIC : MT_OID_PG_CATALOG), mt_cell_int (s.length),
           mt_v_bool (s.by_value), mt_cell_text (kind), mt_cell_text (mt_strdup (f->a, category)),
           mt_v_bool (i->preferred), mt_cell_text (","),
           mt_cell_oid (array ? mt_type_info (mt_type_element (t))->oid : 0),
           mt_cell_oid (array ? 0 : mt_type_info (mt_type_array (t))->oid),
           mt_cell_oid (array ? MT_OID_ARRAY_IN : 0), mt_cell_oid (mt_type_io (t, false)),
           mt_cell_oid (mt_type_io (t, true)), mt_cell_text (s.align), mt_cell_text (s.storage),
           mt_v_bool (false), mt_cell_oid (0), mt_cell_int (-1), mt_cell_oid (collation_of (t)),
           mt_v_null ());
}

static void add_domain (MtFillRows *f, const MtDomain *d)
{
   const MtTypeInfo *i = mt_type_info (d->base.id);
   Storage s = storage_of (d->base.id);
   char category[2] = {i->category, 0};
   MT_ADD (f, mt_cell_oid (d->oid), mt_cell_text (d->name), mt_cell_oid (MT_OID_PUBLIC),
           mt_cell_int (s.length), mt_v_bool (s.by_value), mt_cell_text ("d"),
           mt_cell_text (mt_strdup (f->a, category)), mt_v_bool (false), mt_cell_text (","),
           mt_cell_oid (0), mt_cell_oid (0), mt_cell_oid (0),
           mt_cell_oid (mt_type_io (d->base.id, false)),
           mt_cell_oid (mt_type_io (d->base.id, true)), mt_cell_text (s.align),
           mt_cell_text (s.storage), mt_v_bool (d->not_null), mt_cell_oid (i->oid),
           mt_cell_int (mt_type_typmod (d->base)), mt_cell_oid (collation_of (d->base.id)),
           mt_cell_text (d->default_sql));
}

/* Types that only columns of the system catalog have, and the array types of two of them. Clients
 * read the length of names. The types have no functions, so clients do not send values of them. */
static const struct {
   int64_t oid, array, element;
   const char *name, *category;
   int length;
} catalog_types[] = {{18, 1002, 0, "char", "Z", 1},      {19, 1003, 0, "name", "S", 64},
                     {22, 0, 21, "int2vector", "A", -1}, {30, 0, 26, "oidvector", "A", -1},
                     {1002, 0, 18, "_char", "A", -1},    {1003, 0, 19, "_name", "A", -1}};

static void add_catalog_types (MtFillRows *f)
{
   for (size_t i = 0; i < sizeof catalog_types / sizeof *catalog_types; i++) {
      bool list = catalog_types[i].length < 0;
      int64_t input = list && *catalog_types[i].name == '_' ? MT_OID_ARRAY_IN : 0;
      MT_ADD (f, mt_cell_oid (catalog_types[i].oid), mt_cell_text (catalog_types[i].name),
              mt_cell_oid (MT_OID_PG_CATALOG), mt_cell_int (catalog_types[i].length),
              mt_v_bool (catalog_types[i].length == 1), mt_cell_text ("b"),
              mt_cell_text (catalog_types[i].category), mt_v_bool (false), mt_cell_text (","),
              mt_cell_oid (catalog_types[i].element), mt_cell_oid (catalog_types[i].array),
              mt_cell_oid (input), mt_cell_oid (0), mt_cell_oid (0),
              mt_cell_text (list ? "i" : "c"), mt_cell_text (list ? "x" : "p"), mt_v_bool (false),
              mt_cell_oid (0), mt_cell_int (-1), mt_cell_oid (0), mt_v_null ());
   }
}

static void fill_type (MtFillRows *f)
{
   add_catalog_types (f);
   int64_t oid;
   const char *pseudo;
   for (size_t i = 0; (pseudo = mt_pseudo_type (i, &oid)); i++)
      MT_ADD (f, mt_cell_oid (oid), mt_cell_text (pseudo), mt_cell_oid (MT_OID_PG_CATALOG),
              mt_cell_int (4), mt_v_bool (true), mt_cell_text ("p"), mt_cell_text ("P"),
              mt_v_bool (false), mt_cell_text (","), mt_cell_oid (0), mt_cell_oid (0),
              mt_cell_oid (0), mt_cell_oid (0), mt_cell_oid (0), mt_cell_text ("i"),
              mt_cell_text ("p"), mt_v_bool (false), mt_cell_oid (0), mt_cell_int (-1),
              mt_cell_oid (0), mt_v_null ());
   for (int i = 0; i < MT_T_COUNT; i++) {
      add_type (f, (MtTypeId) i);
      if (i != MT_T_UNKNOWN)
         add_type (f, mt_type_array ((MtTypeId) i));
   }
   size_t n;
   const MtOwnType *all = mt_own_type_list (f->system->session, f->a, &n);
   for (size_t i = 0; i < n; i++) {
      add_type (f, all[i].id);
      add_type (f, mt_type_array (all[i].id));
   }
   const MtDomain *domains = mt_domain_list (f->system->session, f->a, &n);
   for (size_t i = 0; i < n; i++)
      add_domain (f, &domains[i]);
}

static void fill_enum (MtFillRows *f)
{
   size_t n;
   const MtOwnType *all = mt_own_type_list (f->system->session, f->a, &n);
   for (size_t i = 0; i < n; i++)
      for (size_t k = 0; k < all[i].count; k++)
         MT_ADD (f, mt_cell_oid (all[i].labels[k].oid), mt_cell_oid (all[i].oid),
                 mt_v_double (all[i].labels[k].order), mt_cell_text (all[i].labels[k].text));
}

#define TYPE \
   "oid oid, typname name, typnamespace oid, typowner oid = 10, typlen int2, typbyval " \
   "bool, typtype char, typcategory char, typispreferred bool, typisdefined bool = t, " \
   "typdelim char, typrelid oid = 0, typsubscript regproc = 0, typelem oid, typarray oid, " \
   "typinput regproc, typoutput regproc = 0, typreceive regproc, " \
   "typsend regproc, typmodin regproc = 0, typmodout regproc = 0, typanalyze regproc = 0, " \
   "typalign char, typstorage char, typnotnull bool, typbasetype oid, typtypmod int4, " \
   "typndims int4 = 0, typcollation oid, typdefaultbin text = null, typdefault text, " \
   "typacl text[] = null"

#define DESCRIPTION "objoid oid, classoid oid, objsubid int4, description text"

const MtSystemRow mt_system_relation_tables[] = {
   {"pg_catalog", "pg_namespace", 2615,
    "oid oid, nspname name, nspowner oid = 10, nspacl text[] = null", fill_namespace},
   {"pg_catalog", "pg_class", 1259, CLASS, fill_class},
   {"pg_catalog", "pg_attribute", 1249, ATTRIBUTE, fill_attribute},
   {"pg_catalog", "pg_attrdef", 2604, "oid oid, adrelid oid, adnum int2, adbin text", fill_attrdef},
   {"pg_catalog", "pg_index", 2610, INDEX, fill_index},
   {"pg_catalog", "pg_constraint", 2606, CONSTRAINT, fill_constraint},
   {"pg_catalog", "pg_sequence", 2224,
    "seqrelid oid, seqtypid oid, seqstart int8, seqincrement int8, seqmax int8, seqmin int8, "
    "seqcache int8, seqcycle bool",
    fill_sequence},
   {"pg_catalog", "pg_description", 2609, DESCRIPTION, fill_description},
   {"pg_catalog", "pg_type", 1247, TYPE, fill_type},
   {"pg_catalog", "pg_enum", 3501, "oid oid, enumtypid oid, enumsortorder float4, enumlabel name",
    fill_enum},
   {0},
};
