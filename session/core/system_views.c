/* Views of the system catalog, as in PostgreSQL. */
#include "session/core/system.h"

#include <string.h>

#define CATALOG "current_database() AS "
#define PG(name, sql) {"pg_catalog", name, sql}
#define INFO(name, sql) {"information_schema", name, sql}
#define NONE "NULL::text AS "
#define NUMBER "NULL::int AS "
#define YES_NO(condition) "CASE WHEN " condition " THEN 'YES' ELSE 'NO' END AS "
#define CLASSES "pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"
/* Columns of tables and views, with their types, defaults and identity sequences. */
#define COLUMNS_FROM \
   CLASSES " JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid" \
           " JOIN pg_catalog.pg_type ct ON ct.oid = a.atttypid" \
           " JOIN pg_catalog.pg_type t ON t.oid = CASE WHEN ct.typtype = 'd' THEN" \
           " ct.typbasetype ELSE ct.oid END" \
           " LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum =" \
           " a.attnum" \
           " LEFT JOIN pg_catalog.pg_depend o ON o.refobjid = a.attrelid AND o.refobjsubid" \
           " = a.attnum AND o.refclassid = 1259 AND o.classid = 1259 AND o.deptype = 'i'" \
           " LEFT JOIN pg_catalog.pg_sequence q ON q.seqrelid = o.objid" \
           " WHERE c.relkind IN ('r', 'v')"

/* Columns of information_schema that describe type `t` with the type modifier m, such as the length
 * of varchar. */
#define CHARACTERS(m) \
   "CASE WHEN t.typname IN ('varchar', 'bpchar') AND " m " >= 0 THEN " m \
   " - 4 END AS character_maximum_length, " \
   "CASE WHEN t.typname IN ('text', 'varchar', 'bpchar') THEN CASE WHEN t.typname <> 'text' AND " m \
   " >= 0 THEN (" m " - 4) * 4 ELSE 1073741824 END END AS character_octet_length, "
#define NUMBERS(m) \
   "CASE t.typname WHEN 'int2' THEN 16 WHEN 'int4' THEN 32 WHEN 'int8' THEN 64 WHEN 'float4' " \
   "THEN 24 WHEN 'float8' THEN 53 WHEN 'numeric' THEN CASE WHEN " m " >= 4 THEN (" m \
   " - 4) / 65536 END END AS numeric_precision, " \
   "CASE WHEN t.typname IN ('int2', 'int4', 'int8', 'float4', 'float8') THEN 2 WHEN t.typname " \
   "= 'numeric' THEN 10 END AS numeric_precision_radix, " \
   "CASE WHEN t.typname IN ('int2', 'int4', 'int8') THEN 0 WHEN t.typname = 'numeric' AND " m \
   " >= 4 THEN (" m " - 4) % 65536 END AS numeric_scale, "
#define TIMES(m) \
   "CASE WHEN t.typname = 'date' THEN 0 WHEN t.typname IN ('time', 'timestamp', 'timestamptz', " \
   "'interval') THEN CASE WHEN " m " >= 0 THEN " m " ELSE 6 END END AS datetime_precision, "
#define DATA_TYPE \
   "CASE WHEN t.typelem <> 0 THEN 'ARRAY' WHEN t.typtype = 'e' THEN 'USER-DEFINED' ELSE " \
   "format_type(t.oid, NULL) END AS data_type, "

/* The type modifier of a column; for a column of a domain, the domain's modifier. */
#define MODIFIER "CASE WHEN ct.typtype = 'd' THEN ct.typtypmod ELSE a.atttypmod END"

#define KEY_COLUMNS \
   "FROM pg_catalog.pg_constraint k JOIN pg_catalog.pg_class c ON c.oid = k.conrelid JOIN " \
   "pg_catalog.pg_namespace n ON n.oid = c.relnamespace, " \
   "unnest(k.conkey) WITH ORDINALITY u (num, pos), pg_catalog.pg_attribute a WHERE a.attrelid " \
   "= k.conrelid AND a.attnum = u.num"

