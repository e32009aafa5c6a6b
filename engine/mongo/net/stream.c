/* The driver's sockets. A blocked read checks the cancel flag twenty times a second.
 *
 * The driver calls mt_link_stream for each socket. The stream has a non-blocking socket and uses
 * poll. With TLS, TLS reads from this stream. After a cancel, mt_link_goes_on first asks the server
 * to stop the statement. If the server does, it replies with an error, and the connection can be
 * used again. After GRACE_MS, or at a second cancel, the link is given up: all its streams fail. */
#include "engine/mongo/net/job.h"
#include "engine/mongo/net/net.h"

#include "base/memory.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum {
   SLICE_MS = 50,
   GRACE_MS = 400,         /* how long to wait for a server that was asked to stop */
   TIMEOUT_GRACE_MS = 250, /* how long to wait for a server to apply maxTimeMS itself */
   STREAM_TYPE = 100       /* type of these streams, above the driver's own types */
};

/* ---- whether to go on ---- */

static bool give_up (MtLink *l)
{
   l->given_up = true;
   return false;
}

static bool give_up_canceled (MtLink *l)
{
   l->canceled = l->cancel->statement + 1;
   return give_up (l);
}

/* Called after a cancel: asks the server to stop the statement, at the first call. Returns whether
 * to wait a little longer. If there is no connection yet, there is no server to ask. */
static bool ending (MtLink *l)
{
   if (!l->asked) {
      l->asked = true;
      l->give_up_ms = l->on_cancel ? mt_now_ms () + GRACE_MS : 0;
      if (l->on_cancel)
         l->on_cancel (l->ctx);
   }
   return mt_now_ms () < l->give_up_ms || give_up_canceled (l);
}

bool mt_link_goes_on (MtLink *l)
{
   const MtCancel *c = l->cancel;
   if (l->given_up)
      return false;
   if (l->limit_ms && mt_now_ms () >= l->limit_ms)
      return give_up (l);
   if (!c)
      return true;
   if (atomic_load_explicit (&c->insisted, memory_order_relaxed))
      return give_up_canceled (l);
   if (l->masked)
      return true;
   bool late = c->deadline_ms && mt_now_ms () >= c->deadline_ms + TIMEOUT_GRACE_MS;
   return (!late && !atomic_load_explicit (&c->requested, memory_order_relaxed)) || ending (l);
}

static bool is_too_silent (const MtLink *l, int64_t since_ms)
{
   return l->alone && atomic_load (l->alone) && mt_now_ms () - since_ms >= MT_SILENCE_MS;
}

/* Waits until one of n sockets is ready. Returns the number of ready sockets, 0 at the time
 * expire_ms, or -1 with errno. */
static int wait_for (MtLink *l, struct pollfd *fds, nfds_t n, int64_t expire_ms)
{
   int64_t since_ms = mt_now_ms ();
   for (;;) {
      int64_t left = expire_ms < 0 ? SLICE_MS : expire_ms - mt_now_ms ();
      if (is_too_silent (l, since_ms))
         give_up (l);
      if (!mt_link_goes_on (l)) {
         errno = ECANCELED;
         return -1;
      }
      int slice = SLICE_MS;
      if (left < slice)
         slice = left > 0 ? (int) left : 0;
      int ready = poll (fds, n, slice);
      if (ready > 0 || (ready < 0 && errno != EINTR) || (left <= 0 && expire_ms >= 0))
         return ready < 0 && errno == EINTR ? 0 : ready;
   }
}

/* ---- the stream ---- */

typedef struct Stream {
   mongoc_stream_t base;
   MtLink *link;
   mongoc_host_list_t host;
   int fd;
   int error;  /* errno of the last failure */
   bool sent;  /* a request was just sent, so its answer can't be there yet */
   bool waits; /* a request was sent whole, and nothing of its answer has arrived */
   bool lost;  /* a substitute for a stream that could not be made; link->why has the reason */
   size_t from,
      to; /* bytes that were read ahead, because the driver reads an answer's length first */
   uint8_t ahead[16 << 10];
} Stream;

/* Converts the driver's timeout to the time (of mt_now_ms) when it expires. timeout_ms < 0: -1 for
 * never; 0: 0, do not wait. */
