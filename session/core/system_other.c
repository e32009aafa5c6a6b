/* Small tables of the system catalog: the database, roles, settings, and tables that are always
 * empty because mtsql lacks their feature. */
#include "session/core/held.h"
#include "session/core/alerts.h"
#include "session/continuous/continuous.h"
#include "session/core/core.h"
#include "session/core/sequence.h"
#include "session/core/system.h"
#include "session/state/advisory.h"
#include "base/control.h"

#include "types/datetime.h"

#include <string.h>
#include <unistd.h>

static const char *looked_up_text (MtFillRows *f, const char *what)
{
   MtVal v = mt_v_null ();
   MtError ignored;
   bool found = mt_system_lookup (f->system->session, f->a, what, &v, &ignored);
   return found && v.type == MT_STRING ? mt_strndup (f->a, (const char *) v.p, v.len) : "";
}

static void fill_database (MtFillRows *f)
{
   MT_ADD (f, mt_cell_oid (MT_OID_DATABASE), mt_cell_text (looked_up_text (f, "database")));
}

static void fill_roles (MtFillRows *f)
{
   MT_ADD (f, mt_cell_text (looked_up_text (f, "user")), mt_cell_oid (MT_OID_ROLE));
}

static void fill_tablespace (MtFillRows *f)
{
   MT_ADD (f, mt_cell_oid (1663), mt_cell_text ("pg_default"));
}

static void fill_am (MtFillRows *f)
{
   MT_ADD (f, mt_cell_oid (2), mt_cell_text ("heap"), mt_cell_text ("t"));
   MT_ADD (f, mt_cell_oid (403), mt_cell_text ("btree"), mt_cell_text ("i"));
}

static void fill_collation (MtFillRows *f)
{
   MT_ADD (f, mt_cell_oid (100), mt_cell_text ("default"), mt_cell_text ("d"), mt_v_null ());
   MT_ADD (f, mt_cell_oid (950), mt_cell_text ("C"), mt_cell_text ("c"), mt_cell_text ("C"));
   MT_ADD (f, mt_cell_oid (951), mt_cell_text ("POSIX"), mt_cell_text ("c"),
           mt_cell_text ("POSIX"));
}

/* Returns the allowed values of an enum setting as an array; NULL: the setting is not an enum. */
static MtVal setting_values (MtFillRows *f, const MtSettingInfo *s)
{
   enum { MOST = 16 };
   MtVal v[MOST];
   size_t n = 0;
   while (s->values && n < MOST && s->values[n]) {
      v[n] = mt_cell_text (s->values[n]);
      n++;
   }
   return n ? mt_cell_array (f, v, n) : mt_v_null ();
}

static void fill_settings (MtFillRows *f)
{
   MtSettingInfo s;
   for (size_t i = 0; mt_setting_at (f->system->session, f->a, i, &s); i++)
      MT_ADD (f, mt_cell_text (s.name), mt_cell_text (s.number), mt_cell_text (s.unit),
              mt_cell_text (s.summary), mt_cell_text (s.changes ? "user" : "internal"),
              mt_cell_text (s.type), setting_values (f, &s),
              mt_cell_text (s.initial ? s.initial_number : s.value),
              mt_cell_text (s.initial ? s.initial_number : s.value));
}

static void fill_prepared (MtFillRows *f)
{
   for (const MtPrepared *p = f->system->session->prepared; p; p = p->next) {
      MtVal *types = MT_NEW_N (f->a, MtVal, (size_t) p->count + 1);
      for (int k = 0; k < p->count; k++)
         types[k] = mt_cell_oid (mt_type_info (p->types[k].id)->oid);
      MT_ADD (f, mt_cell_text (p->name), mt_v_str (p->sql, p->sql_len),
              mt_cell_array (f, types, (size_t) p->count), mt_v_bool (!p->lent));
   }
}

