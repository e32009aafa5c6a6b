/* SQL types, and the form of their values as text and in BSON. */
#ifndef MT_TYPE_H
#define MT_TYPE_H

#include "base/error.h"
#include "base/limits.h"
#include "base/value.h"

/* The types of aggregate states, which two-step aggregates (functions/timeseries) compute and
 * combine. A state is a BSON document {k: the type's name, v: version, …}. The names are
 * TimescaleDB's. */
#define MT_STATE_TYPES(X) \
   X (STATSSUMMARY1D, "statssummary1d", "statssummary1d", 'U', false, 90003, 90103) \
   X (STATSSUMMARY2D, "statssummary2d", "statssummary2d", 'U', false, 90004, 90104) \
   X (COUNTERSUMMARY, "countersummary", "countersummary", 'U', false, 90005, 90105) \
   X (GAUGESUMMARY, "gaugesummary", "gaugesummary", 'U', false, 90006, 90106) \
   X (TIMEWEIGHTSUMMARY, "timeweightsummary", "timeweightsummary", 'U', false, 90007, 90107) \
   X (CANDLESTICK, "candlestick", "candlestick", 'U', false, 90008, 90108) \
   X (UDDSKETCH, "uddsketch", "uddsketch", 'U', false, 90009, 90109) \
   X (TDIGEST, "tdigest", "tdigest", 'U', false, 90010, 90110) \
   X (HYPERLOGLOG, "hyperloglog", "hyperloglog", 'U', false, 90011, 90111) \
   X (STATEAGG, "stateagg", "stateagg", 'U', false, 90012, 90112) \
   X (HEARTBEATAGG, "heartbeatagg", "heartbeatagg", 'U', false, 90013, 90113) \
   X (MINMAXNINTS, "minmaxnints", "minmaxnints", 'U', false, 90014, 90114) \
   X (MINMAXNFLOATS, "minmaxnfloats", "minmaxnfloats", 'U', false, 90015, 90115) \
   X (MINMAXNTIMES, "minmaxntimes", "minmaxntimes", 'U', false, 90016, 90116) \
   X (MINMAXNBYINTS, "minmaxnbyints", "minmaxnbyints", 'U', false, 90017, 90117) \
   X (MINMAXNBYFLOATS, "minmaxnbyfloats", "minmaxnbyfloats", 'U', false, 90018, 90118) \
   X (MINMAXNBYTIMES, "minmaxnbytimes", "minmaxnbytimes", 'U', false, 90019, 90119) \
   X (SPACESAVINGBIGINTAGGREGATE, "spacesavingbigintaggregate", "spacesavingbigintaggregate", 'U', \
      false, 90020, 90120) \
   X (SPACESAVINGTEXTAGGREGATE, "spacesavingtextaggregate", "spacesavingtextaggregate", 'U', \
      false, 90021, 90121) \
   X (SPACESAVINGAGGREGATE, "spacesavingaggregate", "spacesavingaggregate", 'U', false, 90022, \
      90122) \
   X (COUNTMINSKETCH, "countminsketch", "countminsketch", 'U', false, 90023, 90123) \
   X (COMPACTSTATEAGG, "compactstateagg", "compactstateagg", 'U', false, 90024, 90124)

/* X (id, PostgreSQL's internal name, name for users, category, whether it is the preferred type of
 * its category, OID in PostgreSQL, OID of its array type). Categories are PostgreSQL's
 * (pg_type.typcategory). */
