/* Makes new names of files last: a file's own sync doesn't write the folder that names it. */
#ifndef MT_SYNC_FOLDER_H
#define MT_SYNC_FOLDER_H

#include <stdbool.h>

/* Syncs a folder. Also true if the file system can't sync folders. False: errno says why. */
bool mt_sync_folder (const char *folder);

/* Syncs the folder that holds `path`, after `path` was made or renamed. As mt_sync_folder. */
bool mt_sync_folder_of (const char *path);

#endif
