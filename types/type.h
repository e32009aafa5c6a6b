/* SQL types, and how their values look as text and as BSON. */
#ifndef MT_TYPE_H
#define MT_TYPE_H

#include "base/error.h"
#include "base/limits.h"
#include "base/value.h"

/* X(id, PostgreSQL's internal name, display name, category, preferred in its category, OID in
 * PostgreSQL, OID of its array type) Categories are PostgreSQL's (pg_type.typcategory). */
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
   X (DATE, "date", "date", 'D', false, 1082, 1182) /* BSON date at 00:00 UTC */ \
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
   X (OBJECTID, "objectid", "objectid", 'U', false, 90001, 90101) \
   X (DOCUMENT, "document", "document", 'U', false, 90002, \
      90102) /* any BSON value of a collection as it is */ \
   X (REGCLASS, "regclass", "regclass", 'N', false, 2205, \
      2210) /* these: BSON int64, the OID of an object of the catalog */ \
   X (REGTYPE, "regtype", "regtype", 'N', false, 2206, 2211) \
   X (REGPROC, "regproc", "regproc", 'N', false, 24, 1008) \
   X (REGPROCEDURE, "regprocedure", "regprocedure", 'N', false, 2202, 2207) \
   X (REGNAMESPACE, "regnamespace", "regnamespace", 'N', false, 4089, 4090) \
   X (REGROLE, "regrole", "regrole", 'N', false, 4096, 4097)

typedef enum MtTypeId {
#define X(id, name, display, category, preferred, oid, array_oid) MT_T_##id,
   MT_TYPES (X)
#undef X
      MT_T_COUNT
} MtTypeId;

/* A type's array type: BSON arrays of its values, nested for more dimensions (an array of n
 * dimensions has the type of one of one), NULL elements null; lower bounds are 1. */
#define MT_T_ARRAY 64u
static inline bool mt_type_is_array (MtTypeId id) { return id & MT_T_ARRAY; }
static inline MtTypeId mt_type_element (MtTypeId id)
{
   return (MtTypeId) (id & ~MT_T_ARRAY);
} /* of a scalar type: itself */
static inline MtTypeId mt_type_array (MtTypeId id) { return (MtTypeId) (id | MT_T_ARRAY); }
/* Whether id is a type, scalar or array: signatures have other ids, too. */
static inline bool mt_type_exists (MtTypeId id)
{
   return mt_type_element (id) < MT_T_COUNT && id < 2 * MT_T_ARRAY;
}

typedef struct MtType {
   MtTypeId id;  /* modifiers are the elements' */
   int16_t mod1; /* varchar(n): n; numeric(p,s): p; timestamp(p): p; -1: none */
   int16_t mod2; /* numeric(p,s): s; -1: none */
} MtType;

static inline MtType mt_type (MtTypeId id) { return (MtType) {id, -1, -1}; }
/* An array type whose arrays are known to have one dimension, or none: a mark in mod2, which means
 * nothing else there. */
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
/* A type by its OID and its modifier, as pg_attribute.atttypmod has it (-1: none), and back. */
bool mt_type_of_oid (int64_t oid, int32_t typmod, MtType *out);
int32_t mt_type_typmod (MtType t);
/* By any of PostgreSQL's spellings (internal names, display names, aliases such as "timestamptz",
 * "double precision", "string" no); array types as _int4, int4[] and integer[]. */
bool mt_type_by_name (MtStr name, MtTypeId *out);
/* "character varying(3)", "numeric(10,2)", … in arena a. */
const char *mt_type_display (MtArena *a, MtType t);
static inline bool mt_type_is_number (MtTypeId id) { return id >= MT_T_INT2 && id <= MT_T_NUMERIC; }
/* Values of these types may be equal though they are written differently; they are ordered and
 * grouped by a rank. */
static inline bool mt_type_has_rank (MtTypeId id)
{
   return mt_type_element (id) == MT_T_INTERVAL || mt_type_element (id) == MT_T_JSONB;
}

/* Types ordered by a rank: those, arrays, in which NULL is greatest, and bytea, of which MongoDB
 * puts the shorter value first. */
static inline bool mt_type_order_has_rank (MtTypeId id)
{
   return mt_type_has_rank (id) || mt_type_is_array (id) || id == MT_T_BYTEA;
}
static inline bool mt_type_is_reg (MtTypeId id)
{
   return id >= MT_T_REGCLASS && id <= MT_T_REGROLE;
}
static inline bool mt_type_is_integer (MtTypeId id) { return id >= MT_T_INT2 && id <= MT_T_INT8; }
/* A date or a timestamp, whose values are BSON dates. */
static inline bool mt_type_is_datetime (MtTypeId id)
{
   return id == MT_T_DATE || id == MT_T_TIMESTAMP || id == MT_T_TIMESTAMPTZ;
}

