#include "base/error.h"
#include "base/str.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Ends a text that did not fit into `size` bytes with "...", after a whole UTF-8 character. */
static void cut (char *text, size_t size)
{
   size_t end = size - 4;
   while (end > 0 && ((unsigned char) text[end] & 0xC0) == 0x80)
      end--;
   memcpy (text + end, "...", 4);
}

/* Replaces invalid UTF-8 by question marks. An argument of the message may have been shortened
 * inside a character, and a file name may contain any bytes. */
static void mend (char *text)
{
   if (mt_utf8_valid (text, strlen (text)))
      return;
   for (size_t n; *text; text += n) {
      for (n = 1; n < 4 && text[n] && !mt_utf8_valid (text, n); n++)
         ;
      if (!mt_utf8_valid (text, n)) {
         *text = '?';
         n = 1;
      }
   }
}

static void put (char *text, size_t size, const char *fmt, va_list ap)
{
   int n = vsnprintf (text, size, fmt, ap);
   if (n < 0)
      text[0] = 0;
   else if ((size_t) n >= size)
      cut (text, size);
   mend (text);
}

static void set (MtError *err, MtSpan span, const char *sqlstate, const char *fmt, va_list ap)
{
   if (!err)
      return;
   /* The arguments may point into *err, so the text is formatted before *err changes. */
   char text[sizeof err->message];
   put (text, sizeof text, fmt, ap);
   snprintf (err->sqlstate, sizeof err->sqlstate, "%s", sqlstate);
   memcpy (err->message, text, sizeof text);
   err->detail[0] = err->hint[0] = err->context[0] = 0;
   MtErrorNames *names = &err->names;
   names->schema[0] = names->table[0] = names->column[0] = names->type[0] = 0;
   names->constraint[0] = 0;
   err->topic = MT_TOPIC_NONE;
   err->code = 0;
   err->span = span;
}

bool mt_error (MtError *err, const char *sqlstate, const char *fmt, ...)
{
   va_list ap;
   va_start (ap, fmt);
   set (err, MT_NO_SPAN, sqlstate, fmt, ap);
   va_end (ap);
   return false;
}

bool mt_error_at (MtError *err, MtSpan span, const char *sqlstate, const char *fmt, ...)
{
   va_list ap;
   va_start (ap, fmt);
   set (err, span, sqlstate, fmt, ap);
   va_end (ap);
   return false;
}

static void put_name (char (*to)[128], const char *name)
{
   snprintf (*to, sizeof *to, "%s", name ? name : "");
   mend (*to);
}

bool mt_error_in_table (MtError *err, const char *schema, const char *table, const char *column,
                        const char *constraint)
{
   if (!err)
      return false;
   put_name (&err->names.schema, schema);
   put_name (&err->names.table, table);
   put_name (&err->names.column, column);
   put_name (&err->names.constraint, constraint);
   return false;
}

bool mt_error_in_domain (MtError *err, const char *schema, const char *domain,
                         const char *constraint)
{
   if (!err)
      return false;
   put_name (&err->names.schema, schema);
   put_name (&err->names.type, domain);
   put_name (&err->names.constraint, constraint);
   return false;
}

bool mt_error_coded (MtError *err, const char *sqlstate, int32_t code, const char *fmt, ...)
{
   va_list ap;
   va_start (ap, fmt);
   set (err, MT_NO_SPAN, sqlstate, fmt, ap);
   va_end (ap);
   if (err)
      err->code = code;
   return false;
}

/* Defines a function `name` that formats a text into `member` of an existing error. */
#define FILLS(name, member) \
   bool name (MtError *err, const char *fmt, ...) \
   { \
      if (!err) \
         return false; \
      va_list ap; \
      va_start (ap, fmt); \
      put (err->member, sizeof err->member, fmt, ap); \
      va_end (ap); \
      return false; \
   }

FILLS (mt_error_hint, hint)
FILLS (mt_error_detail, detail)
FILLS (mt_error_context, context)

bool mt_error_outrun (MtError *err)
{
   return mt_error (err, MT_E_SERIALIZATION, "could not serialize access due to concurrent update");
}

void mt_error_clear (MtError *err)
{
   if (!err)
      return;
   err->sqlstate[0] = err->message[0] = err->detail[0] = err->hint[0] = err->context[0] = 0;
   err->topic = MT_TOPIC_NONE;
   err->span = MT_NO_SPAN;
}

bool mt_error_near (MtError *err, const char *name, const char *const *names, size_t count)
{
   MtNear near = {.name = name, .found = mt_nearest (name, names, count)};
   return mt_error_found (err, &near);
}

bool mt_error_found (MtError *err, const MtNear *near)
{
   return near->found && mt_error_hint (err, "Perhaps you meant \"%s\".", near->found);
}
