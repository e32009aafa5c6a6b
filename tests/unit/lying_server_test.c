/* A server that lies: some answers to typical statements are changed, field by field and byte by
 * byte. Each statement ends by itself, with an answer or with one clear error. The session goes on
 * once the server says the truth again.
 *
 * The server is a thread here, over a local store, so that true answers have what was written.
 * MTSQL_TEST_LONG=1: 200,000 lies instead of 300. LYING_SEED and LYING_COUNT set where the random
 * numbers begin, and how many lies are told. The same seed tells the same lies, as the digest at
 * the end shows. tests/servers/nonsense_test.py runs the command. */
#include "engine/engine.h"
#include "include/mtsql.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum {
   HEAD = 16,
   OP_REPLY = 1,
   OP_QUERY = 2004,
   OP_COMPRESSED = 2012,
   OP_MSG = 2013,
   MOST_BYTES = 1 << 20,
   STATEMENTS_A_ROUND = 100,
   HANG_S = 120
};

static const uint64_t MIX = 0x9E3779B97F4A7C15;

static struct {
   pthread_mutex_t lock; /* of the store, `round` and `connections` */
   MtEngine *store;
   int listener;
   char folder[32];      /* of the socket */
   uint32_t truths;      /* of so many answers one is a lie */
   uint64_t round;       /* where the round's random numbers begin */
   uint64_t connections; /* of the round */
   atomic_bool lies;
   atomic_long told;
   uint64_t digest; /* of all lies and their sizes: the same for the same seed */
} server = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* A connection has random numbers of its own, so that others don't change its lies. */
typedef struct Connection {
   int fd;
   uint64_t random;
} Connection;

static _Thread_local uint64_t connection_random;

static uint64_t seed, client_random;
static const char *volatile current = "";

/* ---- random numbers ---- */

static uint32_t next (uint64_t *random, uint32_t n)
{
   *random = *random * 6364136223846793005u + 1442695040888963407u;
   return (uint32_t) (*random >> 33) % n;
}

static uint32_t below (uint32_t n) { return next (&connection_random, n); } /* the server's */
static uint32_t choose (uint32_t n) { return next (&client_random, n); }

/* ---- true answers ---- */

static void append_batch (bson_t *reply, const char *name, const bson_t *docs)
{
   bson_t cursor;
   char ns[200];
   snprintf (ns, sizeof ns, "test.%s", name);
   BSON_APPEND_DOCUMENT_BEGIN (reply, "cursor", &cursor);
   BSON_APPEND_ARRAY (&cursor, "firstBatch", docs);
   BSON_APPEND_INT64 (&cursor, "id", 0);
   BSON_APPEND_UTF8 (&cursor, "ns", ns);
   bson_append_document_end (reply, &cursor);
}

static void add_document (bson_t *list, const bson_t *doc)
{
   char key[16];
   snprintf (key, sizeof key, "%u", bson_count_keys (list));
   bson_append_document (list, key, -1, doc);
}

static bool run_pipeline (const char *name, const bson_t *pipeline, bson_t *reply, MtError *err)
{
   bson_t docs = BSON_INITIALIZER;
   const bson_t *doc = NULL;
   MtCursor *c;
   bool ok = mt_engine_aggregate (
      server.store, &(MtAggregateArgs) {.collection = name, .pipeline = pipeline}, &c, err);
   if (ok) {
      while ((ok = mt_cursor_next (c, &doc, err)) && doc)
         add_document (&docs, doc);
      mt_cursor_free (c);
   }
   if (ok)
      append_batch (reply, name ? name : "$cmd.aggregate", &docs);
   bson_destroy (&docs);
   return ok;
}

static bool answer_find (const char *name, const bson_t *command, bson_t *reply, MtError *err)
{
   bson_t pipeline = BSON_INITIALIZER, stage, filter;
   bson_iter_t it;
   uint32_t len;
   const uint8_t *data;
   if (bson_iter_init_find (&it, command, "filter") && BSON_ITER_HOLDS_DOCUMENT (&it)) {
      bson_iter_document (&it, &len, &data);
      bson_init_static (&filter, data, len);
      BSON_APPEND_DOCUMENT_BEGIN (&pipeline, "0", &stage);
      BSON_APPEND_DOCUMENT (&stage, "$match", &filter);
      bson_append_document_end (&pipeline, &stage);
   }
   bool ok = run_pipeline (name, &pipeline, reply, err);
   bson_destroy (&pipeline);
   return ok;
}