static void fill_cursors (MtFillRows *f)
{
   for (const MtPortal *p = f->system->session->portals; p; p = p->next)
      MT_ADD (f, mt_cell_text (p->name), mt_cell_text (p->sql), mt_v_bool (p->hold),
              mt_v_bool (!p->no_scroll), mt_v_date (p->declared_ms));
}

static void add_lock (void *ctx, MtAdvisoryKey key, bool shared, bool granted)
{
   MtFillRows *f = ctx;
   MT_ADD (f, mt_cell_oid ((uint32_t) (key.key >> 32)), mt_cell_oid ((uint32_t) key.key),
           mt_cell_int (key.two ? 2 : 1), mt_cell_int (getpid ()),
           mt_cell_text (shared ? "ShareLock" : "ExclusiveLock"), mt_v_bool (granted));
}

/* Advisory locks. There are no other locks that others could see. */
static void fill_locks (MtFillRows *f) { mt_advisory_each (f->system->session, add_lock, f); }

static bool add_zone (void *ctx, const char *name)
{
   MtFillRows *f = ctx;
   const MtZone *z;
   const char *abbrev;
   bool dst;
   MtError ignored;
   MtStatement st;
   if (!mt_tz_find_setting (name, &z, &ignored))
      return true;
   mt_statement_init (f->system->session, f->a, NULL, &st);
   int32_t east = mt_tz_offset_info (z, st.env.style.now_ms, &abbrev, &dst);
   MT_ADD (f, mt_cell_text (mt_strdup (f->a, name)), mt_cell_text (mt_strdup (f->a, abbrev)),
           mt_v_interval (f->a, (MtInterval) {.us = (int64_t) east * 1000000}), mt_v_bool (dst));
   return true;
}

static void fill_zones (MtFillRows *f) { mt_tz_each (add_zone, f); }

static void fill_role_name (MtFillRows *f)
{
   MT_ADD (f, mt_cell_text (looked_up_text (f, "user")));
}

static void fill_catalog_name (MtFillRows *f)
{
   MT_ADD (f, mt_cell_text (looked_up_text (f, "database")));
}

/* ---- extensions ---- */

static void fill_extension (MtFillRows *f)
{
   size_t n;
   const MtCatalogObject *o = mt_catalog_objects (f->system->session->catalog, "extension", &n);
   for (size_t i = 0; i < n; i++)
      MT_ADD (f, mt_cell_oid (MT_FIRST_EXTENSION_OID + (int64_t) i), mt_cell_text (o[i].name),
              mt_cell_text (mt_field_text (o[i].body, "version")));
}

/* Returns the version of the extension that CREATE EXTENSION stored in the catalog, borrowed from
 * it; NULL: it is not installed. */
static const char *created_version (MtFillRows *f, const char *name)
{
   const MtCatalogObject *o = mt_extension_created (f->system->session, name);
   return o ? mt_field_text (o->body, "version") : NULL;
}

static void fill_available (MtFillRows *f)
{
   MtControl *c;
   size_t n;
   mt_control_list (f->a, mt_extension_search_path (f->system->session), &c, &n);
   for (size_t i = 0; i < n; i++)
      MT_ADD (f, mt_cell_text (c[i].name), mt_cell_text (c[i].default_version),
              mt_cell_text (created_version (f, c[i].name)), mt_cell_text (c[i].comment));
}

static void add_version (MtFillRows *f, const MtControl *c, const char *version)
{
   const char *now = created_version (f, c->name);
   MtVal *names = MT_NEW_N (f->a, MtVal, c->required_count + 1);
   for (size_t i = 0; i < c->required_count; i++)
      names[i] = mt_cell_text (c->required[i]);
   MT_ADD (f, mt_cell_text (c->name), mt_cell_text (version),
           mt_v_bool (now && strcmp (now, version) == 0),
           c->required_count ? mt_cell_array (f, names, c->required_count) : mt_v_null (),
           mt_cell_text (c->comment));
}

