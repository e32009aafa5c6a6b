/* Tables about functions: pg_proc, pg_aggregate, pg_operator, pg_cast, pg_language,
 * information_schema.parameters. */
#include "session/core/system.h"

#include <string.h>

static const char *kind_of (const MtRoutine *r)
{
   if (r->kind == MT_ROUTINE_AGGREGATE)
      return "a";
   return r->kind == MT_ROUTINE_WINDOW ? "w" : "f";
}

static bool is_proc (const MtRoutine *r)
{
   return r->kind != MT_ROUTINE_OPERATOR && r->kind != MT_ROUTINE_CAST;
}

const bson_t *mt_routine_body (const MtSystem *y, const MtRoutine *r)
{
   size_t n;
   const MtCatalogObject *all = mt_catalog_objects (y->session->catalog, "function", &n);
   for (size_t i = 0; i < n && r->user && r->fn; i++)
      if (strcmp (mt_field_text (all[i].body, "name"), r->name) == 0 &&
          strcmp (mt_field_text (all[i].body, "signature"), r->fn->signature) == 0)
         return all[i].body;
   return NULL;
}

/* Returns the text of a function for pg_proc.prosrc, and sets *language. */
static const char *source_of (MtFillRows *f, const MtRoutine *r, const char **language)
{
   const bson_t *body = mt_routine_body (f->system, r);
   if (body) {
      *language = mt_strdup (f->a, mt_field_text (body, "language"));
      return mt_strdup (f->a, mt_field_text (body, "body"));
   }
   *language = r->user ? "c" : "internal";
   return !r->user && r->fn && r->fn->sql ? r->fn->sql : r->name;
}

enum { FIRST_LANGUAGE_OID = 12, LANGUAGE_COUNT = 4 };
static const char *const languages[LANGUAGE_COUNT] = {"internal", "c", "sql", "mql"};

static int64_t language_oid (const char *name)
{
   for (int i = 0; i < LANGUAGE_COUNT - 1; i++)
      if (mt_ieq (name, languages[i]))
         return FIRST_LANGUAGE_OID + i;
   return FIRST_LANGUAGE_OID + LANGUAGE_COUNT - 1;
}

static const char *volatility_of (const MtRoutine *r)
{
   if (r->flags & MT_F_VOLATILE)
      return "v";
   return r->flags & MT_F_STABLE ? "s" : "i";
}

static void fill_proc (MtFillRows *f)
{
   size_t n;
   const MtRoutine *all = mt_system_routines (f->system, &n);
   for (size_t i = 0; i < n; i++) {
      const MtRoutine *r = &all[i];
      if (!is_proc (r))
         continue;
      MtVal types[MT_ROUTINE_MAX_ARGS], names[MT_ROUTINE_MAX_ARGS];
      bool named = false;
      for (int k = 0; k < r->argc; k++) {
         types[k] = mt_cell_oid (r->args[k]);
         names[k] = mt_cell_text (r->arg_names[k]);
         named |= *r->arg_names[k] != 0;
      }
      const char *language, *source = source_of (f, r, &language);
      MtVal variadic = mt_cell_oid (r->flags & MT_F_VARIADIC && r->argc ? r->args[r->argc - 1] : 0);
      MT_ADD (f, mt_cell_oid (r->oid), mt_cell_text (r->name),
              mt_cell_oid (r->user ? MT_OID_PUBLIC : MT_OID_PG_CATALOG),
              mt_cell_oid (language_oid (language)), mt_v_double (r->user ? 100 : 1), variadic,
              mt_cell_text (kind_of (r)), mt_v_bool (!(r->flags & MT_F_NOT_STRICT)),
              mt_v_bool (r->flags & MT_F_SET), mt_cell_text (volatility_of (r)),
              mt_cell_text (r->user ? "u" : "s"), mt_cell_int (r->argc), mt_cell_oid (r->ret),
              mt_cell_array (f, types, (size_t) r->argc),
              named ? mt_cell_array (f, names, (size_t) r->argc) : mt_v_null (),
              mt_cell_text (source));
   }
}

#define PROC \
   "oid oid, proname name, pronamespace oid, proowner oid = 10, prolang oid, procost float4, " \
   "prorows float4 = 0, provariadic oid, prosupport regproc = 0, prokind char, " \
   "prosecdef bool = f, proleakproof bool = f, proisstrict bool, proretset bool, provolatile " \
   "char, proparallel char, pronargs int2, pronargdefaults int2 = 0, " \
   "prorettype oid, proargtypes oidvector, proallargtypes oid[] = null, " \
   "proargmodes char[] = null, " \
   "proargnames text[], proargdefaults text = null, protrftypes oid[] = null, " \
   "prosrc text, probin text = null, prosqlbody text = null, proconfig text[] = null, proacl " \
   "text[] = null"