#define MT_TYPES(X) \
   X (UNKNOWN, "unknown", "unknown", 'X', false, 705, \
      0) /* a string literal before it has a type */ \
   X (BOOL, "bool", "boolean", 'B', true, 16, 1000) \
   X (INT2, "int2", "smallint", 'N', false, 21, 1005)  /* BSON int32 */ \
   X (INT4, "int4", "integer", 'N', false, 23, 1007)   /* BSON int32 */ \
   X (INT8, "int8", "bigint", 'N', false, 20, 1016)    /* BSON int64 */ \
   X (FLOAT4, "float4", "real", 'N', false, 700, 1021) /* BSON double */ \
   X (FLOAT8, "float8", "double precision", 'N', true, 701, 1022) \
   X (NUMERIC, "numeric", "numeric", 'N', false, 1700, \
      1231) /* BSON decimal128; its exponent is the scale */ \
   X (TEXT, "text", "text", 'S', true, 25, 1009) \
   X (VARCHAR, "varchar", "character varying", 'S', false, 1043, 1015) \
   X (BPCHAR, "bpchar", "character", 'S', false, 1042, 1014) /* without trailing blanks */ \
   X (DATE, "date", "date", 'D', false, 1082, 1182)          /* BSON date at 00:00 UTC */ \
   X (TIME, "time", "time without time zone", 'D', false, 1083, \
      1183) /* BSON int64: microseconds of the day */ \
   X (TIMESTAMP, "timestamp", "timestamp without time zone", 'D', false, 1114, \
      1115) /* BSON date */ \
   X (TIMESTAMPTZ, "timestamptz", "timestamp with time zone", 'D', true, 1184, \
      1185) /* BSON date */ \
   X (INTERVAL, "interval", "interval", 'T', true, 1186, \
      1187) /* BSON document {m: int32, d: int32, us: int64} */ \
   X (UUID, "uuid", "uuid", 'U', false, 2950, 2951)    /* BSON binary, subtype 4 */ \
   X (BYTEA, "bytea", "bytea", 'U', false, 17, 1001)   /* BSON binary, subtype 0 */ \
   X (JSONB, "jsonb", "jsonb", 'U', false, 3802, 3807) /* any BSON value */ \
   X (JSON, "json", "json", 'U', false, 114, 199)      /* BSON string: the text of the JSON */ \
   X (OBJECTID, "objectid", "objectid", 'U', false, 90001, 90101) \
   X (DOCUMENT, "document", "document", 'U', false, 90002, \
      90102) /* any BSON value of a collection, unchanged */ \
   X (RECORD, "record", "record", 'P', false, 2249, \
      2287) /* a row as a value: a BSON document of types/record.h. mod1: its shape in analysis */ \
   X (OID, "oid", "oid", 'N', true, 26, 1028) /* BSON int64: the OID of a catalog object */ \
   X (REGCLASS, "regclass", "regclass", 'N', false, 2205, \
      2210) /* all reg… types: as oid, printed as the object's name */ \
   X (REGTYPE, "regtype", "regtype", 'N', false, 2206, 2211) \
   X (REGPROC, "regproc", "regproc", 'N', false, 24, 1008) \
   X (REGPROCEDURE, "regprocedure", "regprocedure", 'N', false, 2202, 2207) \
   X (REGNAMESPACE, "regnamespace", "regnamespace", 'N', false, 4089, 4090) \
   X (REGROLE, "regrole", "regrole", 'N', false, 4096, 4097) \
   MT_STATE_TYPES (X)

typedef enum MtTypeId {
#define X(id, name, display, category, preferred, oid, array_oid) MT_T_##id,
   MT_TYPES (X)
#undef X
      MT_T_COUNT
} MtTypeId;

/* The labels of all types of aggregate states, for a switch: "case MT_ANY_STATE:". */
#define MT_ANY_STATE \
MT_T_STATSSUMMARY1D: \
   case MT_T_STATSSUMMARY2D: \
   case MT_T_COUNTERSUMMARY: \
   case MT_T_GAUGESUMMARY: \
   case MT_T_TIMEWEIGHTSUMMARY: \
   case MT_T_CANDLESTICK: \
   case MT_T_UDDSKETCH: \
   case MT_T_TDIGEST: \
   case MT_T_HYPERLOGLOG: \
   case MT_T_STATEAGG: \
   case MT_T_HEARTBEATAGG: \
   case MT_T_MINMAXNINTS: \
   case MT_T_MINMAXNFLOATS: \
   case MT_T_MINMAXNTIMES: \
   case MT_T_MINMAXNBYINTS: \
   case MT_T_MINMAXNBYFLOATS: \
   case MT_T_MINMAXNBYTIMES: \
   case MT_T_SPACESAVINGBIGINTAGGREGATE: \
   case MT_T_SPACESAVINGTEXTAGGREGATE: \
   case MT_T_SPACESAVINGAGGREGATE: \
   case MT_T_COUNTMINSKETCH: \
   case MT_T_COMPACTSTATEAGG