/* Adds a row for each version of an extension that has an install script, and one for its default
 * version. */
static void fill_versions (MtFillRows *f)
{
   MtControl *c;
   size_t n, scripts;
   mt_control_list (f->a, mt_extension_search_path (f->system->session), &c, &n);
   for (size_t i = 0; i < n; i++) {
      bool listed = false;
      const char **part = mt_control_scripts (f->a, &c[i], &scripts);
      for (size_t k = 0; k < scripts; k++) {
         if (strstr (part[k], "--"))
            continue;
         listed |= strcmp (part[k], c[i].default_version) == 0;
         add_version (f, &c[i], part[k]);
      }
      if (!listed)
         add_version (f, &c[i], c[i].default_version);
   }
}

/* ---- alerts ---- */

static MtVal interval_cell (MtFillRows *f, int64_t ms)
{
   return mt_v_interval (f->a, (MtInterval) {.days = (int32_t) (ms / MT_DAY_MS),
                                             .us = ms % MT_DAY_MS * 1000});
}

static bool add_alert (MtFillRows *f, const MtAlert *alert)
{
   MtAlertState state;
   int64_t since = 0, firing = 0;
   if (!mt_alert_state_read (f->system->session, f->a, alert->name, &state, f->err))
      return false;
   const char *word = mt_alert_state_word (&state, &since);
   for (size_t i = 0; i < state.count; i++)
      firing += state.rows[i].firing && !state.rows[i].missing;
   MT_ADD (f, mt_cell_text (alert->name), mt_cell_text (word),
           since ? mt_v_date (since) : mt_v_null (), mt_v_int64 (firing),
           state.checked_ms ? mt_v_date (state.checked_ms) : mt_v_null (),
           mt_v_bool (alert->enabled), interval_cell (f, alert->lasting_ms),
           alert->every_ms ? interval_cell (f, alert->every_ms) : mt_v_null (),
           mt_cell_text (alert->notify), mt_cell_text (alert->sql));
   return true;
}

static void fill_alerts (MtFillRows *f)
{
   MtAlert *list;
   size_t n;
   bool ok = mt_alert_list (f->system->session, f->a, &list, &n, f->err);
   for (size_t i = 0; ok && i < n; i++)
      ok = add_alert (f, &list[i]);
   f->failed = !ok;
}

/* ---- continuous views ---- */

static MtVal time_cell (int64_t ms) { return ms == MT_TIME_MIN ? mt_v_null () : mt_v_date (ms); }

static bool add_continuous (MtFillRows *f, const MtContinuous *v)
{
   MtSession *s = f->system->session;
   int64_t ran;
   if (!mt_continuous_ran (s, f->a, v, &ran, f->err))
      return false;
   MtRangeSet stale = mt_stale_ranges (s, f->a, v, false);
   MT_ADD (f, mt_cell_text (v->name), mt_cell_text (v->source), mt_cell_text (v->bucket),
           time_cell (v->watermark_ms), mt_v_int64 (stale.count), mt_v_bool (v->materialized_only),
           mt_v_bool (v->policy.set), mt_cell_text (v->policy.start), mt_cell_text (v->policy.end),
           v->policy.set ? interval_cell (f, v->policy.every_ms) : mt_v_null (),
           ran ? mt_v_date (ran) : mt_v_null ());
   return true;
}

static void fill_continuous (MtFillRows *f)
{
   MtContinuous *list;
   size_t n;
   bool ok = mt_continuous_list (f->system->session, f->a, &list, &n, f->err);
   for (size_t i = 0; ok && i < n; i++)
      ok = add_continuous (f, &list[i]);
   f->failed = !ok;
}

#define CONTINUOUS \
   "viewname name, source name, bucket text, watermark timestamptz, stale int8, " \
   "materialized_only bool, policy bool, start_offset text, end_offset text, " \
   "schedule_interval interval, refreshed timestamptz"
