/* Descriptors: what is valid parses and comes back as it was; what contradicts itself is refused,
 * with the place and the reason. */
#include "functions/signature.h"
#include "layouts/presets/preset.h"
#include "layouts/stored.h"
#include "layouts/descriptor/stored_table.h"
#include "layouts/descriptor/descriptor.h"
#include "tests/unit/layout_tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static MtArena *arena;
static MtError err;

static int setup (void **state)
{
   size_t functions;
   arena = mt_arena_new ("test", NULL);
   mt_error_clear (&err);
   mt_function_names (&functions); /* makes the aggregates known, whose states levels keep */
   return 0;
}

static int teardown (void **state)
{
   mt_arena_free (arena);
   return 0;
}

/* The descriptor of a parsed layout, parsed again, gives the same descriptor. */
static void round_trip (const MtTable *t, const bson_t *d)
{
   MtLayout one, two;
   bson_t first = BSON_INITIALIZER, second = BSON_INITIALIZER;
   if (!mt_layout_parse (arena, t, "l", d, &one, &err))
      fail_msg ("%s", err.message);
   assert_true (mt_layout_to_bson (t, &one, &first, &err));
   if (!mt_layout_parse (arena, t, "l", &first, &two, &err))
      fail_msg ("%s", err.message);
   assert_true (mt_layout_to_bson (t, &two, &second, &err));
   assert_true (bson_equal (&first, &second));
   bson_destroy (&first);
   bson_destroy (&second);
}

static void examples_parse (void **state)
{
   const char *texts[32];
   size_t n = mt_test_examples (arena, texts, 32);
   assert_true (n >= 7);
   for (size_t i = 0; i < n; i++)
      round_trip (mt_test_table (arena, mt_test_table_of (texts[i])),
                  mt_test_json (arena, texts[i]));
}

/* A valid document store of calls around a root, to be cut short in the tables below. */
#define CALLS_RAW "'raw': {'columns': {'totalCount': 'totalCount', 'dProcessTime': 'dProcessTime'}}"
#define CALLS_BIND \
   "'bind': [{'column': 'ts'}, {'column': 'iResult'}, {'column': 'vCmdid'}, {'column': 'vAppid'}]"
#define STORE(root) "{'keeps': 'records', 'stores': [{'collection': 'c', 'root': " root "}]}"
#define HITS(rest) \
   "{'keeps': 'sums', 'key': ['metric'], 'stores': [{'collection': 'c', 'root': {'is': 'document', " rest \
   "}}]}"
#define HITS_DAY "'bind': [{'trunc': 'day', 'at': 'd', 'encoding': 'date'}, {'column': 'metric'}]"
#define HITS_AGG "'agg': {'measures': {'hits': ''}}"
#define HITS_AT "'agg': {'measures': {'hits': 'h'}}"
#define DAY_PART "{'trunc': 'day', 'encoding': {'format': '%Y%m%d'}}"
#define SERIES(made) \
   "{'keeps': 'records', 'stores': [{'collection': 'c', 'timeseries': {" made \
   "}, 'root': {'is': 'document', 'bind': [{'column': 'ts'}, {'column': 'type'}], 'raw': {'columns': {'value': 'v'}}}}]}"
#define LATEST(key, bind, columns) \
   "{'keeps': 'latest', 'key': [" key \
   "], 'stores': [{'collection': 'c', 'write': 'newer', 'root': {'is': 'document', 'bind': [" bind \
   "], 'raw': {'columns': {" columns "}}}}]}"
#define HITS_ID(id, rest) \
   "{'keeps': 'sums', 'key': ['metric'], 'stores': [{'collection': 'c', 'id': [" id \
   "], 'root': {'is': 'document', " rest "}}]}"
#define DOC "'is': 'document', "

static const struct {
   const char *table, *json;
} valid[] = {
   {"calls", STORE ("{" DOC CALLS_BIND ", " CALLS_RAW "}")},
   {"calls",
    STORE (
       "{" DOC
       "'bind': [{'column': 'vAppid', 'at': '_id'}], 'sub': {'is': 'list', 'at': 'x.y', 'bind': [{'column': 'ts'}, {'column': 'iResult'}, "
       "{'column': 'vCmdid'}], " CALLS_RAW "}}")},
   {"calls", STORE ("{" DOC CALLS_BIND ", " CALLS_RAW ", 'order': ['vAppid', 'totalCount']}")},
   {"hits",
    HITS (HITS_DAY
          ", 'sub': {'is': 'slots', 'at': 'm', 'bind': [{'part': 'minute', 'of': 'day'}], " HITS_AGG
          "}")},
   {"hits",
    HITS (
       HITS_DAY
       ", 'sub': {'is': 'map', 'at': 'h', 'bind': [{'part': 'hour', 'of': 'day', 'base': 1, 'encoding': 'text'}], "
       "'sub': {'is': 'map', 'at': '', 'bind': [{'part': 'minute', 'of': 'day', 'encoding': {'kind': 'text', 'pad': 4}}], " HITS_AGG
       "}}")},
   {"hits",
    HITS (
       "'bind': [{'part': 'hour', 'of': 'epoch', 'at': 'h'}, {'column': 'metric'}], 'agg': {'n': {'at': 'n', 'as': 'int64'}, 'measures': {'hits': "
       "{'sum': 't', 'nonnull': 'k', 'as': 'double'}}}")},
   {"hits",
    HITS_ID (
       "'m', " DAY_PART ", '/', {'column': 'metric'}",
       "'bind': [{'column': 'metric', 'from': 'id'}, {'trunc': 'day', 'from': 'id', 'at': 'm.d', 'encoding': 'date'}], " HITS_AT)},
   {"hits",
    "{'keeps': 'latest', 'key': ['metric'], 'stores': [{'collection': 'c', 'write': 'newer', 'id': [{'column': 'metric'}], 'root': {" DOC
    "'bind': [{'column': 'ts'}, {'column': 'metric'}], 'raw': {'columns': {'hits': 'h'}}}}]}"},
   {"memory",
    STORE (
       "{" DOC
       "'bind': [{'column': 'type'}], 'sub': {'is': 'map', 'at': 'm', 'bind': [{'column': 'ts', 'encoding': {'format': '%Y-%m-%d %H:%M:%S'}}],"
       "'raw': {'many': true, 'at': '', 'columns': {'value': ''}}}}")},
   {"odd",
    STORE (
       "{" DOC
       "'bind': [{'column': 'host'}], 'sub': {'is': 'map', 'at': 'c', 'bind': [{'column': 'code', 'encoding': 'text'}], 'raw': {'many': true, "
       "'at': 'r', 'columns': {'ts': {'at': 't', 'encoding': 'epoch_ms'}, 'price': 'p', 'note': 'n', 'ratio': 'x.y'}}}}")},
};

static void valid_ones_parse (void **state)
{
   for (size_t i = 0; i < sizeof valid / sizeof valid[0]; i++)
      round_trip (mt_test_table (arena, valid[i].table), mt_test_json (arena, valid[i].json));
}

