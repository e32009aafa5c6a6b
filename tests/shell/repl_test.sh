#!/bin/sh
# The shell on a terminal, driven by tmux: prompts, history, completion, Ctrl-C, the pager.
command -v tmux >/dev/null || { echo "SKIP repl_test.sh: tmux is not installed"; exit 77; }
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1
server=0
TRIES=1200 # looks at the screen, some 50 ms apart, before what doesn't come is missed
mux() { tmux -L "mtsql-test-$$-$server" -f /dev/null "$@"; }
trap 'mux kill-server 2>/dev/null; rm -rf "$work"' EXIT

start() { # a new session of the shell in a window of 80 by 24
   mux kill-server 2>/dev/null
   server=$((server + 1)) # a server that ends still answers for a moment
   mux new-session -d -x 80 -y 24 "env HOME='$work' TERM=screen LC_ALL=C.UTF-8 PAGER='sed s/^/page:/' '$MTSQL' $*; echo exit=\$?; sleep 100"
   see 'mtsql=>'
}
keys() { mux send-keys "$@"; }
screen() { mux capture-pane -p; }

# see TEXT: waits until the screen shows it
see() {
   for _ in $(seq "$TRIES"); do
      case $(screen) in *"$1"*) return 0 ;; esac
      sleep 0.05
   done
   return 1
}
shows() { # NAME TEXT
   see "$2"
   holds "$1" "$2" "$(screen)"
}
blank() { # clears the screen, and waits until nothing but the prompt is on it
   keys C-l
   for _ in $(seq "$TRIES"); do
      [ "$(screen | grep -c .)" -le 1 ] && return
      sleep 0.05
   done
}

start -X
keys "SELECT 40 + 2 AS answer," Enter
shows 'a statement goes on' 'mtsql->'
keys "'a" Enter
shows 'in a quote' "mtsql'>"
keys "b' AS text, (" Enter
shows 'in parentheses' 'mtsql(>'
keys "1)\;" Enter
shows 'rows' '     42 | a   +|'
blank
keys Up
shows 'a whole statement comes back' "b' AS text, ("
keys C-c
shows 'Ctrl-C clears' '^C'
blank
keys "SELECT 1 AS lost" Enter
see 'mtsql->'
keys C-c
see '^C'
keys "SELECT 7 AS kept\;" Enter
shows 'Ctrl-C drops what was typed' '    7'
blank
keys "sel" Tab "5 AS five\;" Enter
shows 'a keyword in lower case' 'select 5 AS five;'
shows 'and it runs' '    5'
blank
keys "SEL" Tab "6 AS six\;" Enter
shows 'a keyword in upper case' 'SELECT 6 AS six;'
blank
keys "\\tim" Tab Enter
shows 'a command is completed' 'Timing is on.'
blank
keys "\\pset form" Tab "un" Tab Enter
shows "an option and its value are completed" 'Output format is unaligned.'
blank
keys "\\pset format aligned" Enter "\\timing off" Enter
touch "$work/file_to_complete.sql"
echo '\echo from-the-file' >"$work/file_to_complete.sql"
blank
keys "\\i $work/file_to" Tab Enter
shows 'a file is completed' 'from-the-file'
blank
keys "CREATE TABLE trips (ts timestamptz TIME, distance_run bigint MEASURE)\;" Enter
see 'CREATE TABLE
'
blank
keys "ALTER TABLE t ADD LAY" Tab
shows 'what takes no expression is not completed by functions' 'ADD LAYOUT'
keys C-c
blank
keys "SELECT distan" Tab "FROM tri" Tab "\;" Enter
shows 'columns and tables are completed' 'SELECT distance_run FROM trips ;'
blank
keys "SELECT distan" Tab "FROM tri" Tab "WH" Tab "distance_run = 7"
shows 'what follows a table, and no other keyword' 'FROM trips WHERE distance_run = 7'
keys C-c
see '^C'
blank
keys "set statement_time" Tab Tab "1000\;" Enter
shows 'a setting is completed' 'set statement_timeout TO 1000;'
blank
keys "reset statement_timeout\;" Enter "UPDATE trips SET dist" Tab
shows 'a column to change is completed' 'UPDATE trips SET distance_run'
keys C-c
see '^C'
blank
keys "INS" Tab Tab "tri" Tab
shows 'what there is help for goes on as that says' 'INSERT INTO trips'
keys C-c
see '^C'
blank
keys "\\copy trips FROM $work/file_to" Tab "(FORMAT csv)"
shows 'a file is completed without quotes' "file_to_complete.sql (FORMAT csv)"
keys C-c
see '^C'
blank
keys "COPY trips FROM '$work/file_to" Tab "(FORMAT csv)\;" Enter
shows 'a file is completed between quotes' "file_to_complete.sql' (FORMAT csv);"
blank
keys "\\x auto" Enter "SELECT repeat('x', 100) AS long, 2 AS b\;" Enter
shows 'a wide table turns itself' 'RECORD 1'
blank
keys "\\x off" Enter "SELECT i FROM (SELECT 1 AS i UNION ALL SELECT 2) q\;" Enter
see '(2 rows)'
case $(screen) in *page:*) holds 'a short table needs no pager' nothing page ;; *) passed=$((passed + 1)) ;; esac
blank
keys "\\?" Enter
shows 'a long text goes through the pager' 'page:'
blank
keys C-d
shows 'Ctrl-D quits' 'exit=0'
same 'the history is private' 600 "$(stat -c %a "$work/.mtsql_history")"

