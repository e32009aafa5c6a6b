/* Converts errors of the driver and the server to errors with a SQLSTATE. The message is kept. */
#include "engine/mongo/conn/conn.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
   SERVER_LOGIN = 18,    /* AuthenticationFailed */
   SERVER_MAX_TIME = 50, /* MaxTimeMSExpired */
   SERVER_CONFLICT = 112 /* WriteConflict */
};

static const struct {
   uint32_t code;
   const char *state;
} codes[] = {
   {2, MT_E_PARAMETER},          /* BadValue */
   {4, MT_E_PARAMETER},          /* NoSuchKey */
   {6, MT_E_CONNECTION},         /* HostUnreachable */
   {7, MT_E_CONNECTION},         /* HostNotFound */
   {9, MT_E_PARAMETER},          /* FailedToParse */
   {13, MT_E_PRIVILEGE},         /* Unauthorized */
   {14, MT_E_PARAMETER},         /* TypeMismatch */
   {15, MT_E_LIMIT},             /* Overflow: too deep */
   {26, MT_E_UNDEFINED_TABLE},   /* NamespaceNotFound */
   {28, MT_E_DATATYPE_MISMATCH}, /* PathNotViable: an increment's path crosses a value */
   {48, MT_E_DUPLICATE_TABLE},   /* NamespaceExists */
   {43, MT_E_CURSOR_NAME},       /* CursorNotFound: invalid_cursor_name */
   {SERVER_MAX_TIME, MT_E_CANCELED},
   {59, MT_E_FEATURE},          /* CommandNotFound */
   {73, MT_E_PARAMETER},        /* InvalidNamespace */
   {85, MT_E_DUPLICATE_OBJECT}, /* IndexOptionsConflict */
   {89, MT_E_CONNECTION},       /* NetworkTimeout */
   {91, MT_E_CONNECTION},       /* ShutdownInProgress */
   {SERVER_CONFLICT, MT_E_SERIALIZATION},
   {251, MT_E_SERIALIZATION},       /* NoSuchTransaction: another client ended it */
   {115, MT_E_FEATURE},             /* CommandNotSupported */
   {121, MT_E_CHECK},               /* DocumentValidationFailure */
   {146, MT_E_OUT_OF_MEMORY},       /* ExceededMemoryLimit */
   {168, MT_E_FEATURE},             /* InvalidPipelineOperator */
   {238, MT_E_FEATURE},             /* NotImplemented */
   {241, MT_E_TEXT_REPRESENTATION}, /* ConversionFailure */
   {292, MT_E_OUT_OF_MEMORY},       /* QueryExceededMemoryLimitNoDiskUseAllowed */
   {10334, MT_E_LIMIT},             /* BSONObjectTooLarge */
   {11000, MT_E_UNIQUE},
   {11001, MT_E_UNIQUE},
   {11601, MT_E_CANCELED}, /* Interrupted */
   {12582, MT_E_UNIQUE},
   {14031, MT_E_DISK_FULL},        /* OutOfDiskSpace */
   {15952, MT_E_FEATURE},          /* unknown group operator */
   {15999, MT_E_FEATURE},          /* invalid operator */
   {16608, MT_E_DIVISION_BY_ZERO}, /* can't $divide by zero */
   {16610, MT_E_DIVISION_BY_ZERO}, /* can't $mod by zero */
   {31325, MT_E_FEATURE},          /* unknown expression in $project */
   {40324, MT_E_FEATURE},          /* unrecognized pipeline stage */
};

/* ---- the words of messages ---- */

static bool refuse_dates (MtError *err)
{
   mt_error (err, MT_E_FEATURE, "this server takes no times before the year 1 or after 9999");
   mt_error_detail (err,
                    "The statement has or makes one; infinity and -infinity are such times, too.");
   return mt_error_hint (err, "A bound that is infinite can be left out: ts IS NOT NULL is true of "
                              "what is before infinity.");
}

static bool refuse_sum (MtError *err)
{
   return mt_error (err, MT_E_NUMERIC_RANGE, "bigint out of range");
}

/* Rules for errors whose code is too general, or differs from server to server: they are recognized
 * by words in the message. Only these words of a server's messages are ever interpreted. Rules that
 * name SecantusDB are for version 0.7.0b3, those for DocumentDB are for 1.0-0 behind FerretDB
 * 2.7.0. The first rule all of whose words are in the message applies. */
typedef struct Said {
   const char *words[3]; /* NULL: fewer words */
   const char *state;
   MtErrorTopic topic;
   bool (*refuse) (MtError *err); /* sets another error; NULL: the server's message stays */
} Said;

