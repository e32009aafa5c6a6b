/* The catalog over an engine, in memory and in a file. */
#include "catalog/catalog.h"
#include "tests/unit/fake_engine.h"
#include "tests/unit/layout_tables.h"
#include "layouts/presets/preset.h"
#include "layouts/descriptor/descriptor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static MtArena *arena;
static MtEngine *engine;
static MtError err;

static int setup (void **state)
{
   arena = mt_arena_new ("test", NULL);
   engine = mt_fake_engine ();
   mt_error_clear (&err);
   return 0;
}

static int teardown (void **state)
{
   mt_engine_close (engine);
   mt_arena_free (arena);
   return 0;
}

static MtTable *calls (const char *name)
{
   MtTable *t = mt_test_table (arena, "calls");
   bson_t d = BSON_INITIALIZER;
   t->name = name;
   t->layouts = MT_NEW (arena, MtLayout);
   t->layout_count = 1;
   assert_true (mt_preset_descriptor (arena, t, &(MtPresetUse) {"rows", NULL, 0, name}, &d, &err) &&
                mt_layout_parse (arena, t, name, &d, t->layouts, &err));
   bson_destroy (&d);
   return t;
}

static MtCatalog *catalog_at (const char *file)
{
   MtCatalog *c;
   if (!mt_catalog_open (engine, file, &c, &err))
      fail_msg ("%s", err.message);
   return c;
}

static const MtTable *find (MtCatalog *c, const char *name)
{
   const MtTable *t;
   if (!mt_catalog_find (c, name, false, &t, &err))
      fail_msg ("%s", err.message);
   return t;
}

static void saves_and_finds (MtCatalog *c)
{
   const MtTable *saved;
   size_t n;
   bool dropped;
   assert_null (find (c, "calls"));
   assert_true (mt_catalog_save (c, calls ("calls"), &saved, &err));
   assert_int_equal (saved->version, 1);
   assert_true (mt_catalog_save (c, calls ("Apples"), NULL, &err));
   assert_ptr_equal (find (c, "CALLS"), saved);
   assert_true (mt_catalog_save (c, saved, &saved, &err));
   assert_int_equal (saved->version, 2);
   const MtTable *const *all = mt_catalog_tables (c, &n);
   assert_int_equal (n, 2);
   assert_string_equal (all[0]->name, "Apples");
   assert_string_equal (all[1]->name, "calls");
   assert_true (mt_catalog_drop (c, "apples", &dropped, &err) && !dropped);
   assert_true (mt_catalog_drop (c, "Apples", &dropped, &err) && dropped);
   assert_null (find (c, "apples"));
}

static void objects_beside_tables (MtCatalog *c)
{
   size_t n;
   bool dropped;
   const MtCatalogObject *o;
   assert_true (mt_catalog_save_object (c, "function", "twice",
                                        mt_test_json (arena, "{'sql': 'x * 2'}"), &err));
   assert_true (mt_catalog_save_object (c, "layout", "twice",
                                        mt_test_json (arena, "{'keeps': 'records'}"), &err));
   assert_true (mt_catalog_save_object (c, "function", "half",
                                        mt_test_json (arena, "{'sql': 'x / 2'}"), &err));
   o = mt_catalog_objects (c, "function", &n);
   assert_int_equal (n, 2);
   assert_string_equal (o[0].name, "half");
   mt_catalog_find_object (c, "function", "TWICE", &o);
   assert_true (bson_equal (o->body, mt_test_json (arena, "{'sql': 'x * 2'}")));
   assert_true (mt_catalog_drop_object (c, "function", "half", &dropped, &err) && dropped);
   mt_catalog_find_object (c, "function", "half", &o);
   assert_null (o);
}