static int64_t expires (int32_t timeout_ms)
{
   if (timeout_ms < 0)
      return -1;
   return timeout_ms == 0 ? 0 : mt_now_ms () + timeout_ms;
}

static ssize_t failed (Stream *s, int error)
{
   s->error = error;
   if (error != EAGAIN && error != EWOULDBLOCK && error != ECANCELED && !s->lost)
      snprintf (s->link->why, sizeof s->link->why, "%s", strerror (error));
   errno = error;
   return -1;
}

/* Called after a socket call failed. If it would have blocked, waits until the socket is ready.
 * Returns whether to repeat the call. */
static bool await (Stream *s, short events, int64_t expire_ms)
{
   if (errno == EINTR)
      return true;
   if (errno != EAGAIN && errno != EWOULDBLOCK)
      return failed (s, errno) >= 0;
   if (expire_ms == 0)
      return failed (s, EAGAIN) >= 0;
   struct pollfd fd = {.fd = s->fd, .events = events};
   int ready = wait_for (s->link, &fd, 1, expire_ms);
   return ready > 0 || failed (s, ready < 0 ? errno : ETIMEDOUT) >= 0;
}

/* Skips the first n bytes of a list of *count buffers. */
static void advance (mongoc_iovec_t **iov, size_t *count, size_t n)
{
   while (*count && n >= (*iov)->iov_len) {
      n -= (*iov)->iov_len;
      ++*iov;
      --*count;
   }
   if (*count) {
      (*iov)->iov_base = (char *) (*iov)->iov_base + n;
      (*iov)->iov_len -= n;
   }
}

/* Reads at most n bytes as recv does. Small reads are served from bytes that were read ahead. */
static ssize_t receive (Stream *s, void *p, size_t n)
{
   if (s->from == s->to && n < sizeof s->ahead) {
      ssize_t got = recv (s->fd, s->ahead, sizeof s->ahead, 0);
      if (got <= 0)
         return got;
      s->from = 0;
      s->to = (size_t) got;
   }
   if (s->from == s->to)
      return recv (s->fd, p, n, 0);
   if (n > s->to - s->from)
      n = s->to - s->from;
   memcpy (p, s->ahead + s->from, n);
   s->from += n;
   return (ssize_t) n;
}

/* Before the first read after a request, waits until the reply arrives: an immediate read would
 * find nothing. */
static bool await_answer (Stream *s, int64_t expire_ms)
{
   bool waits = s->sent && expire_ms != 0;
   s->sent = false;
   errno = EAGAIN;
   return !waits || await (s, POLLIN, expire_ms);
}

static ssize_t stream_readv (mongoc_stream_t *base, mongoc_iovec_t *iov, size_t count,
                             size_t min_bytes, int32_t timeout_ms)
{
   Stream *s = (Stream *) base;
   int64_t expire = expires (timeout_ms);
   size_t total = 0;
   s->error = 0;
   while (count) {
      if (!mt_link_goes_on (s->link))
         return failed (s, ECANCELED);
      if (!await_answer (s, expire))
         return -1;
      ssize_t n = receive (s, iov->iov_base, iov->iov_len);
      if (n == 0)
         return total && total >= min_bytes ? (ssize_t) total : failed (s, ECONNRESET);
      if (n < 0 && total && total >= min_bytes)
         return (ssize_t) total;
      if (n < 0 && !await (s, POLLIN, expire))
         return -1;
      if (n < 0)
         continue;
      s->waits = false;
      total += (size_t) n;
      advance (&iov, &count, (size_t) n);
      if (total >= min_bytes)
         break;
   }
   return (ssize_t) total;
}

static ssize_t stream_writev (mongoc_stream_t *base, mongoc_iovec_t *iov, size_t count,
                              int32_t timeout_ms)
{
   Stream *s = (Stream *) base;
   int64_t expire = expires (timeout_ms);
   size_t total = 0;
   s->error = 0;
   s->sent = true;
   s->waits = false;
   s->link->host = s->host;
   while (count) {
      if (!mt_link_goes_on (s->link))
         return failed (s, ECANCELED);
      struct msghdr message = {.msg_iov = iov, .msg_iovlen = count};
      ssize_t n = sendmsg (s->fd, &message, MSG_NOSIGNAL);
      if (n < 0 && !await (s, POLLOUT, expire))
         return -1;
      if (n < 0)
         continue;
      total += (size_t) n;
      advance (&iov, &count, (size_t) n);
   }
   s->waits = true;
   return (ssize_t) total;
}

