// pgx against a server that PGHOST, PGPORT, PGUSER, PGDATABASE and so on name. It prints a line for
// each answer, which languages_test.py compares. With the argument `one` it only logs in.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
)

var ctx = context.Background()

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// A value as text that doesn't depend on the format it came in.
func show(v any) string {
	switch x := v.(type) {
	case nil:
		return "NULL"
	case time.Time:
		return x.UTC().Format("2006-01-02T15:04:05.999999Z")
	case []byte:
		return fmt.Sprintf("%x", x)
	case [16]byte:
		return fmt.Sprintf("%x", x)
	case pgtype.Numeric:
		return string(must(x.MarshalJSON()))
	case pgtype.Interval:
		return fmt.Sprintf("%d months %d days %d µs", x.Months, x.Days, x.Microseconds)
	case pgtype.Time:
		return fmt.Sprintf("%d µs", x.Microseconds)
	case []any:
		parts := []string{}
		for _, e := range x {
			parts = append(parts, show(e))
		}
		return "[" + strings.Join(parts, " ") + "]"
	}
	return fmt.Sprintf("%v", v)
}

func failure(err error) string {
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		return fmt.Sprint(err)
	}
	return fmt.Sprintf("%s at %d, table %q, column %q, constraint %q", e.Code, e.Position, e.TableName, e.ColumnName, e.ConstraintName)
}

func column(c *pgx.Conn, sql string, args ...any) []any {
	rows := must(c.Query(ctx, sql, args...))
	found := must(pgx.CollectRows(rows, func(r pgx.CollectableRow) (any, error) {
		v, err := r.Values()
		if err != nil {
			return nil, err
		}
		return v[0], nil
	}))
	return found
}

// Each column of table v in text and in binary, and each value as a parameter in all of pgx's modes.
func values(c *pgx.Conn) {
	modes := []pgx.QueryExecMode{pgx.QueryExecModeCacheStatement, pgx.QueryExecModeCacheDescribe, pgx.QueryExecModeDescribeExec}
	names := column(c, "SELECT column_name::text FROM information_schema.columns WHERE table_name = 'v' ORDER BY ordinal_position")
	for _, name := range names {
		sql := fmt.Sprintf("SELECT %s FROM v ORDER BY id", name)
		binary, text := column(c, sql), column(c, sql, pgx.QueryExecModeSimpleProtocol)
		fmt.Printf("%s: %s\n", name, show(binary))
		if show(binary) != show(text) && !strings.HasPrefix(fmt.Sprint(name), "f4") {
			fmt.Printf("%s as text: %s\n", name, show(text))
		}
		sql = fmt.Sprintf("SELECT count(*) FROM v WHERE %s = $1", name)
		if name == "j" {
			sql = "SELECT count(*) FROM v WHERE j::jsonb = $1::json::jsonb"
		}
		for _, mode := range modes {
			for i, v := range binary {
				if n := column(c, sql, mode, v)[0].(int64); (v == nil) != (n == 0) {
					fmt.Printf("%s: row %d is found %d times in %v\n", name, i, n, mode)
				}
			}
		}
	}
}

func main() {
	defer func() {
		if e := recover(); e != nil {
			fmt.Println("failed:", e)
			os.Exit(1)
		}
	}()
	c, err := pgx.Connect(ctx, "")
	if err != nil {
		fmt.Println(failure(err))
		return
	}
	defer c.Close(ctx)
	if len(os.Args) > 1 {
		fmt.Println(column(c, "SELECT 'logged in'")[0])
		return
	}
	for _, name := range []string{"mood", "_mood"} {
		c.TypeMap().RegisterType(must(c.LoadType(ctx, name)))
	}
	values(c)
	described(c)
	failures(c)
	transactions(c)
	copies(c)
	pipelines(c)
	cancels(c)
	packed(c)
	pools()
}

func described(c *pgx.Conn) {
	d := must(c.Prepare(ctx, "described", "SELECT id, n2 AS n, id + 1 AS more FROM v WHERE t = $1 AND i8 > $2"))
	fmt.Printf("parameters: %v\n", d.ParamOIDs)
	table := column(c, "SELECT 'v'::regclass::oid")[0].(uint32)
	for _, f := range d.Fields {
		fmt.Printf("field %s: type %d, size %d, modifier %d, of v: %v, column %d\n", f.Name, f.DataTypeOID, f.DataTypeSize, f.TypeModifier, f.TableOID == table, f.TableAttributeNumber)
	}
	fmt.Printf("prepared: %s\n", show(column(c, "described", "text", 1)))
}