#define ALERTS \
   "alertname name, state text, since timestamptz, firing int8, checked timestamptz, " \
   "enabled bool, lasting interval, every interval, notify text, definition text"
#define DATABASE \
   "oid oid, datname name, datdba oid = 10, encoding int4 = 6, datlocprovider char = c, " \
   "datistemplate bool = f, datallowconn bool = t, datconnlimit int4 = -1, " \
   "datfrozenxid int8 = 0, datminmxid int8 = 0, dattablespace oid = 1663, datcollate text = C, " \
   "datctype text = C, daticulocale text = null, datcollversion text = null, " \
   "datacl text[] = null"
#define ROLES \
   "rolname name, rolsuper bool = t, rolinherit bool = t, rolcreaterole bool = f, rolcreatedb " \
   "bool = f, rolcanlogin bool = t, rolreplication bool = f, rolconnlimit int4 = -1, " \
   "rolpassword text = null, rolvaliduntil timestamptz = null, rolbypassrls bool = t, " \
   "rolconfig text[] = null, oid oid"
#define SETTINGS \
   "name text, setting text, unit text, category text = mtsql, short_desc text, extra_desc " \
   "text = null, context text, vartype text, source text = default, " \
   "min_val text = null, max_val text = null, enumvals text[], boot_val text, reset_val text, " \
   "sourcefile text = null, sourceline int4 = null, pending_restart bool = f"
#define COLLATION \
   "oid oid, collname name, collnamespace oid = 11, collowner oid = 10, collprovider char, " \
   "collisdeterministic bool = t, collencoding int4 = -1, collcollate text, " \
   "collctype text = null, colliculocale text = null, collversion text = null"
#define TRIGGER \
   "oid oid, tgrelid oid, tgparentid oid, tgname name, tgfoid oid, tgtype int2, tgenabled " \
   "char, tgisinternal bool, tgconstrrelid oid, tgconstrindid oid, tgconstraint oid, " \
   "tgdeferrable bool, tginitdeferred bool, tgnargs int2, tgattr int2vector, tgargs bytea, tgqual " \
   "text, tgoldtable name, tgnewtable name"
#define PUBLICATION \
   "oid oid, pubname name, pubowner oid, puballtables bool, pubinsert bool, pubupdate bool, " \
   "pubdelete bool, pubtruncate bool, pubviaroot bool"
#define STATISTIC_EXT \
   "oid oid, stxrelid oid, stxname name, stxnamespace oid, stxowner oid, stxstattarget int4, " \
   "stxkeys int2vector, stxkind text[], stxexprs text"
#define CURSORS \
   "name text, statement text, is_holdable bool, is_binary bool = f, is_scrollable bool, " \
   "creation_time timestamptz"
#define LOCKS \
   "locktype text = advisory, database oid = 5, relation oid = null, page int4 = null, tuple " \
   "int2 = null, virtualxid text = null, transactionid text = null, classid oid, objid oid, " \
   "objsubid int2, virtualtransaction text = null, pid int4, mode text, granted bool, fastpath " \
   "bool = f, waitstart timestamptz = null"
#define EXTENSION \
   "oid oid, extname name, extowner oid = 10, extnamespace oid = 2200, extrelocatable bool = " \
   "f, extversion text, extconfig oid[] = null, extcondition text[] = null"
#define AVAILABLE_VERSIONS \
   "name name, version text, installed bool, superuser bool = t, trusted bool = f, relocatable " \
   "bool = f, schema name = null, requires name[], comment text"
/* ---- pg_depend, pg_rewrite ---- */

/* pg_dump orders its statements by these dependencies: of owned sequences, of defaults, and of
 * views. They are OIDs of tables in pg_catalog: pg_class, pg_attrdef and pg_rewrite. */
#define CLASS_OID 1259
#define ATTRDEF_OID 2604
#define REWRITE_OID 2618

