/* Errors: what went wrong, where, and what to do about it.
 *
 * A function that can fail returns bool, and its last parameter is `MtError *err`. If it returns
 * false, *err is set, and the function's outputs are unchanged. The message follows PostgreSQL's
 * rules: lower case, no full stop, no names of C functions, and the user's name in quotes after its
 * kind (column "x"). Detail and hint are whole sentences. The texts are stored in the error itself,
 * so an error stays valid when arenas are freed. They are UTF-8; invalid bytes are replaced by
 * question marks. */
#ifndef MT_ERROR_H
#define MT_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A part of a statement's text: byte offset and length. start < 0: not known. */
typedef struct MtSpan {
   int32_t start;
   int32_t len;
} MtSpan;

#define MT_NO_SPAN ((MtSpan) {-1, 0})

struct MtNear; /* base/str.h */

/* Distinguishes errors with the same SQLSTATE, for callers that handle only one of them. */
typedef enum MtErrorTopic {
   MT_TOPIC_NONE,
   MT_TOPIC_KEY,         /* 23505: a unique index of a server already has the key */
   MT_TOPIC_ID,          /* 23505: a server already has a document with the _id */
   MT_TOPIC_COPY_FORMAT, /* the error is in the FORMAT option of COPY */
   MT_TOPIC_UNGROUPED,   /* 42803: a column is neither grouped nor aggregated */
   /* 22003: a number is out of range of this type. If the error comes from a server, which does not
    * name the type, the type is guessed from the number: integer or bigint. */
   MT_TOPIC_INTEGER,
   MT_TOPIC_BIGINT,
   MT_TOPIC_DOUBLE
} MtErrorTopic;

/* The names of the objects that an error is about, for programs that read errors. "": none. */
typedef struct MtErrorNames {
   char schema[128], table[128], column[128];
   char type[128]; /* a domain */
   char constraint[128];
} MtErrorNames;

typedef struct MtError {
   char sqlstate[6]; /* "" when no error is set */
   MtSpan span;
   /* a longer message is shortened between UTF-8 characters and ends with "..." */
   char message[512];
   char detail[512]; /* "" when the error has no detail */
   char hint[512];
   /* where the error happened, for example the line of COPY's file; "": not set */
   char context[256];
   MtErrorNames names;
   MtErrorTopic topic;
   int32_t code; /* MongoDB's number of the error (engine/codes.h); 0: none */
} MtError;

/* Sets *err: sqlstate, and the message made from fmt. Clears detail, hint and span. Always returns
 * false, so that callers can write `return mt_error (err, ...)`. err may be NULL. */
bool mt_error (MtError *err, const char *sqlstate, const char *fmt, ...)
   __attribute__ ((format (printf, 3, 4)));

/* Like mt_error, and also sets the position of the error in the statement's text. */
bool mt_error_at (MtError *err, MtSpan span, const char *sqlstate, const char *fmt, ...)
   __attribute__ ((format (printf, 4, 5)));

/* These functions set the hint, detail or context of an existing error. They always return
 * false. */
bool mt_error_hint (MtError *err, const char *fmt, ...) __attribute__ ((format (printf, 2, 3)));
/* If one of the names is similar to `name`, sets the hint 'Perhaps you meant "x".'. Always returns
 * false. */
bool mt_error_near (MtError *err, const char *name, const char *const *names, size_t count);
/* Like mt_error_near, for the result of a search with mt_near_try. */
bool mt_error_found (MtError *err, const struct MtNear *near);
bool mt_error_detail (MtError *err, const char *fmt, ...) __attribute__ ((format (printf, 2, 3)));
bool mt_error_context (MtError *err, const char *fmt, ...) __attribute__ ((format (printf, 2, 3)));

/* Sets the names of a table and its schema in an existing error, and of one of its columns or
 * constraints. NULL: not known. Always returns false. */
bool mt_error_in_table (MtError *err, const char *schema, const char *table, const char *column,
                        const char *constraint);