#define STAT_TABLES(name, which) \
   PG (name, \
       "SELECT c.oid AS relid, n.nspname AS schemaname, c.relname, 0::int8 AS seq_scan, 0::int8 " \
       "AS seq_tup_read, 0::int8 AS idx_scan, 0::int8 AS idx_tup_fetch, 0::int8 AS n_tup_ins, " \
       "0::int8 AS n_tup_upd, 0::int8 AS n_tup_del, 0::int8 AS n_tup_hot_upd, " \
       "greatest(c.reltuples, 0)::int8 AS n_live_tup, 0::int8 AS n_dead_tup, 0::int8 AS " \
       "n_mod_since_analyze, " \
       "0::int8 AS n_ins_since_vacuum, NULL::timestamptz AS last_vacuum, NULL::timestamptz AS " \
       "last_autovacuum, NULL::timestamptz AS last_analyze, NULL::timestamptz AS " \
       "last_autoanalyze, " \
       "0::int8 AS vacuum_count, 0::int8 AS autovacuum_count, 0::int8 AS analyze_count, 0::int8 " \
       "AS autoanalyze_count FROM " CLASSES " WHERE c.relkind IN ('r', 'm')" which)

const MtSystemView mt_system_views[] = {
   PG ("pg_tables",
       "SELECT n.nspname AS schemaname, c.relname AS tablename, pg_get_userbyid(c.relowner) AS "
       "tableowner, " NONE "tablespace, c.relhasindex AS hasindexes, c.relhasrules AS hasrules, "
       "c.relhastriggers AS hastriggers, c.relrowsecurity AS rowsecurity FROM " CLASSES
       " WHERE c.relkind = 'r'"),
   PG ("pg_views",
       "SELECT n.nspname AS schemaname, c.relname AS viewname, pg_get_userbyid(c.relowner) AS "
       "viewowner, pg_get_viewdef(c.oid) AS definition FROM " CLASSES " WHERE c.relkind = 'v'"),
   PG ("pg_matviews",
       "SELECT n.nspname AS schemaname, c.relname AS matviewname, pg_get_userbyid(c.relowner) "
       "AS matviewowner, " NONE
       "tablespace, c.relhasindex AS hasindexes, c.relispopulated AS ispopulated, "
       "pg_get_viewdef(c.oid) AS definition FROM " CLASSES " WHERE c.relkind = 'm'"),
   PG ("pg_indexes",
       "SELECT n.nspname AS schemaname, c.relname AS tablename, i.relname AS indexname, " NONE
       "tablespace, pg_get_indexdef(i.oid) AS indexdef FROM pg_catalog.pg_index x "
       "JOIN pg_catalog.pg_class c ON c.oid = x.indrelid JOIN pg_catalog.pg_class i ON i.oid = "
       "x.indexrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"),
   PG ("pg_user",
       "SELECT rolname AS usename, oid AS usesysid, rolcreatedb AS usecreatedb, rolsuper AS "
       "usesuper, rolreplication AS userepl, rolbypassrls AS usebypassrls, rolpassword AS passwd, "
       "rolvaliduntil AS valuntil, rolconfig AS useconfig FROM pg_catalog.pg_roles"),
   PG ("pg_sequences",
       "SELECT n.nspname AS schemaname, c.relname AS sequencename, pg_get_userbyid(c.relowner) AS "
       "sequenceowner, s.seqtypid::regtype AS data_type, s.seqstart AS start_value, s.seqmin AS "
       "min_value, s.seqmax AS max_value, s.seqincrement AS increment_by, s.seqcycle AS cycle, "
       "s.seqcache AS cache_size, pg_sequence_last_value(c.oid::regclass) AS last_value FROM "
       "pg_catalog.pg_sequence s JOIN pg_catalog.pg_class c ON c.oid = s.seqrelid JOIN "
       "pg_catalog.pg_namespace n ON n.oid = c.relnamespace"),
   PG ("pg_stats",
       "SELECT " NONE "schemaname, " NONE "tablename, " NONE
       "attname, NULL::bool AS inherited, NULL::float4 AS null_frac, " NUMBER
       "avg_width, NULL::float4 AS n_distinct, " NONE
       "most_common_vals, NULL::float4[] AS most_common_freqs, " NONE
       "histogram_bounds, NULL::float4 AS correlation, " NONE "most_common_elems, "
       "NULL::float4[] AS most_common_elem_freqs, NULL::float4[] AS elem_count_histogram WHERE "
       "false"),
   PG ("pg_stat_activity",
       "SELECT d.oid AS datid, d.datname, pg_backend_pid() AS pid, " NUMBER
       "leader_pid, 10::oid AS usesysid, current_user AS usename, "
       "current_setting('application_name', true) AS application_name, " NONE "client_addr, " NONE
       "client_hostname, " NUMBER
       "client_port, NULL::timestamptz AS backend_start, transaction_timestamp() AS xact_start, "
       "statement_timestamp() AS query_start, "
       "statement_timestamp() AS state_change, " NONE "wait_event_type, " NONE
       "wait_event, 'active' AS state, " NONE "backend_xid, " NONE
       "backend_xmin, NULL::int8 AS query_id, " NONE
       "query, 'client backend' AS backend_type FROM pg_catalog.pg_database d WHERE d.datname = "
       "current_database()"),
   PG ("pg_stat_database",
       "SELECT d.oid AS datid, d.datname, CASE WHEN d.datname = current_database() THEN 1 ELSE "
       "0 END AS numbackends, 0::int8 AS xact_commit, 0::int8 AS xact_rollback, 0::int8 AS "
       "blks_read, "
       "0::int8 AS blks_hit, 0::int8 AS tup_returned, 0::int8 AS tup_fetched, 0::int8 AS "
       "tup_inserted, 0::int8 AS tup_updated, 0::int8 AS tup_deleted, 0::int8 AS conflicts, "
       "0::int8 AS temp_files, 0::int8 AS temp_bytes, 0::int8 AS deadlocks, NULL::timestamptz "
       "AS stats_reset FROM pg_catalog.pg_database d"),
   PG ("pg_stat_user_indexes",
       "SELECT t.oid AS relid, c.oid AS indexrelid, n.nspname AS schemaname, t.relname, "
       "c.relname AS indexrelname, 0::int8 AS idx_scan, 0::int8 AS idx_tup_read, 0::int8 AS "
       "idx_tup_fetch "
       "FROM " CLASSES
       " JOIN pg_catalog.pg_index i ON i.indexrelid = c.oid JOIN pg_catalog.pg_class t ON t.oid "
       "= i.indrelid"),
   STAT_TABLES ("pg_stat_all_tables", ""),
   STAT_TABLES ("pg_stat_user_tables",
                " AND n.nspname NOT IN ('pg_catalog', 'information_schema')"),
   INFO ("schemata",
         "SELECT " CATALOG
         "catalog_name, nspname AS schema_name, pg_get_userbyid(nspowner) AS schema_owner, " NONE
         "default_character_set_catalog, " NONE "default_character_set_schema, " NONE
         "default_character_set_name, " NONE "sql_path FROM pg_catalog.pg_namespace"),
   INFO ("tables",
         "SELECT " CATALOG
         "table_catalog, n.nspname AS table_schema, c.relname AS table_name, CASE WHEN c.relkind "
         "= 'v' THEN 'VIEW' WHEN c.relpersistence = 't' THEN 'LOCAL TEMPORARY' ELSE 'BASE TABLE' "
         "END AS table_type, " NONE "self_referencing_column_name, " NONE
         "reference_generation, " NONE "user_defined_type_catalog, " NONE
         "user_defined_type_schema, " NONE "user_defined_type_name, " YES_NO (
            "c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', "
            "'information_schema')") "is_insertable_into, 'NO' AS is_typed, CASE c.relpersistence "
                                     "WHEN 't' THEN 'PRESERVE' END AS commit_action FROM " CLASSES
                                     " WHERE c.relkind IN ('r', 'v')"),
   INFO (
      "columns",
      "SELECT " CATALOG
      "table_catalog, n.nspname AS table_schema, c.relname AS table_name, a.attname AS "
      "column_name, a.attnum::int AS ordinal_position, d.adbin AS column_default, "
      "CASE WHEN a.attnotnull THEN 'NO' ELSE 'YES' END AS is_nullable, " DATA_TYPE CHARACTERS (
         MODIFIER) NUMBERS (MODIFIER) TIMES (MODIFIER) NONE
      "interval_type, " NUMBER "interval_precision, " NONE "character_set_catalog, " NONE
      "character_set_schema, " NONE "character_set_name, " NONE "collation_catalog, " NONE
      "collation_schema, " NONE "collation_name, "
      "CASE WHEN ct.typtype = 'd' THEN "
      "current_database() END AS domain_catalog, CASE WHEN ct.typtype = 'd' THEN 'public' END AS "
      "domain_schema, CASE WHEN ct.typtype = 'd' THEN ct.typname END AS domain_name, " CATALOG
      "udt_catalog, CASE t.typnamespace WHEN 2200 THEN 'public' ELSE 'pg_catalog' END AS "
      "udt_schema, t.typname AS udt_name, " NONE "scope_catalog, " NONE "scope_schema, " NONE
      "scope_name, " NUMBER
      "maximum_cardinality, a.attnum::text AS dtd_identifier, 'NO' AS is_self_referencing, "
      "CASE WHEN a.attidentity = '' THEN 'NO' ELSE 'YES' END AS is_identity, CASE a.attidentity "
      "WHEN 'a' THEN 'ALWAYS' WHEN 'd' THEN 'BY DEFAULT' END AS identity_generation, "
      "q.seqstart::text AS identity_start, q.seqincrement::text AS identity_increment, "
      "q.seqmax::text AS identity_maximum, q.seqmin::text AS identity_minimum, CASE WHEN "
      "q.seqcycle THEN 'YES' ELSE 'NO' END AS identity_cycle, 'NEVER' AS is_generated, " NONE
      "generation_expression, " YES_NO (
         "c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema')") "is_updatable FROM " COLUMNS_FROM),
   INFO (
      "domains", "SELECT " CATALOG
                 "domain_catalog, n.nspname AS domain_schema, ct.typname AS domain_name, " DATA_TYPE
                    CHARACTERS ("ct.typtypmod") NONE
      "character_set_catalog, " NONE "character_set_schema, " NONE "character_set_name, " NONE
      "collation_catalog, " NONE "collation_schema, " NONE
      "collation_name, " NUMBERS ("ct.typtypmod") TIMES ("ct.typtypmod") NONE
      "interval_type, " NUMBER "interval_precision, ct.typdefault AS domain_default, " CATALOG
      "udt_catalog, CASE t.typnamespace WHEN 2200 THEN 'public' ELSE 'pg_catalog' END AS "
      "udt_schema, t.typname AS udt_name, " NONE "scope_catalog, " NONE "scope_schema, " NONE
      "scope_name, " NUMBER "maximum_cardinality, '1' AS dtd_identifier FROM pg_catalog.pg_type ct "
      "JOIN pg_catalog.pg_namespace n ON n.oid = ct.typnamespace JOIN pg_catalog.pg_type t ON "
      "t.oid = ct.typbasetype WHERE ct.typtype = 'd'"),
   INFO ("domain_constraints",
         "SELECT " CATALOG "constraint_catalog, n.nspname AS constraint_schema, k.conname AS "
         "constraint_name, " CATALOG "domain_catalog, n.nspname AS domain_schema, t.typname AS "
         "domain_name, 'NO' AS is_deferrable, 'NO' AS initially_deferred FROM "
         "pg_catalog.pg_constraint k JOIN pg_catalog.pg_type t ON t.oid = k.contypid JOIN "
         "pg_catalog.pg_namespace n ON n.oid = t.typnamespace"),
   INFO ("views",
         "SELECT " CATALOG "table_catalog, n.nspname AS table_schema, c.relname AS table_name, "
         "pg_get_viewdef(c.oid) AS view_definition, 'NONE' AS check_option, 'NO' AS is_updatable, "
         "'NO' AS is_insertable_into, 'NO' AS is_trigger_updatable, 'NO' AS is_trigger_deletable, "
         "'NO' AS is_trigger_insertable_into FROM " CLASSES " WHERE c.relkind = 'v'"),
   INFO (
      "table_constraints",
      "SELECT " CATALOG
      "constraint_catalog, n.nspname AS constraint_schema, n.oid || '_' || c.oid || '_' || "
      "a.attnum || '_not_null' AS constraint_name, " CATALOG "table_catalog, "
      "n.nspname AS table_schema, c.relname AS table_name, 'CHECK' AS constraint_type, 'NO' AS "
      "is_deferrable, 'NO' AS initially_deferred, 'YES' AS enforced, " NONE
      "nulls_distinct FROM " CLASSES
      " JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid WHERE a.attnotnull AND c.relkind "
      "= 'r' UNION ALL SELECT current_database(), n.nspname, k.conname, current_database(), "
      "n.nspname, c.relname, CASE k.contype WHEN 'c' THEN 'CHECK' WHEN 'u' THEN "
      "'UNIQUE' ELSE 'PRIMARY KEY' END, 'NO', 'NO', 'YES', CASE WHEN k.contype = 'u' THEN (SELECT "
      "CASE WHEN x.indnullsnotdistinct THEN 'NO' ELSE 'YES' END FROM pg_catalog.pg_index x WHERE "
      "x.indexrelid = k.conindid) END FROM "
      "pg_catalog.pg_constraint k JOIN pg_catalog.pg_class c ON c.oid = k.conrelid "
      "JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"),
   INFO ("check_constraints",
         "SELECT " CATALOG
         "constraint_catalog, n.nspname AS constraint_schema, n.oid || '_' || c.oid || '_' || "
         "a.attnum || '_not_null' AS constraint_name, "
         "a.attname || ' IS NOT NULL' AS check_clause FROM " CLASSES
         " JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid WHERE a.attnotnull AND c.relkind "
         "= 'r' UNION ALL SELECT current_database(), n.nspname, k.conname, "
         "substr(pg_get_constraintdef(k.oid), 7) FROM pg_catalog.pg_constraint k JOIN "
         "pg_catalog.pg_namespace n ON n.oid = k.connamespace WHERE k.contype = 'c'"),
   INFO (
      "key_column_usage",
      "SELECT " CATALOG
      "constraint_catalog, n.nspname AS constraint_schema, k.conname AS constraint_name, " CATALOG
      "table_catalog, n.nspname AS table_schema, c.relname AS table_name, "
      "a.attname AS column_name, u.pos::int AS ordinal_position, " NUMBER
      "position_in_unique_constraint " KEY_COLUMNS " AND k.contype IN ('p', 'u')"),
   INFO ("constraint_column_usage",
         "SELECT " CATALOG
         "table_catalog, n.nspname AS table_schema, c.relname AS table_name, a.attname AS "
         "column_name, " CATALOG "constraint_catalog, "
         "n.nspname AS constraint_schema, k.conname AS constraint_name " KEY_COLUMNS),
   INFO ("referential_constraints",
         "SELECT " NONE "constraint_catalog, " NONE "constraint_schema, " NONE
         "constraint_name, " NONE "unique_constraint_catalog, " NONE
         "unique_constraint_schema, " NONE "unique_constraint_name, " NONE "match_option, " NONE
         "update_rule, " NONE "delete_rule WHERE false"),
   INFO ("triggers", "SELECT " NONE "trigger_catalog, " NONE "trigger_schema, " NONE
                     "trigger_name, " NONE "event_manipulation, " NONE "event_object_schema, " NONE
                     "event_object_table, " NONE "action_statement WHERE false"),
   INFO ("sequences",
         "SELECT " CATALOG "sequence_catalog, n.nspname AS sequence_schema, c.relname AS "
         "sequence_name, format_type(s.seqtypid, NULL) AS data_type, CASE s.seqtypid WHEN 21 THEN "
         "16 WHEN 23 THEN 32 ELSE 64 END AS numeric_precision, 2 AS numeric_precision_radix, 0 AS "
         "numeric_scale, s.seqstart::text AS start_value, s.seqmin::text AS minimum_value, "
         "s.seqmax::text AS maximum_value, s.seqincrement::text AS increment, CASE WHEN s.seqcycle "
         "THEN 'YES' ELSE 'NO' END AS cycle_option FROM pg_catalog.pg_sequence s JOIN "
         "pg_catalog.pg_class c ON c.oid = s.seqrelid JOIN pg_catalog.pg_namespace n ON n.oid = "
         "c.relnamespace WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend d WHERE d.objid = "
         "c.oid AND d.deptype = 'i')"),
   INFO ("routines",
         "SELECT " CATALOG
         "specific_catalog, n.nspname AS specific_schema, p.proname || '_' || p.oid AS "
         "specific_name, " CATALOG "routine_catalog, n.nspname AS routine_schema, "
         "p.proname AS routine_name, 'FUNCTION' AS routine_type, " DATA_TYPE
         "t.typname AS udt_name, 'EXTERNAL' AS routine_body, p.prosrc AS routine_definition, "
         "upper(l.lanname) AS external_language, "
         "CASE WHEN p.provolatile = 'i' THEN 'YES' ELSE 'NO' END AS is_deterministic, "
         "CASE WHEN p.proisstrict THEN 'YES' ELSE 'NO' END AS is_null_call, "
         "'INVOKER' AS security_type FROM pg_catalog.pg_proc p "
         "JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace "
         "JOIN pg_catalog.pg_language l ON l.oid = p.prolang "
         "LEFT JOIN pg_catalog.pg_type t ON t.oid = p.prorettype WHERE p.prokind = 'f'"),
   INFO ("character_sets",
         "SELECT " NONE "character_set_catalog, " NONE
         "character_set_schema, 'UTF8' AS character_set_name, 'UCS' AS character_repertoire, "
         "'UTF8' AS form_of_use, " CATALOG "default_collate_catalog, "
         "'pg_catalog' AS default_collate_schema, 'C' AS default_collate_name"),
   INFO ("applicable_roles",
         "SELECT " NONE "grantee, " NONE "role_name, " NONE "is_grantable WHERE false"),
   INFO (
      "table_privileges",
      "SELECT current_user AS grantor, current_user AS grantee, " CATALOG
      "table_catalog, n.nspname AS table_schema, c.relname AS table_name, p.privilege_type, "
      "'YES' AS is_grantable, " YES_NO (
         "p.privilege_type = 'SELECT'") "with_hierarchy FROM " CLASSES
                                        " CROSS JOIN (VALUES ('INSERT'), ('SELECT'), "
                                        "('UPDATE'), ('DELETE'), ('TRUNCATE')) p (privilege_type) "
                                        "WHERE c.relkind IN ('r', 'v') AND n.nspname NOT IN "
                                        "('pg_catalog', 'information_schema')"),
   {0},
};