static ssize_t stream_poll (mongoc_stream_poll_t *streams, size_t count, int32_t timeout_ms)
{
   ssize_t there = 0;
   for (size_t i = 0; i < count; i++) {
      const Stream *s = (Stream *) streams[i].stream;
      streams[i].revents = s->from < s->to ? streams[i].events & POLLIN : 0;
      there += streams[i].revents != 0;
   }
   if (there)
      return there;
   struct pollfd *fds = mt_calloc ("connection", count, sizeof *fds);
   for (size_t i = 0; i < count; i++)
      fds[i] = (struct pollfd) {.fd = ((Stream *) streams[i].stream)->fd,
                                .events = (short) streams[i].events};
   int ready = wait_for (((Stream *) streams[0].stream)->link, fds, (nfds_t) count,
                         timeout_ms < 0 ? -1 : mt_now_ms () + timeout_ms);
   for (size_t i = 0; i < count; i++)
      streams[i].revents = ready > 0 ? fds[i].revents : 0;
   for (size_t i = 0; ready < 0 && i < count; i++)
      streams[i].revents = POLLERR;
   free (fds);
   return ready < 0 ? (ssize_t) count
                    : ready; /* 0 would make the driver poll again until its timeout */
}

static int stream_close (mongoc_stream_t *base)
{
   Stream *s = (Stream *) base;
   MtLink *l = s->link;
   int fd = s->fd;
   s->fd = -1;
   if (fd >= 0 && s->waits && l->given_up && l->writes && l->writes (l->ctx)) {
      mt_unanswered_add (&l->unanswered, fd);
      return 0;
   }
   return fd >= 0 ? close (fd) : 0;
}

static void stream_destroy (mongoc_stream_t *base)
{
   stream_close (base);
   free (base);
}

static int stream_flush (mongoc_stream_t *base) { return 0; }

static int stream_setsockopt (mongoc_stream_t *base, int level, int name, void *value,
                              mongoc_socklen_t len)
{
   return setsockopt (((Stream *) base)->fd, level, name, value, len);
}