/* The same for a domain. */
bool mt_error_in_domain (MtError *err, const char *schema, const char *domain,
                         const char *constraint);

/* Sets the topic of an existing error. err may be NULL. Always returns false. */
static inline bool mt_error_topic (MtError *err, MtErrorTopic topic)
{
   if (err)
      err->topic = topic;
   return false;
}

/* Like mt_error, and also sets MongoDB's error code. */
bool mt_error_coded (MtError *err, const char *sqlstate, int32_t code, const char *fmt, ...)
   __attribute__ ((format (printf, 4, 5)));

/* Sets MongoDB's error code of an existing error. err may be NULL. Always returns false. */
static inline bool mt_error_code (MtError *err, int32_t code)
{
   if (err)
      err->code = code;
   return false;
}

/* Sets the error 40001 with PostgreSQL's message: another client changed the data that this
 * transaction has read. Always returns false. */
bool mt_error_outrun (MtError *err);
void mt_error_clear (MtError *err);
static inline bool mt_error_is_set (const MtError *err) { return err->sqlstate[0] != 0; }

/* SQLSTATE codes in use (PostgreSQL 15, appendix A). */
#define MT_E_CONNECT "08001"               /* sqlclient_unable_to_establish_sqlconnection */
#define MT_E_CONNECTION "08006"            /* connection_failure */
#define MT_E_UNKNOWN_OUTCOME "08007"       /* transaction_resolution_unknown */
#define MT_E_PROTOCOL "08P01"              /* protocol_violation */
#define MT_E_FEATURE "0A000"               /* feature_not_supported */
#define MT_E_CARDINALITY "21000"           /* cardinality_violation */
#define MT_E_DATA "22000"                  /* data_exception */
#define MT_E_STRING_LENGTH "22001"         /* string_data_right_truncation */
#define MT_E_NUMERIC_RANGE "22003"         /* numeric_value_out_of_range */
#define MT_E_NULL_NOT_ALLOWED "22004"      /* null_value_not_allowed */
#define MT_E_DATETIME_FORMAT "22007"       /* invalid_datetime_format */
#define MT_E_DATETIME_RANGE "22008"        /* datetime_field_overflow */
#define MT_E_ZONE_DISPLACEMENT "22009"     /* invalid_time_zone_displacement_value */
#define MT_E_ESCAPE_CHARACTER "2200C"      /* invalid_use_of_escape_character */
#define MT_E_SUBSTRING "22011"             /* substring_error */
#define MT_E_DIVISION_BY_ZERO "22012"      /* division_by_zero */
#define MT_E_WINDOW_FRAME "22013"          /* invalid_preceding_or_following_size */
#define MT_E_BAD_NTILE "22014"             /* invalid_argument_for_ntile_function */
#define MT_E_INTERVAL_RANGE "22015"        /* interval_field_overflow */
#define MT_E_BAD_NTH_VALUE "22016"         /* invalid_argument_for_nth_value_function */
#define MT_E_REGULAR_EXPRESSION "2201B"    /* invalid_regular_expression */
#define MT_E_BAD_LOG "2201E"               /* invalid_argument_for_logarithm */
#define MT_E_BAD_POWER "2201F"             /* invalid_argument_for_power_function */
#define MT_E_BAD_WIDTH_BUCKET "2201G"      /* invalid_argument_for_width_bucket_function */
#define MT_E_BAD_LIMIT "2201W"             /* invalid_row_count_in_limit_clause */
#define MT_E_BAD_OFFSET "2201X"            /* invalid_row_count_in_result_offset_clause */
#define MT_E_ENCODING "22021"              /* character_not_in_repertoire */
#define MT_E_PARAMETER "22023"             /* invalid_parameter_value */
#define MT_E_BAD_ESCAPE "22025"            /* invalid_escape_sequence */
#define MT_E_ARRAY_SUBSCRIPT "2202E"       /* array_subscript_error */
#define MT_E_TABLESAMPLE_REPEAT "2202G"    /* invalid_tablesample_repeat */
#define MT_E_TABLESAMPLE "2202H"           /* invalid_tablesample_argument */
#define MT_E_JSON_SUBSCRIPT "22033"        /* invalid_sql_json_subscript */
#define MT_E_JSON_NON_NUMERIC "22036"      /* non_numeric_sql_json_item */
#define MT_E_JSON_SINGLETON "22038"        /* singleton_sql_json_item_required */
#define MT_E_JSON_ARRAY "22039"            /* sql_json_array_not_found */
#define MT_E_JSON_MEMBER "2203A"           /* sql_json_member_not_found */
#define MT_E_JSON_NUMBER "2203B"           /* sql_json_number_not_found */
#define MT_E_JSON_OBJECT "2203C"           /* sql_json_object_not_found */
#define MT_E_TEXT_REPRESENTATION "22P02"   /* invalid_text_representation */
#define MT_E_COPY_FORMAT "22P04"           /* bad_copy_file_format */
#define MT_E_UNTRANSLATABLE "22P05"        /* untranslatable_character */
#define MT_E_NOT_NULL "23502"              /* not_null_violation */
#define MT_E_FOREIGN_KEY "23503"           /* foreign_key_violation */
#define MT_E_UNIQUE "23505"                /* unique_violation */
#define MT_E_CHECK "23514"                 /* check_violation */
#define MT_E_ACTIVE_TRANSACTION "25001"    /* active_sql_transaction */
#define MT_E_READ_ONLY "25006"             /* read_only_sql_transaction */
#define MT_E_NO_TRANSACTION "25P01"        /* no_active_sql_transaction */
#define MT_E_IDLE "25P03"                  /* idle_in_transaction_session_timeout */
#define MT_E_IN_FAILED_TRANSACTION "25P02" /* in_failed_sql_transaction */
#define MT_E_STATEMENT_NAME "26000"        /* invalid_sql_statement_name */
#define MT_E_AUTHORIZATION "28000"         /* invalid_authorization_specification */
#define MT_E_PASSWORD "28P01"              /* invalid_password */
#define MT_E_DEPENDENT_OBJECTS "2BP01"     /* dependent_objects_still_exist */
#define MT_E_CURSOR_NAME "34000"           /* invalid_cursor_name */
#define MT_E_SAVEPOINT "3B001"             /* invalid_savepoint_specification */
#define MT_E_DATABASE "3D000"              /* invalid_catalog_name */
#define MT_E_SCHEMA "3F000"                /* invalid_schema_name */
#define MT_E_ROLLED_BACK "40000"           /* transaction_rollback */
#define MT_E_SERIALIZATION "40001"         /* serialization_failure */
#define MT_E_DEADLOCK "40P01"              /* deadlock_detected */
#define MT_E_PRIVILEGE "42501"             /* insufficient_privilege */
#define MT_E_SYNTAX "42601"                /* syntax_error */
#define MT_E_NAME_TOO_LONG "42622"         /* name_too_long */
#define MT_E_DUPLICATE_COLUMN "42701"      /* duplicate_column */
#define MT_E_AMBIGUOUS_COLUMN "42702"      /* ambiguous_column */
#define MT_E_UNDEFINED_COLUMN "42703"      /* undefined_column */
#define MT_E_UNDEFINED_OBJECT "42704"      /* undefined_object */
#define MT_E_DUPLICATE_OBJECT "42710"      /* duplicate_object */
#define MT_E_DUPLICATE_ALIAS "42712"       /* duplicate_alias */
#define MT_E_DUPLICATE_FUNCTION "42723"    /* duplicate_function */
#define MT_E_AMBIGUOUS_FUNCTION "42725"    /* ambiguous_function */
#define MT_E_GROUPING "42803"              /* grouping_error */
#define MT_E_DATATYPE_MISMATCH "42804"     /* datatype_mismatch */
#define MT_E_WRONG_OBJECT "42809"          /* wrong_object_type */
#define MT_E_CANNOT_COERCE "42846"         /* cannot_coerce */
#define MT_E_UNDEFINED_FUNCTION "42883"    /* undefined_function, also of operators */
#define MT_E_RESERVED_NAME "42939"         /* reserved_name */
#define MT_E_UNDEFINED_TABLE "42P01"       /* undefined_table */
#define MT_E_UNDEFINED_PARAMETER "42P02"   /* undefined_parameter */
#define MT_E_DUPLICATE_CURSOR "42P03"      /* duplicate_cursor */
#define MT_E_DUPLICATE_PREPARED "42P05"    /* duplicate_prepared_statement */
#define MT_E_DUPLICATE_SCHEMA "42P06"      /* duplicate_schema */
#define MT_E_DUPLICATE_TABLE "42P07"       /* duplicate_table */
#define MT_E_AMBIGUOUS_PARAMETER "42P08"   /* ambiguous_parameter */
#define MT_E_INVALID_COLUMN_REF "42P10"    /* invalid_column_reference */
#define MT_E_CURSOR_DEFINITION "42P11"     /* invalid_cursor_definition */
#define MT_E_FUNCTION_DEFINITION "42P13"   /* invalid_function_definition */
#define MT_E_TABLE_DEFINITION "42P16"      /* invalid_table_definition */
#define MT_E_INVALID_DEFINITION "42P17"    /* invalid_object_definition, also of descriptors */
#define MT_E_INDETERMINATE_TYPE "42P18"    /* indeterminate_datatype */
#define MT_E_RECURSION "42P19"             /* invalid_recursion */
#define MT_E_WINDOWING "42P20"             /* windowing_error */
#define MT_E_GENERATED_ALWAYS "428C9"      /* generated_always */
#define MT_E_SEQUENCE_LIMIT "2200H"        /* sequence_generator_limit_exceeded */
#define MT_E_DISK_FULL "53100"             /* disk_full */
#define MT_E_OUT_OF_MEMORY "53200"         /* out_of_memory */
#define MT_E_CONNECTIONS "53300"           /* too_many_connections */
#define MT_E_LIMIT "54000"                 /* program_limit_exceeded */
#define MT_E_TOO_COMPLEX "54001"           /* statement_too_complex */
#define MT_E_TOO_MANY_COLUMNS "54011"      /* too_many_columns */
#define MT_E_TOO_MANY_ARGUMENTS "54023"    /* too_many_arguments */
#define MT_E_STATE "55000"                 /* object_not_in_prerequisite_state */
#define MT_E_IN_USE "55006"                /* object_in_use */
#define MT_E_CANT_CHANGE "55P02"           /* cant_change_runtime_param */
#define MT_E_LOCKED "55P03"                /* lock_not_available */
#define MT_E_CANCELED "57014"              /* query_canceled */
#define MT_E_SHUTDOWN "57P01"              /* admin_shutdown */
#define MT_E_SERVER "58000"         /* system_error: an error of a server that has no other code */
#define MT_E_IO "58030"             /* io_error */
#define MT_E_UNDEFINED_FILE "58P01" /* undefined_file */
#define MT_E_SNAPSHOT_TOO_OLD "72000" /* snapshot_too_old */
#define MT_E_CONFIGURATION "F0000"    /* config_file_error */
#define MT_E_INTERNAL "XX000"         /* internal_error */
#define MT_E_CORRUPT "XX001"          /* data_corrupted */

/* Classes of SQLSTATEs: the first two characters. */
#define MT_CLASS_CONNECTION "08"
#define MT_CLASS_DATA "22"
#define MT_CLASS_LOGIN "28"

/* mt_error_is returns whether an error is set and has this SQLSTATE. mt_error_in returns whether
 * its SQLSTATE belongs to this class (the first two characters). */
static inline bool mt_error_is (const MtError *err, const char *sqlstate)
{
   return strcmp (err->sqlstate, sqlstate) == 0;
}
static inline bool mt_error_in (const MtError *err, const char *class_code)
{
   return strncmp (err->sqlstate, class_code, 2) == 0;
}

#endif
