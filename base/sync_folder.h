/* Syncs folders to disk, so that a new file name survives a crash. Syncing a file does not sync the
 * folder that contains its name. */
#ifndef MT_SYNC_FOLDER_H
#define MT_SYNC_FOLDER_H

#include <stdbool.h>

/* Syncs a folder to disk. Returns false, with errno set, on error. Returns true if the file system
 * can't sync folders. */
bool mt_sync_folder (const char *folder);

/* Syncs the folder that contains `path`. Call it after the file `path` was created or renamed. */
bool mt_sync_folder_of (const char *path);

#endif