static const struct {
   const char *table, *json, *message; /* a part of it, from the path on */
} invalid[] = {
   {"calls", "{}", "descriptor: \"keeps\" is missing"},
   {"calls", "{'keeps': 'rows'}", "keeps: unknown word \"rows\""},
   {"calls", "{'keep': 'records'}", "descriptor: unknown field \"keep\""},
   {"calls", "{'keeps': 1}", "keeps: must be text"},
   {"calls", "{'keeps': 'records'}", "stores: is missing"},
   {"calls", "{'keeps': 'records', 'stores': []}", "stores: must be an array of 1 to 64 stores"},
   {"calls", "{'keeps': 'records', 'stores': [1]}", "stores[0]: must be a document"},
   {"calls", "{'keeps': 'records', 'stores': [{'root': {}}]}", "stores[0].collection: is missing"},
   {"calls", "{'keeps': 'records', 'stores': [{'collection': 'a$b', 'root': {}}]}",
    "stores[0].collection: \"a$b\" can't be the name"},
   {"calls", "{'keeps': 'records', 'stores': [{'collection': '_mtsql_catalog', 'root': {}}]}",
    "stores[0].collection: \"_mtsql_catalog\""},
   {"calls", "{'keeps': 'records', 'stores': [{'collection': 'c'}]}", "stores[0].root: is missing"},
   {"calls", "{'keeps': 'records', 'stores': [{'collection': 'c', 'flush_levels': 0, 'root': {}}]}",
    "stores[0].flush_levels: must be a whole number from 1"},
   {"calls", "{'keeps': 'records', 'presums': 'maybe', 'stores': []}",
    "presums: unknown word \"maybe\""},
   {"calls", "{'keeps': 'records', 'stores': [{'collection': 'c', 'repeats': 1, 'root': {}}]}",
    "stores[0].repeats: must be true or false"},
   {"calls", STORE ("{}"), "stores[0].root: \"is\" is missing"},
   {"calls", STORE ("{'is': 'list'}"), "stores[0].root: the root must be a document"},
   {"calls", STORE ("{'is': 'documant'}"), "stores[0].root.is: unknown word \"documant\""},
   {"calls", STORE ("{" DOC "'at': 'x'}"), "stores[0].root: the root has no \"at\""},
   {"calls", STORE ("{" DOC "'sub': {'is': 'document'}}"),
    "stores[0].root.sub: only the root is a document"},
   {"calls", STORE ("{" DOC "'sub': {'is': 'list'}, 'alt': []}"),
    "stores[0].root: \"sub\" and \"alt\" exclude each other"},
   {"calls", STORE ("{" DOC "'alt': []}"),
    "stores[0].root: \"alt\" must be an array of 1 to 64 nodes"},
   {"calls", STORE ("{" DOC "'bind': {}}"), "stores[0].root.bind: must be an array"},
   {"calls", STORE ("{" DOC "'bind': [{}]}"), "stores[0].root.bind[0]: must have one of"},
   {"calls", STORE ("{" DOC "'bind': [{'column': 'vAppId2'}]}"),
    "stores[0].root.bind[0].column: unknown column \"vAppId2\""},
   {"calls", STORE ("{" DOC "'bind': [{'column': 'ts', 'trunc': 'day'}]}"),
    "stores[0].root.bind[0]: must have one of"},
   {"calls", STORE ("{" DOC "'bind': [{'column': 'vAppid', 'of': 'day'}]}"),
    "\"of\" and \"base\" go with \"part\""},
   {"calls", STORE ("{" DOC "'bind': [{'column': 'vAppid', 'from': 'key'}]}"),
    "only a map's first binding is from the key"},
   {"calls", STORE ("{" DOC "'bind': [{'column': 'vAppid', 'at': 'a..b'}]}"),
    "path \"a..b\" has an empty name"},
   {"calls", STORE ("{" DOC "'bind': [{'column': 'vAppid', 'at': '$a'}]}"), "begins with \"$\""},
   {"calls", STORE ("{" DOC "'bind': [{'column': 'vAppid', 'at': 'a.'}]}"), "has an empty name"},
   {"calls", STORE ("{" DOC "'bind': [{'column': 'vAppid', 'at': ''}], " CALLS_RAW "}"),
    "stores[0].root.bind[0]: a binding's field needs a name"},
   {"calls", STORE ("{" DOC "'bind': [{'column': 'vAppid', 'encoding': 'date'}]}"),
    "bind[0].encoding: encoding \"date\" is for times"},
   {"calls", STORE ("{" DOC "'bind': [{'column': 'vAppid', 'encoding': 'txt'}]}"),
    "bind[0].encoding: unknown encoding \"txt\""},
   {"calls", STORE ("{" DOC "'bind': [{'column': 'ts', 'encoding': 'text'}]}"),
    "a time as text needs a format"},
   {"calls", STORE ("{" DOC "'bind': [{'column': 'ts', 'encoding': {'format': '%H:%M'}}]}"),
    "must have the year and go down without a gap"},
   {"calls",
    STORE (
       "{" DOC
       "'bind': [{'column': 'ts', 'encoding': {'format': '%Y%m%d'}}, {'column': 'iResult'}, {'column': 'vCmdid'}, {'column': 'vAppid'}], " CALLS_RAW
       "}"),
    "stores[0].root.bind[0]: format \"%Y%m%d\" doesn't tell one second from another"},
   {"calls",
    STORE ("{" DOC "'bind': [{'trunc': 'hour', 'encoding': {'format': '%Y%m%d'}}], " CALLS_RAW "}"),
    "doesn't tell one hour from another"},
   {"calls",
    STORE ("{" DOC "'bind': [{'column': 'vAppid', 'encoding': {'kind': 'native', 'pad': 2}}]}"),
    "only the encoding \"text\" is padded"},
   {"calls",
    STORE ("{" DOC "'bind': [{'column': 'vAppid', 'encoding': {'kind': 'text', 'pad': 2}}]}"),
    "only whole numbers are padded"},
   {"calls",
    STORE ("{" DOC "'bind': [{'column': 'ts', 'encoding': {'kind': 'epoch_ms', 'as': 'int32'}}]}"),
    "don't fit int32"},
   {"calls", STORE ("{" DOC "'bind': [{'trunc': 'epoch'}]}"),
    "the time can't be truncated to \"epoch\""},
   {"calls", STORE ("{" DOC "'bind': [{'trunc': 'fortnight'}]}"),
    "bind[0].trunc: unknown word \"fortnight\""},
   {"calls", STORE ("{" DOC "'bind': [{'part': 'month', 'of': 'epoch'}]}"), "not in \"month\""},
   {"calls", STORE ("{" DOC "'bind': [{'part': 'day', 'of': 'hour'}]}"),
    "\"of\" must be a longer unit"},
   {"calls", STORE ("{" DOC "'bind': [{'part': 'hour', 'of': 'day', 'base': 2}]}"),
    "bind[0].base: must be a whole number from 0 to 1"},
   {"hits", HITS ("'bind': [{'part': 'hour', 'of': 'day'}, {'column': 'metric'}], " HITS_AGG),
    "bind[0]: the hour of the day can't be composed"},
   {"hits", HITS ("'bind': [{'trunc': 'day'}, {'trunc': 'hour'}, {'column': 'metric'}], " HITS_AGG),
    "bind[1]: the time is truncated or divided already"},
   {"hits",
    HITS (
       "'bind': [{'trunc': 'day'}, {'part': 'minute', 'of': 'day'}, {'part': 'hour', 'of': 'day'}, {'column': 'metric'}], " HITS_AGG),
    "bind[2]: the time is known to the minute already"},
   {"hits", HITS ("'bind': [{'column': 'ts'}, {'trunc': 'day'}, {'column': 'metric'}], " HITS_AGG),
    "bind[1]: the time is exact already"},
   {"calls",
    STORE ("{" DOC CALLS_BIND
           ", 'sub': {'is': 'list', 'at': 'v', 'bind': [{'column': 'vAppid'}], " CALLS_RAW "}}"),
    "stores[0].root.sub.bind[0]: column \"vAppid\" is bound twice on the way"},
   {"calls", STORE ("{" DOC "'bind': [{'column': 'totalCount'}], " CALLS_RAW "}"),
    "column \"totalCount\" is a measure"},
   {"calls",
    STORE ("{" DOC
           "'bind': [{'column': 'ts'}, {'column': 'iResult'}, {'column': 'vCmdid'}], " CALLS_RAW
           "}"),
    "stores[0].root: column \"vAppid\" is neither bound on the way nor kept"},
   {"calls", STORE ("{" DOC CALLS_BIND ", 'raw': {'columns': {'totalCount': 't'}}}"),
    "column \"dProcessTime\" is neither bound"},
   {"calls",
    STORE ("{" DOC
           "'bind': [{'column': 'iResult'}, {'column': 'vCmdid'}, {'column': 'vAppid'}], " CALLS_RAW
           "}"),
    "column \"ts\" is neither bound"},
   {"calls",
    STORE (
       "{" DOC
       "'bind': [{'trunc': 'hour'}, {'column': 'iResult'}, {'column': 'vCmdid'}, {'column': 'vAppid'}], " CALLS_RAW
       "}"),
    "the records' time is known to the hour only"},
   {"calls",
    STORE ("{" DOC CALLS_BIND
           ", 'raw': {'columns': {'totalCount': 'a', 'dProcessTime': 'b', 'vAppid': 'c'}}}"),
    "stores[0].root.raw: column \"vAppid\" is bound on the way already"},
   {"calls", STORE ("{" DOC CALLS_BIND "}"),
    "stores[0].root: the way ends without records and without sums"},
   {"calls",
    STORE ("{" DOC CALLS_BIND ", " CALLS_RAW ", 'sub': {'is': 'list', 'at': 'v', " CALLS_RAW "}}"),
    "records and further levels exclude each other"},
   {"calls", STORE ("{" DOC CALLS_BIND ", 'raw': {'at': 'v', 'columns': {}}}"),
    "\"at\" goes with \"many\""},
   {"calls", STORE ("{" DOC CALLS_BIND ", 'raw': {'many': true}}"), "raw.columns: is missing"},
   {"calls",
    STORE ("{" DOC CALLS_BIND ", 'raw': {'columns': {'totalCount': 'a', 'TOTALCOUNT': 'b'}}}"),
    "the column is given twice"},
   {"calls",
    STORE ("{" DOC CALLS_BIND ", 'raw': {'columns': {'totalCount': 'x', 'dProcessTime': 'x'}}}"),
    "stores[0].root: field \"x\" is written twice"},
   {"calls",
    STORE ("{" DOC CALLS_BIND ", 'raw': {'columns': {'totalCount': 'x', 'dProcessTime': 'x.y'}}}"),
    "fields \"x\" and \"x.y\" clash"},
   {"calls",
    STORE ("{" DOC CALLS_BIND ", 'raw': {'columns': {'totalCount': '_id', 'dProcessTime': 'x'}}}"),
    "only columns that are bound can lie in \"_id\""},
   {"calls",
    STORE (
       "{" DOC
       "'bind': [{'column': 'vAppid'}], 'sub': {'is': 'list', 'at': 'v', 'bind': [{'column': 'ts'}, {'column': 'iResult'}, {'column': 'vCmdid'}], "
       "'raw': {'many': true, 'at': 'r', 'columns': {'totalCount': '0', 'dProcessTime': '0'}}}}"),
    "field \"0\" is written twice"},
   {"calls", STORE ("{" DOC "'agg': {}}"),
    "nothing is kept: \"n\", \"measures\" or \"states\" is needed"},
   {"calls", STORE ("{" DOC "'agg': {'measures': {'vAppid': 'x'}}}"),
    "column \"vAppid\" is not a measure"},
   {"calls", STORE ("{" DOC "'agg': {'measures': {'totalCount': {}}}}"),
    "nothing is kept of the measure"},
   {"calls", STORE ("{" DOC "'agg': {'measures': {'dProcessTime': {'sum': 's', 'as': 'int64'}}}}"),
    "sums of type double precision don't fit int64"},
   {"calls", STORE ("{" DOC "'agg': {'n': {'at': 'n', 'as': 'decimal'}}}"),
    "agg.n: a count is int32, int64 or double"},
   {"calls", STORE ("{" DOC "'agg': {'n': 'n', 'zero': 'maybe'}}"),
    "agg.zero: unknown word \"maybe\""},
   {"calls", STORE ("{" DOC "'range': {'min': 'a'}}"),
    "root.range: \"min\" and \"max\" are needed"},
   {"calls", STORE ("{" DOC "'sub': {'is': 'list', 'at': 'v', 'range': {'min': 'a', 'max': 'b'}}}"),
    "sub.range: only a document has a range of time"},
   {"calls", STORE ("{" DOC CALLS_BIND ", 'order': ['a.b'], " CALLS_RAW "}"),
    "root.order: must be names of fields"},
   {"hits", HITS (HITS_DAY ", 'sub': {'is': 'map', 'at': 'm', " HITS_AGG "}"),
    "stores[0].root.sub: a map must bind its keys"},
   {"hits",
    HITS (HITS_DAY
          ", 'sub': {'is': 'map', 'at': 'm', 'bind': [{'part': 'minute', 'of': 'day'}], " HITS_AGG
          "}"),
    "sub.bind[0]: a map's key is text"},
   {"hits", HITS (HITS_DAY ", 'sub': {'is': 'slots', 'at': 'm', " HITS_AGG "}"),
    "slots must bind their index"},
   {"hits",
    HITS (
       "'bind': [{'trunc': 'day'}], 'sub': {'is': 'slots', 'at': 'm', 'bind': [{'column': 'metric'}], " HITS_AGG
       "}"),
    "an index must be a part of the time"},
   {"hits",
    HITS (
       "'bind': [{'column': 'metric'}], 'sub': {'is': 'slots', 'at': 'm', 'bind': [{'part': 'minute', 'of': 'epoch'}], " HITS_AGG
       "}"),
    "an index must be a part of the time with a fixed bound"},
   {"hits",
    HITS (HITS_DAY
          ", 'sub': {'is': 'slots', 'at': 'm', 'bind': [{'part': 'ms', 'of': 'day'}], " HITS_AGG
          "}"),
    "slots are too many"},
   {"hits", HITS (HITS_DAY ", 'sub': {'is': 'list', 'at': 'm', 'bind': [], " HITS_AGG "}"),
    "it can't be one number"},
   {"hits", HITS (HITS_DAY ", 'agg': {'n': 'n', 'measures': {'hits': ''}}"),
    "something is the value itself"},
   {"hits", HITS ("'bind': [{'trunc': 'day'}], 'agg': {'measures': {'hits': 'h'}}"),
    "column \"metric\" is not bound on the way"},
   {"hits", HITS (HITS_DAY ", 'agg': {'n': 'n'}"), "the sum of measure \"hits\" is not kept"},
   {"hits", HITS (HITS_DAY ", 'raw': {'columns': {'hits': 'h'}}"),
    "stores[0].root.raw: a layout of sums keeps no records"},
   {"hits", HITS (HITS_DAY ", 'agg': {'measures': {'hits': {'sum': 's', 'max': 'm'}}}"),
    "keeps no minimum or maximum"},
   {"hits",
    HITS ("'bind': [{'column': 'metric'}], "
          "'agg': {'measures': {'hits': 'h'}}"),
    "column \"ts\" is neither bound nor kept"},
   {"hits",
    "{'keeps': 'sums', 'stores': [{'collection': 'c', 'root': {" DOC HITS_DAY
    ", 'agg': {'measures': {'hits': 'h'}}}}]}",
    "key: dimension \"metric\" is missing"},
   {"hits",
    "{'keeps': 'sums', 'key': ['hits', 'metric'], 'stores': [{'collection': 'c', 'root': {" DOC HITS_DAY
    ", 'agg': {'measures': {'hits': 'h'}}}}]}",
    "key: column \"hits\" is a measure"},
   {"regions",
    "{'keeps': 'sums', 'key': ['host'], 'stores': [{'collection': 'c', 'root': {" DOC
    "'bind': [{'trunc': 'day'}, {'column': 'host'}, {'column': 'region'}], 'agg': {'measures': {'total': 'h'}}}}]}",
    "key: dimension \"region\" is missing"},
   {"hits", "{'keeps': 'sums', 'key': ['metric', 'metric'], 'stores': []}",
    "key: column \"metric\" is named twice"},
   {"calls",
    "{'keeps': 'records', 'stores': [{'collection': 'c', 'root': {" DOC CALLS_BIND ", " CALLS_RAW
    "}}, {'collection': 'c', 'root': {" DOC CALLS_BIND ", " CALLS_RAW "}}]}",
    "stores[1].collection: collection \"c\" is used by two stores"},
   {"calls", "{'keeps': 'records', 'stores': [{'collection': 'c', 'id': [], 'root': {}}]}",
    "stores[0].id: must be \"auto\" or an array"},
   {"calls",
    "{'keeps': 'records', 'stores': [{'collection': 'c', 'id': [{'column': 'vAppid', 'at': 'x'}], 'root': {}}]}",
    "has neither \"from\" nor \"at\""},
   {"hits",
    "{'keeps': 'sums', 'key': ['metric'], 'stores': [{'collection': 'c', 'id': [{'column': 'metric'}, {'trunc': 'day', 'encoding': 'epoch_s'}], 'root': {" DOC HITS_DAY
    ", 'agg': {'measures': {'hits': 'h'}}}}]}",
    "stores[0].id[1]: two values without a literal between them"},
   {"hits",
    "{'keeps': 'sums', 'key': ['metric'], 'stores': [{'collection': 'c', 'id': [{'column': 'metric'}, 'x', {'trunc': 'day', 'encoding': 'epoch_s'}], 'root': {" DOC HITS_DAY
    ", 'agg': {'measures': {'hits': 'h'}}}}]}",
    "stores[0].id[1]: a literal behind a value must begin with"},
   {"hits",
    "{'keeps': 'sums', 'key': ['metric'], 'stores': [{'collection': 'c', 'id': [{'column': 'metric'}], 'root': {" DOC HITS_DAY
    ", 'agg': {'measures': {'hits': 'h'}}}}]}",
    "binding 0 is not part of the id"},
   {"hits",
    "{'keeps': 'sums', 'key': ['metric'], 'stores': [{'collection': 'c', 'id': [{'column': 'metric'}, '/', {'trunc': 'hour', 'encoding': 'epoch_s'}], 'root': {" DOC HITS_DAY
    ", 'agg': {'measures': {'hits': 'h'}}}}]}",
    "stores[0].id[2]: the root doesn't bind this"},
   {"hits",
    "{'keeps': 'sums', 'key': ['metric'], 'stores': [{'collection': 'c', 'id': [{'column': 'metric'}, '/', {'trunc': 'day'}], 'root': {" DOC HITS_DAY
    ", 'agg': {'measures': {'hits': 'h'}}}}]}",
    "stores[0].id[2]: a composed id is text"},
   {"hits",
    "{'keeps': 'sums', 'key': ['metric'], 'stores': [{'collection': 'c', 'repeats': true, 'id': [{'column': 'metric'}, '/', {'trunc': 'day', 'encoding': 'epoch_s'}], "
    "'root': {" DOC HITS_DAY ", 'agg': {'measures': {'hits': 'h'}}}}]}",
    "documents of one key can't repeat"},
   {"hits",
    "{'keeps': 'sums', 'key': ['metric'], 'stores': [{'collection': 'c', 'write': 'newer', 'root': {" DOC HITS_DAY
    ", 'agg': {'measures': {'hits': 'h'}}}}]}",
    "stores[0].write: \"newer\" and the layouts that keep \"latest\" go together"},
   {"memory", SERIES ("'timeField': 't'"),
    "stores[0].timeseries.timeField: the table's time must be stored there, as a date"},
   {"memory", SERIES ("'metaField': 'type'"),
    "stores[0].timeseries.timeField: the table's time must be stored there"},
   {"memory", SERIES ("'timeField': 'ts', 'metaField': 'ts'"),
    "stores[0].timeseries.metaField: must be the name of another field"},
   {"memory", SERIES ("'timeField': 'ts', 'granularity': 'days'"),
    "stores[0].timeseries.granularity: unknown word \"days\""},
   {"locations",
    LATEST ("'UserId', 'T'", "{'column': 'UserId', 'at': '_id'}",
            "'T': 'T', 'C': 'C', 'X': 'X', 'Y': 'Y'"),
    "key: the time can't be in the key"},
   {"locations",
    LATEST ("'UserId'", "{'column': 'UserId'}", "'T': 'T', 'C': 'C', 'X': 'X', 'Y': 'Y'"),
    "root.bind[0]: the _id must be made of the key, and of nothing else"},
   {"locations",
    LATEST ("'UserId'", "{'column': 'C', 'at': '_id'}, {'column': 'UserId'}",
            "'T': 'T', 'X': 'X', 'Y': 'Y'"),
    "root.bind[0]: the _id must be made of the key"},
   {"locations",
    LATEST (
       "'UserId'", "{'column': 'UserId', 'at': '_id'}",
       "'T': {'at': 'T', 'encoding': {'format': '%Y%m%d %H%M%S'}}, 'C': 'C', 'X': 'X', 'Y': 'Y'"),
    "column \"T\", which decides what is newest, can't be kept as text"},
   {"locations",
    LATEST ("'UserId'], 'tie': ['T'", "{'column': 'UserId', 'at': '_id'}",
            "'T': 'T', 'C': 'C', 'X': 'X', 'Y': 'Y'"),
    "column \"T\" in \"tie\" is the time or in the key"},
   {"hits", HITS ("'bind': [{'trunc': 'day', 'from': 'id'}, {'column': 'metric'}], " HITS_AT),
    "stores[0].root.bind[0]: the store has no \"id\""},
   {"hits",
    HITS_ID (DAY_PART ", '/', {'column': 'metric'}",
             "'bind': [{'trunc': 'hour', 'from': 'id'}, {'column': 'metric'}], " HITS_AT),
    "the store's \"id\" doesn't have this"},
   {"hits",
    HITS_ID ("{'column': 'metric'}",
             "'bind': [{'trunc': 'day', 'at': 'd'}, {'column': 'metric', 'from': 'id'}], " HITS_AT),
    "is bound \"at\": \"_id\""},
   {"hits",
    HITS_ID (
       DAY_PART ", '/', {'column': 'metric'}",
       "'bind': [{'trunc': 'day', 'from': 'id', 'encoding': 'date'}, {'column': 'metric'}], " HITS_AT),
    "root.bind[0]: the part of \"id\" says how it is written"},
   {"hits",
    HITS_ID (
       DAY_PART ", '/', {'column': 'metric'}",
       "'bind': [{'trunc': 'day', 'from': 'id'}, {'column': 'metric', 'from': 'id', 'at': ''}], " HITS_AT),
    "a copy's field needs a name"},
   {"hits",
    HITS_ID (
       DAY_PART ", '/', {'column': 'metric'}",
       "'bind': [{'trunc': 'day', 'from': 'id'}], 'sub': {'is': 'list', 'at': 'v', 'bind': [{'column': 'metric', "
       "'from': 'id'}], " HITS_AT "}"),
    "only the root's bindings are from the id"},
   {"hits",
    HITS_ID (
       DAY_PART ", '/', {'column': 'metric'}",
       "'bind': [{'trunc': 'day', 'from': 'id', 'at': '_id'}, {'column': 'metric', 'from': 'id'}], " HITS_AT),
    "\"_id\" is made by \"id\" already"},
   {"odd",
    STORE (
       "{" DOC
       "'bind': [{'column': 'ts'}, {'column': 'host'}, {'column': 'code'}], 'sub': {'is': 'map', 'at': 'm', 'bind': [{'column': 'ratio', 'encoding': "
       "'text'}], 'raw': {'columns': {'price': 'p', 'note': 'n'}}}}"),
    "values of type double precision can't be kept as text"},
   {"odd",
    "{'keeps': 'sums', 'key': ['host', 'code', 'ratio'], 'stores': [{'collection': 'c', 'root': {" DOC
    "'bind': [{'column': 'ts'}, {'column': 'host'}, {'column': 'code'}, {'column': 'ratio'}], 'agg': {'measures': {'price': 'p'}}}}]}",
    "column \"note\" can't be kept as sums"},
   {"odd", STORE ("{" DOC "'agg': {'measures': {'note': 'n'}}}"),
    "column \"note\" is not a measure"},
};

