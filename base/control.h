/* Control files of extensions, as PostgreSQL has them: NAME.control beside the library and the
 * scripts. Lines are "key = 'value'", and # begins a comment. */
#ifndef MT_CONTROL_H
#define MT_CONTROL_H

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct MtControl {
   const char *name;
   const char *folder;          /* of the control file */
   const char *comment;         /* NULL: none */
   const char *default_version; /* never NULL */
   const char *module;          /* the path of the library; NULL: the extension has only scripts */
   const char *module_name;     /* module_pathname as it is written; NULL: none */
   const char **required;       /* names of other extensions */
   size_t required_count;
   bool bundled; /* in the installed folder */
} MtControl;

/* The longest name of an extension, in bytes. */
enum { MT_EXTENSION_NAME_BYTES = 63 };

/* Reads the control file of an extension, in arena a. path: folders, separated by ':'; "$system" is
 * the installed folder, which is searched first if the path does not name it. *out is NULL if no
 * folder has the file. Errors: 42601 the file is faulty; 58P01 it can't be read. */
bool mt_control_find (MtArena *a, const char *path, const char *name, MtControl **out,
                      MtError *err);

/* Reads all control files of a path, sorted by name, in arena a. If two folders have the same name,
 * the first is used. Faulty files are left out. */
void mt_control_list (MtArena *a, const char *path, MtControl **out, size_t *count);

/* Returns the scripts of an extension: the texts between NAME-- and .sql, such as "1.0" or
 * "1.0--1.1", in arena a, sorted. */
const char **mt_control_scripts (MtArena *a, const MtControl *c, size_t *count);

/* Reads the script NAME--`part`.sql into arena a. *out is NULL if there is none. MODULE_PATHNAME in
 * it is replaced by the library. Errors: 58P01, 54000 it is longer than 16 MB. */
bool mt_control_script (MtArena *a, const MtControl *c, const char *part, const char **out,
                        MtError *err);

#endif
