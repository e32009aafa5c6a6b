/* A list of sockets of requests that were cancelled before the reply came. A later reply shows that
 * the server has finished the request. */
#include "engine/mongo/net/net.h"

#include <poll.h>
#include <unistd.h>

void mt_unanswered_add (MtUnanswered *u, int fd)
{
   if (u->count < (int) (sizeof u->fd / sizeof *u->fd))
      u->fd[u->count++] = fd;
   else
      close (fd);
}

void mt_unanswered_move (MtUnanswered *from, MtUnanswered *to)
{
   for (int i = 0; i < from->count; i++)
      mt_unanswered_add (to, from->fd[i]);
   from->count = 0;
}

bool mt_unanswered_over (MtUnanswered *u)
{
   for (int i = u->count - 1; i >= 0; i--) {
      struct pollfd p = {.fd = u->fd[i], .events = POLLIN};
      if (poll (&p, 1, 0) == 0)
         continue;
      close (u->fd[i]);
      u->fd[i] = u->fd[--u->count];
   }
   return u->count == 0;
}

void mt_unanswered_close (MtUnanswered *u)
{
   while (u->count)
      close (u->fd[--u->count]);
}