static void fill_aggregate (MtFillRows *f)
{
   size_t n;
   const MtRoutine *all = mt_system_routines (f->system, &n);
   for (size_t i = 0; i < n; i++)
      if (all[i].kind == MT_ROUTINE_AGGREGATE)
         MT_ADD (f, mt_cell_oid (all[i].oid));
}

static void fill_operator (MtFillRows *f)
{
   size_t n;
   const MtRoutine *all = mt_system_routines (f->system, &n);
   for (size_t i = 0; i < n; i++) {
      const MtRoutine *r = &all[i];
      if (r->kind != MT_ROUTINE_OPERATOR || !r->argc || r->argc > 2)
         continue;
      bool hashes = strcmp (r->name, "=") == 0;
      MT_ADD (f, mt_cell_oid (r->oid), mt_cell_text (r->name),
              mt_cell_text (r->argc == 2 ? "b" : "l"), mt_v_bool (hashes), mt_v_bool (hashes),
              mt_cell_oid (r->argc == 2 ? r->args[0] : 0), mt_cell_oid (r->args[r->argc - 1]),
              mt_cell_oid (r->ret));
   }
}

#define OPERATOR \
   "oid oid, oprname name, oprnamespace oid = 11, oprowner oid = 10, oprkind char, oprcanmerge " \
   "bool, oprcanhash bool, oprleft oid, oprright oid, oprresult oid, " \
   "oprcom oid = 0, oprnegate oid = 0, oprcode regproc = 0, oprrest regproc = 0, oprjoin " \
   "regproc = 0"

static const char *cast_context (const MtRoutine *r)
{
   if (r->flags & MT_F_CAST_IMPLICIT)
      return "i";
   return r->flags & MT_F_CAST_ASSIGN ? "a" : "e";
}

static void fill_cast (MtFillRows *f)
{
   size_t n;
   const MtRoutine *all = mt_system_routines (f->system, &n);
   for (size_t i = 0; i < n; i++) {
      const MtRoutine *r = &all[i];
      if (r->kind == MT_ROUTINE_CAST && r->argc)
         MT_ADD (f, mt_cell_oid (r->oid), mt_cell_oid (r->args[0]), mt_cell_oid (r->ret),
                 mt_cell_text (cast_context (r)));
   }
}

static void fill_parameters (MtFillRows *f)
{
   size_t n;
   const MtRoutine *all = mt_system_routines (f->system, &n);
   for (size_t i = 0; i < n; i++)
      for (int k = 0; is_proc (&all[i]) && k < all[i].argc; k++) {
         MtType t = mt_type (MT_T_TEXT);
         bool known = mt_type_of_oid (all[i].args[k], -1, &t);
         const char *name = all[i].arg_names[k], *type = "anyelement";
         if (known)
            type = mt_type_is_array (t.id) ? "ARRAY" : mt_type_info (t.id)->display;
         const char *schema = all[i].user ? "public" : "pg_catalog";
         MT_ADD (f, mt_cell_text (schema),
                 mt_cell_text (mt_printf (f->a, "%s_%lld", all[i].name, (long long) all[i].oid)),
                 mt_cell_int (k + 1), mt_cell_text (*name ? name : NULL), mt_cell_text (type),
                 mt_cell_text (known ? mt_type_info (t.id)->name : "anyelement"),
                 mt_cell_text (mt_printf (f->a, "%d", k + 1)));
      }
}

#define PARAMETERS \
   "specific_schema name, specific_name name, ordinal_position int4, parameter_mode text = IN, " \
   "is_result text = NO, as_locator text = NO, parameter_name name, data_type text, " \
   "character_maximum_length int4 = null, character_octet_length int4 = null, " \
   "numeric_precision int4 = null, numeric_scale int4 = null, datetime_precision int4 = null, " \
   "udt_schema name = pg_catalog, udt_name name, dtd_identifier name, parameter_default text = null"

static void fill_language (MtFillRows *f)
{
   for (int i = 0; i < LANGUAGE_COUNT; i++)
      MT_ADD (f, mt_cell_oid (FIRST_LANGUAGE_OID + i), mt_cell_text (languages[i]),
              mt_v_bool (i >= 2));
}