static bool answer_list (bson_t *reply, MtError *err)
{
   bson_t docs = BSON_INITIALIZER;
   const char **names;
   size_t n;
   MtArena *a = mt_arena_new ("list", NULL);
   bool ok = mt_engine_collections (server.store, a, &names, &n, err);
   for (size_t i = 0; ok && i < n; i++) {
      bson_t doc = BSON_INITIALIZER;
      BSON_APPEND_UTF8 (&doc, "name", names[i]);
      BSON_APPEND_UTF8 (&doc, "type", "collection");
      add_document (&docs, &doc);
      bson_destroy (&doc);
   }
   if (ok)
      append_batch (reply, "$cmd.listCollections", &docs);
   mt_arena_free (a);
   bson_destroy (&docs);
   return ok;
}

static bool insert_one (const char *name, const bson_t *doc, MtError *err)
{
   return mt_engine_insert (server.store, name, doc, true, err);
}

/* Only whole documents take another's place: numbers that are adjusted stay. */
static bool update_one (const char *name, const bson_t *update, MtError *err)
{
   bson_iter_t it, u;
   if (!bson_iter_init_find (&it, update, "u") || !BSON_ITER_HOLDS_DOCUMENT (&it) ||
       !bson_iter_recurse (&it, &u) || !bson_iter_next (&u) || *bson_iter_key (&u) == '$')
      return true;
   bson_t doc;
   uint32_t len;
   const uint8_t *data;
   bson_iter_document (&it, &len, &data);
   bson_init_static (&doc, data, len);
   return !bson_has_field (&doc, "_id") || mt_engine_replace (server.store, name, &doc, err);
}

static bool delete_one (const char *name, const bson_t *delete, MtError *err)
{
   bson_iter_t it, id;
   bool deleted;
   if (!bson_iter_init (&it, delete) || !bson_iter_find_descendant (&it, "q._id", &id))
      return true;
   return mt_engine_delete_id (server.store, name, mt_v_from_iter (&id), &deleted, err);
}

/* Each of a list of documents; *n counts them. */
static bool each (const bson_t *list, const char *name,
                  bool (*one) (const char *, const bson_t *, MtError *), int *n, MtError *err)
{
   bson_iter_t it;
   bool ok = bson_iter_init (&it, list);
   while (ok && bson_iter_next (&it) && BSON_ITER_HOLDS_DOCUMENT (&it)) {
      bson_t doc;
      uint32_t len;
      const uint8_t *data;
      bson_iter_document (&it, &len, &data);
      ok = bson_init_static (&doc, data, len) && one (name, &doc, err);
      ++*n;
   }
   return ok;
}

static void answer_hello (bson_t *reply)
{
   BSON_APPEND_BOOL (reply, "isWritablePrimary", true);
   BSON_APPEND_BOOL (reply, "ismaster", true);
   BSON_APPEND_INT32 (reply, "maxBsonObjectSize", 16777216);
   BSON_APPEND_INT32 (reply, "maxMessageSizeBytes", 48000000);
   BSON_APPEND_INT32 (reply, "maxWriteBatchSize", 100000);
   BSON_APPEND_INT32 (reply, "logicalSessionTimeoutMinutes", 30);
   BSON_APPEND_INT32 (reply, "minWireVersion", 0);
   BSON_APPEND_INT32 (reply, "maxWireVersion", 21);
}

/* The array of a command: its own field, or a section of the message. */
static bool take_list (const bson_t *command, const char *field, const bson_t *section, bson_t *out)
{
   bson_iter_t it;
   uint32_t len;
   const uint8_t *data;
   if (!bson_iter_init_find (&it, command, field) || !BSON_ITER_HOLDS_ARRAY (&it))
      return bson_init_static (out, bson_get_data (section), section->len);
   bson_iter_array (&it, &len, &data);
   return bson_init_static (out, data, len);
}

