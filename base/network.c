#include "base/network.h"

const uint8_t *mt_take_bytes (MtNetBytes *m, size_t n)
{
   if (m->bad || n > m->n - m->at) {
      m->bad = true;
      return NULL;
   }
   m->at += n;
   return m->p + m->at - n;
}

uint16_t mt_take_be16 (MtNetBytes *m)
{
   uint16_t v = 0;
   const uint8_t *p = mt_take_bytes (m, sizeof v);
   if (p)
      memcpy (&v, p, sizeof v);
   return be16toh (v);
}

uint32_t mt_take_be32 (MtNetBytes *m)
{
   uint32_t v = 0;
   const uint8_t *p = mt_take_bytes (m, sizeof v);
   if (p)
      memcpy (&v, p, sizeof v);
   return be32toh (v);
}

uint64_t mt_take_be64 (MtNetBytes *m)
{
   uint64_t high = mt_take_be32 (m);
   return high << 32 | mt_take_be32 (m);
}

const char *mt_take_text (MtNetBytes *m)
{
   const uint8_t *end = m->bad ? NULL : memchr (m->p + m->at, 0, m->n - m->at);
   if (!end) {
      m->bad = true;
      return NULL;
   }
   return (const char *) mt_take_bytes (m, (size_t) (end - m->p) - m->at + 1);
}

bool mt_took_all (const MtNetBytes *m) { return !m->bad && m->at == m->n; }
