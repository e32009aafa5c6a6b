// node-postgres against a server that PGHOST, PGPORT, PGUSER, PGDATABASE and so on name. It prints a
// line for each answer, which languages_test.py compares. With the argument `one` it only logs in.
const fs = require('fs')
const { pipeline } = require('stream/promises')
const { Readable } = require('stream')
const { Client, Pool } = require('pg')
const Cursor = require('pg-cursor')
const QueryStream = require('pg-query-stream')
const copy = require('pg-copy-streams')

const say = (what, ...values) => console.log(`${what}: ${values.map((v) => (typeof v === 'string' ? v : JSON.stringify(v))).join(' ')}`)
const failure = (e) => (e && e.code ? `${e.code} at ${e.position || 0}, table "${e.table || ''}", column "${e.column || ''}", constraint "${e.constraint || ''}"` : String(e && e.message))
const tried = (promise) => promise.then(() => 'no error', failure)
const one = async (c, text, values) => Object.values((await c.query(text, values)).rows[0])[0]

function connected() {
  const mode = process.env.PGSSLMODE
  const ssl = { disable: false, require: { rejectUnauthorized: false }, 'verify-ca': { ca: process.env.PGSSLROOTCERT && fs.readFileSync(process.env.PGSSLROOTCERT) } }[mode]
  return { ssl }
}

// Each column of table v in text and in binary, and each value as a parameter.
async function values(c) {
  const names = (await c.query("SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'v' ORDER BY ordinal_position")).rows.map((r) => r.name)
  for (const name of names) {
    const text = (await c.query(`SELECT ${name} AS x FROM v ORDER BY id`)).rows.map((r) => r.x)
    say(name, text)
    const binary = (await c.query({ text: `SELECT ${name} AS x FROM v ORDER BY id`, binary: true, values: [] })).rows.map((r) => r.x)
    if (JSON.stringify(binary) !== JSON.stringify(text)) say(`${name} in binary`, Buffer.from(JSON.stringify(binary)).toString('latin1').replace(/[^ -~]/g, '?'))
    const sql = { j: 'j::jsonb = $1::json::jsonb', jb: 'jb = $1::jsonb' }[name] || `${name} = $1`
    for (const [i, v] of text.entries()) {
      const given = ['j', 'jb', 'jbs'].includes(name) && v !== null && !Array.isArray(v) ? JSON.stringify(v) : v
      const found = await one(c, `SELECT count(*) FROM v WHERE ${sql}`, [given])
      if ((v === null) !== (found === '0')) say(`${name}: row ${i} is found`, found)
    }
  }
}

async function statements(c) {
  for (let turn = 0; turn < 3; turn++) say('prepared', (await c.query({ name: 'by-name', text: 'SELECT id, t, $2::text AS more FROM v WHERE i8 < $1 ORDER BY id', values: [turn, `turn ${turn}`] })).rows)
  const result = await c.query('SELECT id, n2 AS n, id + 1 AS more, * FROM v WHERE false')
  const table = await one(c, "SELECT 'v'::regclass::oid")
  say('fields', result.fields.slice(0, 5).map((f) => [f.name, f.dataTypeID, f.dataTypeSize, f.dataTypeModifier, f.tableID === table, f.columnID]))
  say('rows as arrays', (await c.query({ text: 'SELECT 1 AS a, 2 AS a', rowMode: 'array' })).rows)
  say('statements in one message', (await c.query('SELECT 1 AS x; SELECT 2 AS y')).map((r) => r.rows))
  say('an empty statement', (await c.query('')).rowCount)
  for (const sql of ['SELECT nosuch FROM v', 'SELECT * FROM nosuch', 'SELEC 1', 'INSERT INTO p VALUES (1, 1)', 'INSERT INTO p VALUES (2, -1)', 'INSERT INTO p (n) VALUES (1)', 'SELECT 1 / 0', "SELECT 'x'::int", 'LISTEN channel', "INSERT INTO v (id, m) VALUES (9, 'cross')"]) {
    say(sql, await tried(c.query(sql)))
    const prepared = await tried(c.query({ text: sql, values: [], queryMode: 'extended' }))
    if (prepared !== (await tried(c.query(sql)))) say(`${sql}, prepared`, prepared)
  }
  say('a parameter of the wrong type', await tried(c.query('SELECT $1::int', ['x'])))
}

