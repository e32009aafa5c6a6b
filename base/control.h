/* Control files of extensions, as in PostgreSQL. The file NAME.control is in the folder of the
 * extension's library and scripts. Its lines are "key = 'value'"; # begins a comment. */
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

/* Finds and reads the control file of extension `name`, in arena a. path: the folders to search,
 * separated by ':'. "$system" in it is the folder of installed extensions; if it is missing, this
 * folder is searched first. *out is NULL if no folder has the file. Fails with 42601 if the file is
 * invalid, and with 58P01 if it can't be read. */
bool mt_control_find (MtArena *a, const char *path, const char *name, MtControl **out,
                      MtError *err);

/* Reads all control files in the folders of `path`, sorted by name, in arena a. If two folders have
 * files of the same name, the first one is used. Invalid files are skipped. */
void mt_control_list (MtArena *a, const char *path, MtControl **out, size_t *count);

/* Returns the scripts of an extension as a sorted list, in arena a. Each is the part of the file
 * name between "NAME--" and ".sql": a version, such as "1.0", or an update, such as "1.0--1.1". */
const char **mt_control_scripts (MtArena *a, const MtControl *c, size_t *count);

/* Reads the script NAME--`part`.sql into arena a. Replaces MODULE_PATHNAME in it by the path of the
 * library. *out is NULL if there is no such script. Fails with 58P01 if it can't be read, and with
 * 54000 if it is longer than 16 MB. */
bool mt_control_script (MtArena *a, const MtControl *c, const char *part, const char **out,
                        MtError *err);

#endif
