/* Private to session/inspect: \infer for files. */
#ifndef MT_INSPECT_INFER_INT_H
#define MT_INSPECT_INFER_INT_H

#include "session/files/files.h"

/* Returns a name as SQL writes it, in arena a. Hidden characters are written as escapes. */
const char *mt_infer_identifier (MtArena *a, const char *name);
/* Returns the statements that make a table of a file, in arena a. path: how they name it. */
const char *mt_infer_file (MtArena *a, const MtFileTable *f, const char *path);
/* The same for a file that is not part of the target. *found: there is a file of that name. */
bool mt_infer_path (MtSession *s, MtArena *a, const char *name, const char **text, bool *found,
                    MtError *err);

#endif