func failures(c *pgx.Conn) {
	for _, sql := range []string{"SELECT nosuch FROM v", "SELECT * FROM nosuch", "SELEC 1", "INSERT INTO p VALUES (1, 1)", "INSERT INTO p VALUES (2, -1)", "INSERT INTO p (n) VALUES (1)", "SELECT 1 / 0", "SELECT 'x'::int", "LISTEN channel", "INSERT INTO v (id, m) VALUES (9, 'cross')"} {
		_, err := c.Exec(ctx, sql)
		fmt.Printf("%s: %s\n", sql, failure(err))
		_, simple := c.Exec(ctx, sql, pgx.QueryExecModeSimpleProtocol)
		if failure(simple) != failure(err) {
			fmt.Printf("%s as simple: %s\n", sql, failure(simple))
		}
	}
}

func transactions(c *pgx.Conn) {
	tx := must(c.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead}))
	must(tx.Exec(ctx, "INSERT INTO p VALUES ($1, $2)", 10, 1))
	err := pgx.BeginFunc(ctx, tx, func(inner pgx.Tx) error {
		must(inner.Exec(ctx, "INSERT INTO p VALUES (11, 1)"))
		_, err := inner.Exec(ctx, "INSERT INTO p VALUES (10, 1)")
		return err
	})
	fmt.Printf("in a savepoint: %s\n", failure(err))
	fmt.Printf("after it: %s\n", show(column(c, "SELECT id FROM p WHERE id >= 10")))
	fmt.Printf("COMMIT: %v\n", tx.Commit(ctx))
	tx = must(c.Begin(ctx))
	must(tx.Exec(ctx, "DELETE FROM p"))
	fmt.Printf("ROLLBACK: %v, %s\n", tx.Rollback(ctx), show(column(c, "SELECT id FROM p ORDER BY id")))
	tx = must(c.BeginTx(ctx, pgx.TxOptions{AccessMode: pgx.ReadOnly}))
	_, err = tx.Exec(ctx, "DELETE FROM p")
	fmt.Printf("read only: %s\n", failure(err))
	fmt.Printf("COMMIT of a failed one: %v\n", tx.Commit(ctx))
}

func copies(c *pgx.Conn) {
	rows := [][]any{}
	for i := 0; i < 500; i++ {
		rows = append(rows, []any{i, fmt.Sprint("name ", i), time.UnixMilli(int64(i) * 1001), float64(i) / 4, []int32{int32(i), 7}, pgtype.Numeric{Int: nil, Valid: false}})
	}
	n, err := c.CopyFrom(ctx, pgx.Identifier{"copied"}, []string{"id", "name", "at", "f", "a", "n"}, pgx.CopyFromRows(rows))
	fmt.Printf("COPY in binary: %d, %v\n", n, err)
	fmt.Printf("its sums: %s\n", show(must(pgx.CollectRows(must(c.Query(ctx, "SELECT count(*), sum(f), max(at), sum(a[1]), count(n) FROM copied")), func(r pgx.CollectableRow) (any, error) { v, err := r.Values(); return any(v), err }))))
	n, err = c.CopyFrom(ctx, pgx.Identifier{"copied"}, []string{"id", "name"}, pgx.CopyFromRows([][]any{{501, "x"}, {1, "again"}}))
	fmt.Printf("COPY with a key twice: %d, %s\n", n, failure(err))
	var out bytes.Buffer
	tag := must(c.PgConn().CopyTo(ctx, &out, "COPY (SELECT id, name FROM copied WHERE id < 3 ORDER BY id) TO STDOUT (FORMAT csv)"))
	fmt.Printf("%s: %q\n", tag, out.String())
	tag = must(c.PgConn().CopyFrom(ctx, strings.NewReader("1001\tx\n1002\t\\N\n"), "COPY copied (id, name) FROM STDIN"))
	fmt.Printf("%s: %s\n", tag, show(column(c, "SELECT name FROM copied WHERE id > 1000 ORDER BY id")))
}