/* ---- binary values ---- */

/* The names and OIDs of the functions by which PostgreSQL receives and sends values of a type in
 * binary form. Client libraries choose their decoder by these names. mtsql lists the functions in
 * pg_proc, but nobody can call them. */
typedef struct Io {
   const char *type;
   int16_t receive_oid, send_oid;
   const char *receive, *send;
} Io;

/* The OIDs and names are those of PostgreSQL 15. The last row stands for all array types. */
static const Io ios[] = {
   {"bool", 2436, 2437, "boolrecv", "boolsend"},
   {"bytea", 2412, 2413, "bytearecv", "byteasend"},
   {"int8", 2408, 2409, "int8recv", "int8send"},
   {"int2", 2404, 2405, "int2recv", "int2send"},
   {"int4", 2406, 2407, "int4recv", "int4send"},
   {"regproc", 2444, 2445, "regprocrecv", "regprocsend"},
   {"text", 2414, 2415, "textrecv", "textsend"},
   {"oid", 2418, 2419, "oidrecv", "oidsend"},
   {"json", 323, 324, "json_recv", "json_send"},
   {"float4", 2424, 2425, "float4recv", "float4send"},
   {"float8", 2426, 2427, "float8recv", "float8send"},
   {"bpchar", 2430, 2431, "bpcharrecv", "bpcharsend"},
   {"varchar", 2432, 2433, "varcharrecv", "varcharsend"},
   {"date", 2468, 2469, "date_recv", "date_send"},
   {"time", 2470, 2471, "time_recv", "time_send"},
   {"timestamp", 2474, 2475, "timestamp_recv", "timestamp_send"},
   {"timestamptz", 2476, 2477, "timestamptz_recv", "timestamptz_send"},
   {"interval", 2478, 2479, "interval_recv", "interval_send"},
   {"timetz", 2472, 2473, "timetz_recv", "timetz_send"},
   {"numeric", 2460, 2461, "numeric_recv", "numeric_send"},
   {"regprocedure", 2446, 2447, "regprocedurerecv", "regproceduresend"},
   {"regclass", 2452, 2453, "regclassrecv", "regclasssend"},
   {"regtype", 2454, 2455, "regtyperecv", "regtypesend"},
   {"regnamespace", 4087, 4088, "regnamespacerecv", "regnamespacesend"},
   {"regrole", 4094, 4095, "regrolerecv", "regrolesend"},
   {"record", 2402, 2403, "record_recv", "record_send"},
   {"uuid", 2961, 2962, "uuid_recv", "uuid_send"},
   {"jsonb", 3805, 3803, "jsonb_recv", "jsonb_send"},
   {"unknown", 2416, 2417, "unknownrecv", "unknownsend"},
   {"", 2400, 2401, "array_recv", "array_send"},
};

int64_t mt_type_io (MtTypeId t, bool sends)
{
   const char *name = mt_type_is_array (t) ? "" : mt_type_info (t)->name;
   for (size_t i = 0; i < sizeof ios / sizeof *ios; i++)
      if (strcmp (ios[i].type, name) == 0)
         return sends ? ios[i].send_oid : ios[i].receive_oid;
   return 0;
}

const char *mt_type_io_name (size_t index, int64_t *oid)
{
   if (index >= 2 * sizeof ios / sizeof *ios)
      return NULL;
   const Io *io = &ios[index / 2];
   *oid = index % 2 ? io->send_oid : io->receive_oid;
   return index % 2 ? io->send : io->receive;
}

const MtSystemRow mt_system_routine_tables[] = {
   {"pg_catalog", "pg_proc", 1255, PROC, fill_proc},
   {"pg_catalog", "pg_aggregate", 2600,
    "aggfnoid regproc, aggkind char = n, aggnumdirectargs int2 = 0", fill_aggregate},
   {"pg_catalog", "pg_operator", 2617, OPERATOR, fill_operator},
   {"pg_catalog", "pg_cast", 2605,
    "oid oid, castsource oid, casttarget oid, castfunc oid = 0, castcontext char, castmethod "
    "char = f",
    fill_cast},
   {"pg_catalog", "pg_language", 2612,
    "oid oid, lanname name, lanowner oid = 10, lanispl bool, lanpltrusted bool = t, "
    "lanplcallfoid oid = 0, laninline oid = 0, lanvalidator oid = 0, lanacl text[] = null",
    fill_language},
   {"information_schema", "parameters", 0, PARAMETERS, fill_parameters},
   {0},
};
