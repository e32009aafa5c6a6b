/* \h for layouts: the grammar of a descriptor, and an example of each kind of level. */
#include "shell/commands/command_int.h"

const char mt_layout_grammar[] =
   "CREATE [OR REPLACE] LAYOUT name AS 'descriptor'\n\n"
   "where descriptor is JSON:\n"
   "   layout   = { keeps: \"records\" | \"sums\" | \"latest\", key?: [column, …], tie?: [column, "
   "…],\n"
   "                presums?: \"trust\" | \"verify\" | \"ignore\", stores: [store, …] }\n"
   "   store    = { collection: name, id?: \"auto\" | [\"literal\" | binding, …],\n"
   "                escape?: \"percent\" | \"none\", repeats?: bool, flush_levels?: number,\n"
   "                write?: \"insert\" | \"push\" | \"pack\" | \"inc\" | \"newer\", preallocate?: "
   "number,\n"
   "                partition?: \"day\" | \"month\", timeseries?: { timeField, metaField?, … },\n"
   "                shard?: [{ at: path, hashed?: bool }, …], root: node }\n"
   "   node     = { is: \"document\" | \"list\" | \"map\" | \"slots\" | \"scalar\" |\n"
   "                    \"pairs\" | \"arrays\", at?: path,\n"
   "                bind?: [binding, …], range?: { min: path, max: path, exact?, encoding? },\n"
   "                agg?: { n?: path, measures?: { column: path | { sum?, min?, max?, nonnull? } "
   "},\n"
   "                        zero?: \"value\" | \"absent\" },\n"
   "                raw?: { at?: path, many?: bool, columns: { column: path } },\n"
   "                order?: [name, …], sub?: node | alt?: [node, …] }\n"
   "   binding  = { column: name | trunc: unit | part: unit, of: unit, base?: number,\n"
   "                from?: \"field\" | \"key\" | \"index\" | \"id\", at?: path, encoding?: "
   "encoding }\n"
   "   encoding = \"native\" | \"text\" | \"date\" | \"epoch_s\" | \"epoch_ms\" | { format: "
   "\"%Y%m%d\" }\n"
   "   unit     = \"ms\" | \"second\" | \"minute\" | \"hour\" | \"day\" | \"week\" | \"month\" | "
   "\"year\" | \"epoch\"\n\n"
   "\\h explains document, list, map, slots, scalar, pairs and arrays. docs/lemma.md explains "
   "each word.\n\n"
   "Example: {_id: …, room: \"attic\", at: ISODate(…), celsius: 18.5}, one document per record\n"
   "CREATE LAYOUT by_reading AS '{\"keeps\": \"records\", \"stores\": [{\"collection\": "
   "\"readings\",\n"
   "   \"root\": {\"is\": \"document\", \"bind\": [{\"column\": \"ts\", \"at\": \"at\", "
   "\"encoding\": \"date\"}, {\"column\": \"room\"}],\n"
   "            \"raw\": {\"columns\": {\"celsius\": \"celsius\"}}}}]}';\n"
   "CREATE TABLE readings (ts timestamptz TIME, room text DIMENSION, celsius float8 MEASURE)\n"
   "   USING by_reading;\n\n"
   "Example: {_id: …, room: \"attic\", day: ISODate(…), n: 2, sum: 37, v: [{t: ISODate(…), c: "
   "18.5}, …]}\n"
   "CREATE LAYOUT by_day AS '{\"keeps\": \"records\", \"stores\": [{\"collection\": \"days\", "
   "\"repeats\": true,\n"
   "   \"root\": {\"is\": \"document\", \"bind\": [{\"column\": \"room\"}, {\"trunc\": \"day\", "
   "\"at\": \"day\", \"encoding\": \"date\"}],\n"
   "            \"agg\": {\"n\": \"n\", \"measures\": {\"celsius\": \"sum\"}},\n"
   "            \"sub\": {\"is\": \"list\", \"at\": \"v\", \"bind\": [{\"column\": \"ts\", "
   "\"at\": \"t\", \"encoding\": \"date\"}],\n"
   "                    \"raw\": {\"columns\": {\"celsius\": \"c\"}}}}}]}';\n"
   "CREATE TABLE days (ts timestamptz TIME, room text DIMENSION, celsius float8 MEASURE NOT NULL)\n"
   "   USING by_day;";