static void in_the_engine (void **state)
{
   MtCatalog *c = catalog_at (NULL), *other = catalog_at (NULL);
   bool changed;
   saves_and_finds (c);
   objects_beside_tables (c);
   assert_null (find (other, "calls"));
   assert_true (mt_catalog_refresh (other, &changed, &err) && changed);
   assert_int_equal (find (other, "calls")->version, 2);
   assert_true (mt_catalog_refresh (other, &changed, &err) && !changed);
   assert_true (mt_catalog_refresh (c, &changed, &err) && !changed);
   mt_catalog_close (c);
   mt_catalog_close (other);
}

static void a_rollback_is_noticed (void **state)
{
   MtCatalog *c = catalog_at (NULL);
   assert_true (mt_catalog_save (c, calls ("a"), NULL, &err));
   assert_true (mt_engine_begin (engine, &err));
   assert_true (mt_catalog_save (c, calls ("b"), NULL, &err));
   assert_non_null (find (c, "b"));
   mt_engine_rollback (engine);
   mt_catalog_invalidate (c);
   assert_true (mt_catalog_refresh (c, NULL, &err));
   assert_null (find (c, "b"));
   assert_non_null (find (c, "a"));
   mt_catalog_close (c);
}

/* Saves that `more` rows were written to the table. */
static void grow (MtCatalog *c, const char *name, double more)
{
   const MtTable *t = find (c, name);
   MtTable now = *t;
   MtStoreStats *st = MT_NEW (arena, MtStoreStats);
   now.layouts = MT_NEW (arena, MtLayout);
   *now.layouts = *t->layouts;
   *st = *t->layouts->stats;
   st->present = true;
   st->records += more;
   st->nodes = MT_NEW_N (arena, MtNodeStats, t->layouts->stores->node_count);
   now.layouts->stats = st;
   assert_true (mt_catalog_grow (c, t, &now, &err));
}

static double records (MtCatalog *c, const char *name)
{
   return find (c, name)->layouts->stats->records;
}

static bool changes (MtCatalog *c)
{
   bool changed;
   assert_true (mt_catalog_refresh (c, &changed, &err));
   return changed;
}

static void statistics_are_apart (void **state)
{
   MtCatalog *c = catalog_at (NULL), *other = catalog_at (NULL);
   bool dropped;
   assert_true (mt_catalog_save (c, calls ("a"), NULL, &err));
   assert_true (changes (other));
   const MtTable *cached = find (other, "a");
   grow (c, "a", 3);
   assert_true (!changes (other) && !changes (c));
   assert_ptr_equal (find (other, "a"), cached);
   assert_true (records (other, "a") == 3 && find (other, "a")->layouts->stats->present);
   grow (other, "a", 4);
   assert_true (!changes (c) && records (c, "a") == 7);
   /* another table of the name, of the same version */
   assert_true (mt_catalog_drop (c, "a", &dropped, &err) && dropped);
   assert_true (mt_catalog_save (c, calls ("a"), NULL, &err));
   assert_true (changes (other) && records (other, "a") == 0);
   mt_catalog_close (c);
   mt_catalog_close (other);
}

/* Statistics without their document are unknown. A write does not take its rows for all of them. */
static void statistics_are_lost (void **state)
{
   MtCatalog *c = catalog_at (NULL);
   bool gone;
   assert_true (mt_catalog_save (c, calls ("a"), NULL, &err));
   grow (c, "a", 3);
   assert_true (mt_engine_delete_id (engine, MT_CATALOG_COLLECTION,
                                     mt_catalog_object_id (arena, "statistics", "a"), &gone, &err));
   assert_true (gone && !changes (c));
   assert_false (find (c, "a")->layouts->stats->present);
   grow (c, "a", 2);
   assert_true (!changes (c) && !find (c, "a")->layouts->stats->present);
   MtTable t = *find (c, "a");
   assert_true (mt_catalog_save (c, &t, NULL, &err));
   grow (c, "a", 5);
   assert_true (!changes (c) && records (c, "a") == 5);
   mt_catalog_close (c);
}

