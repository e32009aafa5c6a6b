/* Which folders are synced: this program's fsync notes the folders that the library syncs. */
#include "base/sync_folder.h"
#include "engine/local/store/store.h"
#include "tests/unit/temp_folder.h"

#include <sys/syscall.h>

static ino_t synced[64];
static size_t synced_count;

int fsync (int fd)
{
   struct stat st;
   if (fstat (fd, &st) == 0 && S_ISDIR (st.st_mode) && synced_count < 64)
      synced[synced_count++] = st.st_ino;
   return (int) syscall (SYS_fsync, fd);
}

static bool was_synced (const char *path)
{
   struct stat st;
   assert_int_equal (stat (path, &st), 0);
   for (size_t i = 0; i < synced_count; i++)
      if (synced[i] == st.st_ino)
         return true;
   return false;
}

static void test_new_store (void **state)
{
   char path[4096];
   static const char *const names[] = {"new.mts", "other.mts/"};
   for (size_t i = 0; i < 2; i++) {
      MtStore *s;
      synced_count = 0;
      snprintf (path, sizeof path, "%s/%s", folder, names[i]);
      OK (mt_store_open (path, true, false, &s, &err));
      mt_store_close (s);
      assert_true (was_synced (path));
      assert_true (was_synced (folder)); /* it names the new folder */
   }
}

static void test_without_a_folder (void **state)
{
   assert_true (mt_sync_folder_of ("name"));
   assert_true (was_synced ("."));
   assert_true (mt_sync_folder_of ("/name"));
   assert_true (was_synced ("/"));
   assert_false (mt_sync_folder_of ("/nowhere/name"));
}

int main (void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown (test_new_store, setup, teardown),
      cmocka_unit_test_setup_teardown (test_without_a_folder, setup, teardown),
   };
   return cmocka_run_group_tests (tests, NULL, NULL);
}
