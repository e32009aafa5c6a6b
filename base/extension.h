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

/* The structure that an extension exports as mt_module. Later minor versions may only add members
 * at its end. */
typedef struct MtModule {
   /* sizeof (MtModule) */
   uint32_t size;
   /* MT_EXT_ABI_MAJOR and MT_EXT_ABI_MINOR when the extension was built */
   uint16_t abi_major, abi_minor;
   const char *name, *version, *doc;
   /* an array like that of the built-in functions, which ends with an entry without a name; NULL:
    * none */
   const struct MtFunc *functions;
   /* an array like that of the built-in COPY formats, which ends with an entry without a name;
    * NULL: none */
   const struct MtCopyFormat *copy_formats;
   /* These members exist since version 2.1. Each array ends with an entry without a name. */
   const struct MtAgg *aggregates;
   /* output formats; only the shell uses them */
   const struct MtFormat *formats;
   const struct MtCommand *commands;
} MtModule;

/* Loads an extension, which stays loaded until the process ends. A file name without '/' is first
 * searched in the folder of bundled extensions, with and without ".so". *out is static, and is the
 * same for each call. It has all members of MtModule, even if the extension is older. Fails with
 * 58P01 if the file can't be loaded, and with 42P17 if it is no extension, or was built for another
 * version. */
bool mt_extension_open (const char *file, const MtModule **out, MtError *err);

/* Loads the bundled extension `name`. *out is NULL if there is none. Bundled extensions are in the
 * folder $MTSQL_EXTENSIONS, or near the program or the library: in extensions/, ../extensions/,
 * mtsql/ or ../lib/mtsql/. Errors are those of mt_extension_open. */
bool mt_extension_bundled (const char *name, const MtModule **out, MtError *err);

/* Finds the bundled extension whose name is most similar to `name` (mt_nearest). Returns false if
 * no name is similar enough. */
#define MT_EXT_NAME_SIZE 64
bool mt_extension_near (const char *name, char near[MT_EXT_NAME_SIZE]);

/* Stores the folder of installed extensions in `path`: $MTSQL_EXTENSIONS, or the first folder near
 * the program that contains example.control. Returns false if there is none. */
bool mt_extension_folder (char path[PATH_MAX]);

/* Finds a shared library in the folders of bundled extensions, by its name with or without ".so".
 * Stores its path in `path`. Returns false if there is none. */
bool mt_extension_path (const char *name, char path[PATH_MAX]);
/* Returns the suffix to append to a library's name: ".so", or "" if the name already has it. */
const char *mt_extension_ending (const char *name);

/* Returns whether `file` is a bundled extension. Restricted sessions may load only these. */
bool mt_extension_is_bundled (const char *file);

#endif
