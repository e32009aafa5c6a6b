/* Adds the output formats and backslash commands of extensions. */
#include "shell/program.h"

#include "base/extension.h"
#include "shell/commands/command.h"

#include <string.h>

static bool is_word (const char *name)
{
   return *name && name[strspn (name, "abcdefghijklmnopqrstuvwxyz"
                                      "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")] == 0;
}

static bool invalid (const MtModule *m, const char *kind, const char *name, MtError *err)
{
   return mt_error (err, MT_E_INVALID_DEFINITION,
                    "%s \"%s\" of extension \"%s\" has an invalid definition", kind, name, m->name);
}

static bool taken (const MtModule *m, const char *kind, const char *name, MtError *err)
{
   return mt_error (err, MT_E_DUPLICATE_OBJECT, "%s \"%s\" of extension \"%s\" already exists",
                    kind, name, m->name);
}

static bool check_formats (const MtModule *m, MtError *err)
{
   for (const MtFormat *f = m->formats; f && f->name; f++) {
      const MtFormat *other = mt_format_named (f->name);
      if (!is_word (f->name) || !f->begin || !f->row || !f->finish || !f->summary)
         return invalid (m, "output format", f->name, err);
      if (other && other != f)
         return taken (m, "output format", f->name, err);
   }
   return true;
}

static const MtCommand *command_named (const char *name)
{
   const MtCommand *c;
   for (size_t i = 0; (c = mt_command_at (i)) && strcmp (c->name, name) != 0;)
      i++;
   return c;
}

static bool check_commands (const MtModule *m, MtError *err)
{
   for (const MtCommand *c = m->commands; c && c->name; c++) {
      const MtCommand *other = command_named (c->name);
      if (!is_word (c->name) || !c->run || !c->args || !c->summary || c->conditional ||
          (c == m->commands && !c->group))
         return invalid (m, "backslash command", c->name, err);
      if (other && other != c)
         return taken (m, "backslash command", c->name, err);
   }
   return true;
}

bool mt_shell_extension (void *ctx, const MtModule *m, MtError *err)
{
   if (!check_formats (m, err) || !check_commands (m, err))
      return false;
   if (m->formats)
      mt_formats_add (m->formats);
   if (m->commands)
      mt_commands_add (m->commands);
   return true;
}