func pipelines(c *pgx.Conn) {
	b := &pgx.Batch{}
	for i := 0; i < 5; i++ {
		b.Queue("INSERT INTO copied (id, name) VALUES ($1, $2)", 2000+i, "batch")
	}
	b.Queue("SELECT count(*) FROM copied WHERE name = $1", "batch")
	r := c.SendBatch(ctx, b)
	for i := 0; i < 5; i++ {
		must(r.Exec())
	}
	var n int
	fmt.Printf("batch: %v %d, %v\n", r.QueryRow().Scan(&n), n, r.Close())
	b = &pgx.Batch{}
	b.Queue("INSERT INTO copied (id) VALUES (3000)")
	b.Queue("INSERT INTO copied (id) VALUES (3000)")
	fmt.Printf("batch that fails: %s\n", failure(c.SendBatch(ctx, b).Close()))
	fmt.Printf("it is one transaction: %s\n", show(column(c, "SELECT count(*) FROM copied WHERE id = 3000")))
	p := c.PgConn().StartPipeline(ctx)
	for i := 1; i <= 3; i++ {
		p.SendQueryParams("SELECT $1::int * 2", [][]byte{[]byte(fmt.Sprint(i))}, nil, nil, nil)
	}
	p.SendQueryParams("SELECT 1 / 0", nil, nil, nil, nil)
	p.SendQueryParams("SELECT 1", nil, nil, nil, nil)
	p.Sync()
	for i := 1; i <= 3; i++ {
		read := must(p.GetResults()).(*pgconn.ResultReader).Read()
		fmt.Printf("pipeline: %s %v\n", read.Rows[0][0], read.Err)
	}
	_, err := p.GetResults()
	fmt.Printf("pipeline's error: %s\n", failure(err))
	fmt.Printf("closed: %s\n", failure(p.Close()))
	results := must(c.PgConn().Exec(ctx, "SELECT 1; SELECT 2, 3").ReadAll())
	fmt.Printf("statements in one message: %d, %s\n", len(results), results[1].Rows[0])
	tx := must(c.Begin(ctx))
	must(tx.Exec(ctx, "DECLARE cur CURSOR FOR SELECT generate_series(1, 10)"))
	fmt.Printf("a cursor: %s %s\n", show(column(c, "FETCH 3 FROM cur")), show(column(c, "FETCH ALL FROM cur")))
	must(0, tx.Commit(ctx))
}

func cancels(c *pgx.Conn) {
	soon, cancel := context.WithCancel(ctx)
	conn := must(pgx.Connect(ctx, ""))
	defer conn.Close(ctx)
	go func() { time.Sleep(200 * time.Millisecond); must(0, conn.PgConn().CancelRequest(ctx)); cancel() }()
	_, err := conn.Exec(ctx, "SELECT pg_sleep(600)")
	fmt.Printf("cancelled: %s\n", failure(err))
	<-soon.Done()
	fmt.Printf("after it: %s\n", show(column(conn, "SELECT 1")))
}

func packed(c *pgx.Conn) {
	rows := must(c.Query(ctx, "SELECT host, count(*), sum(n), avg(n), array_agg(n ORDER BY n) FROM packed WHERE n < $1 GROUP BY host ORDER BY host", 9))
	for rows.Next() {
		fmt.Printf("group: %s\n", show(must(rows.Values())))
	}
	fmt.Printf("groups: %v\n", rows.Err())
	type group struct {
		Hour time.Time
		Sum  int64
	}
	found := must(pgx.CollectRows(must(c.Query(ctx, "SELECT date_trunc('day', ts) AS hour, sum(n)::int8 AS sum FROM packed GROUP BY 1 ORDER BY 1")), pgx.RowToStructByName[group]))
	fmt.Printf("days: %d, %s, %d\n", len(found), show(found[0].Hour), found[0].Sum)
}

func pools() {
	pool := must(pgxpool.New(ctx, "pool_max_conns=4"))
	defer pool.Close()
	var wait sync.WaitGroup
	sums := make([]int, 20)
	for i := range sums {
		wait.Add(1)
		go func() {
			defer wait.Done()
			must(0, pool.QueryRow(ctx, "SELECT sum(n)::int4 + $1 FROM packed WHERE host = 'h1'", i).Scan(&sums[i]))
		}()
	}
	wait.Wait()
	fmt.Printf("a pool of connections: %v\n", reflect.ValueOf(sums).Index(19).Int()-int64(sums[0]))
}
