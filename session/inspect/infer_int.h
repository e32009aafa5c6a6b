/* Private to session/inspect: \infer for files. */
#ifndef MT_INSPECT_INFER_INT_H
#define MT_INSPECT_INFER_INT_H

#include "session/files/files.h"

/* Returns a name as an SQL identifier, with quotes if necessary, in arena a. Hidden characters are
 * written as escapes. */
const char *mt_infer_identifier (MtArena *a, const char *name);
/* Returns the statements that create a table from a file, in arena a. path: the file's name as the
 * statements write it. */
const char *mt_infer_file (MtArena *a, const MtFileTable *f, const char *path);
/* Like mt_infer_file, for a file outside of the folder that the session has opened. *found: a file
 * of this name exists. */
bool mt_infer_path (MtSession *s, MtArena *a, const char *name, const char **text, bool *found,
                    MtError *err);

#endif