static void damage_is_told (void **state)
{
   assert_true (mt_engine_insert (
      engine, MT_CATALOG_COLLECTION,
      mt_test_json (arena, "{'_id': 'bad', 'kind': 'table', 'columns': 5}"), false, &err));
   assert_true (mt_engine_insert (engine, MT_CATALOG_COLLECTION,
                                  mt_test_json (arena, "{'_id': 7, 'other': 1}"), false, &err));
   MtCatalog *c = catalog_at (NULL);
   const MtTable *t;
   size_t n;
   bool dropped;
   assert_false (mt_catalog_find (c, "bad", false, &t, &err));
   assert_string_equal (err.sqlstate, MT_E_CORRUPT);
   mt_catalog_tables (c, &n);
   assert_int_equal (n, 0);
   assert_true (mt_catalog_drop (c, "bad", &dropped, &err) && dropped);
   assert_null (find (c, "bad"));
   MtTable none = *calls ("none");
   none.layout_count = 0;
   assert_false (mt_catalog_save (c, &none, NULL, &err)); /* reads what it would write */
   assert_string_equal (err.sqlstate, MT_E_CORRUPT);
   mt_catalog_close (c);
}

static void names_that_differ_by_case (void **state)
{
   MtCatalog *c = catalog_at (NULL);
   const MtTable *t;
   assert_true (mt_catalog_save (c, calls ("Calls"), NULL, &err) &&
                mt_catalog_save (c, calls ("calls"), NULL, &err));
   assert_string_equal (find (c, "calls")->name, "calls");
   assert_false (mt_catalog_find (c, "CALLS", false, &t, &err));
   assert_string_equal (err.sqlstate, MT_E_AMBIGUOUS_COLUMN);
   mt_catalog_close (c);
}

static void in_a_file (void **state)
{
   char path[] = "/tmp/mtsql-catalog-XXXXXX";
   int fd = mkstemp (path);
   assert_true (fd >= 0);
   close (fd);
   MtCatalog *c = catalog_at (path);
   saves_and_finds (c);
   objects_beside_tables (c);
   mt_catalog_close (c);
   assert_int_equal (mt_fake_count (engine, MT_CATALOG_COLLECTION), 0);
   c = catalog_at (path);
   assert_int_equal (find (c, "calls")->version, 2);
   mt_catalog_close (c);
   FILE *f = fopen (path, "w");
   fputs ("{\"_id\": ", f);
   fclose (f);
   assert_false (mt_catalog_open (engine, path, &c, &err));
   assert_string_equal (err.sqlstate, MT_E_CORRUPT);
   unlink (path);
}

static void of_a_read_only_target (void **state)
{
   MtCatalog *c = catalog_at (NULL);
   assert_true (mt_catalog_save (c, calls ("there"), NULL, &err));
   mt_catalog_close (c);
   engine->caps.read_only = true;
   c = catalog_at (NULL);
   assert_non_null (find (c, "there"));
   size_t before = mt_fake_count (engine, MT_CATALOG_COLLECTION);
   assert_true (mt_catalog_save (c, calls ("here"), NULL, &err));
   assert_non_null (find (c, "here"));
   mt_catalog_invalidate (c);
   assert_true (mt_catalog_refresh (c, NULL, &err));
   assert_non_null (find (c, "here"));
   assert_int_equal (mt_fake_count (engine, MT_CATALOG_COLLECTION), before);
   mt_catalog_close (c);
}

int main (void)
{
   const struct CMUnitTest tests[] = {
#define TEST(x) cmocka_unit_test_setup_teardown (x, setup, teardown)
      TEST (in_the_engine),       TEST (a_rollback_is_noticed), TEST (statistics_are_apart),
      TEST (statistics_are_lost), TEST (damage_is_told),        TEST (names_that_differ_by_case),
      TEST (in_a_file),           TEST (of_a_read_only_target),
   };
   return cmocka_run_group_tests (tests, NULL, NULL);
}
