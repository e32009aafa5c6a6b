/* The beginning of a connection: TLS, the start-up message, the password, and opening the
 * session. */
#include "wire/connection_int.h"
#include "wire/scram.h"
#include "base/cancel.h"

#include <ctype.h>
#include <poll.h>
#include <stdlib.h>

/* The first number in a start-up packet: a protocol version or the code of a request. */
enum {
   PROTOCOL_3_0 = 3 << 16,
   PROTOCOL_3_2 = 3 << 16 | 2,
   CODE_CANCEL = 1234 << 16 | 5678,
   CODE_TLS = 1234 << 16 | 5679,
   CODE_GSS = 1234 << 16 | 5680
};

/* The number in an authentication message 'R'. */
enum { AUTH_OK = 0, AUTH_SASL = 10, AUTH_SASL_CONTINUE = 11, AUTH_SASL_FINAL = 12 };

static bool fatal (MtConnection *c, const MtError *err)
{
   mt_wire_error (c, "FATAL", err, NULL);
   mt_wire_log (c, "FATAL", "%s", err->message);
   return false;
}

/* ---- start-up packets ---- */

/* Reads a packet before login, which has a length but no type. Returns false if it is not valid. */
static bool read_packet (MtConnection *c, MtNetBytes *m)
{
   *m = (MtNetBytes) {.n = 4, .p = mt_socket_read (&c->socket, 4)};
   if (!m->p)
      return false;
   size_t n = mt_take_be32 (m);
   if (n < 8 || n > MT_LOGIN_MESSAGE_BYTES)
      return false; /* no client of PostgreSQL, which would not understand an answer */
   *m = (MtNetBytes) {.n = n - 4, .p = mt_socket_read (&c->socket, n - 4)};
   return m->p != NULL;
}

static bool answer_byte (MtConnection *c, char answer)
{
   mt_buf_addc (&c->socket.out, answer);
   return mt_socket_flush (&c->socket);
}

static bool begin_tls (MtConnection *c)
{
   SSL_CTX *context = mt_wire_tls (c->server);
   if (!context || c->socket.tls)
      return answer_byte (c, 'N');
   return answer_byte (c, 'S') && mt_socket_tls (&c->socket, context);
}

/* Appends a setting of the start-up message to a list: name NUL value NUL. */
static void add_setting (MtBuf *settings, MtStr name, MtStr value)
{
   mt_buf_add (settings, name.p, name.n);
   mt_buf_addc (settings, 0);
   mt_buf_add (settings, value.p, value.n);
   mt_buf_addc (settings, 0);
}

/* Reads the settings "-c name=value" and "--name=value" in the parameter `options`. A backslash
 * precedes a blank that belongs to a value. */
static bool read_options (const char *p, MtBuf *settings, MtError *err)
{
   for (;;) {
      MtBuf word = {0};
      while (isspace ((unsigned char) *p))
         p++;
      if (!*p)
         return true;
      if (strncmp (p, "-c", 2) == 0)
         p += 2;
      else if (strncmp (p, "--", 2) == 0)
         p += 2;
      else
         return mt_error (err, MT_E_SYNTAX, "invalid command-line argument for server process: %s",
                          p);
      while (isspace ((unsigned char) *p))
         p++;
      for (; *p && !isspace ((unsigned char) *p); p++) {
         if (*p == '\\' && p[1])
            p++;
         mt_buf_addc (&word, *p);
      }
      const char *eq = word.n ? strchr (word.p, '=') : NULL;
      if (eq)
         add_setting (settings, (MtStr) {word.p, (size_t) (eq - word.p)}, mt_str (eq + 1));
      mt_buf_free (&word);
      if (!eq)
         return mt_error (err, MT_E_SYNTAX, "option -c of the start-up message needs NAME=VALUE");
   }
}

/* Sends a NegotiateProtocolVersion message: the protocol version that the server uses, and the
 * client's protocol options that it does not know. */