start -X
keys Up Up
shows 'the history outlives the session' 'UNION ALL'
keys C-c
see '^C'
keys "\\q 5" Enter
shows 'quit with a code' 'exit=5'

start -X
keys "\\c mongodb://u:hidden@127.0.0.1:1/lab?serverSelectionTimeoutMS=100" Enter
see 'Previous connection kept'
keys "\\q" Enter
see 'exit='
same 'a password is kept out of the history' '' "$(grep hidden "$work/.mtsql_history")"

printf '\\prompt "what? " v\n\\echo went on\n' >"$work/asks.sql"
start -X
keys "\\prompt 'which? ' v" Enter
see 'which? '
keys C-c
see '^C'
keys "\\i $work/asks.sql" Enter
see 'what? '
keys C-c
see '?"^C'
keys "SELECT :'v' AS kept\;" Enter
see "LINE 1: SELECT :'v'"
same 'Ctrl-C at a question leads back to the prompt' 0 "$(screen | grep -c 'could not read')"
same 'Ctrl-C at a question of a file ends the file' 0 "$(screen | grep -c 'went on')"
keys "\\q" Enter

mkfifo -m 644 "$work/no_file"
start -X -v "HISTFILE=$work/no_file"
keys "SELECT 1\;" Enter "\\q" Enter
shows 'a history that is no file does no harm' 'exit=0'
same 'nor is it changed' 644 "$(stat -c %a "$work/no_file")"

echo precious > "$work/precious"
ln -s "$work/precious" "$work/link"
start -X -v "HISTFILE=$work/link"
keys "SELECT 1\;" Enter "\\q" Enter
shows 'the history does not follow a link' 'it is a symbolic link'
same 'nor does it change what the link leads to' precious "$(cat "$work/precious")"

start -X
keys "BEGIN\;" Enter
shows 'the prompt tells a transaction' 'mtsql=*>'
keys "SELECT nope\;" Enter
shows 'the prompt tells one that failed' 'mtsql=!>'
blank
keys "ROLLBACK\;" Enter
shows 'the prompt tells its end' 'mtsql=>'

start -X
keys "\\setenv PAGER cat" Enter "\\pset format csv" Enter "SELECT 'line', i FROM generate_series(1, 3000000) i\;" Enter
shows 'rows are being printed' 'line,'
mux resize-window -x 70 -y 20 2>/dev/null
see 'line,'
mux resize-window -x 80 -y 24 2>/dev/null
see 'line,'
keys C-c
shows 'a terminal that changes its size and Ctrl-C end no session' 'mtsql=>'
blank
keys "SELECT 40 + 2\;" Enter
shows 'what is printed ends with it' '42'
blank
printf '#!/bin/sh\necho "SELECT 6 * 7 AS product;" >"$1"\n' >"$work/editor"
chmod +x "$work/editor"
keys "\\setenv EDITOR $work/editor" Enter "\\e" Enter
shows 'what was edited runs' "$(printf 'product\n42')"
blank
keys Up
shows 'and is in the history' 'SELECT 6 * 7 AS product;'
keys C-c
blank
keys "help" Enter
shows 'help without a backslash' 'You are using mtsql'
keys "SELECT 1 AS" Enter "quit" Enter
shows 'a word within a statement' 'Use \q to quit.'
keys C-c
blank
keys "exit\;" Enter
shows 'exit without a backslash' 'exit=0'
finish
