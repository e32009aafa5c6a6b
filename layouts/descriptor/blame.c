/* Reports errors in layout descriptors, each with its path in the descriptor. */
#include "layouts/descriptor/check_int.h"

#include <stdio.h>

bool mt_layout_invalid (MtBlame *b, const char *path, const char *fmt, ...)
{
   char reason[400];
   va_list ap;
   va_start (ap, fmt);
   vsnprintf (reason, sizeof reason, fmt, ap);
   va_end (ap);
   snprintf (b->path, sizeof b->path, "%s", path);
   b->name = false;
   if (b->preset)
      return mt_error (b->err, MT_E_INVALID_DEFINITION, "layout \"%s\" can't store this table: %s",
                       b->layout, reason);
   return mt_error (b->err, MT_E_INVALID_DEFINITION, "invalid descriptor of layout \"%s\": %s: %s",
                    b->layout, *path ? path : "descriptor", reason);
}

bool mt_collection_name_ok (MtBlame *b, const char *path, const char *name)
{
   bool ours = !strcmp (name, "_mtsql_catalog"), ok = *name && !strchr (name, '$') &&
                                                      strncmp (name, "system.", 7) && !ours &&
                                                      strlen (name) <= 200;
   return (ok && mt_utf8_valid (name, strlen (name))) ||
          mt_layout_invalid (b, path, "\"%s\" can't be the name of a collection", name);
}

/* ---- checks ---- */

/* Appends the path of node n in the descriptor to `out`, such as "stores[0].root.sub". `store` is
 * the index of the store that contains n. */
static void node_path (size_t store, const MtNode *n, MtBuf *out)
{
   if (!n->parent) {
      mt_buf_printf (out, "stores[%zu].root", store);
      return;
   }
   node_path (store, n->parent, out);
   if (n->parent->sub_count == 1) {
      mt_buf_adds (out, ".sub");
      return;
   }
   for (size_t i = 0; i < n->parent->sub_count; i++)
      if (n->parent->subs[i] == n)
         mt_buf_printf (out, ".alt[%zu]", i);
}

bool mt_check_bad (MtCheck *c, const MtNode *n, const char *tail, const char *fmt, ...)
{
   char reason[400];
   va_list ap;
   va_start (ap, fmt);
   vsnprintf (reason, sizeof reason, fmt, ap);
   va_end (ap);
   MtBuf path = {0};
   if (n)
      node_path (c->store, n, &path);
   else
      mt_buf_printf (&path, "stores[%zu]", c->store);
   mt_buf_adds (&path, tail);
   mt_layout_invalid (c->blame, path.p, "%s", reason);
   mt_buf_free (&path);
   return false;
}

/* If !ok and a preset made the descriptor, adds a hint to store the column in another field with
 * the option FIELD. Returns ok. */
bool mt_check_other_field (MtCheck *c, bool ok)
{
   return c->blame->preset
             ? mt_error_hint (c->blame->err,
                              "Give the column that lies in \"_id\" another place: FIELD 'name'.")
             : ok;
}