/* The first id of enumerated types, which users create (types/enum.h). */
#define MT_T_ENUM 0x1000u
#define MT_MAX_ENUMS 0x1000u
/* The bit that turns the id of a type into the id of its array type. An array is a BSON array;
 * further dimensions are nested arrays of the same SQL type. NULL elements are null. Lower bounds
 * are 1. */
#define MT_T_ARRAY 0x2000u
static inline bool mt_type_is_array (MtTypeId id) { return id & MT_T_ARRAY; }
/* Returns the element type of an array type; a scalar type is returned unchanged. */
static inline MtTypeId mt_type_element (MtTypeId id) { return (MtTypeId) (id & ~MT_T_ARRAY); }
static inline MtTypeId mt_type_array (MtTypeId id) { return (MtTypeId) (id | MT_T_ARRAY); }
/* Returns whether the type is an enumerated type. Its values are stored as strings: the labels. */
static inline bool mt_type_is_enum (MtTypeId id)
{
   return id >= MT_T_ENUM && id < MT_T_ENUM + MT_MAX_ENUMS;
}
/* Returns a type whose BSON values have the same form: text for an enumerated type, else id. */
static inline MtTypeId mt_type_form (MtTypeId id)
{
   return mt_type_is_enum (mt_type_element (id)) ? (MtTypeId) (MT_T_TEXT | (id & MT_T_ARRAY)) : id;
}
/* Returns whether id is the id of a scalar or array type. Signatures of functions also use other
 * numbers. */
static inline bool mt_type_exists (MtTypeId id)
{
   return (mt_type_element (id) < MT_T_COUNT || mt_type_is_enum (mt_type_element (id))) &&
          id < 2 * MT_T_ARRAY;
}

typedef struct MtType {
   MtTypeId id;  /* the type; of an array type, mod1 and mod2 are the modifiers of its elements */
   int16_t mod1; /* varchar(n), char(n): n; numeric(p,s): p; timestamp(p): p; -1: none */
   int16_t mod2; /* numeric(p,s): s; -1: none */
} MtType;

static inline MtType mt_type (MtTypeId id) { return (MtType) {id, -1, -1}; }
/* A value of mod2 of an array type: its arrays have at most one dimension. */
#define MT_FLAT (-2)
static inline bool mt_type_is_flat (MtType t)
{
   return mt_type_is_array (t.id) && t.mod1 < 0 && t.mod2 == MT_FLAT;
}
static inline MtType mt_type_flat (MtTypeId element)
{
   return (MtType) {mt_type_array (element), -1, MT_FLAT};
}

typedef struct MtTypeInfo {
   const char *name, *display;
   char category;
   bool preferred;
   uint32_t oid;
} MtTypeInfo;

const MtTypeInfo *mt_type_info (MtTypeId id);
/* Finds the type with this OID, and a modifier as in pg_attribute.atttypmod (-1: none). Returns
 * false if there is none. */
bool mt_type_of_oid (int64_t oid, int32_t typmod, MtType *out);
/* Returns the type's modifier as in pg_attribute.atttypmod; -1: none. */
int32_t mt_type_typmod (MtType t);
/* Finds a type by any of PostgreSQL's names, such as "int4", "integer" or "timestamptz". Array
 * types have the names _int4, int4[] and integer[]. An enumerated type is found only by its handle,
 * an internal name that never changes: "enum:" and 24 hex digits (types/enum.h). */
