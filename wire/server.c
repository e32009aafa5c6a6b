/* The server: its sockets, its connections, and how it stops. Each connection is served by a
 * thread. */
#include "wire/connection_int.h"
#include "wire/users.h"
#include "base/cancel.h"
#include "base/thread.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum {
   MOST_SOCKETS = 8,
   BACKLOG = 200,
   DEFAULT_CONNECTIONS = 100,
   LEAST_LOGINS = 100,   /* so many may be logging in at once, even if max_connections is less */
   LATE_LOGIN_MS = 2000, /* a thread has so long to end its login by itself */
   LOOK_MS = 1000,       /* how often logins are checked */
   GRACE_MS = 10000,     /* after SIGTERM, statements may run for so long */
   CANCEL_MS = 5000,     /* after being cancelled, they may take so long to end */
   SYSTEMD_FD = 3        /* the first socket that systemd passes */
};

struct MtWireServer {
   const MtListen *options;
   SSL_CTX *tls;
   uint8_t certificate[EVP_MAX_MD_SIZE];
   unsigned certificate_bytes;
   int sockets[MOST_SOCKETS];
   size_t socket_count;
   char *unix_path; /* the Unix socket's file, to be removed at the end */
   pthread_mutex_t mutex;
   pthread_cond_t ended;
   MtConnection *connections;
   uint32_t admitted_count, last_number;
   bool stops;
};

/* ---- functions for connections ---- */

const MtListen *mt_wire_options (const MtWireServer *s) { return s->options; }

SSL_CTX *mt_wire_tls (const MtWireServer *s) { return s->tls; }

const uint8_t *mt_wire_certificate (const MtWireServer *s, size_t *n)
{
   *n = s->certificate_bytes;
   return s->certificate_bytes ? s->certificate : NULL;
}

bool mt_wire_busy (MtConnection *c, bool busy)
{
   MtWireServer *s = c->server;
   pthread_mutex_lock (&s->mutex);
   bool goes = !s->stops;
   c->busy = busy && goes;
   pthread_mutex_unlock (&s->mutex);
   return goes;
}

void mt_wire_set_session (MtConnection *c, MtSession *session)
{
   pthread_mutex_lock (&c->server->mutex);
   c->session = session;
   pthread_mutex_unlock (&c->server->mutex);
}

void mt_wire_cancel (MtWireServer *s, uint32_t number, const uint8_t *key, size_t key_bytes)
{
   pthread_mutex_lock (&s->mutex);
   for (MtConnection *c = s->connections; c; c = c->next)
      if (c->number == number && c->key_bytes == key_bytes &&
          CRYPTO_memcmp (c->key, key, key_bytes) == 0 && c->busy && c->session)
         mt_cancel (c->session);
   pthread_mutex_unlock (&s->mutex);
}

static uint32_t most_clients (const MtWireServer *s)
{
   return s->options->max_connections ? s->options->max_connections : DEFAULT_CONNECTIONS;
}

bool mt_wire_admit (MtConnection *c)
{
   MtWireServer *s = c->server;
   pthread_mutex_lock (&s->mutex);
   c->admitted = !c->displaced && s->admitted_count < most_clients (s);
   s->admitted_count += c->admitted;
   bool admitted = c->admitted;
   pthread_mutex_unlock (&s->mutex);
   return admitted;
}

bool mt_wire_displaced (MtConnection *c)
{
   pthread_mutex_lock (&c->server->mutex);
   bool displaced = c->displaced;
   pthread_mutex_unlock (&c->server->mutex);
   return displaced;
}

void mt_wire_closing (MtConnection *c)
{
   pthread_mutex_lock (&c->server->mutex);
   c->closing = true;
   pthread_mutex_unlock (&c->server->mutex);
}

void mt_wire_ended (MtConnection *c)
{
   MtWireServer *s = c->server;
   pthread_mutex_lock (&s->mutex);
   MtConnection **at = &s->connections;
   while (*at != c)
      at = &(*at)->next;
   *at = c->next;
   s->admitted_count -= c->admitted;
   free (c);
   pthread_cond_signal (&s->ended);
   pthread_mutex_unlock (&s->mutex);
}

/* ---- TLS ---- */

static bool tls_error (const char *file, MtError *err)
{
   unsigned long code = ERR_get_error ();
   const char *why = ERR_reason_error_string (code);
   return mt_error (err, MT_E_CONFIGURATION, "could not load \"%s\": %s", file,
                    why ? why : "unknown reason");
}

/* Computes the hash of the server's certificate for channel binding (RFC 5929, section 4.1): with
 * the certificate's own hash function, but SHA-256 instead of weaker ones. */
