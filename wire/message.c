#include "wire/message.h"

size_t mt_message_begin (MtBuf *b, char type)
{
   mt_buf_addc (b, type);
   mt_put_be32 (b, 0);
   return b->n - 4;
}

void mt_message_end (MtBuf *b, size_t at) { mt_set_be32 (b, at, (uint32_t) (b->n - at)); }

void mt_message_text (MtBuf *b, char type, const char *text)
{
   size_t at = mt_message_begin (b, type);
   mt_put_text (b, text);
   mt_message_end (b, at);
}

void mt_message_empty (MtBuf *b, char type) { mt_message_end (b, mt_message_begin (b, type)); }

bool mt_message_read (MtSocket *s, size_t most, char *type, MtNetBytes *m)
{
   const uint8_t *head = mt_socket_read (s, 5);
   *m = (MtNetBytes) {0};
   if (!head)
      return false;
   *type = (char) head[0];
   *m = (MtNetBytes) {.p = head + 1, .n = 4};
   size_t n = mt_take_be32 (m);
   m->bad = n < 4 || n - 4 > most;
   if (m->bad)
      return false;
   *m = (MtNetBytes) {.n = n - 4, .p = mt_socket_read (s, n - 4)};
   return m->p != NULL;
}