static const Said said[] = {
   /* DocumentDB passes PostgreSQL's message on, with the code InternalError (1). */
   {{"deadlock detected"}, MT_E_DEADLOCK, MT_TOPIC_NONE, NULL},
   /* A counter exceeds 64 bits by $inc: code BadValue (2). These are the messages of MongoDB and
    * DocumentDB. */
   {{"Failed to apply $inc operations to current value"}, NULL, MT_TOPIC_NONE, refuse_sum},
   {{"Unable to perform $inc operators on the existing value"}, NULL, MT_TOPIC_NONE, refuse_sum},
   /* SecantusDB's dates are limited to those of Python. */
   {{"invalid BSON", "year ", "out of range"}, NULL, MT_TOPIC_NONE, refuse_dates},
   /* Code BadValue (2) in SecantusDB and newer versions of MongoDB; older ones have one code for
    * each operator. */
   {{"by zero"}, MT_E_DIVISION_BY_ZERO, MT_TOPIC_NONE, NULL},
   /* Code ConversionFailure (241) in all servers, both for a number and for a text that can't be
    * converted. */
   {{"overflow target type"}, MT_E_NUMERIC_RANGE, MT_TOPIC_INTEGER, NULL},
   {{"Failed to parse number"}, MT_E_TEXT_REPRESENTATION, MT_TOPIC_NONE, NULL},
   {{"Failed to parse objectId"}, MT_E_TEXT_REPRESENTATION, MT_TOPIC_NONE, NULL},
   /* The absolute value of the least int64 does not exist. These are the messages of MongoDB and
    * DocumentDB. */
   {{"$abs of long long"}, MT_E_NUMERIC_RANGE, MT_TOPIC_BIGINT, NULL},
   {{"$abs for minimum long long"}, MT_E_NUMERIC_RANGE, MT_TOPIC_BIGINT, NULL},
   /* Arithmetic overflow: each operator has codes of its own, which also differ between servers. */
   {{"overflow"}, MT_E_NUMERIC_RANGE, MT_TOPIC_NONE, NULL},
   {{"long long min"}, MT_E_NUMERIC_RANGE, MT_TOPIC_NONE, NULL},
   {{"minimum long long value"}, MT_E_NUMERIC_RANGE, MT_TOPIC_NONE, NULL},
   {{"out of range"}, MT_E_NUMERIC_RANGE, MT_TOPIC_NONE, NULL},
   {{"would be outside of the range"}, MT_E_NUMERIC_RANGE, MT_TOPIC_NONE, NULL},
   /* $inc of a field that is not a number: code TypeMismatch (14). These are the messages of
    * MongoDB and SecantusDB, and of DocumentDB. */
   {{"value of non-numeric type"}, MT_E_DATATYPE_MISMATCH, MT_TOPIC_NONE, NULL},
   {{"target value is not numeric"}, MT_E_DATATYPE_MISMATCH, MT_TOPIC_NONE, NULL},
   /* A feature that the server does not have: the code differs from command to command, or is
    * BadValue (2). */
   {{"not implemented"}, MT_E_FEATURE, MT_TOPIC_NONE, NULL},
   {{"not supported"}, MT_E_FEATURE, MT_TOPIC_NONE, NULL},
};

static bool has_words (const char *message, const Said *s)
{
   for (size_t i = 0; i < sizeof s->words / sizeof *s->words && s->words[i]; i++)
      if (!strcasestr (message, s->words[i]))
         return false;
   return true;
}

/* Returns the rule for a server's error, or NULL if the code alone decides. *state is the resulting
 * SQLSTATE. */
static const Said *said_by (uint32_t code, const char *message, const char **state)
{
   *state = NULL;
   for (size_t i = 0; i < sizeof codes / sizeof *codes && !*state; i++)
      if (codes[i].code == code)
         *state = codes[i].state;
   if (*state && strcmp (*state, MT_E_PARAMETER) != 0 &&
       strcmp (*state, MT_E_TEXT_REPRESENTATION) != 0)
      return NULL;
   for (size_t i = 0; i < sizeof said / sizeof *said; i++)
      if (has_words (message, &said[i])) {
         *state = said[i].state ? said[i].state : MT_E_SERVER;
         return &said[i];
      }
   if (!*state)
      *state = MT_E_SERVER;
   return NULL;
}

const char *mt_mongo_state (uint32_t code, const char *message)
{
   const char *state;
   said_by (code, message, &state);
   return state;
}

/* Returns whether the number at the end of a server's message is out of the range of bigint. Whole
 * numbers are read as integers, because a double rounds the largest bigint to 2^63. */
static bool beyond_64_bits (const char *message)
{
   const char *number = strrchr (message, ':');
   if (!number)
      return false;
   number += 1 + strspn (number + 1, " {\"$numberDecimal:");
   if (number[strspn (number, "-0123456789")]) {
      double d = strtod (number, NULL);
      return d >= 0x1p63 || d <= -0x1p63;
   }
   errno = 0;
   strtoll (number, NULL, 10);
   return errno == ERANGE;
}

