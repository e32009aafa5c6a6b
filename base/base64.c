/* Base64 of both alphabets (RFC 4648). */
#include "base/base64.h"

static const char standard[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static const char url[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

void mt_base64_put (const uint8_t *p, size_t n, MtBase64 kind, MtBuf *out)
{
   const char *digits = kind == MT_BASE64_URL ? url : standard;
   for (size_t i = 0; i < n; i += 3) {
      size_t left = n - i;
      uint32_t x = (uint32_t) p[i] << 16 | (left > 1 ? (uint32_t) p[i + 1] << 8 : 0) |
                   (left > 2 ? p[i + 2] : 0);
      char four[4] = {digits[x >> 18], digits[x >> 12 & 63], left > 1 ? digits[x >> 6 & 63] : '=',
                      left > 2 ? digits[x & 63] : '='};
      mt_buf_add (out, four, kind == MT_BASE64_URL && left < 3 ? left + 1 : 4);
   }
}

static int digit_of (char c, MtBase64 kind)
{
   if (c >= 'A' && c <= 'Z')
      return c - 'A';
   if (c >= 'a' && c <= 'z')
      return c - 'a' + 26;
   if (c >= '0' && c <= '9')
      return c - '0' + 52;
   if ((c == '+' && kind != MT_BASE64_URL) || (c == '-' && kind != MT_BASE64))
      return 62;
   return (c == '/' && kind != MT_BASE64_URL) || (c == '_' && kind != MT_BASE64) ? 63 : -1;
}

bool mt_base64_get (MtStr text, MtBase64 kind, uint8_t *to, size_t *n)
{
   uint32_t bits = 0;
   size_t full = text.n;
   *n = 0;
   while (full && text.n - full < 2 && text.p[full - 1] == '=')
      full--;
   bool filled = text.n % 4 == 0;
   if (full % 4 == 1 || (!filled && (full < text.n || kind == MT_BASE64)))
      return false;
   for (size_t i = 0; i < full; i++) {
      int d = digit_of (text.p[i], kind);
      if (d < 0)
         return false;
      bits = bits << 6 | (uint32_t) d;
      if (i % 4)
         to[(*n)++] = (uint8_t) (bits >> (6 - 2 * (i % 4)));
   }
   return true;
}
