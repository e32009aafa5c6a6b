#include "session/state/session.h"

#include <stdlib.h>
#include <string.h>

void mt_notice (MtSession *s, const char *severity, const char *hint, const char *fmt, ...)
{
   static const char *const least[] = {/* by place among the values of client_min_messages */
                                       "", "", "", "", "", "LOG", "NOTICE", "WARNING"};
   if (!s->options.notice)
      return;
   for (int64_t i = 5; i < s->settings.min_messages && i < 8; i++)
      if (strcmp (severity, least[i]) == 0)
         return;
   char *text = NULL;
   va_list ap;
   va_start (ap, fmt);
   int n = vasprintf (&text, fmt, ap);
   va_end (ap);
   if (n >= 0)
      s->options.notice (s->options.ctx, severity, text, hint ? hint : "");
   free (text);
}