/* Sets *err from a server's error, by its code and by the rules above, and returns false. */
static bool server_error (const bson_error_t *e, MtError *err)
{
   const char *state;
   const Said *row = said_by (e->code, e->message, &state);
   if (row && row->refuse)
      return row->refuse (err);
   mt_error (err, state, "%s",
             *e->message ? e->message : "the server gave no reason for its error");
   if (err)
      err->code = (int32_t) e->code;
   if (row && row->topic == MT_TOPIC_INTEGER && beyond_64_bits (e->message))
      return mt_error_topic (err, MT_TOPIC_BIGINT);
   if (row && row->topic)
      return mt_error_topic (err, row->topic);
   /* All unique indexes have the same error code for a duplicate key. The index's name is in the
    * message. */
   if (strcmp (state, MT_E_UNIQUE) == 0)
      return mt_error_topic (err, strstr (e->message, "_id_") ? MT_TOPIC_ID : MT_TOPIC_KEY);
   return false;
}

/* ---- giving way ---- */

bool mt_mongo_gave_way (uint32_t code, const char *message)
{
   return code == SERVER_CONFLICT || strcmp (mt_mongo_state (code, message), MT_E_DEADLOCK) == 0;
}

bool mt_mongo_conflict (const bson_t *reply, const bson_error_t *e)
{
   return mt_mongo_gave_way (e->code, e->message) ||
          mongoc_error_has_label (reply, "TransientTransactionError");
}

bool mt_mongo_refused_form (const bson_error_t *e)
{
   static const char *const states[] = {MT_E_FEATURE, MT_E_PARAMETER, MT_E_PRIVILEGE};
   const char *state = mt_mongo_state (e->code, e->message);
   if (e->domain == MONGOC_ERROR_SERVER)
      for (size_t i = 0; i < sizeof states / sizeof *states; i++)
         if (!strcmp (state, states[i]))
            return true;
   return false;
}

static bool ended (const MtMongo *m, MtError *err)
{
   if (mt_cancel_check (m->base.cancel, err))
      return false;
   if (m->conn && m->conn->link.given_up)
      mt_error_detail (
         err, "The server did not stop in time: the connection to it was given up, and %s.",
         m->committing ? "whether the transaction was committed is not known"
                       : "what it was doing may go on there");
   return true;
}

static bool connection_lost (const MtMongo *m, const bson_error_t *e, bool writing, MtError *err)
{
   const char *tried = m->conn ? m->conn->link.why : "", *why = *tried ? tried : e->message;
   if (e->domain == MONGOC_ERROR_SERVER_SELECTION && !writing) {
      mt_error (err, MT_E_CONNECT, *tried ? "%s" : "could not connect to the server: %s", why);
      return strstr (why, "refused")
                ? mt_error_hint (err,
                                 "Is the server running on that host and accepting connections?")
                : false;
   }
   bool uncommitted = m->step == MT_STEP_TRANSACTION && !m->committing;
   mt_error (err, writing && !uncommitted ? MT_E_UNKNOWN_OUTCOME : MT_E_CONNECTION,
             "connection to the server was lost: %s", why);
   if (writing && uncommitted)
      return mt_error_detail (err, "The transaction was not committed: nothing of it stays.");
   return writing
             ? mt_error_detail (err, "Whether the server carried out the last writes is not known.")
             : false;
}

static bool login_refused (const MtMongo *m, const bson_error_t *e, MtError *err)
{
   const char *user = mongoc_uri_get_username (m->uri);
   mt_error (err, MT_E_PASSWORD, "password authentication failed for user \"%s\"",
             user ? user : "");
   mt_error_detail (err, "The server says: %s.", e->message);
   return mt_error_hint (
      err,
      "The server looked for the user in database \"%s\". If the user is in another database, set "
      "authSource in the connection string.",
      mongoc_uri_get_auth_source (m->uri));
}

bool mt_mongo_is_duplicate (int64_t code)
{
   return code == 11000 || code == 11001 || code == 12582;
}

bool mt_mongo_error (MtMongo *m, const bson_error_t *e, bool writing, MtError *err)
{
   if (e->domain == MONGOC_ERROR_STREAM || e->domain == MONGOC_ERROR_SERVER_SELECTION ||
       e->domain == MONGOC_ERROR_PROTOCOL)
      m->lost = true;
   if (!m->undoing && ended (m, err))
      return false;
   switch (e->domain) {
   case MONGOC_ERROR_SERVER_SELECTION:
   case MONGOC_ERROR_STREAM: return connection_lost (m, e, writing, err);
   case MONGOC_ERROR_CLIENT:
      if (e->code == MONGOC_ERROR_CLIENT_AUTHENTICATE)
         return login_refused (m, e, err);
      return mt_error (err, MT_E_CONNECTION, "%s", e->message);
   case MONGOC_ERROR_PROTOCOL: /* in this domain, e->code is a code of the driver */
      return mt_error (err, MT_E_PROTOCOL, "the server's answer can't be used: %s", e->message);
   case MONGOC_ERROR_BSON: return mt_error (err, MT_E_PARAMETER, "%s", e->message);
   default:
      if (e->code == SERVER_LOGIN)
         return login_refused (m, e, err);
      if (e->code == SERVER_MAX_TIME)
         return mt_error (err, MT_E_CANCELED, "canceling statement due to statement timeout");
      server_error (e, err);
      return mt_mongo_gave_way (e->code, e->message)
                ? mt_error_hint (err,
                                 "Another client was writing the same. Run the statement again.")
                : false;
   }
}