static bool answer_write (const char *what, const char *name, const bson_t *command,
                          const bson_t *section, bson_t *reply, MtError *err)
{
   static const struct {
      const char *what, *field;
      bool (*one) (const char *, const bson_t *, MtError *);
   } writes[] = {{"insert", "documents", insert_one},
                 {"update", "updates", update_one},
                 {"delete", "deletes", delete_one}};
   bson_t list;
   for (size_t i = 0; i < sizeof writes / sizeof *writes; i++) {
      int n = 0;
      if (strcmp (what, writes[i].what))
         continue;
      bool ok = take_list (command, writes[i].field, section, &list) &&
                each (&list, name, writes[i].one, &n, err);
      BSON_APPEND_INT32 (reply, "n", n);
      BSON_APPEND_INT32 (reply, "nModified", n);
      return ok;
   }
   return true;
}

static bool answer_command (const bson_t *command, const bson_t *section, bson_t *reply,
                            MtError *err)
{
   bson_iter_t it;
   bson_t pipeline;
   if (!bson_iter_init (&it, command) || !bson_iter_next (&it))
      return true;
   const char *what = bson_iter_key (&it),
              *name = BSON_ITER_HOLDS_UTF8 (&it) ? bson_iter_utf8 (&it, NULL) : NULL;
   if (!strcasecmp (what, "hello") || !strcasecmp (what, "isMaster"))
      answer_hello (reply);
   else if (!strcmp (what, "buildInfo"))
      BSON_APPEND_UTF8 (reply, "version", "7.0.0");
   else if (!strcmp (what, "aggregate"))
      return take_list (command, "pipeline", section, &pipeline) &&
             run_pipeline (name, &pipeline, reply, err);
   else if (!strcmp (what, "find") && name)
      return answer_find (name, command, reply, err);
   else if (!strcmp (what, "listCollections"))
      return answer_list (reply, err);
   else if (!strcmp (what, "create") && name)
      return mt_engine_create_collection (server.store, name, err);
   else if (!strcmp (what, "drop") && name)
      return mt_engine_drop_collection (server.store, name, err);
   else if (name)
      return answer_write (what, name, command, section, reply, err);
   return true;
}

static bson_t *answer (const bson_t *command, const bson_t *section)
{
   MtError err = {0};
   bson_t *reply = bson_new ();
   if (answer_command (command, section, reply, &err)) {
      BSON_APPEND_DOUBLE (reply, "ok", 1);
      return reply;
   }
   bson_reinit (reply);
   BSON_APPEND_DOUBLE (reply, "ok", 0);
   BSON_APPEND_INT32 (reply, "code",
                      strcmp (err.sqlstate, MT_E_UNIQUE)
                         ? strcmp (err.sqlstate, MT_E_DUPLICATE_TABLE) ? 2 : 48
                         : 11000);
   BSON_APPEND_UTF8 (reply, "errmsg", err.message);
   return reply;
}

/* ---- lies in fields ---- */

static void append_nonsense (bson_t *to, const char *key, int len)
{
   static const int64_t numbers[] = {0, 1, -1, 77, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};
   bson_t nothing = BSON_INITIALIZER, odd = BSON_INITIALIZER;
   bson_decimal128_t decimal = {.high = 0x7800000000000000, .low = 0};
   bson_oid_t oid = {{0}};
   BSON_APPEND_NULL (&odd, "");
   BSON_APPEND_INT32 (&odd, "$oid", 7);
   switch (below (16)) {
   case 0: bson_append_null (to, key, len); break;
   case 1: bson_append_bool (to, key, len, below (2)); break;
   case 2: bson_append_utf8 (to, key, len, "yes", 3); break;
   case 3: bson_append_utf8 (to, key, len, "\x1b[31m\0x", 7); break;
   case 4: bson_append_int32 (to, key, len, (int32_t) numbers[below (8)]); break;
   case 5: bson_append_int64 (to, key, len, numbers[below (8)]); break;
   case 6: bson_append_double (to, key, len, below (2) ? 1e308 : 0.0 / 0.0); break;
   case 7: bson_append_array (to, key, len, &nothing); break;
   case 8: bson_append_document (to, key, len, &nothing); break;
   case 9: bson_append_document (to, key, len, &odd); break;
   case 10: bson_append_array (to, key, len, &odd); break;
   case 11: bson_append_binary (to, key, len, BSON_SUBTYPE_UUID, (const uint8_t *) "abc", 3); break;
   case 12: bson_append_date_time (to, key, len, numbers[below (8)]); break;
   case 13: bson_append_decimal128 (to, key, len, &decimal); break;
   case 14: bson_append_regex (to, key, len, "(", "x"); break;
   default: bson_append_oid (to, key, len, &oid);
   }
   bson_destroy (&odd);
   bson_destroy (&nothing);
}