static void invalid_ones_are_refused (void **state)
{
   assert_true (sizeof invalid / sizeof invalid[0] >= 60);
   for (size_t i = 0; i < sizeof invalid / sizeof invalid[0]; i++) {
      MtLayout l;
      mt_error_clear (&err);
      const MtTable *t = mt_test_table (arena, invalid[i].table);
      if (mt_layout_parse (arena, t, "l", mt_test_json (arena, invalid[i].json), &l, &err))
         fail_msg ("parsed: %s", invalid[i].json);
      if (strcmp (err.sqlstate, MT_E_INVALID_DEFINITION) ||
          !strstr (err.message, invalid[i].message))
         fail_msg ("%zu: %s: %s\nwanted: %s", i, err.sqlstate, err.message, invalid[i].message);
   }
}

/* What some table can have is refused by no look at the descriptor alone; what that look refuses no
 * table can have. */
static void descriptors_are_checked_alone (void **state)
{
   const char *texts[32];
   MtLayout l;
   size_t n = mt_test_examples (arena, texts, 32), refused = 0;
   for (size_t i = 0; i < n; i++) {
      MtBlame blame = {.err = &err};
      if (!mt_descriptor_check (arena, "l", mt_test_json (arena, texts[i]), &blame))
         fail_msg ("%s: %s", err.message, texts[i]);
   }
   for (size_t i = 0; i < sizeof invalid / sizeof invalid[0]; i++) {
      MtBlame blame = {.err = &err};
      mt_error_clear (&err);
      if (mt_descriptor_check (arena, "l", mt_test_json (arena, invalid[i].json), &blame))
         continue;
      refused++;
      assert_string_equal (err.sqlstate, MT_E_INVALID_DEFINITION);
      assert_non_null (
         strstr (err.message, *blame.path && !blame.name ? blame.path : "descriptor"));
      assert_false (mt_layout_parse (arena, mt_test_table (arena, invalid[i].table), "l",
                                     mt_test_json (arena, invalid[i].json), &l, &err));
   }
   assert_true (refused * 3 >= 2 * sizeof invalid / sizeof invalid[0]);
}

