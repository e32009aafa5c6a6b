/* Extensions: shared libraries with functions, aggregates, COPY formats, output formats and
 * backslash commands.
 *
 * include/mtsql_ext.h shows how an extension is written. */
#ifndef MT_EXTENSION_H
#define MT_EXTENSION_H

#include "base/error.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct MtFunc;       /* query/function.h */
struct MtCopyFormat; /* copy/format.h */
struct MtAgg;        /* query/function.h */
struct MtFormat;     /* include/mtsql_shell.h */
struct MtCommand;    /* include/mtsql_shell.h */

#define MT_EXT_ABI_MAJOR 2
#define MT_EXT_ABI_MINOR 1

/* The record that an extension exports as mt_module. It can grow only at its end, with a new minor
 * number. */
typedef struct MtModule {
   /* sizeof (MtModule) */
   uint32_t size;
   /* MT_EXT_ABI_MAJOR and MT_EXT_ABI_MINOR of its build */
   uint16_t abi_major, abi_minor;
   const char *name, *version, *doc;
   /* rows like those of the built-in functions; the last one has no name; NULL: none */
   const struct MtFunc *functions;
   /* rows like those of the built-in COPY formats; the last one has no name; NULL: none */
   const struct MtCopyFormat *copy_formats;
   /* Since 2.1; a library of 2.0 has none of these. Each list ends with a row without a name. */
   const struct MtAgg *aggregates;
   /* for the shell only */
   const struct MtFormat *formats;
   const struct MtCommand *commands;
} MtModule;

/* Loads an extension. It stays loaded until the process ends. A file without '/' is first looked
 * for in the folder of bundled extensions, with or without ".so". *out is static, the same for each
 * call, and has all members, however old the library is. Errors: 58P01 the
 * library can't be loaded; 42P17 it is not an extension, or has another version. */
bool mt_extension_open (const char *file, const MtModule **out, MtError *err);

/* Loads the bundled extension of a name. *out is NULL if no such extension exists. The bundled
 * extensions are in $MTSQL_EXTENSIONS, or near the program or the library: in extensions/,
 * ../extensions/, mtsql/ or ../lib/mtsql/. Errors are those of mt_extension_open. */
bool mt_extension_bundled (const char *name, const MtModule **out, MtError *err);

/* Finds the bundled extension whose name is near `name` (mt_nearest). False: there is none. */
#define MT_EXT_NAME_SIZE 64
bool mt_extension_near (const char *name, char near[MT_EXT_NAME_SIZE]);

/* Writes the path of the folder of installed extensions: $MTSQL_EXTENSIONS, or the first folder
 * with the file example.control. False: there is none. */
bool mt_extension_folder (char path[PATH_MAX]);

/* Finds a shared object in the folders of the bundled extensions, by its name with or without
 * ".so". Returns false if there is none. */
bool mt_extension_path (const char *name, char path[PATH_MAX]);
/* Returns the ending that a library's name lacks: ".so", or "" if the name has it. */
const char *mt_extension_ending (const char *name);

/* Returns whether a file names a bundled extension. A restricted session may use these. */
bool mt_extension_is_bundled (const char *file);

#endif
