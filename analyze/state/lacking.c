/* Functions, operators and types of PostgreSQL and TimescaleDB that mtsql does not have. Their use
 * fails with 0A000 (not supported), not with the error for unknown names. mtsql's own functions and
 * types must be looked up first. */
#include "analyze/state/lacking.h"

#include <string.h>

/* Groups of functions that PostgreSQL or TimescaleDB has, but not mtsql. `names` has a space before
 * and after each name. */
static const struct {
   const char *what, *names, *hint;
} families[] = {
   {"a function of ranges",
    " int4range int8range numrange tsrange tstzrange daterange int4multirange int8multirange "
    "nummultirange tsmultirange tstzmultirange datemultirange range_agg"
    " range_intersect_agg range_merge multirange isempty lower_inc upper_inc lower_inf upper_inf ",
    "Use two columns, for the start and the end, or OVERLAPS."},
   {"a function of text search",
    " to_tsvector to_tsquery plainto_tsquery phraseto_tsquery websearch_to_tsquery ts_rank "
    "ts_rank_cd ts_headline setweight strip numnode querytree"
    " tsvector_to_array array_to_tsvector ts_delete ts_filter ts_rewrite tsquery_phrase ts_debug "
    "ts_lexize ts_parse ts_stat get_current_ts_config ",
    NULL},
   {"a function of XML",
    " xmlagg xmlcomment xmlconcat xmlelement xmlexists xmlforest xmlparse xmlpi xmlroot "
    "xmlserialize xpath xpath_exists xml_is_well_formed"
    " xml_is_well_formed_content xml_is_well_formed_document table_to_xml query_to_xml "
    "cursor_to_xml schema_to_xml database_to_xml ",
    NULL},
   {"a function of JSON paths",
    " jsonb_path_exists jsonb_path_match jsonb_path_query jsonb_path_query_array "
    "jsonb_path_query_first jsonb_path_exists_tz jsonb_path_match_tz"
    " jsonb_path_query_tz jsonb_path_query_array_tz jsonb_path_query_first_tz ",
    NULL},
   {"a function of json, which is not jsonb,", " json_populate_record json_populate_recordset ",
    NULL},
   {"a function of sequences", " nextval currval setval lastval ", NULL},
   {"a function of network addresses",
    " abbrev broadcast family host hostmask inet_merge inet_same_family masklen netmask network "
    "set_masklen macaddr8_set7bit inet_client_addr inet_client_port"
    " inet_server_addr inet_server_port ",
    NULL},
   {"a function of shapes",
    " area center diagonal diameter height isclosed isopen npoints pclose popen slope bound_box "
    "point box circle line lseg path polygon ",
    NULL},
   {"a function of large objects",
    " lo_create lo_export lo_from_bytea lo_get lo_import lo_put lo_unlink ", NULL},
   {"a function of transactions",
    " txid_current txid_current_snapshot pg_current_xact_id pg_current_snapshot pg_xact_status "
    "txid_status pg_export_snapshot ",
    NULL},
   {"a function of arrays",
    " array_agg array_append array_cat array_dims array_fill array_length array_lower array_ndims "
    "array_position array_positions array_prepend array_remove"
    " array_replace array_to_string array_upper cardinality trim_array string_to_array "
    "regexp_match regexp_split_to_array ",
    NULL},
   {"a function that gives rows",
    " generate_subscripts regexp_matches regexp_split_to_table string_to_table unnest ", NULL},
   {"a function of TimescaleDB's hypertables",
    " create_hypertable add_dimension set_chunk_time_interval show_chunks by_range by_hash ",
    "Declare the time column in CREATE TABLE: ts timestamptz TIME NOT NULL."},
   {"a function of TimescaleDB's retention", " add_retention_policy remove_retention_policy ",
    "Use ALTER TABLE t SET (expire_after = '30 days')."},
   {"a function of TimescaleDB's compression",
    " add_compression_policy remove_compression_policy compress_chunk decompress_chunk ",
    "Add a packed layout: ALTER TABLE t ADD LAYOUT p USING nested WITH (…)."},
   {"a function of Toolkit's time vectors", " timevector gp_lttb ",
    "Use lttb, or window functions such as difference."},
   {"a function of Toolkit's ranges", " time_bucket_range ",
    "Use two times: bucket, bucket + interval '15 min'."},
   {"a function of Toolkit's windows", " rolling ", "Use rollup (state) OVER (…)."},
   {"a function of the server", " pg_notify pg_cancel_backend pg_terminate_backend pg_reload_conf ",
    NULL},
};

#define RANGE_TYPES \
   " int4range int8range numrange tsrange tstzrange daterange int4multirange int8multirange " \
   "nummultirange tsmultirange tstzmultirange datemultirange "

static const char type_names[] =
   " timetz jsonpath bit varbit money inet cidr macaddr macaddr8 xml point line "
   "lseg box path polygon circle tsvector tsquery" RANGE_TYPES
   "serial serial2 serial4 serial8 smallserial bigserial pg_lsn pg_snapshot txid_snapshot ";

static bool among (const char *names, const char *name)
{
   char key[66];
   size_t n = strlen (name);
   if (n == 0 || n > sizeof key - 3 || strchr (name, ' '))
      return false;
   key[0] = key[n + 1] = ' ';
   key[n + 2] = 0;
   for (size_t i = 0; i < n; i++)
      key[i + 1] = (char) (name[i] >= 'A' && name[i] <= 'Z' ? name[i] | 0x20 : name[i]);
   return strstr (names, key) != NULL;
}

bool mt_refuse_lacking_function (MtBinder *b, const char *name, MtSpan span)
{
   for (size_t i = 0; i < sizeof families / sizeof *families; i++)
      if (among (families[i].names, name)) {
         mt_refuse (b, span,
                    mt_printf (b->a, "%s, %s%s is", name, families[i].what,
                               families[i].what[strlen (families[i].what) - 1] == ',' ? "" : ","));
         return families[i].hint ? mt_error_hint (b->err, "%s", families[i].hint) : false;
      }
   return true;
}

bool mt_is_lacking_operator (const char *op, MtTypeId left)
{
   return left == MT_T_JSONB && among (" @? @@ ", op);
}

bool mt_is_lacking_type (const char *name) { return among (type_names, name); }

const char *mt_lacking_type_hint (const char *name)
{
   static const struct {
      const char *names, *hint;
   } rows[] = {
      {" jsonpath ", "Pass the path as text."},
      {" timetz ", "Use timestamptz, or time with the zone in another column."},
      {RANGE_TYPES, "Use two columns, for the start and the end."},
      {" money ", "Use numeric."},
      {" inet cidr macaddr macaddr8 ", "Use text."},
      {" bit varbit ", "Use bytea, or text."},
      {" xml ", "Use text."},
      {" point line lseg box path polygon circle ", "Use double precision columns, or jsonb."},
      {" tsvector tsquery ", "Use text, with LIKE or regular expressions."},
      {" serial serial2 serial4 serial8 smallserial bigserial ",
       "Only columns of a table can be serial."},
   };
   for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
      if (among (rows[i].names, name))
         return rows[i].hint;
   return NULL;
}