static void near_names_are_offered (void **state)
{
   MtLayout l;
   const MtTable *t = mt_test_table (arena, "calls");
   assert_false (mt_layout_parse (
      arena, t, "l", mt_test_json (arena, "{'keeps': 'records', 'store': []}"), &l, &err));
   assert_string_equal (err.hint, "Perhaps you meant \"stores\".");
   assert_false (mt_layout_parse (
      arena, t, "l", mt_test_json (arena, STORE ("{" DOC "'bind': [{'column': 'vAppidd'}]}")), &l,
      &err));
   assert_string_equal (err.hint, "Perhaps you meant \"vAppid\".");
}

static void levels_are_limited (void **state)
{
   MtBuf b = {0};
   MtLayout l;
   mt_buf_adds (&b,
                "{'keeps': 'records', 'stores': [{'collection': 'c', 'root': {'is': 'document'");
   for (int i = 0; i < MT_MAX_LEVELS; i++)
      mt_buf_adds (&b, ", 'sub': {'is': 'list', 'at': 'x'");
   for (int i = 0; i < MT_MAX_LEVELS; i++)
      mt_buf_adds (&b, "}");
   mt_buf_adds (&b, "}}]}");
   assert_false (mt_layout_parse (arena, mt_test_table (arena, "calls"), "l",
                                  mt_test_json (arena, b.p), &l, &err));
   assert_non_null (strstr (err.message, "more than 16 levels"));
   mt_buf_free (&b);
}

