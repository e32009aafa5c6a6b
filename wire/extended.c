/* The extended query protocol: prepared statements and portals.
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-EXT-QUERY
 *
 * A session has only one open result at a time. If another statement is run while a portal still
 * has rows, these rows are written to a temporary file (mt_wire_park).
 *
 * The messages up to a Sync are one transaction, as in PostgreSQL. If the first Execute is directly
 * followed by Sync, the statement runs without a transaction. Otherwise a transaction is begun
 * before it. Statements such as VACUUM, which are run when their portal is described, run without
 * one, too. */
#include "wire/connection_int.h"
#include "types/binary.h"
#include "base/temporary.h"

#include <ctype.h>
#include <stdlib.h>

struct MtWireStatement {
   MtWireStatement *next;
   unsigned uses; /* number of references: the list of statements, and portals */
   char *name;    /* "": the unnamed statement */
   char *sql;
   MtPrepared *prepared;
};

struct MtPortalOut {
   MtPortalOut *next;
   char *name;
   MtWireStatement *statement;
   MtArena *arena; /* owns the values and formats */
   MtVal *values;
   MtFormats formats;
   MtResult *result; /* NULL: not run yet, or all rows were sent */
   FILE *aside;      /* a file with rows to be sent later; NULL: none */
   char *tag;        /* the tag of the statement whose rows are in `aside` */
   bool ran;
   /* A Describe message for the portal has no answer yet. An Execute message follows it at once. It
    * answers both, so that the statement is bound only once. */
   bool owed;
};

/* ---- finding and freeing ---- */

static void release (MtWireStatement *s)
{
   if (--s->uses > 0)
      return;
   mt_prepared_free (s->prepared);
   free (s->name);
   free (s->sql);
   free (s);
}

static void close_statement (MtWireStatement **at)
{
   MtWireStatement *s = *at;
   if (s) {
      *at = s->next;
      mt_prepared_set_name (s->prepared, NULL, NULL);
      release (s);
   }
}

/* Finds a statement. Drops those whose name SQL's DEALLOCATE or DISCARD has removed. */
static MtWireStatement **find_statement (MtConnection *c, const char *name)
{
   MtWireStatement **at = &c->statements;
   while (*at)
      if (*(*at)->name && !mt_prepared_is_named ((*at)->prepared))
         close_statement (at);
      else if (strcmp ((*at)->name, name) == 0)
         break;
      else
         at = &(*at)->next;
   return at;
}

static MtPortalOut **find_portal (MtConnection *c, const char *name)
{
   MtPortalOut **at = &c->portals;
   while (*at && strcmp ((*at)->name, name) != 0)
      at = &(*at)->next;
   return at;
}

static void close_portal (MtConnection *c, MtPortalOut **at)
{
   MtPortalOut *p = *at;
   if (!p)
      return;
   *at = p->next;
   if (c->open == p)
      c->open = NULL;
   mt_result_free (p->result);
   mt_temporary_close (p->aside);
   mt_arena_free (p->arena);
   release (p->statement);
   free (p->name);
   free (p->tag);
   free (p);
}

void mt_wire_close_portals (MtConnection *c, MtPortalOut *but)
{
   for (MtPortalOut **at = &c->portals; *at;)
      if (*at == but)
         at = &(*at)->next;
      else
         close_portal (c, at);
}

void mt_wire_close_all (MtConnection *c)
{
   mt_wire_close_portals (c, NULL);
   while (c->statements)
      close_statement (&c->statements);
}

/* ---- rows in a temporary file ---- */

static bool write_aside (MtConnection *c, MtPortalOut *p, MtError *err)
{
   MtBuf row = {0};
   bool ok = true, more = true;
   while (ok && (ok = mt_result_next (p->result, &more, err)) && more) {
      mt_buf_clear (&row);
      mt_arena_reset (c->values);
      ok = mt_wire_row (c, p->result, p->formats, &row, err) &&
           mt_temporary_write (p->aside, row.p, row.n, err);
   }
   mt_buf_free (&row);
   return ok;
}

bool mt_wire_park (MtConnection *c, MtError *err)
{
   MtPortalOut *p = c->open;
   if (!p)
      return true;
   c->open = NULL;
   p->aside = mt_temporary_stream (err);
   bool ok = p->aside && write_aside (c, p, err) && mt_temporary_rewind (p->aside, err);
   p->tag = strdup (mt_result_tag (p->result));
   mt_result_free (p->result);
   p->result = NULL;
   return ok;
}

/* Sends the next rows from the portal's temporary file, at most `most` (0: all). *more: there are
 * further rows. */
