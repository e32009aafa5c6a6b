/* Converting errors of the driver and the server to errors with a SQLSTATE. The text stays. */
#include "engine/mongo/conn/conn.h"

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

/* SQLSTATEs by words of the server's message, because servers use different codes for the same
 * error. */
static const struct {
   const char *text;
   const char *state;
} words[] = {
   {"by zero", MT_E_DIVISION_BY_ZERO},
   {"duplicate key", MT_E_UNIQUE},
   {"deadlock detected", MT_E_DEADLOCK},
   {"overflow", MT_E_NUMERIC_RANGE},
   {"long long min", MT_E_NUMERIC_RANGE},
   {"minimum long long value", MT_E_NUMERIC_RANGE},
   {"out of range", MT_E_NUMERIC_RANGE},
   {"would be outside of the range", MT_E_NUMERIC_RANGE},
   {"value of non-numeric type", MT_E_DATATYPE_MISMATCH},
   {"target value is not numeric", MT_E_DATATYPE_MISMATCH},
   {"Unrecognized pipeline stage", MT_E_FEATURE},
   {"Unrecognized expression", MT_E_FEATURE},
   {"not implemented", MT_E_FEATURE},
   {"not supported", MT_E_FEATURE},
   {"Failed to parse number", MT_E_TEXT_REPRESENTATION},
   {"Failed to parse objectId", MT_E_TEXT_REPRESENTATION},
};

/* ---- giving way ---- */

bool mt_mongo_gave_way (uint32_t code, const char *message)
{
   return code == SERVER_CONFLICT || strcasestr (message, "deadlock detected");
}

bool mt_mongo_conflict (const bson_t *reply, const bson_error_t *e)
{
   return mt_mongo_gave_way (e->code, e->message) ||
          mongoc_error_has_label (reply, "TransientTransactionError");
}

static const char *state_of_server (const bson_error_t *e)
{
   const char *state = NULL;
   for (size_t i = 0; i < sizeof codes / sizeof *codes && !state; i++)
      if (codes[i].code == e->code)
         state = codes[i].state;
   /* If the code is too general, the words of the message decide. */
   if (!state || strcmp (state, MT_E_PARAMETER) == 0 ||
       strcmp (state, MT_E_TEXT_REPRESENTATION) == 0)
      for (size_t i = 0; i < sizeof words / sizeof *words; i++)
         if (strcasestr (e->message, words[i].text))
            return words[i].state;
   return state ? state : MT_E_SERVER;
}

bool mt_mongo_refused_form (const bson_error_t *e)
{
   static const char *const states[] = {MT_E_FEATURE, MT_E_PARAMETER, MT_E_PRIVILEGE};
   if (e->domain == MONGOC_ERROR_SERVER)
      for (size_t i = 0; i < sizeof states / sizeof *states; i++)
         if (!strcmp (state_of_server (e), states[i]))
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
      "The user is looked for in database \"%s\"; authSource in the connection string names another.",
      mongoc_uri_get_auth_source (m->uri));
}

/* Returns whether the message is about a sum beyond 64 bits, in the words of MongoDB or
 * DocumentDB. */
static bool counted_too_far (const bson_error_t *e)
{
   enum { BAD_VALUE = 2 };
   return e->code == BAD_VALUE &&
          (strstr (e->message, "Failed to apply $inc operations to current value") ||
           strstr (e->message, "Unable to perform $inc operators on the existing value"));
}

/* Returns whether the message is about a date out of range. SecantusDB has only the range of
 * Python's dates. */
static bool too_far_away (const bson_error_t *e)
{
   return strstr (e->message, "invalid BSON") && strstr (e->message, "year ") &&
          strstr (e->message, "out of range");
}

static bool refuse_dates (MtError *err)
{
   mt_error (err, MT_E_FEATURE, "this server takes no times before the year 1 or after 9999");
   mt_error_detail (err,
                    "The statement has or makes one; infinity and -infinity are such times, too.");
   return mt_error_hint (
      err,
      "A bound that is infinite can be left out: ts IS NOT NULL is true of what is before infinity.");
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
      if (counted_too_far (e))
         return mt_error (err, MT_E_NUMERIC_RANGE, "bigint out of range");
      if (too_far_away (e))
         return refuse_dates (err);
      mt_error (err, state_of_server (e), "%s",
                *e->message ? e->message : "the server gave no reason for its error");
      if (err && mt_error_is (err, MT_E_UNIQUE))
         mt_error_topic (err, strstr (e->message, "_id_") ? MT_TOPIC_ID : MT_TOPIC_KEY);
      return mt_mongo_gave_way (e->code, e->message)
                ? mt_error_hint (err,
                                 "Another client was writing the same. Run the statement again.")
                : false;
   }
}