async function transactions(c) {
  await c.query('BEGIN')
  say('INSERT', (await c.query('INSERT INTO p VALUES ($1, $2), (11, 1) RETURNING id', [10, 1])).rows)
  await c.query('SAVEPOINT here')
  say('in a savepoint', await tried(c.query('INSERT INTO p VALUES (10, 1)')))
  say('after an error', await tried(c.query('SELECT 1')))
  await c.query('ROLLBACK TO here')
  say('COMMIT', (await c.query('COMMIT')).command, (await c.query('SELECT id FROM p ORDER BY id')).rows)
  await c.query('BEGIN')
  const { command, rowCount } = await c.query('DELETE FROM p WHERE id > $1', [1])
  say('DELETE', command, rowCount)
  await c.query('ROLLBACK')
  say('ROLLBACK', await one(c, 'SELECT count(*) FROM p'))
  say('queries that wait in a row', (await Promise.all([1, 2, 3].map((i) => c.query('SELECT $1::int * 2 AS x', [i])))).map((r) => r.rows[0].x))
}

async function cursors(c) {
  const cursor = c.query(new Cursor('SELECT * FROM generate_series(1, $1) AS x', [10]))
  say('a cursor', (await cursor.read(4)).length, (await cursor.read(100)).length, (await cursor.read(4)).length)
  await cursor.close()
  const early = c.query(new Cursor('SELECT * FROM generate_series(1, $1) AS x', [1000]))
  say('a cursor closed early', (await early.read(1)).map((r) => r.x))
  await early.close()
  let sum = 0
  for await (const row of c.query(new QueryStream('SELECT n FROM packed ORDER BY ts', [], { batchSize: 64 }))) sum += Number(row.n)
  say('a stream', sum)
}

async function copies(c) {
  const into = c.query(copy.from('COPY copied (id, name) FROM STDIN'))
  await pipeline(Readable.from(['1\tone\n2\t', 'two\n3\t\\N\n']), into)
  say('COPY FROM', into.rowCount)
  let out = ''
  for await (const chunk of c.query(copy.to('COPY (SELECT id, name FROM copied ORDER BY id) TO STDOUT (FORMAT csv)'))) out += chunk
  say('COPY TO', JSON.stringify(out))
  say('a key twice', await tried(pipeline(Readable.from(['1\tone\n']), c.query(copy.from('COPY copied (id, name) FROM STDIN')))))
  say('after it', await one(c, 'SELECT count(*) FROM copied'))
}

async function cancels(c) {
  const id = await one(c, 'SELECT pg_backend_pid()')
  const asleep = tried(c.query('SELECT pg_sleep(600)'))
  const other = new Client(connected())
  await new Promise((done) => setTimeout(done, 200))
  other.cancel(c, c.activeQuery || c._activeQuery)
  say('cancelled', await asleep, typeof id)
  say('after it', await one(c, 'SELECT 1'))
  say('a time-out', await tried(c.query({ text: "SET statement_timeout = '50ms'; SELECT pg_sleep(600)" })))
  await c.query('RESET statement_timeout')
}

async function packed(c) {
  say('groups', (await c.query('SELECT host, count(*), sum(n), avg(n), array_agg(n ORDER BY n) AS list FROM packed WHERE n < $1 GROUP BY host ORDER BY host', [9])).rows)
  const days = (await c.query("SELECT date_trunc('day', ts) AS day, sum(n) FROM packed GROUP BY 1 ORDER BY 1")).rows
  say('days', days.length, days[0])
  const pool = new Pool({ ...connected(), max: 4 })
  const found = await Promise.all([...Array(20).keys()].map((i) => pool.query("SELECT sum(n)::int + $1 AS x FROM packed WHERE host = 'h1'", [i])))
  say('a pool of connections', found[19].rows[0].x - found[0].rows[0].x, pool.totalCount)
  await pool.end()
}

async function main() {
  const c = new Client(connected())
  try {
    await c.connect()
  } catch (e) {
    console.log(failure(e))
    return
  }
  if (process.argv[2] === 'one') {
    console.log(await one(c, "SELECT 'logged in'"))
  } else {
    for (const step of [values, statements, transactions, cursors, copies, cancels, packed]) await step(c)
  }
  await c.end()
}

main().catch((e) => {
  console.log('failed:', e)
  process.exit(1)
})