static bool send_aside (MtConnection *c, MtPortalOut *p, uint64_t most, bool *more, MtError *err)
{
   MtBuf *out = &c->socket.out;
   *more = true;
   for (uint64_t i = 0; most == 0 || i < most; i++) {
      uint8_t head[5];
      size_t got = fread (head, 1, sizeof head, p->aside);
      if (got == 0 && feof (p->aside)) {
         *more = false;
         return true;
      }
      MtNetBytes m = {.p = head, .n = got, .at = 1};
      uint32_t n = mt_take_be32 (&m) - 4;
      if (m.bad)
         return mt_temporary_damaged (err);
      mt_buf_add (out, head, sizeof head);
      if (!mt_buf_reserve (out, n))
         return mt_memory_check (err);
      if (!mt_temporary_read (p->aside, out->p + out->n, n, err))
         return false;
      out->n += n;
      if (out->n >= MT_FLUSH_BYTES && !mt_socket_flush (&c->socket))
         return mt_error (err, MT_E_CONNECTION, "connection to client lost");
   }
   return true;
}

/* ---- messages ---- */

static bool malformed (MtError *err)
{
   return mt_error (err, MT_E_PROTOCOL, "invalid message format");
}

static bool parse (MtConnection *c, MtNetBytes *m, const char **sql, MtError *err)
{
   const char *name = mt_take_text (m);
   *sql = mt_take_text (m);
   uint16_t count = mt_take_be16 (m);
   MtType *types = mt_calloc ("types", (size_t) count + 1, sizeof *types);
   bool ok = !m->bad || malformed (err);
   for (uint16_t i = 0; ok && i < count; i++) {
      uint32_t oid = mt_take_be32 (m);
      types[i] = mt_type (MT_T_UNKNOWN);
      ok = oid == 0 || mt_type_of_oid (oid, -1, &types[i]) ||
           mt_error (err, MT_E_UNDEFINED_OBJECT, "type with OID %u does not exist", oid);
   }
   ok = ok && (mt_took_all (m) || malformed (err));
   MtWireStatement **at = ok ? find_statement (c, name) : NULL;
   if (ok && *at && *name)
      ok = mt_error (err, MT_E_DUPLICATE_PREPARED, "prepared statement \"%s\" already exists",
                     name);
   else if (ok)
      close_statement (at);
   MtPrepared *prepared = NULL;
   ok = ok && mt_wire_park (c, err) &&
        mt_prepare_types (c->session, *sql, -1, (MtTypes) {types, count}, &prepared, err);
   if (ok && *name && !mt_prepared_set_name (prepared, name, err)) {
      mt_prepared_free (prepared);
      prepared = NULL;
      ok = false;
   }
   if (ok) {
      MtWireStatement *s = mt_calloc ("statement", 1, sizeof *s);
      *s = (MtWireStatement) {.next = c->statements,
                              .uses = 1,
                              .name = mt_heap_strdup (name),
                              .sql = mt_heap_strdup (*sql),
                              .prepared = prepared};
      c->statements = s;
      mt_message_empty (&c->socket.out, '1');
   }
   free (types);
   return prepared != NULL;
}

/* Reads format codes, a count and then as many 16-bit numbers, into arena a. Sets m->bad if they
 * are wrong. */
static MtFormats take_formats (MtNetBytes *m, MtArena *a)
{
   MtFormats f = {.count = mt_take_be16 (m)};
   if (f.count > m->n)
      m->bad = true;
   if (m->bad)
      f.count = 0;
   uint16_t *list = MT_NEW_N (a, uint16_t, f.count + 1);
   for (size_t i = 0; i < f.count; i++) {
      list[i] = mt_take_be16 (m);
      m->bad |= list[i] > MT_FORMAT_BINARY;
   }
   f.list = list;
   return f;
}

static bool take_value (MtPortalOut *p, size_t i, uint16_t format, MtNetBytes *m, MtError *err)
{
   MtPrepared *prepared = p->statement->prepared;
   uint32_t n = mt_take_be32 (m);
   MtBuf text = {0};
   p->values[i] = mt_v_null ();
   if (m->bad || n == UINT32_MAX)
      return !m->bad || malformed (err);
   const uint8_t *bytes = mt_take_bytes (m, n);
   if (!bytes)
      return malformed (err);
   bool ok = true;
   if (format == MT_FORMAT_BINARY)
      ok = mt_binary_receive (mt_prepared_type (prepared, i), bytes, n, &text, err) ||
           mt_error_context (err, "unnamed portal parameter $%zu", i + 1);
   else
      mt_buf_add (&text, bytes, n);
   if (ok)
      p->values[i] = mt_v_copy (p->arena, mt_v_str (text.p ? text.p : "", text.n));
   mt_buf_free (&text);
   return ok;
}