bool mt_type_by_name (MtStr name, MtTypeId *out);
/* Returns the name by which mt_type_by_name finds the type: that in mt_type_info, or the handle
 * ("enum:…") of an enumerated type. */
const char *mt_type_handle (MtTypeId id);
/* Returns the name of a type for users, such as "numeric(10,2)", in arena a. */
const char *mt_type_display (MtArena *a, MtType t);
static inline bool mt_type_is_number (MtTypeId id) { return id >= MT_T_INT2 && id <= MT_T_NUMERIC; }
/* Returns whether values of the type are sorted and grouped by a computed key, because equal values
 * can be stored in different forms. (Values of json are neither sorted nor compared.) */
static inline bool mt_type_has_rank (MtTypeId id)
{
   return mt_type_element (id) == MT_T_INTERVAL || mt_type_element (id) == MT_T_JSONB ||
          mt_type_element (id) == MT_T_RECORD || mt_type_element (id) == MT_T_JSON;
}

/* Returns whether values of the type are sorted by a computed key, because MongoDB's order differs
 * from PostgreSQL's. In arrays PostgreSQL sorts NULL last, MongoDB first. PostgreSQL compares bytea
 * byte by byte, MongoDB sorts shorter values first. Labels of an enumerated type have an order of
 * their own. */
static inline bool mt_type_order_has_rank (MtTypeId id)
{
   return mt_type_has_rank (id) || mt_type_is_array (id) || id == MT_T_BYTEA ||
          mt_type_is_enum (id);
}
/* Returns whether values of the type are OIDs: oid, regclass … regrole. */
static inline bool mt_type_is_oid (MtTypeId id) { return id >= MT_T_OID && id <= MT_T_REGROLE; }
/* Returns whether values of the type are OIDs that are read and printed as names. */
static inline bool mt_type_is_reg (MtTypeId id) { return mt_type_is_oid (id) && id != MT_T_OID; }
/* Returns whether the type is the type of an aggregate state. */
static inline bool mt_type_is_state (MtTypeId id) { return id > MT_T_REGROLE && id < MT_T_COUNT; }
/* Returns whether aggregate states of the type describe points in time order. Such states can only
 * be combined if their periods do not overlap. */
static inline bool mt_type_is_sequence (MtTypeId id)
{
   return id == MT_T_COUNTERSUMMARY || id == MT_T_GAUGESUMMARY || id == MT_T_TIMEWEIGHTSUMMARY ||
          id == MT_T_STATEAGG || id == MT_T_COMPACTSTATEAGG;
}
/* Returns whether JSON output prints values of the type as JSON instead of as strings. */
static inline bool mt_type_prints_json (MtTypeId id)
{
   return id == MT_T_JSON || id == MT_T_JSONB || id == MT_T_DOCUMENT || mt_type_is_state (id);
}
static inline bool mt_type_is_integer (MtTypeId id) { return id >= MT_T_INT2 && id <= MT_T_INT8; }
/* Returns whether the type is a date or a timestamp, whose values are BSON dates. */
static inline bool mt_type_is_datetime (MtTypeId id)
{
   return id == MT_T_DATE || id == MT_T_TIMESTAMP || id == MT_T_TIMESTAMPTZ;
}

/* A callback that appends the name of the object with an OID to `out`; t is one of the types
 * regclass … regrole. Returns false if there is no such object. */
typedef struct MtOidNames {
   bool (*print) (void *ctx, MtTypeId t, int64_t oid, MtBuf *out);
   void *ctx;
} MtOidNames;

/* The order of the numbers in a date such as 1/2/2026, as in PostgreSQL's setting DateStyle. In a
 * date that begins with a year of four digits, the order is always year, month, day. */
typedef enum MtDateOrder { MT_ORDER_MDY, MT_ORDER_DMY, MT_ORDER_YMD } MtDateOrder;