static uint32_t count_values (bson_iter_t it)
{
   uint32_t n = 0;
   bson_iter_t within;
   while (bson_iter_next (&it))
      n += 1 + (bson_iter_recurse (&it, &within) ? count_values (within) : 0);
   return n;
}

/* A copy in which the value number *at is another, is missing, has another name, or is there
 * twice. */
static void copy_changed (bson_iter_t it, int64_t *at, bson_t *to)
{
   bson_iter_t within;
   while (bson_iter_next (&it)) {
      const char *key = bson_iter_key (&it);
      bool is = (*at)-- == 0, array = BSON_ITER_HOLDS_ARRAY (&it);
      uint32_t how = is ? below (8) : 8;
      if (how == 0)
         continue;
      if (how < 5) {
         append_nonsense (to, key, -1);
      } else if (how == 6) {
         bson_append_iter (to, below (2) ? "" : "$x.y", -1, &it);
      } else if (bson_iter_recurse (&it, &within)) {
         bson_t child;
         array ? bson_append_array_begin (to, key, -1, &child)
               : bson_append_document_begin (to, key, -1, &child);
         copy_changed (within, at, &child);
         array ? bson_append_array_end (to, &child) : bson_append_document_end (to, &child);
      } else {
         bson_append_iter (to, NULL, 0, &it);
      }
      if (how == 7)
         bson_append_iter (to, NULL, 0, &it);
   }
}

static void change_values (bson_t **reply)
{
   for (uint32_t times = 1 + below (3); times; times--) {
      bson_iter_t it;
      bson_t *changed = bson_new ();
      bson_iter_init (&it, *reply);
      uint32_t n = count_values (it);
      int64_t at = n ? below (n) : 0;
      copy_changed (it, &at, changed);
      bson_destroy (*reply);
      *reply = changed;
   }
}

static void make_error (bson_t *reply)
{
   static const int32_t codes[] = {0,     1,     6,     11,    13,    26,    43,  48,       50,
                                   59,    89,    91,    112,   133,   189,   211, 251,      10107,
                                   11000, 11600, 11601, 13388, 13435, 40324, -1,  INT32_MAX};
   static const char *const labels[] = {"TransientTransactionError", "RetryableWriteError",
                                        "UnknownTransactionCommitResult", "", "NoWritesPerformed"};
   const char *label = labels[below (5)];
   bson_t list;
   bson_reinit (reply);
   BSON_APPEND_DOUBLE (reply, "ok", 0);
   BSON_APPEND_INT32 (reply, "code", codes[below (sizeof codes / sizeof *codes)]);
   below (4) ? (void) BSON_APPEND_UTF8 (reply, "errmsg", "it is \x1b[31m so")
             : append_nonsense (reply, "errmsg", -1);
   if (below (2)) {
      BSON_APPEND_ARRAY_BEGIN (reply, "errorLabels", &list);
      BSON_APPEND_UTF8 (&list, "0", label);
      append_nonsense (&list, "1", -1);
      bson_append_array_end (reply, &list);
   }
}

static void add_write_error (bson_t *reply)
{
   bson_t list, one;
   BSON_APPEND_ARRAY_BEGIN (reply, "writeErrors", &list);
   BSON_APPEND_DOCUMENT_BEGIN (&list, "0", &one);
   append_nonsense (&one, "index", -1);
   below (2) ? (void) BSON_APPEND_INT32 (&one, "code", below (2) ? 11000 : 112)
             : append_nonsense (&one, "code", -1);
   append_nonsense (&one, "errmsg", -1);
   bson_append_document_end (&list, &one);
   bson_append_array_end (reply, &list);
}

