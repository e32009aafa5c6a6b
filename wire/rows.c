/* Converts rows of results to RowDescription and DataRow messages. */
#include "wire/connection_int.h"
#include "types/binary.h"

static uint16_t format_of (MtFormats f, size_t column)
{
   if (f.count == 0)
      return MT_FORMAT_TEXT;
   return f.list[f.count == 1 ? 0 : column];
}

void mt_wire_describe_rows (MtConnection *c, const MtResult *r, MtFormats formats)
{
   MtBuf *b = &c->socket.out;
   size_t n = mt_result_columns (r), at = mt_message_begin (b, 'T');
   int64_t table;
   int number;
   mt_put_be16 (b, (uint16_t) n);
   for (size_t i = 0; i < n; i++) {
      MtType t = mt_result_type (r, i);
      mt_put_text (b, mt_result_name (r, i));
      mt_result_origin (r, i, &table, &number);
      mt_put_be32 (b, (uint32_t) table);
      mt_put_be16 (b, (uint16_t) number);
      mt_put_be32 (b, mt_type_oid (t));
      mt_put_be16 (b, (uint16_t) mt_type_bytes (t));
      mt_put_be32 (b, (uint32_t) mt_type_typmod (t));
      mt_put_be16 (b, format_of (formats, i));
   }
   mt_message_end (b, at);
}

bool mt_wire_row (MtConnection *c, MtResult *r, MtFormats formats, MtBuf *out, MtError *err)
{
   MtTextStyle style = {.zone = mt_session_zone (c->session), .extra_float_digits = 1};
   size_t n = mt_result_columns (r), at = mt_message_begin (out, 'D'), length;
   mt_put_be16 (out, (uint16_t) n);
   for (size_t i = 0; i < n; i++) {
      if (format_of (formats, i) == MT_FORMAT_BINARY) {
         if (!mt_binary_put (c->values, mt_result_type (r, i), mt_result_value (r, i), &style, out,
                             err))
            return false;
         continue;
      }
      const char *text = mt_result_text (r, i, &length);
      mt_put_be32 (out, text ? (uint32_t) length : UINT32_MAX);
      if (text)
         mt_buf_add (out, text, length);
   }
   mt_message_end (out, at);
   return true;
}

bool mt_wire_rows (MtConnection *c, MtResult *r, MtFormats formats, uint64_t most, bool *more,
                   MtError *err)
{
   MtBuf *out = &c->socket.out;
   for (uint64_t i = 0; most == 0 || i < most; i++) {
      size_t before = out->n;
      if (!mt_result_next (r, more, err))
         return false;
      if (!*more)
         return true;
      mt_arena_reset (c->values);
      if (!mt_wire_row (c, r, formats, out, err)) {
         out->n = before; /* removes a row that was only partly written */
         return false;
      }
      if (out->n >= MT_FLUSH_BYTES && !mt_socket_flush (&c->socket))
         return mt_error (err, MT_E_CONNECTION, "connection to client lost");
   }
   return true;
}

void mt_wire_complete (MtConnection *c, const MtResult *r)
{
   MtError err;
   const char *tag = mt_result_tag (r);
   if (!mt_result_verdict (r, &err)) /* an error would hide the rows from most clients */
      mt_wire_notice (c, "WARNING", err.message, err.hint);
   if (*tag)
      mt_message_text (&c->socket.out, 'C', tag);
   else
      mt_message_empty (&c->socket.out, 'I');
}