static void nodes_have_names_and_ids (void **state)
{
   const char *texts[32];
   size_t n = mt_test_examples (arena, texts, 32);
   for (size_t i = 0; i < n; i++)
      if (strstr (texts[i], "\"collection\": \"daily\"")) {
         MtLayout l;
         assert_true (mt_layout_parse (arena, mt_test_table (arena, "hits"), "l",
                                       mt_test_json (arena, texts[i]), &l, &err));
         const MtStoreDesc *s = &l.stores[0];
         assert_int_equal (s->node_count, 5);
         static const char *const names[] = {"document", "daily", "hour", "hour", "minute"};
         for (size_t k = 0; k < 5; k++) {
            assert_string_equal (s->nodes[k]->name, names[k]);
            assert_int_equal (s->nodes[k]->id, k);
         }
         assert_int_equal (s->nodes[4]->depth, 2);
         return;
      }
   fail_msg ("no example with copies at several grains");
}

/* ---- composed ids ---- */

/* An id of `20240301/…`, with what the metric's part is; NULL: it isn't composed like that. */
static const struct {
   const char *id, *metric;
} ids[] = {
   {"20240301/a", "a"},
   {"20240301/", ""},
   {"20240301/a/b", "a/b"},
   {"20240301/a%25b", "a%b"},
   {"20240301/100%", "100%"},
   {"20240301/a%2Fb", "a%2Fb"},
   {"20240301/%252F", "%2F"},
   {"20240301/%2525", "%25"},
   {"20240301/a\nb", "a\nb"},
   {"20240301", NULL},
   {"", NULL},
};

static void parts_of_ids_are_read (void **state)
{
   MtLayout l;
   const MtTable *t = mt_test_table (arena, "hits");
   const bson_t *d = mt_test_json (
      arena,
      HITS_ID (
         DAY_PART ", '/', {'column': 'metric'}",
         "'bind': [{'trunc': 'day', 'from': 'id'}, {'column': 'metric', 'from': 'id'}], " HITS_AT));
   assert_true (mt_layout_parse (arena, t, "l", d, &l, &err));
   for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
      MtVal v, id = mt_v_str (ids[i].id, strlen (ids[i].id));
      bool ok = mt_id_value (arena, t, &l.stores[0], 2, id, &v);
      assert_int_equal (ok, ids[i].metric != NULL);
      if (ok && (v.len != strlen (ids[i].metric) || memcmp (v.p, ids[i].metric, v.len)))
         fail_msg ("%s: %.*s", ids[i].id, (int) v.len, (const char *) v.p);
      assert_int_equal (mt_id_value (arena, t, &l.stores[0], 0, id, &v), ok);
      assert_true (!ok || v.i == INT64_C (1709251200000));
   }
   MtVal v;
   assert_false (mt_id_value (arena, t, &l.stores[0], 0, mt_v_str ("20240231/a", 10), &v));
   assert_false (mt_id_value (arena, t, &l.stores[0], 0, mt_v_int32 (20240301), &v));
}

/* The values that the middle part of three can have, which is escaped before the literal's first
 * byte. */