static void endless_cursor (bson_t *reply)
{
   const char *ns = below (2) ? "test.other" : "", *name = below (2) ? "firstBatch" : "nextBatch";
   bson_t cursor, docs;
   bson_reinit (reply);
   BSON_APPEND_DOCUMENT_BEGIN (reply, "cursor", &cursor);
   BSON_APPEND_INT64 (&cursor, "id", below (2) ? 5 : -1);
   BSON_APPEND_UTF8 (&cursor, "ns", ns);
   BSON_APPEND_ARRAY_BEGIN (&cursor, name, &docs);
   for (uint32_t i = below (3); i; i--) {
      bson_t doc = BSON_INITIALIZER;
      append_nonsense (&doc, "_id", -1);
      append_nonsense (&doc, "v", -1);
      add_document (&docs, &doc);
      bson_destroy (&doc);
   }
   bson_append_array_end (&cursor, &docs);
   bson_append_document_end (reply, &cursor);
   BSON_APPEND_DOUBLE (reply, "ok", 1);
}

/* ---- lies in bytes ---- */

static void put (uint8_t *p, uint32_t n)
{
   n = BSON_UINT32_TO_LE (n);
   memcpy (p, &n, 4);
}

static uint32_t get (const uint8_t *p)
{
   uint32_t n;
   memcpy (&n, p, 4);
   return BSON_UINT32_FROM_LE (n);
}

/* Changes a message of *n bytes, of which there may be eight more. False: nothing more comes
 * over this connection. */
static bool change_bytes (uint8_t *m, size_t *n)
{
   const uint32_t lengths[] = {
      0,        1,         15,         16,      20, 26, (uint32_t) *n - 1, (uint32_t) *n + 1,
      48000000, INT32_MAX, UINT32_MAX, 1u << 31};
   const uint32_t opcodes[] = {0,      OP_REPLY, OP_COMPRESSED, OP_QUERY,
                               OP_MSG, 2010,     2011,          UINT32_MAX};
   switch (below (8)) {
   case 0: put (m, lengths[below (sizeof lengths / sizeof *lengths)]); return false;
   case 1: *n = below ((uint32_t) *n); return false;
   case 2: put (m + 8, get (m + 8) + 1 + below (3)); return true;
   case 3: put (m + 12, opcodes[below (8)]); return false;
   case 4:
      m[HEAD + below (4)] ^= (uint8_t) (1u << below (8)); /* the flags */
      return false;
   case 5:
      m[HEAD + 4] = (uint8_t) below (4); /* the kind of section */
      return false;
   case 6:
      memset (m + *n, (int) below (256), 8); /* a checksum, or more bytes than that */
      m[HEAD] |= 1;
      *n += below (2) ? 4 : 8;
      put (m, (uint32_t) *n);
      return false;
   default:
      for (uint32_t times = 1 + below (4); times; times--)
         m[HEAD + below ((uint32_t) *n - HEAD)] = (uint8_t) below (256);
      return false;
   }
}

/* ---- connections ---- */

static bool exactly (int fd, uint8_t *p, size_t n)
{
   while (n) {
      ssize_t got = recv (fd, p, n, 0);
      if (got <= 0)
         return false;
      p += got;
      n -= (size_t) got;
   }
   return true;
}

/* The command in a message, and a list that it has in a section of its own. Over the message's
 * bytes, but for the list. */
static bool read_command (const uint8_t *m, size_t n, bson_t *command, bson_t *section)
{
   size_t at = HEAD + 4;
   bson_init (section);
   if (get (m + 12) == OP_QUERY) {
      at += strlen ((const char *) m + at) + 1 + 8;
      return bson_init_static (command, m + at, get (m + at));
   }
   bool found = false;
   while (at + 5 <= n) {
      size_t size = get (m + at + 1);
      if (m[at] == 0) {
         found = bson_init_static (command, m + at + 1, size);
      } else {
         const uint8_t *doc = m + at + 5 + strlen ((const char *) m + at + 5) + 1,
                       *end = m + at + 1 + size;
         while (doc < end) {
            bson_t one;
            bson_init_static (&one, doc, get (doc));
            add_document (section, &one);
            doc += get (doc);
         }
      }
      at += 1 + size;
   }
   return found;
}

