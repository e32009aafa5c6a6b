/* The stored fields that pipelines read: a table of pipelines. */
#include "engine/fields.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A pipeline over the collection c, with ' for ", and the paths of each collection. */
typedef struct Case {
   const char *stages, *read;
} Case;

static const Case cases[] = {
   /* clang-format off */
   /* what a stage passes on counts at the end, or when it is used */
   {"", "c: all"},
   {"{'$project': {'_id': 0, 'x': '$a.b'}}", "c: a.b"},
   {"{'$project': {'a': 1, 'b.c': 1}}", "c: _id, a, b.c"},
   {"{'$project': {'_id': 0, 'a': {'b': 1, 'c': '$d'}}}", "c: a.b, d"},
   {"{'$project': {'a': 0}}, {'$group': {'_id': '$b'}}", "c: b"},
   {"{'$project': {'_id': 0, 'x': '$a', 'y': '$b'}}, {'$group': {'_id': '$x'}}", "c: a"},
   {"{'$addFields': {'x': '$a'}}, {'$group': {'_id': null, 's': {'$sum': '$x'}}}", "c: a"},
   {"{'$addFields': {'a.b': 1}}, {'$group': {'_id': '$a.b', 's': {'$sum': '$a.c'}}}", "c: a.c"},
   {"{'$unset': 'a'}, {'$group': {'_id': '$a'}}", "c: none"},
   {"{'$replaceRoot': {'newRoot': '$a'}}, {'$group': {'_id': '$b'}}", "c: a.b"},
   {"{'$group': {'_id': null, 'n': {'$sum': 1}}}", "c: none"},
   {"{'$group': {'_id': {'k': '$a'}, 's': {'$max': {'$add': ['$b', '$c.d']}}}}", "c: a, b, c.d"},
   {"{'$sort': {'a': 1}}, {'$limit': 3}, {'$project': {'_id': 0, 'b': 1}}", "c: a, b"},
   {"{'$count': 'n'}", "c: none"},
   {"{'$facet': {'x': [{'$group': {'_id': '$a'}}], 'y': [{'$count': 'n'}]}}", "c: a"},
   {"{'$unknown': {'x': 1}}, {'$count': 'n'}", "c: all"},
   /* conditions */
   {"{'$match': {'a': 1, '$or': [{'b.c': {'$gt': 2}}, {'d': {'$elemMatch': {'e': 1}}}]}}, {'$count': 'n'}", "c: a, b.c, d.e"},
   {"{'$match': {'$expr': {'$eq': ['$a', {'$literal': '$b'}]}}}, {'$count': 'n'}", "c: a"},
   /* lists and maps: entries that are only counted */
   {"{'$unwind': '$a'}, {'$count': 'n'}", "c: a[]"},
   {"{'$unwind': '$a'}, {'$unwind': '$a.b'}, {'$group': {'_id': '$a.b.c'}}", "c: a.b.c"},
   {"{'$group': {'_id': null, 'n': {'$sum': {'$size': '$a.v'}}}}", "c: a.v[]"},
   {"{'$addFields': {'m': {'$objectToArray': '$h'}}}, {'$unwind': '$m'}, {'$group': {'_id': '$m.k', 's': {'$sum': '$m.v.t'}}}", "c: h.*.t"},
   {"{'$addFields': {'m': {'$objectToArray': '$h'}}}, {'$unwind': '$m'}, {'$group': {'_id': '$m.k'}}", "c: h[]"},
   {"{'$project': {'_id': 0, 'x': {'$map': {'input': '$a', 'as': 'e', 'in': {'k': '$$e.k', 'w': '$w'}}}}}, {'$unwind': '$x'}, {'$group': {'_id': '$x.k'}}", "c: a.k"},
   {"{'$addFields': {'a': {'$filter': {'input': '$a', 'as': 'e', 'cond': {'$gt': ['$$e.t', 5]}}}}}, {'$unwind': '$a'}, {'$group': {'_id': '$a.v'}}", "c: a.t, a.v"},
   {"{'$group': {'_id': null, 's': {'$sum': {'$reduce': {'input': '$a', 'initialValue': 0, 'in': {'$add': ['$$value', '$$this.x']}}}}}}", "c: a.x"},
   {"{'$group': {'_id': {'$let': {'vars': {'v': '$a'}, 'in': '$$v.b'}}}}", "c: a.b"},
   {"{'$group': {'_id': {'$getField': {'field': 'k', 'input': {'$arrayElemAt': ['$a', '$i']}}}}}", "c: a.k, i"},
   {"{'$project': {'_id': 0, 'x': {'$cond': ['$a', '$b', '$c']}}}, {'$group': {'_id': '$x.d'}}", "c: a, b.d, c.d"},
   {"{'$group': {'_id': '$$ROOT'}}", "c: all"},
   {"{'$group': {'_id': null, 't': {'$top': {'sortBy': {'a': 1}, 'output': '$b'}}}}", "c: a, b"},
   /* a path includes those below it */
   {"{'$group': {'_id': ['$a.b', '$a', '$a.b.c', '$ab']}}", "c: a, ab"},
   /* several collections */
   {"{'$project': {'_id': 0, 'x': '$a'}}, {'$unionWith': {'coll': 'd', 'pipeline': [{'$project': {'_id': 0, 'x': '$b'}}]}}", "c: a; d: b"},
   {"{'$project': {'_id': 0, 'x': '$a'}}, {'$unionWith': 'd'}", "c: a; d: all"},
   {"{'$lookup': {'from': 'd', 'localField': 'a', 'foreignField': 'b', 'pipeline': [{'$project': {'_id': 0, 'e': 1}}], 'as': 'j'}}, {'$group': {'_id': '$j.e'}}", "c: a; d: b, e"},
   {"{'$project': {'_id': 0, 'j1': '$a', 'j2': '$z'}}, {'$_mtJoin': {'coll': 'd', 'pipeline': [{'$project': {'_id': 0, 'j3': '$b'}}], 'left': ['$j1'], 'right': ['$j3'], 'input': ['j2'], 'fields': ['j3']}}, {'$group': {'_id': '$j3'}}", "c: a; d: b"},
   {"{'$project': {'_id': 0, 'x': '$a'}}, {'$_mtRecursive': {'as': 'w', 'coll': 'd', 'all': true, 'pipeline': [{'$_mtJoin': {'coll': 'w', 'pipeline': [], 'left': ['$k'], 'right': ['$x'], 'input': ['v'], 'fields': ['x']}}, {'$project': {'_id': 0, 'x': '$v'}}]}}, {'$group': {'_id': '$x'}}", "c: a; d: k, v"},
   {"{'$project': {'_id': 0, 'x': '$a'}}, {'$_mtRecursive': {'as': 'w', 'all': true, 'pipeline': [{'$project': {'_id': 0, 'x': {'$add': ['$x', 1]}}}]}}, {'$count': 'n'}", "c: a"},
   /* clang-format on */
};