struct MtZone; /* types/tz.h */
/* The session's settings that change how values are read and printed. Zone NULL: UTC. */
typedef struct MtTextStyle {
   const struct MtZone *zone; /* borrowed */
   int64_t now_ms; /* for 'now', 'today', … and current_timestamp: the transaction's start */
   /* 1 or more: doubles are printed as the shortest text that is read as the same number; 0 or
    * less: they are rounded to 15 (for real, 6) plus this many digits */
   int extra_float_digits;
   int64_t statement_ms;    /* for statement_timestamp: the statement's start */
   const MtOidNames *names; /* borrowed; NULL: OIDs are printed as numbers */
   /* timestamps are read with their microseconds (MtVal.len), for constants */
   bool exact_times;
   MtDateOrder order; /* of the numbers in dates that are read */
} MtTextStyle;

/* Parses a value as PostgreSQL's input functions do. It has the BSON type listed in MT_TYPES; its
 * bytes are in arena a. Modifiers are applied: numeric(p,s) rounds. Errors: 22P02 syntax; 22003,
 * 22007 and 22008 wrong numbers and times; 22001 too long for varchar(n) or char(n). */
bool mt_value_parse (MtArena *a, MtType t, MtStr text, const MtTextStyle *style, MtVal *out,
                     MtError *err);

/* Appends a value to `out` as PostgreSQL's output functions print it; nothing for NULL. A value
 * stored with another BSON type (69.0 in a bigint column) is converted first. Fails with XX001 if
 * that is not possible. */
bool mt_value_print (MtType t, MtVal v, const MtTextStyle *style, MtBuf *out, MtError *err);

/* Converts a stored value to the BSON type of its SQL type (double 69.0 to int64 69). NULL,
 * undefined and missing values become MT_NULL. Errors: XX001 v is not a value of the type; 22008 a
 * time is out of PostgreSQL's range. err may be NULL. */
bool mt_value_normalize (MtArena *a, MtType t, MtVal v, MtVal *out, MtError *err);

/* ---- arrays ---- */

/* Returns whether elements of this type may themselves be BSON arrays, such as jsonb. Then SQL
 * arrays of them have only one dimension. */
static inline bool mt_type_holds_arrays (MtTypeId element)
{
   return element == MT_T_JSONB || element == MT_T_DOCUMENT;
}
/* Returns how many dimensions an array has; 0 for an empty array. dims receives their lengths, the
 * outermost first. Only the first element of each dimension is read. */
int mt_array_dims (MtVal array, MtTypeId element, size_t dims[MT_MAX_ARRAY_DIMS]);
/* Iterates over the elements of an array in all its dimensions. Elements are borrowed from the
 * array. */
typedef struct MtArrayIter {
   MtDocIter levels[MT_MAX_ARRAY_DIMS];
   int depth; /* -1: at the end */
   bool flat;
} MtArrayIter;
MtArrayIter mt_array_iter (MtVal array, MtTypeId element);
bool mt_array_next (MtArrayIter *it, MtVal *v);
/* Parse and print an array as PostgreSQL's array_in and array_out do. t is an array type. */
bool mt_array_parse (MtArena *a, MtType t, MtStr text, const MtTextStyle *style, MtVal *out,
                     MtError *err);
bool mt_array_print (MtType t, MtVal v, const MtTextStyle *style, MtBuf *out, MtError *err);

/* ---- conversions between values and the types of types/datetime.h ---- */

struct MtInterval;
struct MtMoment;
/* Convert between a timestamp value and a moment. Only the values of constants have
 * microseconds. */
MtVal mt_v_from_moment (struct MtMoment t);
struct MtMoment mt_v_moment (MtVal v);
/* Convert between a date value (a BSON date at 00:00 UTC, or infinite) and days since
 * 1970-01-01. */
MtVal mt_v_from_days (int32_t days);
int32_t mt_v_days (MtVal date);
/* Convert between an interval and its BSON document {m, d, us}, in arena a. A missing field is
 * 0. */
MtVal mt_v_interval (MtArena *a, struct MtInterval iv);
struct MtInterval mt_v_to_interval (MtVal v);

#endif