static void parts_between_literals_are_escaped (void **state)
{
   static const char *const values[] = {"",    "a",     "-",   "--",       "%",
                                        "%2D", "a-b%c", "%25", "\xc3\xbc-"};
   MtLayout l;
   const MtTable *t = mt_test_table (arena, "hits");
   const bson_t *d = mt_test_json (
      arena,
      HITS_ID (
         "{'column': 'metric'}, '->', " DAY_PART,
         "'bind': [{'trunc': 'day', 'from': 'id'}, {'column': 'metric', 'from': 'id'}], " HITS_AT));
   assert_true (mt_layout_parse (arena, t, "l", d, &l, &err));
   for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
      MtBuf id = {0};
      MtVal v;
      mt_id_escape (&id, values[i], strlen (values[i]), mt_id_stop (&l.stores[0], 0));
      assert_null (id.n ? memchr (id.p, '-', id.n) : NULL);
      mt_buf_adds (&id, "->20240301");
      assert_true (mt_id_value (arena, t, &l.stores[0], 0, mt_v_str (id.p, id.n), &v));
      assert_int_equal (v.len, strlen (values[i]));
      assert_memory_equal (v.p, values[i], v.len);
      mt_buf_adds (&id, "/");
      assert_false (mt_id_value (arena, t, &l.stores[0], 2, mt_v_str (id.p, id.n), &v));
      mt_buf_free (&id);
   }
}

/* Ids as other software composes them: a day between, or behind, one text that can be anything. */
static const struct {
   const char *id, *metric;
} plain_ids[] = {
   {"a-2024-03-01", "a"},
   {"-2024-03-01", ""},
   {"a-2024-03-01-2024-03-01", "a-2024-03-01"},
   {"a%2D-2024-03-01", "a%2D"},
   {"\n-2024-03-01", "\n"},
   {"2024-03-01", NULL},
   {"a-2024-03-1", NULL},
   {"a-2024-03-01-", NULL},
   {"", NULL},
};

static void plain_ids_are_read (void **state)
{
   MtLayout l;
   const MtTable *t = mt_test_table (arena, "hits");
   const bson_t *d = mt_test_json (
      arena,
      HITS_ID (
         "{'column': 'metric'}, '-', {'trunc': 'day', 'encoding': {'format': '%Y-%m-%d'}}",
         "'bind': [{'trunc': 'day', 'from': 'id'}, {'column': 'metric', 'from': 'id'}], " HITS_AT));
   assert_true (mt_layout_parse (arena, t, "l", d, &l, &err));
   mt_layout_attach (&l);
   for (size_t i = 0; i < sizeof plain_ids / sizeof plain_ids[0]; i++) {
      MtVal v, id = mt_v_str (plain_ids[i].id, strlen (plain_ids[i].id));
      const char *want = plain_ids[i].metric;
      assert_int_equal (mt_id_value (arena, t, &l.stores[0], 0, id, &v), want != NULL);
      if (want && (v.len != strlen (want) || memcmp (v.p, want, v.len)))
         fail_msg ("%s: %.*s", plain_ids[i].id, (int) v.len, (const char *) v.p);
   }
}

/* ---- presets ---- */

static const MtPresetOption *options (const char *text, size_t *count)
{
   MtPresetOption *o = MT_NEW_N (arena, MtPresetOption, 16);
   char *copy = mt_strdup (arena, text), *save, *word;
   *count = 0;
   for (word = strtok_r (copy, ";", &save); word; word = strtok_r (NULL, ";", &save)) {
      char *eq = strchr (word, '=');
      *eq = 0;
      o[(*count)++] = (MtPresetOption) {word, eq + 1, MT_NO_SPAN};
   }
   return o;
}

static bool preset (const char *table, const char *name, const char *with, MtLayout *l)
{
   bson_t d = BSON_INITIALIZER;
   size_t n;
   const MtTable *t = mt_test_table (arena, table);
   const MtPresetOption *o = options (with, &n);
   bool ok = mt_preset_descriptor (arena, t, &(MtPresetUse) {name, o, n, "c"}, &d, &err) &&
             mt_layout_parse (arena, t, "l", &d, l, &err);
   if (ok)
      round_trip (t, &d);
   bson_destroy (&d);
   return ok;
}

static void presets_make_descriptors (void **state)
{
   static const struct {
      const char *table, *name, *with, *levels;
      MtKeeps keeps;
   } rows[] = {
      {"calls", "rows", "", "document", MT_KEEPS_RECORDS},
      {"odd", "rows", "time_encoding=epoch_ms;collection=x", "document", MT_KEEPS_RECORDS},
      {"calls", "per_day", "", "document ts", MT_KEEPS_RECORDS},
      {"calls", "per_day", "bucket=1 hour;code_order=first;time_encoding=date", "document ts",
       MT_KEEPS_RECORDS},
      {"calls", "nested", "", "document ts iResult vCmdid vAppid", MT_KEEPS_RECORDS},
      {"calls", "nested", "cluster_by=vAppid;levels=ts, iResult, vCmdid;presum=ts",
       "document ts iResult vCmdid", MT_KEEPS_RECORDS},
      {"calls", "nested",
       "cluster_by=vAppid;raw_values=false;presum=", "document ts iResult vCmdid", MT_KEEPS_SUMS},
      {"calls", "NESTED",
       "levels=vAppid,ts,iResult,vCmdid;nonnull=true;flush_levels=10;presums=verify",
       "document vAppid ts iResult vCmdid", MT_KEEPS_RECORDS},
      {"memory", "minute", "", "document second", MT_KEEPS_RECORDS},
      {"memory", "minute", "values=array", "document second", MT_KEEPS_RECORDS},
      {"memory", "timeseries", "", "document", MT_KEEPS_RECORDS},
      {"calls", "timeseries", "granularity=hours;expire_after_seconds=60;meta=about", "document",
       MT_KEEPS_RECORDS},
      {"locations", "latest", "", "document", MT_KEEPS_LATEST},
      {"calls", "latest", "key=vAppid, iResult;tie=dProcessTime;time_encoding=epoch_ms", "document",
       MT_KEEPS_LATEST},
      {"hits", "daily_metrics", "", "document daily hour minute", MT_KEEPS_SUMS},
      {"hits", "daily_metrics", "style=hierarchical;padded=false",
       "document daily hour hour minute", MT_KEEPS_SUMS},
      {"hits", "daily_metrics",
       "style=hierarchical;inner_key=minute of day;trust=fields;time_encoding=epoch_s",
       "document daily hour hour minute", MT_KEEPS_SUMS},
      {"samples", "mms", "", "document dy hour minute", MT_KEEPS_SUMS},
      {"samples", "mms", "style=hierarchical;trust=fields", "document dy hour hour minute",
       MT_KEEPS_SUMS},
      {"samples", "mms", "months=true;month_id=day;days_collection=x", "document minute",
       MT_KEEPS_SUMS},
   };
   for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
      MtLayout l;
      char names[200] = "";
      if (!preset (rows[i].table, rows[i].name, rows[i].with, &l))
         fail_msg ("%s: %s", rows[i].name, err.message);
      assert_int_equal (l.keeps, rows[i].keeps);
      for (size_t k = 0; k < l.stores[0].node_count; k++)
         snprintf (names + strlen (names), sizeof names - strlen (names), "%s%s", k ? " " : "",
                   l.stores[0].nodes[k]->name);
      assert_string_equal (names, rows[i].levels);
   }
}