/* Reads the values of the parameters, and the format codes, of a Bind message. */
static bool take_values (MtPortalOut *p, MtNetBytes *m, MtError *err)
{
   MtFormats given = take_formats (m, p->arena);
   size_t n = mt_prepared_parameters (p->statement->prepared);
   uint16_t count = mt_take_be16 (m);
   if (m->bad)
      return malformed (err);
   if (count != n)
      return mt_error (err, MT_E_PROTOCOL,
                       "bind message supplies %u parameters, but prepared statement \"%s\" "
                       "requires %zu",
                       count, p->statement->name, n);
   if (given.count > 1 && given.count != n)
      return mt_error (err, MT_E_PROTOCOL,
                       "bind message has %zu parameter formats but %zu parameters", given.count, n);
   p->values = MT_NEW_N (p->arena, MtVal, n + 1);
   for (size_t i = 0; i < n; i++) {
      uint16_t format = given.count ? given.list[given.count == 1 ? 0 : i] : MT_FORMAT_TEXT;
      if (!take_value (p, i, format, m, err))
         return false;
   }
   p->formats = take_formats (m, p->arena);
   return mt_took_all (m) || malformed (err);
}

static bool bind (MtConnection *c, MtNetBytes *m, MtError *err)
{
   const char *portal = mt_take_text (m), *name = mt_take_text (m);
   if (m->bad)
      return malformed (err);
   MtWireStatement *s = *find_statement (c, name);
   MtPortalOut **at = find_portal (c, portal);
   if (!s)
      return mt_error (err, MT_E_STATEMENT_NAME,
                       *name ? "prepared statement \"%s\" does not exist"
                             : "unnamed prepared statement does not exist%s",
                       name);
   if (*at && *portal)
      return mt_error (err, MT_E_DUPLICATE_CURSOR, "portal \"%s\" already exists", portal);
   close_portal (c, at);
   MtPortalOut *p = mt_calloc ("portal", 1, sizeof *p);
   *p = (MtPortalOut) {.next = c->portals,
                       .name = mt_heap_strdup (portal),
                       .statement = s,
                       .arena = mt_arena_new ("portal", NULL)};
   s->uses++;
   c->portals = p;
   if (!take_values (p, m, err)) {
      close_portal (c, &c->portals);
      return false;
   }
   mt_message_empty (&c->socket.out, '2');
   return true;
}

/* ---- running statements ---- */

/* Returns whether `sql` begins with this word; upper and lower case are equal. */
static bool begins (const char *sql, const char *word)
{
   size_t n = strlen (word);
   while (isspace ((unsigned char) *sql))
      sql++;
   return strncasecmp (sql, word, n) == 0 && !isalnum ((unsigned char) sql[n]) && sql[n] != '_';
}

/* Returns whether `sql` begins with one of these words. The list ends with NULL. */
static bool begins_any (const char *sql, const char *const *words)
{
   while (*words && !begins (sql, *words))
      words++;
   return *words != NULL;
}

/* Returns whether `sql` begins or ends a transaction. */
static bool is_transaction (const char *sql)
{
   static const char *const words[] = {"begin",    "start", "commit", "end",
                                       "rollback", "abort", NULL};
   return begins_any (sql, words);
}

/* Returns whether `sql` sends no message before its rows. So its columns can be described when it
 * has been run. */
static bool is_query (const char *sql)
{
   static const char *const words[] = {"select", "values", "table",  "with",
                                       "insert", "update", "delete", NULL};
   return begins_any (sql, words);
}

/* If the text at *sql is this word (upper and lower case are equal), advances *sql after it;
 * otherwise returns false. */
static bool take_word (const char **sql, const char *word)
{
   if (!begins (*sql, word))
      return false;
   while (isspace ((unsigned char) **sql))
      (*sql)++;
   *sql += strlen (word);
   return true;
}

bool mt_wire_deallocate (MtConnection *c, const char *sql)
{
   if (!take_word (&sql, "deallocate"))
      return false;
   take_word (&sql, "prepare");
   while (isspace ((unsigned char) *sql))
      sql++;
   bool quoted = *sql == '"';
   size_t n = quoted ? strcspn (++sql, "\"") : strcspn (sql, "; \t\r\n");
   char *name = mt_heap_strndup (sql, n);
   for (char *p = name; *p && !quoted; p++)
      *p = (char) tolower ((unsigned char) *p);
   MtWireStatement **at = find_statement (c, name);
   bool found = *name && *at;
   if (found)
      close_statement (at);
   free (name);
   return found;
}

