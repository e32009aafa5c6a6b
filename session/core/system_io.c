/* The functions by which PostgreSQL receives and sends values of a type in binary form. Clients
 * choose their own readers by the names. The functions can't be called. */
#include "session/core/system.h"

#include <string.h>

typedef struct Io {
   const char *type;
   int16_t receive_oid, send_oid;
   const char *receive, *send;
} Io;

/* The OIDs and names of PostgreSQL 15. The last row is for arrays. */
static const Io rows[] = {
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
   for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
      if (strcmp (rows[i].type, name) == 0)
         return sends ? rows[i].send_oid : rows[i].receive_oid;
   return 0;
}

const char *mt_type_io_name (size_t index, int64_t *oid)
{
   if (index >= 2 * sizeof rows / sizeof *rows)
      return NULL;
   const Io *io = &rows[index / 2];
   *oid = index % 2 ? io->send_oid : io->receive_oid;
   return index % 2 ? io->send : io->receive;
}