/* To add a kind of level, add a row here. */
const MtLevelHelp mt_level_help[] = {
   {"document", "the root: a document of the collection",
    "{_id: …, room: \"attic\", day: ISODate(…), n: 2, sum: 37}, the sums of a room and day",
    "CREATE LAYOUT room_days AS '{\"keeps\": \"sums\", \"key\": [\"room\"], \"stores\": "
    "[{\"collection\": \"days\",\n"
    "   \"root\": {\"is\": \"document\", \"bind\": [{\"column\": \"room\"}, {\"trunc\": \"day\", "
    "\"at\": \"day\", \"encoding\": \"date\"}],\n"
    "            \"agg\": {\"n\": \"n\", \"measures\": {\"celsius\": \"sum\"}}}}]}';\n"
    "CREATE TABLE days (ts timestamptz TIME PERIOD '1 day', room text DIMENSION, celsius float8 "
    "MEASURE)\n"
    "   USING room_days;"},
   {"list", "an array of sub-documents; each element is a cell",
    "{_id: …, room: \"attic\", v: [{t: ISODate(…), c: 18.5}, …]}",
    "CREATE LAYOUT room_lists AS '{\"keeps\": \"records\", \"stores\": [{\"collection\": "
    "\"rooms\", \"repeats\": true,\n"
    "   \"root\": {\"is\": \"document\", \"bind\": [{\"column\": \"room\"}],\n"
    "            \"sub\": {\"is\": \"list\", \"at\": \"v\", \"bind\": [{\"column\": \"ts\", "
    "\"at\": \"t\", \"encoding\": \"date\"}],\n"
    "                    \"raw\": {\"columns\": {\"celsius\": \"c\"}}}}}]}';\n"
    "CREATE TABLE rooms (ts timestamptz TIME, room text DIMENSION, celsius float8 MEASURE)\n"
    "   USING room_lists;"},
   {"map", "a sub-document whose field names are values; each field is a cell",
    "{_id: …, room: \"attic\", day: ISODate(…), hours: {\"0\": 18.5, \"23\": 17}}",
    "CREATE LAYOUT room_hours AS '{\"keeps\": \"records\", \"stores\": [{\"collection\": "
    "\"hours\",\n"
    "   \"root\": {\"is\": \"document\", \"bind\": [{\"column\": \"room\"}, {\"trunc\": \"day\", "
    "\"at\": \"day\", \"encoding\": \"date\"}],\n"
    "            \"sub\": {\"is\": \"map\", \"at\": \"hours\", \"bind\": [{\"part\": \"hour\", "
    "\"of\": \"day\", \"encoding\": \"text\"}],\n"
    "                    \"raw\": {\"columns\": {\"celsius\": \"\"}}}}}]}';\n"
    "CREATE TABLE hours (ts timestamptz TIME PERIOD '1 hour', room text DIMENSION, celsius float8 "
    "MEASURE)\n"
    "   USING room_hours;"},
   {"slots", "an array with a slot for each part of a time; null is an empty slot",
    "{_id: …, room: \"attic\", day: ISODate(…), hours: [18.5, null, …]}",
    "CREATE LAYOUT room_slots AS '{\"keeps\": \"records\", \"stores\": [{\"collection\": "
    "\"slots\",\n"
    "   \"root\": {\"is\": \"document\", \"bind\": [{\"column\": \"room\"}, {\"trunc\": \"day\", "
    "\"at\": \"day\", \"encoding\": \"date\"}],\n"
    "            \"sub\": {\"is\": \"slots\", \"at\": \"hours\", \"bind\": [{\"part\": \"hour\", "
    "\"of\": \"day\"}],\n"
    "                    \"raw\": {\"columns\": {\"celsius\": \"\"}}}}}]}';\n"
    "CREATE TABLE slots (ts timestamptz TIME PERIOD '1 hour', room text DIMENSION, celsius float8 "
    "MEASURE)\n"
    "   USING room_slots;"},
   {"scalar", "one value or sub-document: a copy of sums beside finer sums (alt)",
    "{_id: …, room: \"attic\", day: ISODate(…), total: {n: 2, t: 37}, hours: {\"0\": {n: 1, t: "
    "18.5}, …}}",
    "CREATE LAYOUT room_totals AS '{\"keeps\": \"sums\", \"key\": [\"room\"], \"stores\": "
    "[{\"collection\": \"totals\",\n"
    "   \"root\": {\"is\": \"document\", \"bind\": [{\"column\": \"room\"}, {\"trunc\": \"day\", "
    "\"at\": \"day\", \"encoding\": \"date\"}],\n"
    "            \"alt\": [{\"is\": \"scalar\", \"at\": \"total\", \"agg\": {\"n\": \"n\", "
    "\"measures\": {\"celsius\": \"t\"}}},\n"
    "                    {\"is\": \"map\", \"at\": \"hours\", \"bind\": [{\"part\": \"hour\", "
    "\"of\": \"day\", \"encoding\": \"text\"}],\n"
    "                     \"agg\": {\"n\": \"n\", \"measures\": {\"celsius\": \"t\"}}}]}}]}';\n"
    "CREATE TABLE totals (ts timestamptz TIME PERIOD '1 hour', room text DIMENSION, celsius "
    "float8 MEASURE)\n"
    "   USING room_totals;"},
   {"pairs", "an array of arrays of one length; a path is a position in an inner array",
    "{_id: …, room: \"attic\", samples: [[1704067200000, 18.5], …]}",
    "CREATE LAYOUT room_pairs AS '{\"keeps\": \"records\", \"stores\": [{\"collection\": "
    "\"pairs\", \"repeats\": true,\n"
    "   \"root\": {\"is\": \"document\", \"bind\": [{\"column\": \"room\"}],\n"
    "            \"sub\": {\"is\": \"pairs\", \"at\": \"samples\", \"bind\": [{\"column\": "
    "\"ts\", \"at\": \"0\", \"encoding\": \"epoch_ms\"}],\n"
    "                    \"raw\": {\"columns\": {\"celsius\": \"1\"}}}}}]}';\n"
    "CREATE TABLE pairs (ts timestamptz TIME, room text DIMENSION, celsius float8 MEASURE)\n"
    "   USING room_pairs;"},
   {"arrays", "parallel arrays; the values at one position are a cell",
    "{_id: …, room: \"attic\", t: [ISODate(…), …], c: [18.5, …]}",
    "CREATE LAYOUT room_arrays AS '{\"keeps\": \"records\", \"stores\": [{\"collection\": "
    "\"arrays\", \"repeats\": true,\n"
    "   \"root\": {\"is\": \"document\", \"bind\": [{\"column\": \"room\"}],\n"
    "            \"sub\": {\"is\": \"arrays\", \"bind\": [{\"column\": \"ts\", \"at\": \"t\", "
    "\"encoding\": \"date\"}],\n"
    "                    \"raw\": {\"columns\": {\"celsius\": \"c\"}}}}}]}';\n"
    "CREATE TABLE arrays (ts timestamptz TIME, room text DIMENSION, celsius float8 MEASURE)\n"
    "   USING room_arrays;"},
   {0},
};
