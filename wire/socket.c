#include "wire/socket.h"
#include "base/cancel.h"
#include "base/memory.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
   CHUNK_BYTES = 64 << 10,
   KEPT_BYTES = 1 << 20 /* a larger buffer is freed when it is empty */
};

void mt_socket_init (MtSocket *s, int fd) { *s = (MtSocket) {.fd = fd}; }

void mt_socket_close (MtSocket *s)
{
   if (s->fd < 0)
      return;
   mt_socket_flush (s);
   if (s->tls) {
      if (!s->lost)
         SSL_shutdown (s->tls);
      SSL_free (s->tls);
   }
   shutdown (s->fd, SHUT_RDWR);
   close (s->fd);
   mt_buf_free (&s->in);
   mt_buf_free (&s->out);
   *s = (MtSocket) {.fd = -1, .lost = true};
}

void mt_socket_stop (const MtSocket *s) { shutdown (s->fd, SHUT_RDWR); }

/* Waits until bytes can be received. Returns false at the deadline, or if the connection is
 * lost. */
static bool wait_bytes (MtSocket *s)
{
   struct pollfd p = {.fd = s->fd, .events = POLLIN};
   if (!s->deadline_ms || (s->tls && SSL_pending (s->tls)))
      return true;
   for (;;) {
      int64_t left = s->deadline_ms - mt_now_ms ();
      if (left <= 0) {
         s->late = true;
         return false;
      }
      int n = poll (&p, 1, left > INT32_MAX ? INT32_MAX : (int) left);
      if (n > 0 || (n < 0 && errno != EINTR))
         return true;
   }
}

/* Receives at least one byte into s->in. Returns false if the connection is lost or the deadline
 * has passed. */
static bool receive (MtSocket *s)
{
   if (s->lost || !wait_bytes (s) || !mt_buf_reserve (&s->in, CHUNK_BYTES)) {
      s->lost = true;
      return false;
   }
   ssize_t n;
   do {
      char *to = s->in.p + s->in.n;
      n = s->tls ? SSL_read (s->tls, to, CHUNK_BYTES) : recv (s->fd, to, CHUNK_BYTES, 0);
   } while (n < 0 && !s->tls && errno == EINTR);
   if (n <= 0)
      s->lost = true;
   else
      s->in.n += (size_t) n;
   return n > 0;
}

bool mt_socket_tls (MtSocket *s, SSL_CTX *context)
{
   if (s->at < s->in.n) /* bytes before TLS could come from someone in the middle */
      return false;
   s->tls = SSL_new (context);
   if (s->tls && SSL_set_fd (s->tls, s->fd) == 1 && wait_bytes (s) && SSL_accept (s->tls) == 1)
      return true;
   s->lost = true;
   return false;
}

const uint8_t *mt_socket_read (MtSocket *s, size_t n)
{
   if (s->at == s->in.n) {
      s->at = s->in.n = 0;
      if (s->in.cap > KEPT_BYTES)
         mt_buf_free (&s->in);
   } else if (s->at > CHUNK_BYTES) {
      memmove (s->in.p, s->in.p + s->at, s->in.n - s->at);
      s->in.n -= s->at;
      s->at = 0;
   }
   while (s->in.n - s->at < n)
      if (!receive (s))
         return NULL;
   s->at += n;
   return (const uint8_t *) (n ? s->in.p + s->at - n : "");
}

int mt_socket_next (MtSocket *s)
{
   return mt_socket_read (s, 0) && (s->at < s->in.n || receive (s)) ? (uint8_t) s->in.p[s->at] : -1;
}

bool mt_socket_flush (MtSocket *s)
{
   for (size_t sent = 0; !s->lost && sent < s->out.n;) {
      const char *p = s->out.p + sent;
      size_t left = s->out.n - sent, part = left < INT32_MAX ? left : INT32_MAX;
      ssize_t n = s->tls ? SSL_write (s->tls, p, (int) part) : send (s->fd, p, part, MSG_NOSIGNAL);
      if (n > 0)
         sent += (size_t) n;
      else if (s->tls || errno != EINTR)
         s->lost = true;
   }
   mt_buf_clear (&s->out);
   if (s->out.cap > KEPT_BYTES)
      mt_buf_free (&s->out);
   return !s->lost;
}