static void negotiate (MtConnection *c, uint32_t version, const MtBuf *unknown, uint32_t count)
{
   size_t at = mt_message_begin (&c->socket.out, 'v');
   mt_put_be32 (&c->socket.out, version);
   mt_put_be32 (&c->socket.out, count);
   mt_buf_add (&c->socket.out, unknown->p, unknown->n);
   mt_message_end (&c->socket.out, at);
}

/* Reads the parameters of the start-up message: user, database and settings. */
static bool read_parameters (MtConnection *c, MtNetBytes *m, uint32_t version, MtError *err)
{
   MtBuf settings = {0}, unknown = {0};
   uint32_t unknown_count = 0;
   uint32_t spoken = version == PROTOCOL_3_0 ? PROTOCOL_3_0 : PROTOCOL_3_2;
   bool ok = true;
   for (const char *name; ok && (name = mt_take_text (m)) != NULL && *name;) {
      const char *value = mt_take_text (m);
      if (!value) {
         break;
      } else if (strcmp (name, "user") == 0) {
         free (c->user);
         c->user = mt_heap_strdup (value);
      } else if (strcmp (name, "database") == 0) {
         free (c->database);
         c->database = mt_heap_strdup (value);
      } else if (strcmp (name, "options") == 0) {
         ok = read_options (value, &settings, err);
      } else if (strcmp (name, "replication") == 0) {
         ok = mt_error (err, MT_E_FEATURE, "replication is not supported");
      } else if (strncmp (name, "_pq_.", 5) == 0) {
         mt_put_text (&unknown, name);
         unknown_count++;
      } else {
         add_setting (&settings, mt_str (name), mt_str (value));
      }
   }
   ok = ok && (mt_took_all (m) || mt_error (err, MT_E_PROTOCOL, "invalid startup packet layout"));
   ok = ok && ((c->user && *c->user) ||
               mt_error (err, MT_E_AUTHORIZATION, "no user name specified in startup packet"));
   if (ok && (version != spoken || unknown_count))
      negotiate (c, spoken, &unknown, unknown_count);
   c->key_bytes = spoken == PROTOCOL_3_0 ? 4 : MT_KEY_MOST_BYTES;
   mt_buf_addc (&settings, 0);
   c->settings = settings.p;
   mt_buf_free (&unknown);
   return ok;
}

/* Reads packets (TLS and cancel requests) up to the start-up message. Returns false if the
 * connection must end. */
static bool start_up (MtConnection *c)
{
   MtNetBytes m;
   MtError err;
   for (int requests = 0; requests < 3 && read_packet (c, &m); requests++) {
      uint32_t code = mt_take_be32 (&m);
      if (code == CODE_TLS) {
         if (!begin_tls (c))
            return false;
      } else if (code == CODE_GSS) {
         if (!answer_byte (c, 'N'))
            return false;
      } else if (code == CODE_CANCEL) {
         uint32_t number = mt_take_be32 (&m);
         size_t n = m.n - m.at;
         mt_wire_cancel (c->server, number, mt_take_bytes (&m, n), n);
         return false;
      } else if (code >> 16 != 3) {
         mt_error (&err, MT_E_FEATURE,
                   "unsupported frontend protocol %u.%u: server supports 3.0 to 3.2", code >> 16,
                   code & 0xffff);
         return fatal (c, &err);
      } else {
         return read_parameters (c, &m, code, &err) || fatal (c, &err);
      }
   }
   return false;
}

/* ---- the password ---- */

static void send_auth (MtConnection *c, uint32_t kind, const char *p, size_t n)
{
   size_t at = mt_message_begin (&c->socket.out, 'R');
   mt_put_be32 (&c->socket.out, kind);
   mt_buf_add (&c->socket.out, p, n);
   mt_message_end (&c->socket.out, at);
}

/* Reads a message of type 'p' (a password or SASL response). */
static bool read_password (MtConnection *c, MtNetBytes *m)
{
   char type;
   return mt_message_read (&c->socket, MT_LOGIN_MESSAGE_BYTES - 4, &type, m) && type == 'p';
}

/* Reads the client's first SASL message, with the name of the mechanism and the first SCRAM text,
 * and appends the answer. */
