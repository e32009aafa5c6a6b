/* SQL types, and how their values look as text and as BSON. */
#ifndef MT_TYPE_H
#define MT_TYPE_H

#include "base/error.h"
#include "base/value.h"

/* X(id, PostgreSQL's internal name, display name, category, preferred in its category, OID in PostgreSQL)
 * Categories are PostgreSQL's (pg_type.typcategory). */
#define MT_TYPES(X)                                                            \
   X (UNKNOWN, "unknown", "unknown", 'X', false, 705)     /* a string literal before it has a type */ \
   X (BOOL, "bool", "boolean", 'B', true, 16)                                 \
   X (INT2, "int2", "smallint", 'N', false, 21)           /* BSON int32 */     \
   X (INT4, "int4", "integer", 'N', false, 23)            /* BSON int32 */     \
   X (INT8, "int8", "bigint", 'N', false, 20)             /* BSON int64 */     \
   X (FLOAT4, "float4", "real", 'N', false, 700)          /* BSON double */    \
   X (FLOAT8, "float8", "double precision", 'N', true, 701)                   \
   X (NUMERIC, "numeric", "numeric", 'N', false, 1700)    /* BSON decimal128; its exponent is the scale */ \
   X (TEXT, "text", "text", 'S', true, 25)                                    \
   X (VARCHAR, "varchar", "character varying", 'S', false, 1043)              \
   X (DATE, "date", "date", 'D', false, 1082)             /* BSON date at 00:00 UTC */ \
   X (TIME, "time", "time without time zone", 'D', false, 1083) /* BSON int64: microseconds of the day */ \
   X (TIMESTAMP, "timestamp", "timestamp without time zone", 'D', false, 1114) /* BSON date */ \
   X (TIMESTAMPTZ, "timestamptz", "timestamp with time zone", 'D', true, 1184) /* BSON date */ \
   X (INTERVAL, "interval", "interval", 'T', true, 1186)  /* BSON document {m: int32, d: int32, us: int64} */ \
   X (UUID, "uuid", "uuid", 'U', false, 2950)             /* BSON binary, subtype 4 */ \
   X (BYTEA, "bytea", "bytea", 'U', false, 17)            /* BSON binary, subtype 0 */ \
   X (JSONB, "jsonb", "jsonb", 'U', false, 3802)          /* any BSON value */ \
   X (OBJECTID, "objectid", "objectid", 'U', false, 90001)                    \
   X (DOCUMENT, "document", "document", 'U', false, 90002) /* any BSON value of a collection as it is */

typedef enum MtTypeId {
#define X(id, name, display, category, preferred, oid) MT_T_##id,
   MT_TYPES (X)
#undef X
      MT_T_COUNT
} MtTypeId;

typedef struct MtType {
   MtTypeId id;
   int16_t mod1; /* varchar(n): n; numeric(p,s): p; timestamp(p): p; -1: none */
   int16_t mod2; /* numeric(p,s): s; -1: none */
} MtType;

static inline MtType mt_type (MtTypeId id) { return (MtType){id, -1, -1}; }

typedef struct MtTypeInfo {
   const char *name, *display;
   char category;
   bool preferred;
   uint32_t oid;
} MtTypeInfo;

const MtTypeInfo *mt_type_info (MtTypeId id);
/* By any of PostgreSQL's spellings (internal names, display names, aliases such as "timestamptz", "double precision", "string" no). */
bool mt_type_by_name (MtStr name, MtTypeId *out);
/* "character varying(3)", "numeric(10,2)", … in arena a. */
const char *mt_type_display (MtArena *a, MtType t);
static inline bool mt_type_is_number (MtTypeId id) { return id >= MT_T_INT2 && id <= MT_T_NUMERIC; }
static inline bool mt_type_is_integer (MtTypeId id) { return id >= MT_T_INT2 && id <= MT_T_INT8; }

/* What text input and output depend on: the session's settings. Zone NULL: UTC. */
struct MtZone; /* base/tz.h */
typedef struct MtTextStyle {
   const struct MtZone *zone;   /* borrowed */
   int64_t now_ms;            /* for 'now', 'today', … and current_timestamp: the statement's start */
   int extra_float_digits;    /* 1 */
} MtTextStyle;

/* Text to value, by PostgreSQL's input functions: 22P02, 22003, 22007, 22008 with PostgreSQL's wording. The value has the
 * type's BSON representation above; its bytes are in arena a. Modifiers are applied (varchar(3): 22001; numeric(p,s) rounds). */
bool mt_value_parse (MtArena *a, MtType t, MtStr text, const MtTextStyle *style, MtVal *out, MtError *err);

/* Value to text, by PostgreSQL's output functions, added to `out`. NULL adds nothing. A value whose BSON type is another one
 * than the type's usual one (a stored double 69.0 in a bigint column) is converted first when it means the same value;
 * otherwise false with XX001. */
bool mt_value_print (MtType t, MtVal v, const MtTextStyle *style, MtBuf *out, MtError *err);

/* To the type's own BSON representation (double 69.0 -> int64 69, …); NULL-ish gives MT_NULL. XX001 when v is not a value of the type; err
 * may be NULL. */
bool mt_value_normalize (MtArena *a, MtType t, MtVal v, MtVal *out, MtError *err);

/* ---- between values and what base/datetime.h computes with ---- */

struct MtInterval;
/* A date's value (00:00 UTC; 'infinity' and '-infinity' too) and its days since 1970-01-01. */
MtVal mt_v_from_days (int32_t days);
int32_t mt_v_days (MtVal date);
/* An interval's document {m, d, us}, in arena a, and back; 0 for what isn't there. */
MtVal mt_v_interval (MtArena *a, struct MtInterval iv);
struct MtInterval mt_v_to_interval (MtVal v);

#endif