static void hash_certificate (MtWireServer *s)
{
   int digest;
   X509 *x = SSL_CTX_get0_certificate (s->tls);
   if (!x || !OBJ_find_sigid_algs (X509_get_signature_nid (x), &digest, NULL))
      return;
   const EVP_MD *md = digest == NID_md5 || digest == NID_sha1 ? EVP_sha256 ()
                                                              : EVP_get_digestbynid (digest);
   if (md)
      X509_digest (x, md, s->certificate, &s->certificate_bytes);
}

static bool load_tls (MtWireServer *s, MtError *err)
{
   const char *cert = s->options->tls_cert;
   const char *key = s->options->tls_key ? s->options->tls_key : cert;
   if (!cert)
      return true;
   s->tls = SSL_CTX_new (TLS_server_method ());
   if (!s->tls)
      return tls_error (cert, err);
   SSL_CTX_set_min_proto_version (s->tls, TLS1_2_VERSION);
   SSL_CTX_set_options (s->tls, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_TICKET |
                                   SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_NO_COMPRESSION);
   SSL_CTX_set_session_cache_mode (s->tls, SSL_SESS_CACHE_OFF);
   SSL_CTX_set_mode (s->tls, SSL_MODE_AUTO_RETRY);
   if (SSL_CTX_use_certificate_chain_file (s->tls, cert) != 1)
      return tls_error (cert, err);
   if (SSL_CTX_use_PrivateKey_file (s->tls, key, SSL_FILETYPE_PEM) != 1 ||
       SSL_CTX_check_private_key (s->tls) != 1)
      return tls_error (key, err);
   hash_certificate (s);
   return true;
}

/* ---- sockets ---- */

static bool socket_error (const char *address, MtError *err)
{
   return mt_error (err, MT_E_IO, "could not listen on \"%s\": %s", address, strerror (errno));
}

static bool listen_on (MtWireServer *s, int fd, MtError *err)
{
   if (listen (fd, BACKLOG) != 0)
      return socket_error (s->options->address, err);
   s->sockets[s->socket_count++] = fd;
   return true;
}

/* Creates a folder, unless it exists. Fails unless it belongs to this user, and nobody else can
 * access it. */
static bool own_folder (const char *folder, MtError *err)
{
   struct stat info;
   if (mkdir (folder, 0700) != 0 && errno != EEXIST)
      return mt_error (err, MT_E_IO, "could not create folder \"%s\": %s", folder,
                       strerror (errno));
   if (stat (folder, &info) != 0 || !S_ISDIR (info.st_mode))
      return mt_error (err, MT_E_IO, "\"%s\" is not a folder", folder);
   if (info.st_uid == geteuid () && !(info.st_mode & 077))
      return true;
   mt_error (err, MT_E_PARAMETER, "folder \"%s\" is accessible to other users", folder);
   return mt_error_hint (err, "The folder of the socket must be yours, with mode 0700.");
}

static bool listen_unix (MtWireServer *s, const char *folder, MtError *err)
{
   struct sockaddr_un to = {.sun_family = AF_UNIX};
   int n = snprintf (to.sun_path, sizeof to.sun_path, "%s/.s.PGSQL.5432", folder);
   if (n < 0 || (size_t) n >= sizeof to.sun_path)
      return mt_error (err, MT_E_PARAMETER, "the name of the folder \"%s\" is too long", folder);
   if (!own_folder (folder, err))
      return false;
   int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
   if (fd < 0)
      return socket_error (to.sun_path, err);
   if (connect (fd, (struct sockaddr *) &to, sizeof to) == 0) {
      close (fd);
      return mt_error (err, MT_E_IN_USE, "another server listens on \"%s\"", to.sun_path);
   }
   unlink (to.sun_path); /* left by a server that was killed */
   if (bind (fd, (struct sockaddr *) &to, sizeof to) != 0 || !listen_on (s, fd, err)) {
      close (fd);
      return socket_error (to.sun_path, err);
   }
   s->unix_path = mt_heap_strdup (to.sun_path);
   return true;
}

static bool is_loopback (const struct sockaddr *a)
{
   if (a->sa_family == AF_INET)
      return ntohl (((const struct sockaddr_in *) a)->sin_addr.s_addr) >> 24 == 127;
   return a->sa_family == AF_INET6 &&
          IN6_IS_ADDR_LOOPBACK (&((const struct sockaddr_in6 *) a)->sin6_addr);
}

/* Fails if anybody could use the server at this TCP address: without --users, only loopback
 * addresses are allowed, and only with --trust. */