static char *with_quotes (const char *s)
{
   MtBuf b = {0};
   mt_buf_adds (&b, "[");
   for (; *s; s++)
      mt_buf_addc (&b, *s == '\'' ? '"' : *s);
   mt_buf_adds (&b, "]");
   return b.p;
}

static void paths (void **state)
{
   (void) state;
   for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
      MtArena *a = mt_arena_new ("test", NULL);
      char *json = with_quotes (cases[i].stages);
      bson_error_t why;
      bson_t *stages = bson_new_from_json ((const uint8_t *) json, -1, &why);
      MtFieldsRead read = {0};
      MtBuf got = {0};
      if (!stages)
         fail_msg ("%s: %s", json, why.message);
      mt_fields_read (a, "c", stages, NULL, &read);
      for (size_t k = 0; k < read.count; k++) {
         const MtFieldsOf *f = &read.list[k];
         mt_buf_printf (&got, "%s%s: ", k ? "; " : "", f->collection);
         for (size_t p = 0; p < f->count; p++)
            mt_buf_printf (&got, "%s%s", p ? ", " : "", *f->paths[p] ? f->paths[p] : "all");
         mt_buf_adds (&got, f->count ? "" : "none");
      }
      if (strcmp (got.p, cases[i].read) != 0)
         fail_msg ("%s\n   got      %s\n   expected %s", json, got.p, cases[i].read);
      mt_buf_free (&got);
      bson_destroy (stages);
      free (json);
      mt_arena_free (a);
   }
}

/* A part, as its path with dots, and how the paths a.b, h.*.t and v[] use it. */
static void uses (void **state)
{
   static const struct {
      const char *part;
      MtPartUse use;
   } parts[] = {{"a", MT_PART_UNREAD},    {"a.b", MT_PART_READ},      {"a.b.c", MT_PART_READ},
                {"a.bc", MT_PART_UNREAD}, {"h.07.t", MT_PART_READ},   {"h.07.n", MT_PART_UNREAD},
                {"h.07", MT_PART_UNREAD}, {"v", MT_PART_ENTRIES},     {"v.x", MT_PART_UNREAD},
                {"", MT_PART_UNREAD},     {"h.07.t.x", MT_PART_READ}, {"b", MT_PART_UNREAD}};
   static const char *read[] = {"a.b", "h.*.t", "v[]"};
   static const char *whole[] = {""};
   MtFieldsOf f = {"c", read, 3}, all = {"c", whole, 1};
   (void) state;
   for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
      MtStr names[8];
      size_t n = 0;
      const char *path = parts[i].part;
      while (mt_path_next (&path, &names[n]))
         n++;
      if (mt_part_use (&f, names, n) != parts[i].use)
         fail_msg ("%s: %d", parts[i].part, mt_part_use (&f, names, n));
      assert_int_equal (mt_part_use (&all, names, n), MT_PART_READ);
      assert_int_equal (mt_part_use (NULL, names, n), MT_PART_UNREAD);
   }
}

int main (void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test (paths), cmocka_unit_test (uses)};
   return cmocka_run_group_tests (tests, NULL, NULL);
}
