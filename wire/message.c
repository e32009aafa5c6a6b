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

const uint8_t *mt_take_bytes (MtMessage *m, size_t n)
{
   if (m->bad || n > m->n - m->at) {
      m->bad = true;
      return NULL;
   }
   m->at += n;
   return m->p + m->at - n;
}

uint16_t mt_take_be16 (MtMessage *m)
{
   uint16_t v = 0;
   const uint8_t *p = mt_take_bytes (m, sizeof v);
   if (p)
      memcpy (&v, p, sizeof v);
   return be16toh (v);
}

uint32_t mt_take_be32 (MtMessage *m)
{
   uint32_t v = 0;
   const uint8_t *p = mt_take_bytes (m, sizeof v);
   if (p)
      memcpy (&v, p, sizeof v);
   return be32toh (v);
}

const char *mt_take_text (MtMessage *m)
{
   const uint8_t *end = m->bad ? NULL : memchr (m->p + m->at, 0, m->n - m->at);
   if (!end) {
      m->bad = true;
      return NULL;
   }
   return (const char *) mt_take_bytes (m, (size_t) (end - m->p) - m->at + 1);
}

bool mt_message_done (const MtMessage *m) { return !m->bad && m->at == m->n; }