static size_t write_message (uint8_t *out, uint32_t request, bool query, const bson_t *reply)
{
   size_t head = query ? HEAD + 20 : HEAD + 5, n = head + reply->len;
   memset (out, 0, head);
   put (out, (uint32_t) n);
   put (out + 4, 1);
   put (out + 8, request);
   put (out + 12, query ? OP_REPLY : OP_MSG);
   if (query)
      put (out + HEAD + 16, 1);
   memcpy (out + head, bson_get_data (reply), reply->len);
   return n;
}

/* Under the lock: the message that answers, a lie now and then. False: the connection ends
 * behind it; *silent: without it, and only after a while. */
static bool make_answer (const uint8_t *m, size_t n, uint8_t *out, size_t *size, bool *silent)
{
   bson_t command, section;
   bool goes_on = true, lie = atomic_load (&server.lies) && below (server.truths) == 0;
   if (!read_command (m, n, &command, &section))
      return false;
   bson_t *reply = answer (&command, &section);
   uint32_t how = lie ? below (100) : 100;
   if (how < 40)
      change_values (&reply);
   else if (how < 50)
      make_error (reply);
   else if (how < 56)
      add_write_error (reply);
   else if (how < 62)
      endless_cursor (reply);
   else if (how < 64)
      bson_reinit (reply);
   if (reply->len > MOST_BYTES - 100)
      bson_reinit (reply);
   *size = write_message (out, get (m + 4), get (m + 12) == OP_QUERY, reply);
   if (how >= 64 && how < 99)
      goes_on = change_bytes (out, size);
   *silent = how == 99 && below (20) == 0;
   atomic_fetch_add (&server.told, lie);
   if (lie)
      server.digest = (server.digest ^ (how + 100 * *size)) * MIX;
   bson_destroy (reply);
   bson_destroy (&section);
   return goes_on;
}

static void *serve (void *arg)
{
   Connection c = *(Connection *) arg;
   int fd = c.fd;
   free (arg);
   connection_random = c.random;
   uint8_t *in = malloc (MOST_BYTES), *out = malloc (MOST_BYTES);
   bool goes_on = true, silent = false;
   while (goes_on && !silent && exactly (fd, in, HEAD)) {
      size_t n = get (in), size = 0;
      if (n < HEAD || n > MOST_BYTES || !exactly (fd, in + HEAD, n - HEAD))
         break;
      pthread_mutex_lock (&server.lock);
      goes_on = make_answer (in, n, out, &size, &silent);
      pthread_mutex_unlock (&server.lock);
      if (!silent && send (fd, out, size, MSG_NOSIGNAL) < 0)
         break;
   }
   if (silent) /* until the client gives up */
      while (exactly (fd, in, 1))
         ;
   close (fd);
   free (in);
   free (out);
   return NULL;
}

static void *listen_on (void *arg)
{
   int fd;
   while ((fd = accept (server.listener, NULL, NULL)) >= 0) {
      pthread_t thread;
      Connection *c = malloc (sizeof *c);
      pthread_mutex_lock (&server.lock);
      *c = (Connection) {fd, (server.round + ++server.connections) * MIX};
      pthread_mutex_unlock (&server.lock);
      assert_int_equal (pthread_create (&thread, NULL, serve, c), 0);
      pthread_detach (thread);
   }
   return arg;
}

static void start_server (void)
{
   struct sockaddr_un at = {.sun_family = AF_UNIX};
   pthread_t thread;
   strcpy (server.folder, "/tmp/lying-XXXXXX");
   assert_non_null (mkdtemp (server.folder));
   snprintf (at.sun_path, sizeof at.sun_path, "%s/s.sock", server.folder);
   server.listener = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
   assert_int_equal (bind (server.listener, (struct sockaddr *) &at, sizeof at), 0);
   assert_int_equal (listen (server.listener, 64), 0);
   assert_int_equal (pthread_create (&thread, NULL, listen_on, NULL), 0);
   pthread_detach (thread);
}

static void remove_socket (void)
{
   char path[64];
   snprintf (path, sizeof path, "%s/s.sock", server.folder);
   unlink (path);
   rmdir (server.folder);
}