static bool first_message (MtConnection *c, MtScram *scram, MtError *err)
{
   MtNetBytes m;
   MtStr answer;
   if (!read_password (c, &m))
      return mt_error (err, MT_E_PROTOCOL, "expected SASL response");
   const char *mechanism = mt_take_text (&m);
   size_t n = mt_take_be32 (&m);
   const uint8_t *text = mt_take_bytes (&m, n);
   if (!mt_took_all (&m))
      return mt_error (err, MT_E_PROTOCOL, "malformed SCRAM message");
   scram->plus = strcmp (mechanism, "SCRAM-SHA-256-PLUS") == 0;
   if (scram->plus ? !scram->binding : strcmp (mechanism, "SCRAM-SHA-256") != 0)
      return mt_error (err, MT_E_PROTOCOL,
                       "client selected an invalid SASL authentication mechanism");
   if (!mt_scram_first (scram, (const char *) text, n, &answer, err))
      return false;
   send_auth (c, AUTH_SASL_CONTINUE, answer.p, answer.n);
   return mt_socket_flush (&c->socket);
}

static bool last_message (MtConnection *c, MtScram *scram, MtError *err)
{
   MtNetBytes m;
   MtBuf answer = {0};
   if (!read_password (c, &m))
      return mt_error (err, MT_E_PROTOCOL, "expected SASL response");
   bool ok = mt_scram_last (scram, (const char *) m.p, m.n, &answer, err);
   if (ok)
      send_auth (c, AUTH_SASL_FINAL, answer.p, answer.n);
   mt_buf_free (&answer);
   return ok;
}

/* Checks the password by SCRAM. For a user who does not exist it fails at the same point as for a
 * wrong password, so that clients can't find out which users exist. */
static bool check_password (MtConnection *c, MtError *err)
{
   MtUser user;
   MtScram scram = {.verifier = &user.verifier};
   size_t n;
   if (!mt_users_find (mt_wire_options (c->server)->users, c->user, &user, err) ||
       (!user.found && !mt_scram_nobody (c->user, &user.verifier, err)))
      return false;
   if (c->socket.tls) {
      scram.binding = mt_wire_certificate (c->server, &n);
      scram.binding_bytes = n;
   }
   static const char both[] = "SCRAM-SHA-256-PLUS\0SCRAM-SHA-256\0";
   if (scram.binding)
      send_auth (c, AUTH_SASL, both, sizeof both);
   else
      send_auth (c, AUTH_SASL, both + 19, sizeof both - 19);
   bool ok = mt_socket_flush (&c->socket) && first_message (c, &scram, err) &&
             last_message (c, &scram, err);
   mt_scram_free (&scram);
   c->read_only = user.read_only;
   return ok;
}

/* Delays the answer to a wrong password, which slows down guessing. The delay ends if another
 * client needs the place. */
static void delay (MtConnection *c)
{
   int64_t end = mt_now_ms () + MT_FAILED_LOGIN_MS;
   struct pollfd p = {.fd = c->socket.fd, .events = POLLRDHUP};
   if (poll (&p, 1, MT_FAILED_LOGIN_MS) <= 0 || mt_wire_displaced (c))
      return;
   int64_t left = end - mt_now_ms (); /* the client has hung up */
   if (left > 0)
      poll (NULL, 0, (int) left);
}

static bool authenticate (MtConnection *c)
{
   MtError err;
   mt_error_clear (&err);
   if (!mt_wire_options (c->server)->users)
      return true; /* users are trusted, or only the server's user can open the Unix socket */
   if (check_password (c, &err))
      return true;
   if (c->socket.lost && !c->socket.late)
      return false;
   delay (c);
   if (mt_wire_displaced (c))
      return false;
   if (c->socket.late)
      mt_error (&err, MT_E_CANCELED, "canceling authentication due to timeout");
   else if (mt_error_is (&err, MT_E_PASSWORD))
      mt_error (&err, MT_E_PASSWORD, "password authentication failed for user \"%s\"", c->user);
   c->socket.lost = false; /* the client can still read why */
   return fatal (c, &err);
}

/* ---- the session ---- */