static bool run_text (MtConnection *c, const char *sql, MtError *err)
{
   MtResult *r;
   bool more = true;
   if (!mt_query (c->session, sql, -1, &r, err))
      return false;
   bool ok = true;
   while (ok && (ok = mt_result_next (r, &more, err)) && more)
      ;
   mt_result_free (r);
   return ok;
}

/* Begins the transaction of the messages up to Sync, unless the next message is Sync. Waits for the
 * next message, which the client must send anyway to get an answer. */
static bool begin_pipeline (MtConnection *c, const char *sql, MtError *err)
{
   if (is_transaction (sql)) {
      c->pipeline &= !begins (sql, "begin") && !begins (sql, "start");
      return true;
   }
   if (c->pipeline || mt_transaction_state (c->session) != MT_TRANSACTION_NONE ||
       mt_socket_next (&c->socket) == 'S')
      return true;
   c->pipeline = run_text (c, "BEGIN", err);
   return c->pipeline;
}

static bool start (MtConnection *c, MtPortalOut *p, MtError *err)
{
   size_t n = mt_prepared_parameters (p->statement->prepared);
   if (mt_wire_deallocate (c, p->statement->sql)) {
      p->tag = mt_heap_strdup ("DEALLOCATE");
      return p->ran = true;
   }
   if (!mt_wire_park (c, err) ||
       !mt_execute (p->statement->prepared, p->values, n, &p->result, err))
      return false;
   p->ran = true;
   c->open = p;
   return true;
}

static void describe_result (MtConnection *c, const MtResult *r, MtFormats formats)
{
   if (mt_result_has_rows (r))
      mt_wire_describe_rows (c, r, formats);
   else
      mt_message_empty (&c->socket.out, 'n');
}

/* Describes the result columns of a statement, or of a portal (p not NULL). If they aren't known
 * before a portal is run, it is run now. */
static bool describe_rows (MtConnection *c, MtWireStatement *s, MtPortalOut *p, MtError *err)
{
   MtResult *r;
   MtFormats formats = p ? p->formats : (MtFormats) {0};
   if (p && p->result) {
      describe_result (c, p->result, formats);
      return true;
   }
   if (!mt_wire_park (c, err))
      return false;
   if (mt_prepared_describe (s->prepared, &r, err)) {
      describe_result (c, r, formats);
      mt_result_free (r);
      return true;
   }
   if (!p || !mt_error_is (err, MT_E_FEATURE) || !start (c, p, err))
      return false;
   describe_result (c, p->result, formats);
   return true;
}

/* Runs a portal that was not run before. */
static bool run_portal (MtConnection *c, MtPortalOut *p, MtError *err)
{
   bool described = p->owed;
   p->owed = false;
   if (!mt_wire_park (c, err) || !begin_pipeline (c, p->statement->sql, err) || !start (c, p, err))
      return false;
   if (described)
      describe_result (c, p->result, p->formats);
   return true;
}

/* Answers the Describe message before this Execute, unless it was for the same portal p. */
static bool describe_other (MtConnection *c, const MtPortalOut *p, MtError *err)
{
   MtPortalOut *other = c->portals;
   while (other && (!other->owed || other == p))
      other = other->next;
   if (!other)
      return true;
   other->owed = false;
   return describe_rows (c, other->statement, other, err);
}

static void finish (MtConnection *c, MtPortalOut *p)
{
   if (p->result)
      mt_wire_complete (c, p->result);
   else
      mt_message_text (&c->socket.out, 'C', p->tag ? p->tag : "SELECT 0");
   mt_result_free (p->result);
   mt_temporary_close (p->aside);
   p->result = NULL;
   p->aside = NULL;
   if (c->open == p)
      c->open = NULL;
   if (mt_transaction_state (c->session) == MT_TRANSACTION_NONE) {
      c->pipeline = false;
      mt_wire_close_portals (c, p); /* what COMMIT or ROLLBACK leaves */
   }
}

static bool execute (MtConnection *c, MtNetBytes *m, const char **sql, MtError *err)
{
   const char *name = mt_take_text (m);
   uint32_t most = mt_take_be32 (m);
   if (!mt_took_all (m))
      return malformed (err);
   MtPortalOut *p = *find_portal (c, name);
   if (!describe_other (c, p, err))
      return false;
   if (!p)
      return mt_error (err, MT_E_CURSOR_NAME, "portal \"%s\" does not exist", name);
   *sql = p->statement->sql;
   if (!p->ran && !run_portal (c, p, err))
      return mt_wire_copy_end (c, false, err);
   bool more = false, ok = true;
   if (p->result)
      ok = mt_wire_rows (c, p->result, p->formats, most, &more, err);
   else if (p->aside)
      ok = send_aside (c, p, most, &more, err);
   if (!mt_wire_copy_end (c, ok, err))
      return false;
   if (more && most > 0)
      mt_message_empty (&c->socket.out, 's');
   else
      finish (c, p);
   return true;
}