static const MtRelation *relation_of (const MtRelation *all, size_t n, const char *id)
{
   for (size_t i = 0; i < n; i++)
      if (all[i].table && strcmp (all[i].id, id) == 0)
         return &all[i];
   return NULL;
}

static void add_owned (MtFillRows *f, const MtRelation *all, size_t n, const MtRelation *r)
{
   const MtSequence *q = r->sequence;
   const MtRelation *of = q && q->table ? relation_of (all, n, q->table) : NULL;
   if (of)
      MT_ADD (f, mt_cell_oid (CLASS_OID), mt_cell_oid (r->oid), mt_cell_oid (CLASS_OID),
              mt_cell_oid (of->oid), mt_cell_int (mt_table_column (of->table, q->column, true) + 1),
              mt_cell_text (q->identity ? "i" : "a"));
}

/* Returns whether the text `sql` contains the name of relation r as a word. The word may also be a
 * column's name. Then pg_depend has a needless row, which only changes the order of a dump. */
static bool names_relation (MtFillRows *f, const char *sql, const MtRelation *r)
{
   const char *name = mt_quoted (f->a, r->name);
   if (r->schema_name)
      name = mt_printf (f->a, "%s.%s", mt_quoted (f->a, r->schema_name), name);
   return mt_find_word (sql, name) != NULL;
}

/* Adds a row to pg_depend for each column default of r that is nextval ('q'): it depends on the
 * sequence q. */
static void add_defaults (MtFillRows *f, const MtRelation *all, size_t n, const MtRelation *r)
{
   for (size_t k = 0; r->table && k < r->table->column_count; k++) {
      const char *sql = r->table->columns[k].default_sql;
      if (!sql || r->table->columns[k].identity || strncmp (sql, "nextval('", 9) != 0)
         continue;
      for (size_t i = 0; i < n; i++)
         if (all[i].sequence && names_relation (f, sql, &all[i]))
            MT_ADD (f, mt_cell_oid (ATTRDEF_OID), mt_cell_oid (mt_default_oid (r, k)),
                    mt_cell_oid (CLASS_OID), mt_cell_oid (all[i].oid), mt_cell_int (0),
                    mt_cell_text ("n"));
   }
}

static int64_t rule_oid (const MtRelation *r) { return r->oid + 300000000; }

/* Adds rows to pg_depend for view r: its rule depends on each relation that its query reads. */
static void add_view (MtFillRows *f, const MtRelation *all, size_t n, const MtRelation *r)
{
   if (!r->definition || !r->id)
      return;
   MT_ADD (f, mt_cell_oid (REWRITE_OID), mt_cell_oid (rule_oid (r)), mt_cell_oid (CLASS_OID),
           mt_cell_oid (r->oid), mt_cell_int (0), mt_cell_text ("i"));
   for (size_t i = 0; i < n; i++)
      if (all[i].id && &all[i] != r && !all[i].index && names_relation (f, r->definition, &all[i]))
         MT_ADD (f, mt_cell_oid (REWRITE_OID), mt_cell_oid (rule_oid (r)), mt_cell_oid (CLASS_OID),
                 mt_cell_oid (all[i].oid), mt_cell_int (0), mt_cell_text ("n"));
}

static void fill_depend (MtFillRows *f)
{
   size_t n;
   const MtRelation *all = mt_system_relations (f->system, &n);
   for (size_t i = 0; i < n; i++) {
      add_owned (f, all, n, &all[i]);
      add_defaults (f, all, n, &all[i]);
      add_view (f, all, n, &all[i]);
   }
}

static void fill_rewrite (MtFillRows *f)
{
   size_t n;
   const MtRelation *all = mt_system_relations (f->system, &n);
   for (size_t i = 0; i < n; i++)
      if (all[i].definition && all[i].id)
         MT_ADD (f, mt_cell_oid (rule_oid (&all[i])), mt_cell_oid (all[i].oid));
}