static bool guarded (const MtWireServer *s, const struct sockaddr *a, MtError *err)
{
   if (a->sa_family == AF_UNIX || s->options->users)
      return true;
   if (!s->options->trust) {
      mt_error (err, MT_E_PARAMETER, "a TCP address needs --users");
      return mt_error_hint (err, "Add a user with: mtsql --user-add NAME --users FILE");
   }
   return is_loopback (a) ||
          mt_error (err, MT_E_PARAMETER, "--trust is only for loopback addresses");
}

static bool listen_address (MtWireServer *s, const struct addrinfo *a, MtError *err)
{
   int on = 1, fd = socket (a->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
   if (fd < 0)
      return socket_error (s->options->address, err);
   setsockopt (fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
   if (a->ai_family == AF_INET6)
      setsockopt (fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
   if (bind (fd, a->ai_addr, a->ai_addrlen) == 0 && listen_on (s, fd, err))
      return true;
   socket_error (s->options->address, err);
   close (fd);
   return false;
}

/* Opens sockets for "[HOST:]PORT". Without HOST these are 127.0.0.1 and ::1. */
static bool listen_tcp (MtWireServer *s, const char *address, MtError *err)
{
   const char *colon = strrchr (address, ':'), *port = colon ? colon + 1 : address;
   char *end, *host = colon ? mt_heap_strndup (address, (size_t) (colon - address)) : NULL;
   struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE}, *list = NULL;
   unsigned long number = strtoul (port, &end, 10);
   if (!*port || *end || number > 65535) {
      free (host);
      mt_error (err, MT_E_PARAMETER, "invalid address \"%s\"", address);
      return mt_error_hint (err, "Write [HOST:]PORT or unix:FOLDER.");
   }
   char *bare = host;
   if (host && *host == '[' && host[strlen (host) - 1] == ']') { /* an IPv6 address */
      host[strlen (host) - 1] = 0;
      bare = host + 1;
   }
   int rc = getaddrinfo (bare ? bare : "127.0.0.1", port, &hints, &list);
   bool ok = rc == 0 || mt_error (err, MT_E_PARAMETER, "could not find the address \"%s\": %s",
                                  address, gai_strerror (rc));
   for (struct addrinfo *a = list; ok && a && s->socket_count < MOST_SOCKETS; a = a->ai_next)
      ok = guarded (s, a->ai_addr, err) && listen_address (s, a, err);
   if (list)
      freeaddrinfo (list);
   free (host);
   return ok;
}

/* Takes over the sockets that systemd has opened (LISTEN_FDS). *any is false if there are none. */
static bool take_sockets (MtWireServer *s, bool *any, MtError *err)
{
   const char *pid = getenv ("LISTEN_PID"), *count = getenv ("LISTEN_FDS");
   *any = pid && count && strtol (pid, NULL, 10) == getpid ();
   long n = *any ? strtol (count, NULL, 10) : 0;
   for (long i = 0; i < n && i < MOST_SOCKETS; i++) {
      struct sockaddr_storage name;
      socklen_t size = sizeof name;
      int fd = SYSTEMD_FD + (int) i;
      if (getsockname (fd, (struct sockaddr *) &name, &size) != 0)
         return mt_error (err, MT_E_IO, "socket %d of systemd can't be used: %s", fd,
                          strerror (errno));
      if (!guarded (s, (struct sockaddr *) &name, err))
         return false;
      s->sockets[s->socket_count++] = fd;
   }
   unsetenv ("LISTEN_PID");
   unsetenv ("LISTEN_FDS");
   return true;
}

static bool open_sockets (MtWireServer *s, MtError *err)
{
   bool any;
   if (!take_sockets (s, &any, err) || any)
      return any;
   if (strncmp (s->options->address, "unix:", 5) == 0)
      return listen_unix (s, s->options->address + 5, err);
   return listen_tcp (s, s->options->address, err);
}

static void close_sockets (MtWireServer *s)
{
   for (size_t i = 0; i < s->socket_count; i++)
      close (s->sockets[i]);
   s->socket_count = 0;
   if (s->unix_path)
      unlink (s->unix_path);
   free (s->unix_path);
   s->unix_path = NULL;
}

/* Writes an address as text to `out`. */
static void name_address (const struct sockaddr *a, socklen_t size, char *out, size_t room)
{
   char host[INET6_ADDRSTRLEN + 1], port[16];
   if (a->sa_family == AF_UNIX || getnameinfo (a, size, host, sizeof host, port, sizeof port,
                                               NI_NUMERICHOST | NI_NUMERICSERV) != 0)
      snprintf (out, room, "local");
   else
      snprintf (out, room, a->sa_family == AF_INET6 ? "[%s]:%s" : "%s:%s", host, port);
}

/* Prints the line that the server accepts connections, and notifies systemd. */
static void say_ready (const MtWireServer *s)
{
   MtBuf line = {0};
   mt_buf_adds (&line, "mtsql: accepting connections on ");
   for (size_t i = 0; i < s->socket_count; i++) {
      struct sockaddr_storage name;
      socklen_t size = sizeof name;
      char text[128] = "?";
      if (getsockname (s->sockets[i], (struct sockaddr *) &name, &size) == 0)
         name_address ((struct sockaddr *) &name, size, text, sizeof text);
      mt_buf_printf (&line, "%s%s", i ? ", " : "", s->unix_path ? s->unix_path : text);
   }
   puts (line.p);
   fflush (stdout);
   mt_buf_free (&line);
}

/* Sends a state to systemd, if NOTIFY_SOCKET is set (sd_notify). */
static void notify (const char *state)
{
   const char *path = getenv ("NOTIFY_SOCKET");
   struct sockaddr_un to = {.sun_family = AF_UNIX};
   if (!path || strlen (path) >= sizeof to.sun_path)
      return;
   strcpy (to.sun_path, path);
   if (*path == '@') /* a socket name that is not in the file system */
      to.sun_path[0] = 0;
   int fd = socket (AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
   if (fd < 0)
      return;
   socklen_t size = (socklen_t) (offsetof (struct sockaddr_un, sun_path) + strlen (path));
   sendto (fd, state, strlen (state), MSG_NOSIGNAL, (struct sockaddr *) &to, size);
   close (fd);
}

/* ---- connections ---- */

/* Sends a fatal error to a new client, and closes its connection. */
static void refuse (int fd, const char *sqlstate, const char *why)
{
   MtConnection c = {0};
   MtError err;
   mt_socket_init (&c.socket, fd);
   mt_error (&err, sqlstate, "%s", why);
   mt_wire_error (&c, "FATAL", &err, NULL);
   mt_socket_close (&c.socket);
}

static void start_connection (MtWireServer *s, MtConnection *c)
{
   pthread_t thread;
   pthread_mutex_lock (&s->mutex);
   c->began_ms = mt_now_ms ();
   c->number = ++s->last_number;
   c->next = s->connections;
   s->connections = c;
   pthread_mutex_unlock (&s->mutex);
   if (mt_thread_start (&thread, mt_wire_serve, c)) {
      pthread_detach (thread);
      return;
   }
   refuse (c->socket.fd, MT_E_OUT_OF_MEMORY, "could not start a thread");
   c->socket.fd = -1;
   mt_wire_ended (c);
}

static bool logs_in (const MtConnection *c) { return !c->admitted && !c->displaced && !c->closing; }

/* Disconnects the client that has been logging in for longest, if too many are logging in. So
 * clients that guess passwords or send nothing don't keep others out. */
static void make_room (MtWireServer *s)
{
   MtConnection *oldest = NULL;
   uint32_t count = 0, most = most_clients (s);
   pthread_mutex_lock (&s->mutex);
   for (MtConnection *c = s->connections; c; c = c->next) /* the newest is the first */
      if (logs_in (c)) {
         oldest = c;
         count++;
      }
   if (oldest && count >= (most > LEAST_LOGINS ? most : LEAST_LOGINS)) {
      oldest->displaced = true;
      shutdown (oldest->socket.fd, SHUT_RD); /* its thread can still send why */
   }
   pthread_mutex_unlock (&s->mutex);
}

/* Disconnects clients that take too long to log in. Their threads do so by themselves, except
 * within TLS. Returns whether anybody is logging in. */
static bool end_late_logins (MtWireServer *s)
{
   bool any = false;
   int64_t now = mt_now_ms ();
   pthread_mutex_lock (&s->mutex);
   for (MtConnection *c = s->connections; c; c = c->next)
      if (logs_in (c)) {
         any = true;
         if (now > c->began_ms + MT_LOGIN_TIME_MS + LATE_LOGIN_MS)
            mt_socket_stop (&c->socket);
      }
   pthread_mutex_unlock (&s->mutex);
   return any;
}

static void accept_one (MtWireServer *s, int listener)
{
   struct sockaddr_storage peer;
   socklen_t size = sizeof peer;
   int on = 1, fd = accept4 (listener, (struct sockaddr *) &peer, &size, SOCK_CLOEXEC);
   if (fd < 0) {
      if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
         mt_wire_log (NULL, "LOG", "could not accept a connection: %s", strerror (errno));
         poll (NULL, 0, 100);
      }
      return;
   }
   make_room (s);
   MtConnection *c = mt_calloc ("connection", 1, sizeof *c);
   setsockopt (fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
   setsockopt (fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
   c->server = s;
   name_address ((struct sockaddr *) &peer, size, c->peer, sizeof c->peer);
   mt_socket_init (&c->socket, fd);
   if (RAND_bytes (c->key, sizeof c->key) != 1) {
      refuse (fd, MT_E_INTERNAL, "could not generate random bytes");
      free (c);
      return;
   }
   start_connection (s, c);
}

/* ---- stopping ---- */

/* Waits until all connections have ended, for at most most_ms, or until another signal arrives.
 * Returns whether all have ended. */
static bool wait_end (MtWireServer *s, int signals, int64_t most_ms)
{
   int64_t end = mt_now_ms () + most_ms;
   struct pollfd p = {.fd = signals, .events = POLLIN};
   pthread_mutex_lock (&s->mutex);
   while (s->connections && mt_now_ms () < end && poll (&p, 1, 0) == 0)
      mt_cond_wait_until (&s->ended, &s->mutex, mt_now_ms () + 50);
   bool done = !s->connections;
   pthread_mutex_unlock (&s->mutex);
   return done;
}

static void stop_idle (MtWireServer *s)
{
   pthread_mutex_lock (&s->mutex);
   s->stops = true;
   for (MtConnection *c = s->connections; c; c = c->next)
      if (!c->busy && !c->closing)
         shutdown (c->socket.fd, SHUT_RD);
   pthread_mutex_unlock (&s->mutex);
}

static void stop_busy (MtWireServer *s, bool lose)
{
   pthread_mutex_lock (&s->mutex);
   for (MtConnection *c = s->connections; c; c = c->next) {
      if (c->session)
         mt_cancel (c->session);
      if (lose && !c->closing)
         mt_socket_stop (&c->socket);
   }
   pthread_mutex_unlock (&s->mutex);
}

static void take_signal (int signals)
{
   struct signalfd_siginfo info;
   if (read (signals, &info, sizeof info) < 0)
      return;
}

static void stop (MtWireServer *s, int signals)
{
   take_signal (signals);
   notify ("STOPPING=1");
   mt_wire_log (NULL, "LOG", "shutting down");
   close_sockets (s);
   stop_idle (s);
   if (wait_end (s, signals, GRACE_MS))
      return;
   stop_busy (s, false);
   if (wait_end (s, -1, CANCEL_MS))
      return;
   stop_busy (s, true);
   wait_end (s, -1, CANCEL_MS);
}

static int block_signals (void)
{
   sigset_t set;
   sigemptyset (&set);
   sigaddset (&set, SIGTERM);
   sigaddset (&set, SIGINT);
   signal (SIGPIPE, SIG_IGN);
   pthread_sigmask (SIG_BLOCK, &set, NULL);
   return signalfd (-1, &set, SFD_CLOEXEC);
}

static void accept_all (MtWireServer *s, int signals)
{
   struct pollfd p[MOST_SOCKETS + 1] = {{.fd = signals, .events = POLLIN}};
   size_t n = s->socket_count;
   for (size_t i = 0; i < n; i++)
      p[i + 1] = (struct pollfd) {.fd = s->sockets[i], .events = POLLIN};
   while (!(p[0].revents & POLLIN)) {
      if (poll (p, n + 1, end_late_logins (s) ? LOOK_MS : -1) < 0)
         continue;
      for (size_t i = 0; i < n; i++)
         if (p[i + 1].revents & POLLIN)
            accept_one (s, p[i + 1].fd);
   }
}

bool mt_listen (const MtListen *l, MtError *err)
{
   MtWireServer s = {.options = l, .mutex = PTHREAD_MUTEX_INITIALIZER};
   if (!mt_openssl_load (err) || (l->users && !mt_users_check (l->users, err)))
      return false;
   mt_cond_init (&s.ended);
   int signals = block_signals ();
   bool ok = load_tls (&s, err) && open_sockets (&s, err);
   if (ok) {
      say_ready (&s);
      notify ("READY=1");
      accept_all (&s, signals);
      stop (&s, signals);
   }
   close_sockets (&s);
   close (signals);
   if (s.connections) /* threads that did not end use the server */
      _exit (0);
   SSL_CTX_free (s.tls);
   pthread_cond_destroy (&s.ended);
   return ok;
}