/* ---- Describe messages ---- */

/* Describes a cursor made with DECLARE, which is a portal, too. */
static bool describe_cursor (MtConnection *c, const char *name, MtError *err)
{
   MtResult *r;
   MtBuf sql = {0};
   mt_buf_adds (&sql, "FETCH 0 FROM ");
   mt_buf_quoted (&sql, '"', mt_str (name));
   bool ok = mt_wire_park (c, err) &&
             (mt_describe (c->session, sql.p, (long) sql.n, &r, err) ||
              mt_error (err, MT_E_CURSOR_NAME, "portal \"%s\" does not exist", name));
   mt_buf_free (&sql);
   if (!ok)
      return false;
   describe_result (c, r, (MtFormats) {0});
   mt_result_free (r);
   return true;
}

static bool describe (MtConnection *c, MtNetBytes *m, const char **sql, MtError *err)
{
   const uint8_t *what = mt_take_bytes (m, 1);
   const char *name = mt_take_text (m);
   if (!mt_took_all (m) || (*what != 'S' && *what != 'P'))
      return malformed (err);
   MtPortalOut *p = *what == 'P' ? *find_portal (c, name) : NULL;
   if (*what == 'P' && !p)
      return describe_cursor (c, name, err);
   MtWireStatement *s = p ? p->statement : *find_statement (c, name);
   if (!s)
      return mt_error (err, MT_E_STATEMENT_NAME, "prepared statement \"%s\" does not exist", name);
   *sql = s->sql;
   if (p && !p->ran && is_query (s->sql) && mt_socket_next (&c->socket) == 'E') {
      p->owed = true;
      return true;
   }
   if (*what == 'S') {
      MtBuf *out = &c->socket.out;
      size_t n = mt_prepared_parameters (s->prepared), at = mt_message_begin (out, 't');
      mt_put_be16 (out, (uint16_t) n);
      for (size_t i = 0; i < n; i++)
         mt_put_be32 (out, mt_type_oid (mt_prepared_type (s->prepared, i)));
      mt_message_end (out, at);
   }
   return describe_rows (c, s, p, err);
}

static bool close_one (MtConnection *c, MtNetBytes *m, MtError *err)
{
   const uint8_t *what = mt_take_bytes (m, 1);
   const char *name = mt_take_text (m);
   if (!mt_took_all (m) || (*what != 'S' && *what != 'P'))
      return malformed (err);
   if (*what == 'S')
      close_statement (find_statement (c, name));
   else
      close_portal (c, find_portal (c, name));
   mt_message_empty (&c->socket.out, '3');
   return true;
}

/* After an error, frees the result of the portal whose rows were being read. */
static void drop_open (MtConnection *c)
{
   if (c->open)
      mt_result_free (c->open->result);
   if (c->open)
      c->open->result = NULL;
   c->open = NULL;
}

void mt_wire_extended (MtConnection *c, char type, MtNetBytes *m)
{
   MtError err;
   const char *sql = NULL;
   bool ok = true;
   mt_error_clear (&err);
   switch (type) {
   case 'P': ok = parse (c, m, &sql, &err); break;
   case 'B': ok = bind (c, m, &err); break;
   case 'D': ok = describe (c, m, &sql, &err); break;
   case 'E': ok = execute (c, m, &sql, &err); break;
   default: ok = close_one (c, m, &err); break;
   }
   if (ok)
      return;
   drop_open (c);
   mt_transaction_failed (c->session);
   mt_wire_error (c, "ERROR", &err, sql);
   c->skips = true;
}

void mt_wire_sync (MtConnection *c)
{
   MtError err;
   MtTransactionState state = mt_transaction_state (c->session);
   c->skips = false;
   if (c->pipeline) {
      mt_wire_close_portals (c, NULL);
      if (!run_text (c, state == MT_TRANSACTION_OPEN ? "COMMIT" : "ROLLBACK", &err))
         mt_wire_error (c, "ERROR", &err, NULL);
      c->pipeline = false;
   }
   if (mt_transaction_state (c->session) == MT_TRANSACTION_NONE)
      mt_wire_close_portals (c, NULL);
}
