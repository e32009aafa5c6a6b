/* Lists the objects of an extension, for \\dx+. */
#include "functions/signature.h"
#include "base/control.h"
#include "base/extension.h"
#include "copy/format.h"
#include "include/mtsql_shell.h"
#include "session/inspect/inspect.h"
#include "session/state/session.h"

#include <stdlib.h>
#include <string.h>

typedef struct Objects {
   MtArena *a;
   const char **items;
   size_t count, cap;
} Objects;

static void add (Objects *o, const char *text)
{
   MT_GROW_IN (o->a, o->items, o->count, o->cap, 16);
   o->items[o->count++] = text;
}

/* Adds "function f(text,integer)", with the kind of the routine as first word, to the objects. */
static void add_routine (Objects *o, const char *kind, const char *name, const char *signature)
{
   MtSig sig;
   MtBuf b = {0};
   if (!mt_sig_parse (name, signature, 0, &sig))
      return;
   mt_buf_printf (&b, "%s %s(", kind, name);
   for (int i = 0; i < mt_visible_args (&sig); i++)
      mt_buf_printf (&b, "%s%s", i ? "," : "", mt_sig_type_name (sig.args[i]));
   mt_buf_addc (&b, ')');
   add (o, mt_strndup (o->a, b.p, b.n));
   mt_buf_free (&b);
}

static void add_module (Objects *o, const MtModule *m)
{
   for (const MtFunc *f = m->functions; f && f->name; f++)
      add_routine (o, "function", f->name, f->signature);
   for (const MtAgg *g = m->aggregates; g && g->name; g++)
      add_routine (o, "aggregate", g->name, g->signature);
   for (const MtCopyFormat *c = m->copy_formats; c && c->name; c++)
      add (o, mt_printf (o->a, "COPY format %s", c->name));
   for (const MtFormat *f = m->formats; f && f->name; f++)
      add (o, mt_printf (o->a, "output format %s", f->name));
   for (const MtCommand *c = m->commands; c && c->name; c++)
      add (o, mt_printf (o->a, "backslash command \\%s", c->name));
}

/* Adds the functions that the extension's scripts have created. */
static void add_members (MtSession *s, Objects *o, const char *name)
{
   size_t n;
   const MtCatalogObject *items = mt_catalog_objects (s->catalog, "function", &n);
   for (size_t i = 0; i < n; i++)
      if (strcmp (mt_field_text (items[i].body, "extension"), name) == 0)
         add_routine (o, "function", mt_field_text (items[i].body, "name"),
                      mt_field_text (items[i].body, "signature"));
}

static int by_text (const void *x, const void *y)
{
   return strcmp (*(const char *const *) x, *(const char *const *) y);
}

bool mt_extension_info (MtSession *s, MtArena *a, const char *name, MtExtensionInfo *out,
                        MtError *err)
{
   MT_BEGIN_CALL (s, err);
   Objects o = {.a = a};
   MtControl *c;
   const MtModule *m;
   if (!mt_catalog_refresh (s->catalog, NULL, err))
      return false;
   bool found = mt_extension_created (s, name) != NULL;
   if (found && !mt_control_find (a, mt_extension_search_path (s), name, &c, err))
      return false;
   if (found && c && c->module) {
      if (!mt_extension_open (c->module, &m, err))
         return false;
      add_module (&o, m);
   }
   if (found)
      add_members (s, &o, name);
   if (o.count)
      qsort (o.items, o.count, sizeof *o.items, by_text);
   *out = (MtExtensionInfo) {found, o.items, o.count};
   return true;
}