static bool stream_check_closed (mongoc_stream_t *base)
{
   Stream *s = (Stream *) base;
   char c;
   if (s->fd < 0)
      return true;
   if (s->from < s->to)
      return false;
   ssize_t n = recv (s->fd, &c, 1, MSG_PEEK | MSG_DONTWAIT);
   return n == 0 || (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

static bool stream_timed_out (mongoc_stream_t *base)
{
   return ((Stream *) base)->error == ETIMEDOUT;
}

static bool stream_should_retry (mongoc_stream_t *base)
{
   int error = ((Stream *) base)->error;
   return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

static mongoc_stream_t *stream_new (MtLink *l, const mongoc_host_list_t *host, int fd)
{
   Stream *s = mt_calloc ("connection", 1, sizeof *s);
   s->base.type = STREAM_TYPE;
   s->base.destroy = stream_destroy;
   s->base.failed = stream_destroy;
   s->base.close = stream_close;
   s->base.flush = stream_flush;
   s->base.readv = stream_readv;
   s->base.writev = stream_writev;
   s->base.poll = stream_poll;
   s->base.setsockopt = stream_setsockopt;
   s->base.check_closed = stream_check_closed;
   s->base.timed_out = stream_timed_out;
   s->base.should_retry = stream_should_retry;
   s->link = l;
   s->host = *host;
   s->host.next = NULL;
   s->fd = fd;
   return &s->base;
}

/* ---- connecting ---- */

/* Connects a new socket to one address, waiting until expire_ms. Returns its descriptor, or -1 with
 * errno. */
static int connect_to_address (MtLink *l, int family, const struct sockaddr *address, socklen_t len,
                               int64_t expire_ms)
{
   int on = 1, error = 0;
   socklen_t size = sizeof error;
   int fd = socket (family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
   if (fd < 0)
      return -1;
   if (family != AF_UNIX) {
      setsockopt (fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      setsockopt (fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
   }
   if (connect (fd, address, len) == 0)
      return fd;
   if (errno == EINPROGRESS || errno == EINTR) {
      struct pollfd p = {.fd = fd, .events = POLLOUT};
      int ready = wait_for (l, &p, 1, expire_ms);
      error = ready < 0 ? errno : ETIMEDOUT;
      if (ready > 0 && getsockopt (fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0)
         return fd;
   } else {
      error = errno;
   }
   close (fd);
   errno = error;
   return -1;
}

static int connect_unix (MtLink *l, const char *path, int64_t expire_ms)
{
   struct sockaddr_un a = {.sun_family = AF_UNIX};
   if (strlen (path) >= sizeof a.sun_path) {
      errno = ENAMETOOLONG;
      return -1;
   }
   memcpy (a.sun_path, path, strlen (path));
   return connect_to_address (l, AF_UNIX, (const struct sockaddr *) &a, sizeof a, expire_ms);
}

/* A background job that looks up a host's addresses by getaddrinfo. That can't be interrupted, so
 * after a cancel nobody waits for the job any more. */
typedef struct Lookup {
   MtJob job;
   struct addrinfo hints, *found; /* result of getaddrinfo; NULL: none */
   int code;                      /* return value of getaddrinfo */
   char host[sizeof ((mongoc_host_list_t *) 0)->host];
   char port[8];
} Lookup;

static void run_lookup (MtJob *j)
{
   Lookup *u = (Lookup *) j;
   u->code = getaddrinfo (u->host, u->port, &u->hints, &u->found);
}

static void free_lookup (MtJob *j)
{
   Lookup *u = (Lookup *) j;
   if (u->found)
      freeaddrinfo (u->found);
   free (u);
}

static const MtJobKind lookup_kind = {.run = run_lookup, .free = free_lookup};

/* If the host is a numeric address, converts it to u->found, without a name server. Returns false
 * if it is a name. */
static bool is_number (Lookup *u)
{
   struct addrinfo hints = u->hints;
   hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
   return getaddrinfo (u->host, u->port, &hints, &u->found) == 0;
}

typedef struct Wait {
   MtLink *link;
   int64_t expire_ms;
} Wait;

static bool waits (void *ctx)
{
   const Wait *w = ctx;
   return mt_link_goes_on (w->link) && mt_now_ms () < w->expire_ms;
}

/* Looks up a host's addresses, until the time expire_ms. Returns 0 and the list *out (to free with
 * freeaddrinfo), or getaddrinfo's error code. */
static int look_up (MtLink *l, const mongoc_host_list_t *host, int64_t expire_ms,
                    struct addrinfo **out)
{
   Wait wait = {l, expire_ms};
   Lookup *u = mt_calloc ("connection", 1, sizeof *u);
   mt_job_init (&u->job, &lookup_kind);
   snprintf (u->host, sizeof u->host, "%s", host->host);
   snprintf (u->port, sizeof u->port, "%hu", host->port);
   u->hints.ai_family = host->family;
   u->hints.ai_socktype = SOCK_STREAM;
   bool over = is_number (u) || (mt_job_start (&u->job) && mt_job_wait (&u->job, waits, &wait));
   int code = over ? u->code : EAI_AGAIN;
   *out = over && code == 0 ? u->found : NULL;
   if (*out)
      u->found = NULL;
   mt_job_unref (&u->job);
   return code;
}

static int connect_tcp (MtLink *l, const mongoc_host_list_t *host, int64_t expire_ms)
{
   struct addrinfo *all = NULL;
   int fd = -1, code = look_up (l, host, expire_ms, &all), error = 0;
   if (code != 0) {
      snprintf (l->why, sizeof l->why, "could not translate host name \"%s\" to address: %s",
                host->host, gai_strerror (code));
      return -1;
   }
   for (const struct addrinfo *a = all; a && fd < 0; a = a->ai_next) {
      fd = connect_to_address (l, a->ai_family, a->ai_addr, a->ai_addrlen, expire_ms);
      error = fd < 0 ? errno : 0;
   }
   freeaddrinfo (all);
   if (fd < 0)
      snprintf (l->why, sizeof l->why, "connection to server at \"%s\", port %hu failed: %s",
                host->host, host->port, strerror (error));
   return fd;
}

/* ---- TLS ---- */

static mongoc_stream_t *add_tls (MtLink *l, mongoc_stream_t *plain, const mongoc_uri_t *uri,
                                 const mongoc_host_list_t *host, int32_t timeout_ms,
                                 bson_error_t *error)
{
   bool insecure = mongoc_uri_get_option_as_bool (uri, MONGOC_URI_TLSINSECURE, false);
   mongoc_ssl_opt_t o = {
      .pem_file = mongoc_uri_get_option_as_utf8 (uri, MONGOC_URI_TLSCERTIFICATEKEYFILE, NULL),
      .pem_pwd = mongoc_uri_get_option_as_utf8 (uri, MONGOC_URI_TLSCERTIFICATEKEYFILEPASSWORD,
                                                NULL),
      .ca_file = mongoc_uri_get_option_as_utf8 (uri, MONGOC_URI_TLSCAFILE, NULL),
      .weak_cert_validation = mongoc_uri_get_option_as_bool (
         uri, MONGOC_URI_TLSALLOWINVALIDCERTIFICATES, insecure),
      .allow_invalid_hostname = mongoc_uri_get_option_as_bool (
         uri, MONGOC_URI_TLSALLOWINVALIDHOSTNAMES, insecure),
   };
   mongoc_stream_t *tls = mongoc_stream_tls_new_with_hostname (plain, host->host, &o, 1);
   if (!tls) {
      mongoc_stream_destroy (plain);
      snprintf (
         l->why, sizeof l->why,
         "TLS could not be set up for server \"%s\": check the certificate files named in the "
         "connection string",
         host->host);
      return NULL;
   }
   if (mongoc_stream_tls_handshake_block (tls, host->host, timeout_ms, error))
      return tls;
   mongoc_stream_destroy (tls);
   snprintf (l->why, sizeof l->why, "TLS with server \"%s\" failed: %.200s", host->host,
             error->message);
   return NULL;
}

/* Returns a stream that is already at its end, in place of a stream that could not be connected.
 * Without any stream to a known server, libmongoc before 1.24.3 hangs forever. */
static mongoc_stream_t *lost_stream (MtLink *l, const mongoc_host_list_t *host)
{
   int ends[2];
   if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends))
      return NULL;
   close (ends[1]);
   mongoc_stream_t *s = stream_new (l, host, ends[0]);
   ((Stream *) s)->lost = true;
   return s;
}

mongoc_stream_t *mt_link_stream (const mongoc_uri_t *uri, const mongoc_host_list_t *host, void *ctx,
                                 bson_error_t *error)
{
   MtLink *l = ctx;
   int32_t timeout_ms = mongoc_uri_get_option_as_int32 (uri, MONGOC_URI_CONNECTTIMEOUTMS,
                                                        MT_CONNECT_TIMEOUT_MS);
   int64_t expire_ms = mt_now_ms () + timeout_ms;
   mongoc_stream_t *s = NULL;
   int fd = -1;
   if (l->given_up) {
      ; /* the reason is known */
   } else if (host->family == AF_UNIX) {
      fd = connect_unix (l, host->host, expire_ms);
      if (fd < 0)
         snprintf (l->why, sizeof l->why, "connection to server on socket \"%s\" failed: %s",
                   host->host, strerror (errno));
   } else {
      fd = connect_tcp (l, host, expire_ms);
   }
   if (fd >= 0)
      s = stream_new (l, host, fd);
   if (s && mongoc_uri_get_tls (uri))
      s = add_tls (l, s, uri, host, timeout_ms, error);
   if (s)
      l->connected = true;
   else if (l->connected)
      s = lost_stream (l, host);
   if (!s)
      bson_set_error (error, MONGOC_ERROR_STREAM, MONGOC_ERROR_STREAM_CONNECT, "%s", l->why);
   return s ? mt_link_frame (l, s) : NULL;
}
