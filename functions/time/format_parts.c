/* Converts templates of to_char to formats of MongoDB's $dateToString. */
#include "functions/time/format.h"
#include "functions/time/format_int.h"

/* Returns the code of $dateToString for a field, or NULL if it has none. The year is not converted
 * here. */
static const char *code_of (MtTimeCode c)
{
   switch (c) {
   case C_MM: return "%m";
   case C_DD: return "%d";
   case C_HH24: return "%H";
   case C_MI: return "%M";
   case C_SS: return "%S";
   case C_MS: return "%L";
   default: return NULL;
   }
}

/* If `format` isn't empty, appends it to the n elements of `list`, and clears it. Returns the new
 * number of elements. */
static int end_format (MtArena *a, MtBuf *format, const char **list, int n)
{
   if (!format->n)
      return n;
   list[n] = mt_strndup (a, format->p, format->n);
   mt_buf_clear (format);
   return n + 1;
}

const char *const *mt_date_formats (MtArena *a, MtStr template, int *count)
{
   MtError ignored = {0};
   MtEval ev = {.arena = a, .err = &ignored};
   MtBuf format = {0};
   size_t nodes_n;
   const MtTimeNode *nodes = mt_time_template (&ev, template, &nodes_n);
   const char **list = MT_NEW_N (a, const char *, 2 * nodes_n + 2);
   bool can = true;
   *count = 0;
   for (size_t i = 0; can && i < nodes_n; i++) {
      const MtTimeNode *n = &nodes[i];
      const char *code = n->kind == MT_TN_FIELD ? code_of (n->code) : NULL;
      can = !n->fm && !n->tm && !n->th;
      if (code)
         mt_buf_adds (&format, code);
      else if (n->kind != MT_TN_FIELD && n->text.p[0] != '%')
         mt_buf_add (&format, n->text.p, n->text.n);
      else if (n->kind == MT_TN_FIELD && n->code == C_YYYY) {
         *count = end_format (a, &format, list, *count);
         list[(*count)++] = NULL;
      } else
         can = false;
   }
   *count = end_format (a, &format, list, *count);
   mt_buf_free (&format);
   return can && *count ? list : NULL;
}
