/* Writes folders to disk, so that a new file name survives a crash. Syncing a file does not write
 * the folder that contains its name. */
#ifndef MT_SYNC_FOLDER_H
#define MT_SYNC_FOLDER_H

#include <stdbool.h>

/* Writes a folder to disk. Also returns true if the file system can't sync folders. Returns false
 * with errno after an error. */
bool mt_sync_folder (const char *folder);

/* Calls mt_sync_folder for the folder that contains `path`. Call it after `path` was created or
 * renamed. */
bool mt_sync_folder_of (const char *path);

#endif