static void bad_options_are_refused (void **state)
{
   static const struct {
      const char *table, *name, *with, *sqlstate, *message;
   } rows[] = {
      {"calls", "nest", "", "42704", "layout \"nest\" does not exist"},
      {"calls", "rows", "bucket=1 day", "22023",
       "unrecognized option \"bucket\" of layout \"rows\""},
      {"calls", "rows", "collection=a;collection=b", "42601",
       "option \"collection\" specified more than once"},
      {"calls", "rows", "time_encoding=julian", "22023",
       "invalid value for option \"time_encoding\": \"julian\""},
      {"calls", "per_day", "bucket=2 days", "22023", "invalid value for option \"bucket\""},
      {"calls", "per_day", "code_order=random", "22023", "invalid value for option \"code_order\""},
      {"calls", "nested", "cluster_by=nothing", "42703", "column \"nothing\" does not exist"},
      {"calls", "nested", "cluster_by=totalCount", "22023", "is neither a dimension nor the time"},
      {"calls", "nested", "levels=ts,ts", "42701", "column \"ts\" specified more than once"},
      {"calls", "nested", "levels=ts", "22023",
       "column \"iResult\" is neither in \"cluster_by\" nor in \"levels\""},
      {"calls", "nested", "cluster_by=ts;levels=ts,iResult,vCmdid,vAppid", "22023",
       "both in \"cluster_by\" and in \"levels\""},
      {"calls", "nested", "raw_values=perhaps", "22023", "invalid value for option \"raw_values\""},
      {"calls", "nested", "flush_levels=0", "22023", "invalid value for option \"flush_levels\""},
      {"calls", "nested", "presums=hope", "22023", "invalid value for option \"presums\""},
      {"calls", "minute", "", "42P17", "needs dimensions and exactly one measure"},
      {"calls", "daily_metrics", "", "42P17", "needs a measure that is a COUNTER"},
      {"memory", "daily_metrics", "", "42P17", "needs a measure that is a COUNTER"},
      {"hits", "daily_metrics", "trust=me", "22023", "invalid value for option \"trust\""},
      {"hits", "daily_metrics", "style=flat;inner_key=minute of hour", "22023",
       "invalid value for option \"inner_key\""},
      {"hits", "mms", "", "42P17", "exactly three dimensions and one measure"},
      {"samples", "mms", "month_id=day", "22023", "invalid value for option \"month_id\""},
      {"samples", "mms", "time_encoding=date", "22023",
       "invalid value for option \"time_encoding\""},
   };
   for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
      MtLayout l;
      mt_error_clear (&err);
      assert_false (preset (rows[i].table, rows[i].name, rows[i].with, &l));
      if (strcmp (err.sqlstate, rows[i].sqlstate) || !strstr (err.message, rows[i].message))
         fail_msg ("%s %s: %s %s", rows[i].name, rows[i].with, err.sqlstate, err.message);
   }
}

static void every_preset_has_its_row (void **state)
{
   const char *const *names = mt_preset_names ();
   size_t i = 0;
   for (const MtPresetRow *r = mt_preset_rows (); r->name; r++, i++) {
      assert_string_equal (names[i], r->name);
      assert_non_null (strstr (r->example, r->name));
      assert_true (strlen (r->summary) > 5);
   }
   assert_null (names[i]);
}

/* ---- tables in the catalog ---- */

static void tables_round_trip (void **state)
{
   MtTable *t = mt_test_table (arena, "calls"), back;
   MtLayout *l = MT_NEW_N (arena, MtLayout, 2);
   assert_true (preset ("calls", "rows", "", &l[0]) &&
                preset ("calls", "nested", "cluster_by=vAppid", &l[1]));
   t->layouts = l;
   t->layout_count = 2;
   t->version = 7;
   l[1].attached = true;
   l[1].stats[0] = (MtStoreStats) {.present = true,
                                   .documents = 5,
                                   .bytes = 6,
                                   .records = 7,
                                   .has_time = true,
                                   .min_ms = -5,
                                   .max_ms = 9};
   l[1].stats[0].nodes = MT_NEW_N (arena, MtNodeStats, l[1].stores[0].node_count);
   l[1].stats[0].nodes[2].cells = 11;
   t->columns[4].counter = true;
   t->columns[5].default_sql = "0.5";
   MtKeyTerm term = {3, MT_KEY_GT, mt_v_int32 (1)};
   MtTableCheck where = {"", "a > 1", (const char *[]) {t->columns[3].name}, 1, false};
   MtTableKey keys[] = {{.name = "calls_pkey", .columns = (int[]) {3}, .count = 1},
                        {.name = "part",
                         .kind = MT_KEY_INDEX,
                         .columns = (int[]) {4, 0},
                         .count = 2,
                         .nulls_equal = true,
                         .where = &where,
                         .terms = &term,
                         .term_count = 1}};
   t->keys = keys;
   t->unique_count = 2;
   bson_t first = BSON_INITIALIZER, second = BSON_INITIALIZER;
   assert_true (mt_table_to_bson (t, &first, &err));
   if (!mt_table_from_bson (arena, &first, &back, &err))
      fail_msg ("%s", err.message);
   assert_true (mt_table_to_bson (&back, &second, &err));
   assert_true (bson_equal (&first, &second));
   assert_int_equal (back.version, 7);
   assert_int_equal (back.unique_count, 2);
   assert_string_equal (back.keys[0].name, "calls_pkey");
   assert_true (mt_primary_key (&back) == &back.keys[0] && back.keys[0].columns[0] == 3);
   assert_true (back.keys[1].nulls_equal && back.keys[1].count == 2 &&
                back.keys[1].columns[1] == 0);
   assert_string_equal (back.keys[1].where->sql, "a > 1");
   assert_true (back.keys[1].term_count == 1 && back.keys[1].terms[0].test == MT_KEY_GT &&
                back.keys[1].terms[0].value.i == 1);
   assert_true (back.layouts[1].attached && back.layouts[1].stats[0].nodes[2].cells == 11);
   assert_int_equal (back.columns[0].period_ms, 60000);
   bson_destroy (&first);
   bson_destroy (&second);
}

/* A program without a list of keys wrote no name of the PRIMARY KEY. */
static void older_tables_have_their_key (void **state)
{
   MtTable *t = mt_test_table (arena, "calls"), back;
   bson_t doc = BSON_INITIALIZER, old = BSON_INITIALIZER;
   t->layouts = MT_NEW (arena, MtLayout);
   t->layout_count = 1;
   assert_true (preset ("calls", "rows", "", t->layouts));
   t->key = (int[]) {3, 0};
   t->key_count = 2;
   t->keys = &(MtTableKey) {.name = "other", .columns = t->key, .count = 2};
   t->unique_count = 1;
   assert_true (mt_table_to_bson (t, &doc, &err));
   bson_copy_to_excluding_noinit (&doc, &old, "key_name", NULL);
   assert_true (mt_table_from_bson (arena, &old, &back, &err));
   assert_int_equal (back.unique_count, 1);
   assert_string_equal (back.keys[0].name, "calls_pkey");
   assert_true (back.keys[0].count == 2 && back.keys[0].columns[0] == 3);
   bson_destroy (&doc);
   bson_destroy (&old);
}

