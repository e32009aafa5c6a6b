/* Sends messages other than rows to the client (errors, notices, settings), and writes the log. */
#include "wire/connection_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void field (MtBuf *b, char code, const char *text)
{
   if (*text) {
      mt_buf_addc (b, code);
      mt_put_text (b, text);
   }
}

/* Appends the error's position as the field 'P' of a message: a number of characters, from 1. */
static void position (MtBuf *b, const char *sql, const MtError *err)
{
   char text[32];
   if (!sql || err->span.start < 0 || (size_t) err->span.start > strlen (sql))
      return;
   snprintf (text, sizeof text, "%zu", mt_utf8_length (sql, (size_t) err->span.start) + 1);
   field (b, 'P', text);
}

void mt_wire_error (MtConnection *c, const char *severity, const MtError *err, const char *sql)
{
   MtBuf *b = &c->socket.out;
   size_t at = mt_message_begin (b, 'E');
   field (b, 'S', severity);
   field (b, 'V', severity);
   field (b, 'C', err->sqlstate);
   field (b, 'M', err->message);
   field (b, 'D', err->detail);
   field (b, 'H', err->hint);
   position (b, sql, err);
   field (b, 'W', err->context);
   field (b, 's', err->names.schema);
   field (b, 't', err->names.table);
   field (b, 'c', err->names.column);
   field (b, 'd', err->names.type);
   field (b, 'n', err->names.constraint);
   mt_buf_addc (b, 0);
   mt_message_end (b, at);
}

void mt_wire_notice (void *ctx, const char *severity, const char *message, const char *hint)
{
   MtConnection *c = ctx;
   MtBuf *b = &c->socket.out;
   size_t at = mt_message_begin (b, 'N');
   field (b, 'S', severity);
   field (b, 'V', severity);
   field (b, 'C', strcmp (severity, "WARNING") == 0 ? "01000" : "00000");
   field (b, 'M', message);
   field (b, 'H', hint);
   mt_buf_addc (b, 0);
   mt_message_end (b, at);
}

/* The settings of whose values clients are informed, as PostgreSQL does. */
static const char *const followed[] = {"server_version",
                                       "server_encoding",
                                       "client_encoding",
                                       "application_name",
                                       "is_superuser",
                                       "session_authorization",
                                       "DateStyle",
                                       "IntervalStyle",
                                       "TimeZone",
                                       "integer_datetimes",
                                       "standard_conforming_strings",
                                       "default_transaction_read_only",
                                       "search_path"};
_Static_assert (sizeof followed / sizeof *followed == MT_FOLLOWED, "a value for each setting");

/* Appends a ParameterStatus message for each of these settings whose value has changed since the
 * client was informed. */
static void follow (MtConnection *c)
{
   MtBuf *out = &c->socket.out;
   mt_arena_reset (c->values);
   for (size_t i = 0; i < MT_FOLLOWED; i++) {
      const char *value = mt_setting (c->session, c->values, followed[i]);
      value = value ? value : "off"; /* is_superuser */
      if (c->followed[i] && strcmp (c->followed[i], value) == 0)
         continue;
      free (c->followed[i]);
      c->followed[i] = mt_heap_strdup (value);
      size_t at = mt_message_begin (out, 'S');
      mt_put_text (out, followed[i]);
      mt_put_text (out, value);
      mt_message_end (out, at);
   }
}

bool mt_wire_ready (MtConnection *c)
{
   static const char states[] = {
      [MT_TRANSACTION_NONE] = 'I', [MT_TRANSACTION_OPEN] = 'T', [MT_TRANSACTION_FAILED] = 'E'};
   MtBuf *b = &c->socket.out;
   follow (c);
   size_t at = mt_message_begin (b, 'Z');
   mt_buf_addc (b, states[mt_transaction_state (c->session)]);
   mt_message_end (b, at);
   return mt_socket_flush (&c->socket);
}

void mt_wire_log (const MtConnection *c, const char *severity, const char *fmt, ...)
{
   char when[32], text[1024];
   time_t now = time (NULL);
   struct tm tm;
   va_list ap;
   strftime (when, sizeof when, "%Y-%m-%d %H:%M:%S UTC", gmtime_r (&now, &tm));
   va_start (ap, fmt);
   vsnprintf (text, sizeof text, fmt, ap);
   va_end (ap);
   for (char *p = text; *p; p++)
      if ((unsigned char) *p < ' ')
         *p = '?'; /* a client's name can't begin a line of the log */
   if (c)
      fprintf (stderr, "%s [%u] %s: %s (%s)\n", when, c->number, severity, text, c->peer);
   else
      fprintf (stderr, "%s %s: %s\n", when, severity, text);
}