static void new_store (void)
{
   pthread_mutex_lock (&server.lock);
   MtError e = {0};
   mt_engine_close (server.store);
   if (!mt_engine_open (NULL, &(MtEngineOptions) {.create = true}, &server.store, &e))
      fail_msg ("%s %s", e.sqlstate, e.message);
   pthread_mutex_unlock (&server.lock);
}

/* ---- the client ---- */

/* Takes the place of the C library's: no other session is there to be waited for. */
int nanosleep (const struct timespec *wanted, struct timespec *left)
{
   (void) wanted;
   (void) left;
   return 0;
}

static const char *const schema[] = {
   "CREATE TABLE t (ts timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, v bigint MEASURE) USING rows",
   "ALTER TABLE t ADD LAYOUT days USING per_day",
   "INSERT INTO t SELECT '2020-01-01'::timestamptz + make_interval(mins => i), 'a', i FROM generate_series(1, 40) i",
};

static const char *const statements[] = {
   "SELECT count(*), sum(v) FROM t",
   "SELECT * FROM t WHERE k = 'a' AND ts < '2020-01-02' ORDER BY ts DESC LIMIT 3",
   "SELECT time_bucket('1 hour', ts) AS b, k, avg(v), max(v) FROM t GROUP BY 1, 2 ORDER BY 1",
   "SELECT a.v FROM t a JOIN t b ON a.ts = b.ts WHERE a.v < 5",
   "SELECT md5(v::text) FROM t",
   "INSERT INTO t VALUES ('2020-01-03', 'b', 1), ('2020-01-03 01:00', 'b', 2)",
   "INSERT INTO t SELECT ts + interval '1 year', k, v FROM t LIMIT 5",
   "UPDATE t SET v = v + 1 WHERE v = 7",
   "DELETE FROM t WHERE k = 'b'",
   "EXPLAIN ANALYZE SELECT sum(v) FROM t",
   "EXPLAIN INSERT INTO t VALUES ('2020-01-03', 'b', 1)",
   "CREATE TABLE u (ts timestamptz TIME, n bigint MEASURE COUNTER) USING rows",
   "INSERT INTO u VALUES ('2020-01-01', 1)",
   "DROP TABLE u",
   "VACUUM",
   "ANALYZE t",
   "CHECK TABLE t",
   "REPAIR TABLE t",
   "COPY t FROM STDIN CSV",
   "COPY t TO STDOUT",
   "CREATE VIEW w AS SELECT * FROM t",
   "DROP VIEW w",
   "SELECT * FROM pg_class",
   "TRUNCATE t",
   "BEGIN; SELECT 1 FROM t; COMMIT",
   "SELECT * FROM undeclared",
};

static long feed (void *ctx, char *buf, size_t n)
{
   static const char text[] = "2020-02-01,c,1\n2020-02-01 01:00,c,2\n";
   size_t *at = ctx, left = sizeof text - 1 - *at;
   n = n < left ? n : left;
   memcpy (buf, text + *at, n);
   *at += n;
   return (long) n;
}

static bool drop_out (void *ctx, const char *buf, size_t n) { return ctx && buf && n; }

/* An error has a code, and says something. */
static bool is_clear (bool ok, const MtError *e)
{
   if (ok || (strlen (e->sqlstate) == 5 && e->message[0] && strcmp (e->sqlstate, MT_E_INTERNAL)))
      return true;
   print_error ("seed %lu, %ld lies: %s: %s %s\n", (unsigned long) seed, atomic_load (&server.told),
                current, e->sqlstate, e->message);
   return false;
}

static MtError last;
static long round_number;

static bool run_one (MtSession *s, const char *sql)
{
   MtResult *r;
   MtError e = {0};
   bool more = true;
   current = sql;
   alarm (HANG_S);
   bool ok = mt_query (s, sql, -1, &r, &e);
   if (ok) {
      while ((ok = mt_result_next (r, &more, &e)) && more)
         ;
      mt_result_free (r);
   }
   assert_true (is_clear (ok, &e));
   last = e;
   return ok;
}