static void damaged_tables_are_noticed (void **state)
{
   static const char *const docs[] = {
      "{'kind': 'table'}",
      "{'_id': 't', 'columns': 5, 'layouts': []}",
      "{'_id': 't', 'columns': [{'name': 'a', 'type': 'nothing'}], 'layouts': []}",
      "{'_id': 't', 'columns': [{'name': 'a', 'type': 'text'}, {'name': 'a', 'type': 'text'}], 'layouts': []}",
      "{'_id': 't', 'columns': [{'name': 'a', 'type': 'text', 'role': 'king'}], 'layouts': []}",
      "{'_id': 't', 'columns': [{'name': 'a', 'type': 'text', 'role': 'time'}], 'layouts': []}",
      "{'_id': 't', 'columns': [{'name': 'a', 'type': 'text'}], 'key': ['b'], 'layouts': []}",
      "{'_id': 't', 'columns': [{'name': 'a', 'type': 'text'}], 'keys': 5, 'layouts': []}",
      "{'_id': 't', 'columns': [{'name': 'a', 'type': 'text'}], 'keys': [{'name': 'k', 'kind': 'unique', 'columns': ['b']}], 'layouts': []}",
      "{'_id': 't', 'columns': [{'name': 'a', 'type': 'text'}], 'keys': [{'name': 'k', 'kind': 'unique', 'columns': []}], 'layouts': []}",
      "{'_id': 't', 'columns': [{'name': 'a', 'type': 'text'}], 'keys': [{'name': 'k', 'kind': 'foreign', 'columns': ['a']}], 'layouts': []}",
      "{'_id': 't', 'columns': [{'name': 'a', 'type': 'text'}], 'keys': [{'name': 'k', 'kind': 'index', 'columns': ['a'], 'where': {'sql': 5}}], 'layouts': []}",
      "{'_id': 't', 'columns': [{'name': 'a', 'type': 'text'}], 'keys': [{'name': 'k', 'kind': 'index', 'columns': ['a'], 'terms': [{'column': 'a', 'test': 99}]}], 'layouts': []}",
      "{'_id': 't', 'columns': [{'name': 'a', 'type': 'text'}]}",
      "{'_id': 't', 'columns': [{'name': 'a', 'type': 'text'}], 'layouts': [{'name': 'l'}]}",
      "{'_id': 't', 'columns': [{'name': 'a', 'type': 'text'}], 'layouts': [{'name': 'l', 'descriptor': {'keeps': 'nothing'}}]}",
   };
   for (size_t i = 0; i < sizeof docs / sizeof docs[0]; i++) {
      MtTable t;
      mt_error_clear (&err);
      assert_false (mt_table_from_bson (arena, mt_test_json (arena, docs[i]), &t, &err));
      assert_string_equal (err.sqlstate, MT_E_CORRUPT);
   }
}

static void columns_by_name (void **state)
{
   MtTable *t = mt_test_table (arena, "calls");
   assert_int_equal (mt_table_column (t, "VAPPID", false), 3);
   assert_int_equal (mt_table_column (t, "VAPPID", true), -1);
   t->columns[2].name = "VAPPID";
   assert_int_equal (mt_table_column (t, "vAppid", false), 3);
   assert_int_equal (mt_table_column (t, "vappid", false), -2);
}

/* ---- times ---- */

/* Units are in the order of their lengths, and those between a second and a day divide a day. */
static void units_are_in_order (void **state)
{
   MtUnit found;
   for (MtUnit u = MT_UNIT_MS; u <= MT_UNIT_WEEK; u++) {
      assert_true (mt_unit_by_name (mt_str (mt_unit_name (u)), &found) && found == u);
      assert_true (mt_unit_of_ms (mt_unit_ms (u), &found) && found == u);
      assert_true (u == MT_UNIT_MS || mt_unit_ms (u) > mt_unit_ms (u - 1));
      assert_true (u > MT_UNIT_DAY || mt_unit_ms (MT_UNIT_DAY) % mt_unit_ms (u) == 0);
   }
   assert_true (mt_unit_of_ms (5 * 60000, &found));
   assert_string_equal (mt_unit_name (found), "5 minutes");
   assert_true (mt_unit_is_multiple (found) && !mt_unit_is_multiple (MT_UNIT_WEEK));
   assert_true (mt_unit_within (found, MT_UNIT_HOUR) && mt_unit_within (found, MT_UNIT_MONTH));
   assert_int_equal (mt_part_count (found, MT_UNIT_DAY), 288);
   assert_int_equal (mt_utc_floor (-1, found), -300000);
   assert_true (mt_unit_of_ms (45 * 60000, &found) && !mt_unit_within (found, MT_UNIT_HOUR));
   assert_false (mt_unit_of_ms (7 * 60000, &found));
   assert_false (mt_unit_by_name (MT_STR ("7 minutes"), &found));
}

static void times_are_floored_and_formatted (void **state)
{
   int64_t t = INT64_C (1428777123456); /* 2015-04-11 18:32:03.456, a Saturday */
   assert_int_equal (mt_utc_floor (t, MT_UNIT_DAY), INT64_C (1428710400000));
   assert_int_equal (mt_utc_floor (t, MT_UNIT_WEEK), INT64_C (1428278400000));
   assert_int_equal (mt_utc_floor (t, MT_UNIT_MONTH), INT64_C (1427846400000));
   assert_int_equal (mt_utc_floor (t, MT_UNIT_YEAR), INT64_C (1420070400000));
   assert_int_equal (mt_utc_floor (-1, MT_UNIT_DAY), -86400000);
   assert_int_equal (mt_utc_part (t, MT_UNIT_MINUTE, MT_UNIT_DAY), 18 * 60 + 32);
   assert_int_equal (mt_part_count (MT_UNIT_DAY, MT_UNIT_MONTH), 31);
   MtBuf b = {0};
   mt_time_format ("%Y%m%d/%H-%M:%S", t, &b);
   assert_string_equal (b.p, "20150411/18-32:03");
   int64_t back;
   assert_true (mt_time_unformat ("%Y%m%d/%H-%M:%S", (MtStr) {b.p, b.n}, &back));
   assert_int_equal (back, INT64_C (1428777123000));
   assert_false (mt_time_unformat ("%Y%m%d", MT_STR ("20150231"), &back));
   assert_false (mt_time_unformat ("%Y%m%d", MT_STR ("2015041"), &back));
   assert_int_equal (mt_format_grain ("%d.%m.%Y"), MT_UNIT_DAY);
   assert_int_equal (mt_format_grain ("%Y-%d"), MT_UNIT_EPOCH);
   mt_buf_free (&b);
}

int main (void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown (examples_parse, setup, teardown),
      cmocka_unit_test_setup_teardown (valid_ones_parse, setup, teardown),
      cmocka_unit_test_setup_teardown (invalid_ones_are_refused, setup, teardown),
      cmocka_unit_test_setup_teardown (descriptors_are_checked_alone, setup, teardown),
      cmocka_unit_test_setup_teardown (near_names_are_offered, setup, teardown),
      cmocka_unit_test_setup_teardown (levels_are_limited, setup, teardown),
      cmocka_unit_test_setup_teardown (nodes_have_names_and_ids, setup, teardown),
      cmocka_unit_test_setup_teardown (parts_of_ids_are_read, setup, teardown),
      cmocka_unit_test_setup_teardown (parts_between_literals_are_escaped, setup, teardown),
      cmocka_unit_test_setup_teardown (plain_ids_are_read, setup, teardown),
      cmocka_unit_test_setup_teardown (presets_make_descriptors, setup, teardown),
      cmocka_unit_test_setup_teardown (bad_options_are_refused, setup, teardown),
      cmocka_unit_test_setup_teardown (every_preset_has_its_row, setup, teardown),
      cmocka_unit_test_setup_teardown (older_tables_have_their_key, setup, teardown),
      cmocka_unit_test_setup_teardown (tables_round_trip, setup, teardown),
      cmocka_unit_test_setup_teardown (damaged_tables_are_noticed, setup, teardown),
      cmocka_unit_test_setup_teardown (columns_by_name, setup, teardown),
      cmocka_unit_test_setup_teardown (units_are_in_order, setup, teardown),
      cmocka_unit_test_setup_teardown (times_are_floored_and_formatted, setup, teardown),
   };
   return cmocka_run_group_tests (tests, NULL, NULL);
}