/* Names of what values of the types regclass … regrole stand for: adds the name to `out`; false:
 * there is no such object. */
typedef struct MtOidNames {
   bool (*print) (void *ctx, MtTypeId t, int64_t oid, MtBuf *out);
   void *ctx;
} MtOidNames;

/* What text input and output depend on: the session's settings. Zone NULL: UTC. */
struct MtZone; /* types/tz.h */
typedef struct MtTextStyle {
   const struct MtZone *zone; /* borrowed */
   int64_t now_ms; /* for 'now', 'today', … and current_timestamp: the transaction's start */
   int extra_float_digits;  /* 1 and more: doubles as the shortest text that reads back; 0 and less:
                               rounded to 15 (real: 6) plus so many digits */
   int64_t statement_ms;    /* for statement_timestamp: the statement's start */
   const MtOidNames *names; /* borrowed; NULL: OIDs are printed as numbers */
   bool exact_times;        /* a constant is read: a timestamp keeps its microseconds (MtVal.len) */
} MtTextStyle;

/* Text to value, by PostgreSQL's input functions: 22P02, 22003, 22007, 22008 with PostgreSQL's
 * wording. The value has the type's BSON representation above; its bytes are in arena a. Modifiers
 * are applied (varchar(3): 22001; numeric(p,s) rounds). */
bool mt_value_parse (MtArena *a, MtType t, MtStr text, const MtTextStyle *style, MtVal *out,
                     MtError *err);

/* Value to text, by PostgreSQL's output functions, added to `out`. NULL adds nothing. A value whose
 * BSON type is another one than the type's usual one (a stored double 69.0 in a bigint column) is
 * converted first when it means the same value; otherwise false with XX001. */
bool mt_value_print (MtType t, MtVal v, const MtTextStyle *style, MtBuf *out, MtError *err);

/* To the type's own BSON representation (double 69.0 -> int64 69, …); NULL-ish gives MT_NULL. XX001
 * when v is not a value of the type, 22008 when it is a date or time beyond PostgreSQL's; err may
 * be NULL. */
bool mt_value_normalize (MtArena *a, MtType t, MtVal v, MtVal *out, MtError *err);

/* ---- arrays ---- */

/* Whether elements of that type may be arrays themselves: their arrays have one dimension. */
static inline bool mt_type_holds_arrays (MtTypeId element)
{
   return element == MT_T_JSONB || element == MT_T_DOCUMENT;
}
/* The lengths of an array's dimensions, the outer one first; how many there are: 0 for an empty
 * array. Only the first element of each level is looked at. */
int mt_array_dims (MtVal array, MtTypeId element, size_t dims[MT_MAX_ARRAY_DIMS]);
/* Steps over the elements of all dimensions; v is borrowed from the array. */
typedef struct MtArrayIter {
   MtDocIter levels[MT_MAX_ARRAY_DIMS];
   int depth; /* -1: at the end */
   bool flat;
} MtArrayIter;
MtArrayIter mt_array_iter (MtVal array, MtTypeId element);
bool mt_array_next (MtArrayIter *it, MtVal *v);
/* Text by PostgreSQL's array_in and array_out; t is an array type. */
bool mt_array_parse (MtArena *a, MtType t, MtStr text, const MtTextStyle *style, MtVal *out,
                     MtError *err);
bool mt_array_print (MtType t, MtVal v, const MtTextStyle *style, MtBuf *out, MtError *err);

/* ---- between values and what types/datetime.h computes with ---- */

struct MtInterval;
struct MtMoment;
/* A timestamp's value and its moment. Only constants have microseconds. */
MtVal mt_v_from_moment (struct MtMoment t);
struct MtMoment mt_v_moment (MtVal v);
/* A date's value (00:00 UTC; 'infinity' and '-infinity' too) and its days since 1970-01-01. */
MtVal mt_v_from_days (int32_t days);
int32_t mt_v_days (MtVal date);
/* An interval's document {m, d, us}, in arena a, and back; 0 for what isn't there. */
MtVal mt_v_interval (MtArena *a, struct MtInterval iv);
struct MtInterval mt_v_to_interval (MtVal v);

#endif
