/* Handles the messages of a client that has logged in. */
#include "wire/connection_int.h"

#include "base/cancel.h"

#include <stdlib.h>

/* ---- simple query protocol ---- */

/* Sends the rows and the command tag of one statement's result. */
static bool send_result (MtConnection *c, MtResult *r, MtError *err)
{
   bool more = false, ok = true;
   if (mt_result_has_rows (r))
      mt_wire_describe_rows (c, r, (MtFormats) {0});
   ok = mt_wire_rows (c, r, (MtFormats) {0}, 0, &more, err);
   if (!mt_wire_copy_end (c, ok, err))
      return false;
   mt_wire_complete (c, r);
   return true;
}

static void run_script (MtConnection *c, const char *sql)
{
   MtScript script = {.sql = sql, .len = strlen (sql)};
   MtError err;
   bool ok;
   for (;;) {
      MtResult *r;
      ok = mt_script_next (c->session, &script, &r, &err);
      if (!ok)
         mt_wire_copy_end (c, false, &err);
      if (!ok || !r)
         break;
      ok = send_result (c, r, &err);
      mt_result_free (r);
      if (!ok)
         break;
   }
   if (!ok) {
      mt_wire_error (c, "ERROR", &err, sql);
      mt_script_close (c->session);
   } else if (script.end == 0) {
      mt_message_empty (&c->socket.out, 'I');
   }
}

static void simple_query (MtConnection *c, MtNetBytes *m)
{
   const char *text = mt_take_text (m);
   MtError err;
   mt_wire_sync (c);
   if (!mt_took_all (m)) {
      mt_error (&err, MT_E_PROTOCOL, "invalid message format");
      mt_wire_error (c, "ERROR", &err, NULL);
   } else if (!mt_wire_park (c, &err)) {
      mt_wire_error (c, "ERROR", &err, NULL);
   } else {
      char *sql = mt_heap_strdup (text); /* COPY reads further messages */
      if (mt_wire_deallocate (c, sql))
         mt_message_text (&c->socket.out, 'C', "DEALLOCATE");
      else
         run_script (c, sql);
      free (sql);
   }
   if (mt_transaction_state (c->session) == MT_TRANSACTION_NONE)
      mt_wire_close_portals (c, NULL);
   mt_wire_ready (c);
}

/* ---- the loop over messages ---- */

/* Reads the next message. Returns false if the connection must end. */
static bool next_message (MtConnection *c, char *type, MtNetBytes *m)
{
   MtError err;
   bool waits = mt_transaction_state (c->session) != MT_TRANSACTION_NONE;
   int64_t most_ms = waits ? mt_idle_timeout_ms (c->session) : 0;
   c->socket.deadline_ms = most_ms ? mt_now_ms () + most_ms : 0;
   bool came = mt_socket_next (&c->socket) >= 0;
   c->socket.deadline_ms = 0;
   if (!came && c->socket.late) {
      c->socket.lost = false;
      mt_error (&err, MT_E_IDLE, "terminating connection due to idle-in-transaction timeout");
      mt_wire_error (c, "FATAL", &err, NULL);
   }
   if (!came || mt_message_read (&c->socket, MT_MAX_VALUE_BYTES, type, m))
      return came;
   if (m->bad) {
      mt_error (&err, MT_E_PROTOCOL, "invalid message length");
      mt_wire_error (c, "FATAL", &err, NULL);
   }
   return false;
}

/* Handles one message. Returns false if the connection must end. */
static bool handle (MtConnection *c, char type, MtNetBytes *m)
{
   MtError err;
   switch (type) {
   case 'Q': simple_query (c, m); return true;
   case 'P':
   case 'B':
   case 'D':
   case 'E':
   case 'C':
      if (!c->skips)
         mt_wire_extended (c, type, m);
      return true;
   case 'H': return c->skips || mt_socket_flush (&c->socket);
   case 'S': mt_wire_sync (c); return mt_wire_ready (c);
   case 'd':
   case 'c':
   case 'f': return true; /* the rest of a COPY that failed */
   case 'X': return false;
   case 'F':
      mt_error (&err, MT_E_FEATURE, "function calls by message are not supported");
      mt_error_hint (&err, "Use SELECT.");
      mt_wire_error (c, "ERROR", &err, NULL);
      return mt_wire_ready (c);
   default:
      mt_error (&err, MT_E_PROTOCOL, "invalid frontend message type %d", (uint8_t) type);
      mt_wire_error (c, "FATAL", &err, NULL);
      return false;
   }
}

static void serve (MtConnection *c)
{
   MtNetBytes m;
   MtError err;
   char type;
   bool going = mt_wire_login (c);
   while (going && next_message (c, &type, &m) && mt_wire_busy (c, true)) {
      going = handle (c, type, &m) && !c->ended && !c->socket.lost;
      if (c->socket.out.n >= MT_FLUSH_BYTES) /* many messages without Sync */
         mt_socket_flush (&c->socket);
      going = mt_wire_busy (c, false) && going;
      if (!mt_memory_check (&err)) {
         mt_wire_error (c, "FATAL", &err, NULL);
         going = false;
      }
   }
   if (c->logged_in && !mt_wire_busy (c, false)) {
      c->socket.lost = false; /* only its reading side was shut */
      mt_error (&err, MT_E_SHUTDOWN, "terminating connection due to administrator command");
      mt_wire_error (c, "FATAL", &err, NULL);
   }
}

void *mt_wire_serve (void *connection)
{
   MtConnection *c = connection;
   MT_RECORD_SHORTAGE (&c->shortage);
   c->values = mt_arena_new ("values", NULL);
   serve (c);
   if (c->session) {
      MtSession *s = c->session;
      mt_wire_close_all (c);
      mt_wire_set_session (c, NULL);
      mt_close (s);
   }
   mt_wire_closing (c);
   mt_socket_close (&c->socket);
   mt_buf_free (&c->copy_bytes);
   mt_arena_free (c->values);
   free (c->user);
   free (c->database);
   free (c->settings);
   for (size_t i = 0; i < MT_FOLLOWED; i++)
      free (c->followed[i]);
   mt_wire_ended (c);
   return NULL;
}