/* Changes a setting of the session that the client sent in the start-up message. */
static bool set (MtConnection *c, const char *name, const char *value, MtError *err)
{
   MtPrepared *p;
   MtResult *r;
   MtVal values[2] = {mt_v_cstr (name), mt_v_cstr (value)};
   bool more = true;
   if (!mt_prepare (c->session, "SELECT set_config ($1, $2, false)", -1, &p, err))
      return false;
   bool ok = mt_execute (p, values, 2, &r, err);
   if (ok) {
      while ((ok = mt_result_next (r, &more, err)) && more)
         ;
      mt_result_free (r);
   }
   mt_prepared_free (p);
   return ok;
}

/* Sets *same to whether c->database is the current database. */
static bool is_current (MtConnection *c, bool *same, MtError *err)
{
   MtResult *r = NULL;
   bool more = false;
   if (!mt_query (c->session, "SELECT current_database()", -1, &r, err))
      return false;
   bool ok = mt_result_next (r, &more, err);
   *same = ok && more && strcmp (mt_result_text (r, 0, NULL), c->database) == 0;
   mt_result_free (r);
   return ok;
}

static bool is_database (MtConnection *c, MtError *err)
{
   MtArena *a = mt_arena_new ("databases", NULL);
   const char **names;
   size_t count = 0;
   bool found = false, ok = mt_databases (c->session, a, &names, &count, err);
   for (size_t i = 0; ok && i < count && !found; i++)
      found = strcmp (names[i], c->database) == 0;
   ok = ok && (found || is_current (c, &found, err));
   mt_arena_free (a);
   if (ok && !found) {
      mt_error (err, MT_E_DATABASE, "database \"%s\" does not exist", c->database);
      return mt_error_hint (err, "A server of mtsql has one database: leave its name out.");
   }
   return ok;
}

/* Opens the session and applies the client's settings. The database must be the current one; it may
 * also be the user's name, which clients send by default. */
static bool open_session (MtConnection *c, MtError *err)
{
   MtOpenOptions o = *mt_wire_options (c->server)->session;
   MtSession *s;
   o.restricted = true;
   o.read_only |= c->read_only;
   o.read_stdin = mt_wire_copy_read;
   o.write_stdout = mt_wire_copy_write;
   o.copy_begin = mt_wire_copy_begin;
   o.notice = mt_wire_notice;
   o.progress = NULL;
   o.opening = NULL;
   o.extension = NULL;
   o.ctx = c;
   if (!mt_open (&o, &s, err))
      return false;
   mt_wire_set_session (c, s);
   if (c->database && *c->database && strcmp (c->database, c->user) != 0 && !is_database (c, err))
      return false;
   /* Clients share one server or store, so a statement that writes waits for other writers. */
   if (!set (c, "lock_timeout", "30s", err))
      return false;
   for (const char *name = c->settings; *name;) {
      const char *value = name + strlen (name) + 1;
      if (!set (c, name, value, err))
         return false;
      name = value + strlen (value) + 1;
   }
   return true;
}

static void greet (MtConnection *c)
{
   send_auth (c, AUTH_OK, NULL, 0);
   size_t at = mt_message_begin (&c->socket.out, 'K');
   mt_put_be32 (&c->socket.out, c->number);
   mt_buf_add (&c->socket.out, c->key, c->key_bytes);
   mt_message_end (&c->socket.out, at);
}

bool mt_wire_login (MtConnection *c)
{
   MtError err;
   c->socket.deadline_ms = mt_now_ms () + MT_LOGIN_TIME_MS;
   bool passed = start_up (c) && authenticate (c);
   if (mt_wire_displaced (c) || (passed && !mt_wire_admit (c))) {
      c->socket.lost = false; /* only its reading side was shut */
      mt_error (&err, MT_E_CONNECTIONS, "sorry, too many clients already");
      return fatal (c, &err);
   }
   if (!passed)
      return false;
   if (!open_session (c, &err))
      return fatal (c, &err);
   greet (c);
   c->socket.deadline_ms = 0;
   c->logged_in = true;
   return mt_wire_ready (c);
}