/* What \d, \dt and \infer ask. */
static void describe (MtSession *s)
{
   MtArena *a = mt_arena_new ("describe", NULL);
   MtTableInfo *tables;
   MtCollectionInfo info;
   MtError e = {0};
   const char **collections, *text;
   size_t n, m;
   bool found;
   current = "\\d";
   assert_true (is_clear (mt_tables (s, a, &tables, &n, &e), &e));
   assert_true (is_clear (mt_other_collections (s, a, &collections, &m, &e), &e));
   assert_true (is_clear (mt_collection_info (s, a, "t", &info, &found, &e), &e));
   assert_true (is_clear (mt_infer (s, a, "t", &text, &found, &e), &e));
   mt_arena_free (a);
}

static void hangs (int sig)
{
   (void) sig;
   fprintf (stderr, "seed %lu, %ld lies: it hangs: %s\n", (unsigned long) seed,
            atomic_load (&server.told), current);
   abort ();
}

/* One session: statements on the lying server, and one on the true one. */
static void one_round (void)
{
   char target[240];
   size_t fed = 0;
   const char *reads = choose (10) ? "false" : "true", *writes = choose (10) ? "false" : "true";
   MtSession *s;
   MtError e = {0};
   new_store ();
   /* With these limits the driver doesn't sleep for half a second before it looks at a server
    * again, and what undoes behind a statement gives a silent one up soon. */
   snprintf (
      target, sizeof target,
      "mongodb://%%2Ftmp%%2F%s%%2Fs.sock/test?connectTimeoutMS=1000&socketTimeoutMS=4000&serverSelectionTimeoutMS=1"
      "&serverSelectionTryOnce=false&retryReads=%s&retryWrites=%s",
      server.folder + strlen ("/tmp/"), reads, writes);
   MtOpenOptions o = {.target = target, .read_stdin = feed, .write_stdout = drop_out, .ctx = &fed};
   current = "opening";
   bool true_opening = choose (3) > 0; /* what a server can't do is asked once */
   atomic_store (&server.lies, !true_opening);
   if (!mt_open (&o, &s, &e)) {
      assert_true (is_clear (false, &e));
      return;
   }
   atomic_store (&server.lies, false);
   for (size_t i = 0; i < sizeof schema / sizeof *schema; i++)
      run_one (s, schema[i]);
   run_one (s, "SET statement_timeout = '2s'");
   atomic_store (&server.lies, true);
   for (int i = 0; i < STATEMENTS_A_ROUND; i++) {
      fed = 0;
      run_one (s, statements[choose (sizeof statements / sizeof *statements)]);
      if (choose (12) == 0)
         describe (s);
   }
   atomic_store (&server.lies, false);
   if (!run_one (s, "ROLLBACK") || mt_transaction_state (s) != MT_TRANSACTION_NONE)
      fail_msg ("seed %lu, round %ld: ROLLBACK fails: %s %s", (unsigned long) seed, round_number,
                last.sqlstate, last.message);
   run_one (s, "SELECT 1");
   run_one (s, "SET statement_timeout = 0");
   if (!run_one (s, "SELECT 4711") && true_opening)
      fail_msg ("seed %lu, round %ld: the session doesn't go on: %s %s", (unsigned long) seed,
                round_number, last.sqlstate, last.message);
   atomic_store (&server.lies, true);
   mt_close (s);
   atomic_store (&server.lies, false);
}

static void every_lie (void **state)
{
   const char *wanted = getenv ("MTSQL_TEST_LONG"), *count = getenv ("LYING_COUNT"),
              *begin = getenv ("LYING_SEED");
   long most = count ? atol (count) : wanted && *wanted == '1' ? 200000 : 300, round = 0;
   (void) state;
   seed = begin ? strtoul (begin, NULL, 10) : 1;
   signal (SIGALRM, hangs);
   start_server ();
   for (; atomic_load (&server.told) < most; round++) {
      pthread_mutex_lock (&server.lock);
      server.round = client_random = (seed + (uint64_t) round) * MIX;
      server.connections = 0;
      server.truths = 2 + choose (16);
      pthread_mutex_unlock (&server.lock);
      round_number = round;
      one_round ();
   }
   alarm (0);
   remove_socket ();
   print_message ("%ld lies in %ld sessions, digest %016lx\n", atomic_load (&server.told), round,
                  (unsigned long) server.digest);
   mt_engine_close (server.store);
}

int main (void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test (every_lie)};
   return cmocka_run_group_tests (tests, NULL, NULL);
}