/* ---- finding a view ---- */

bool mt_system_is_named (const char *schema, const char *own, const MtName *in, const MtName *name)
{
   bool here = in && in->text ? mt_ieq (in->text, schema) : strcmp (schema, "pg_catalog") == 0;
   return here && (name->quoted ? strcmp (own, name->text) == 0 : mt_ieq (own, name->text));
}

bool mt_may_be_system (const MtName *schema, const MtName *name)
{
   if (schema && schema->text)
      return mt_ieq (schema->text, "pg_catalog") || mt_ieq (schema->text, "information_schema");
   return strncasecmp (name->text, "pg_", 3) == 0;
}

bool mt_is_information_view (const MtName *name)
{
   static const MtName schema = {"information_schema", true, {0}};
   for (const MtSystemView *v = mt_system_views; v->name; v++)
      if (mt_system_is_named (v->schema, v->name, &schema, name))
         return true;
   return false;
}

bool mt_system_view (MtArena *a, const MtName *schema, const MtName *name, MtView *out)
{
   MtError ignored;
   MtStmt *stmt;
   if (!mt_may_be_system (schema, name))
      return false;
   for (const MtSystemView *v = mt_system_views; v->name; v++)
      if (mt_system_is_named (v->schema, v->name, schema, name) &&
          mt_parse (a, v->sql, strlen (v->sql), &stmt, &ignored)) {
         *out = (MtView) {.name = v->name, .query = stmt->select};
         return true;
      }
   return false;
}