#define EMPTY(name, oid, columns) {"pg_catalog", name, oid, columns, NULL}

const MtSystemRow mt_system_other_tables[] = {
   {"pg_catalog", "pg_database", 1262, DATABASE, fill_database},
   {"pg_catalog", "pg_roles", 12000, ROLES, fill_roles},
   {"pg_catalog", "pg_settings", 12001, SETTINGS, fill_settings},
   {"pg_catalog", "pg_prepared_statements", 12002,
    "name text, statement text, prepare_time timestamptz = null, parameter_types regtype[], "
    "from_sql bool, generic_plans int8 = 0, custom_plans int8 = 0",
    fill_prepared},
   {"pg_catalog", "pg_cursors", 12003, CURSORS, fill_cursors},
   {"pg_catalog", "pg_locks", 12008, LOCKS, fill_locks},
   {"pg_catalog", "pg_timezone_names", 12004,
    "name text, abbrev text, utc_offset interval, is_dst bool", fill_zones},
   {"pg_catalog", "pg_tablespace", 1213,
    "oid oid, spcname name, spcowner oid = 10, spcacl text[] = null, spcoptions text[] = null",
    fill_tablespace},
   {"pg_catalog", "pg_am", 2601, "oid oid, amname name, amhandler regproc = 0, amtype char",
    fill_am},
   {"pg_catalog", "pg_collation", 3456, COLLATION, fill_collation},
   {"information_schema", "information_schema_catalog_name", 0, "catalog_name name",
    fill_catalog_name},
   {"information_schema", "enabled_roles", 0, "role_name name", fill_role_name},
   {"pg_catalog", "pg_alerts", 12006, ALERTS, fill_alerts},
   {"pg_catalog", "pg_continuous_views", 12007, CONTINUOUS, fill_continuous},
   EMPTY ("pg_inherits", 2611, "inhrelid oid, inhparent oid, inhseqno int4, inhdetachpending bool"),
   EMPTY ("pg_trigger", 2620, TRIGGER),
   EMPTY ("pg_policy", 3256,
          "oid oid, polname name, polrelid oid, polcmd char, polpermissive bool, polroles oid[], "
          "polqual text, polwithcheck text"),
   EMPTY ("pg_shdescription", 2396, "objoid oid, classoid oid, description text"),
   EMPTY ("pg_range", 3541,
          "rngtypid oid, rngsubtype oid, rngmultitypid oid, rngcollation oid, rngsubopc oid, "
          "rngcanonical regproc, rngsubdiff regproc"),
   EMPTY ("pg_statistic_ext", 3381, STATISTIC_EXT),
   EMPTY ("pg_publication", 6104, PUBLICATION),
   EMPTY ("pg_publication_rel", 6106,
          "oid oid, prpubid oid, prrelid oid, prqual text, prattrs int2vector"),
   EMPTY ("pg_publication_namespace", 6237, "oid oid, pnpubid oid, pnnspid oid"),
   EMPTY ("pg_foreign_table", 3118, "ftrelid oid, ftserver oid, ftoptions text[]"),
   EMPTY ("pg_foreign_server", 1417,
          "oid oid, srvname name, srvowner oid, srvfdw oid, srvtype text, srvversion text, srvacl "
          "text[], srvoptions text[]"),
   EMPTY ("pg_foreign_data_wrapper", 2328,
          "oid oid, fdwname name, fdwowner oid, fdwhandler oid, fdwvalidator oid, fdwacl text[], "
          "fdwoptions text[]"),
   EMPTY ("pg_init_privs", 3394,
          "objoid oid, classoid oid, objsubid int4, privtype char, initprivs text[]"),
   EMPTY ("pg_ts_parser", 3601,
          "oid oid, prsname name, prsnamespace oid, prsstart regproc, prstoken regproc, prsend "
          "regproc, prsheadline regproc, prslextype regproc"),
   EMPTY ("pg_ts_template", 3764,
          "oid oid, tmplname name, tmplnamespace oid, tmplinit regproc, tmpllexize regproc"),
   EMPTY ("pg_ts_dict", 3600,
          "oid oid, dictname name, dictnamespace oid, dictowner oid, dicttemplate oid, "
          "dictinitoption text"),
   EMPTY ("pg_ts_config", 3602,
          "oid oid, cfgname name, cfgnamespace oid, cfgowner oid, cfgparser oid"),
   EMPTY ("pg_transform", 3576,
          "oid oid, trftype oid, trflang oid, trffromsql regproc, trftosql regproc"),
   EMPTY ("pg_subscription", 6100,
          "oid oid, subdbid oid, subskiplsn text, subname name, subowner oid, subenabled bool, "
          "subbinary bool, substream bool, subtwophasestate text, subdisableonerr bool, "
          "subconninfo text, subslotname name, subsynccommit text, subpublications text[]"),
   EMPTY ("pg_largeobject_metadata", 2995, "oid oid, lomowner oid, lomacl text[]"),
   EMPTY ("pg_amop", 2602,
          "oid oid, amopfamily oid, amoplefttype oid, amoprighttype oid, amopstrategy int2, "
          "amoppurpose text, amopopr oid, amopmethod oid, amopsortfamily oid"),
   EMPTY ("pg_amproc", 2603,
          "oid oid, amprocfamily oid, amproclefttype oid, amprocrighttype oid, amprocnum int2, "
          "amproc regproc"),
   EMPTY ("pg_seclabels", 12099,
          "objoid oid, classoid oid, objsubid int4, objtype text, objnamespace oid, objname text, "
          "provider text, label text"),
   EMPTY ("pg_partitioned_table", 3350,
          "partrelid oid, partstrat text, partnatts int2, partdefid oid, partattrs int2vector, "
          "partclass oidvector, partcollation oidvector, partexprs text"),
   {"pg_catalog", "pg_depend", 2608,
    "classid oid, objid oid, objsubid int4 = 0, refclassid oid, refobjid oid, refobjsubid int4, "
    "deptype char",
    fill_depend},
   {"pg_catalog", "pg_rewrite", 2618,
    "oid oid, rulename name = _RETURN, ev_class oid, ev_type char = 1, ev_enabled char = O, "
    "is_instead bool = t, ev_qual text = <>, ev_action text = <>",
    fill_rewrite},
   {"pg_catalog", "pg_extension", 3079, EXTENSION, fill_extension},
   {"pg_catalog", "pg_available_extensions", 12101,
    "name name, default_version text, installed_version text, comment text", fill_available},
   {"pg_catalog", "pg_available_extension_versions", 12105, AVAILABLE_VERSIONS, fill_versions},
   EMPTY ("pg_event_trigger", 3466,
          "oid oid, evtname name, evtevent name, evtowner oid, evtfoid oid, evtenabled char, "
          "evttags text[]"),
   EMPTY ("pg_opclass", 2616,
          "oid oid, opcmethod oid, opcname name, opcnamespace oid, opcowner oid, opcfamily oid, "
          "opcintype oid, opcdefault bool, opckeytype oid"),
   EMPTY ("pg_opfamily", 2753,
          "oid oid, opfmethod oid, opfname name, opfnamespace oid, opfowner oid"),
   EMPTY ("pg_auth_members", 1261, "roleid oid, member oid, grantor oid, admin_option bool"),
   EMPTY ("pg_default_acl", 826,
          "oid oid, defaclrole oid, defaclnamespace oid, defaclobjtype char, defaclacl text[]"),
   EMPTY ("pg_conversion", 2607,
          "oid oid, conname name, connamespace oid, conowner oid, conforencoding int4, "
          "contoencoding int4, conproc regproc, condefault bool"),
   EMPTY ("pg_db_role_setting", 2964, "setdatabase oid, setrole oid, setconfig text[]"),
   {0},
};
