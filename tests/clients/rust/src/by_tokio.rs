use crate::{variable, Res};
use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use futures_util::{future::join_all, pin_mut, SinkExt, TryStreamExt};
use native_tls::{Certificate, TlsConnector};
use postgres_native_tls::MakeTlsConnector;
use postgres_types::{FromSql, ToSql, Type};
use rust_decimal::Decimal;
use serde_json::Value;
use std::fmt::Debug;
use tokio_postgres::{binary_copy::BinaryCopyInWriter, config::SslMode, Client, Config, Error, NoTls, SimpleQueryMessage};
use uuid::Uuid;

#[derive(Debug, FromSql, ToSql)]
#[postgres(name = "mood")]
enum Mood {
    #[postgres(name = "sad")]
    Sad,
    #[postgres(name = "ok")]
    Fine,
    #[postgres(name = "happy")]
    Happy,
}

fn config() -> Config {
    let mut c = Config::new();
    c.host(variable("PGHOST")).port(variable("PGPORT").parse().unwrap()).user(variable("PGUSER")).dbname(variable("PGDATABASE")).password(variable("PGPASSWORD"));
    c.ssl_mode(if variable("PGSSLMODE") == "disable" { SslMode::Disable } else { SslMode::Require });
    c
}

fn tls() -> MakeTlsConnector {
    let mut b = TlsConnector::builder();
    match variable("PGSSLMODE").as_str() {
        "verify-ca" => b.add_root_certificate(Certificate::from_pem(&std::fs::read(variable("PGSSLROOTCERT")).unwrap()).unwrap()),
        _ => b.danger_accept_invalid_certs(true),
    };
    MakeTlsConnector::new(b.build().unwrap())
}

async fn connect() -> Result<Client, Error> {
    let (client, connection) = config().connect(tls()).await?;
    tokio::spawn(connection);
    Ok(client)
}

fn failure(e: &Error) -> String {
    match e.as_db_error() {
        Some(d) => format!("{} at {:?}, table {:?}, column {:?}, constraint {:?}", d.code().code(), d.position(), d.table(), d.column(), d.constraint()),
        None => e.to_string(),
    }
}

pub async fn logs_in() -> String {
    match connect().await {
        Ok(c) => c.query_one("SELECT 'logged in'", &[]).await.unwrap().get(0),
        Err(e) => failure(&e),
    }
}

// A column of table v, in binary, and each value as a parameter.
async fn values<T>(c: &Client, x: &str) -> Res<()>
where
    T: for<'a> FromSql<'a> + ToSql + Sync + Debug,
{
    let found: Vec<Option<T>> = c.query(&format!("SELECT {x} FROM v ORDER BY id"), &[]).await?.iter().map(|r| r.get(0)).collect();
    println!("{x}: {found:?}");
    let by = if x == "j" { "j::jsonb = $1::json::jsonb".into() } else { format!("{x} = $1") };
    for value in &found {
        let n: i64 = c.query_one(&format!("SELECT count(*) FROM v WHERE {by}"), &[value]).await?.get(0);
        if (n == 0) != value.is_none() {
            println!("{x}: {value:?} is found {n} times");
        }
    }
    Ok(())
}

async fn all_values(c: &Client) -> Res<()> {
    values::<i16>(c, "i2").await?;
    values::<i32>(c, "i4").await?;
    values::<i64>(c, "i8").await?;
    values::<f32>(c, "f4").await?;
    values::<f64>(c, "f8").await?;
    values::<Decimal>(c, "n").await?;
    values::<Decimal>(c, "n2").await?;
    values::<bool>(c, "b").await?;
    for x in ["t", "vc", "c"] {
        values::<String>(c, x).await?;
    }
    values::<Vec<u8>>(c, "y").await?;
    values::<NaiveDate>(c, "d").await?;
    values::<NaiveTime>(c, "tm").await?;
    values::<NaiveDateTime>(c, "ts").await?;
    values::<DateTime<Utc>>(c, "tz").await?;
    values::<Uuid>(c, "u").await?;
    values::<Value>(c, "j").await?;
    values::<Value>(c, "jb").await?;
    values::<Mood>(c, "m").await?;
    values::<Vec<Option<i16>>>(c, "i2s").await?;
    values::<Vec<i32>>(c, "i4s").await?;
    values::<Vec<i64>>(c, "i8s").await?;
    values::<Vec<f64>>(c, "f8s").await?;
    values::<Vec<Option<Decimal>>>(c, "ns[1:2]").await?;
    values::<Vec<Option<bool>>>(c, "bs").await?;
    values::<Vec<Option<String>>>(c, "txs").await?;
    values::<Vec<Vec<u8>>>(c, "ys").await?;
    values::<Vec<NaiveDate>>(c, "ds").await?;
    values::<Vec<DateTime<Utc>>>(c, "tzs").await?;
    values::<Vec<Uuid>>(c, "us").await?;
    values::<Vec<Value>>(c, "jbs").await?;
    values::<Vec<Option<Mood>>>(c, "ms").await?;
    for m in c.simple_query("SELECT * FROM v WHERE id IN (1, 3) ORDER BY id; SELECT 1 AS one").await? {
        match m {
            SimpleQueryMessage::Row(r) => println!("as text: {:?}", (0..r.len()).map(|i| r.get(i)).collect::<Vec<_>>()),
            SimpleQueryMessage::CommandComplete(n) => println!("complete: {n}"),
            _ => (),
        }
    }
    Ok(())
}

async fn statements(c: &Client) -> Res<()> {
    let table: u32 = c.query_one("SELECT 'v'::regclass::oid", &[]).await?.get(0);
    let s = c.prepare("SELECT id, n2 AS n, id + 1 AS more, m FROM v WHERE t = $1 AND i8 > $2 AND m = $3").await?;
    println!("parameters: {:?}", s.params().iter().map(Type::name).collect::<Vec<_>>());
    for f in s.columns() {
        println!("field {}: {}, of v: {}, column {:?}", f.name(), f.type_(), f.table_oid() == Some(table), f.column_id());
    }
    let kinds = c.query("SELECT typname, typtype, typcategory FROM pg_type WHERE oid IN (16, 'mood'::regtype) ORDER BY oid", &[]).await?;
    println!("catalog: {:?}", kinds.iter().map(|r| (r.get::<_, String>(0), r.get::<_, i8>(1), r.get::<_, i8>(2))).collect::<Vec<_>>());
    for sql in ["SELECT nosuch FROM v", "SELECT * FROM nosuch", "SELEC 1", "INSERT INTO p VALUES (1, 1)", "INSERT INTO p VALUES (2, -1)", "INSERT INTO p (n) VALUES (1)", "SELECT 1 / 0", "SELECT 'x'::int", "LISTEN channel", "INSERT INTO v (id, m) VALUES (9, 'cross')"] {
        let (prepared, simple) = (c.execute(sql, &[]).await, c.batch_execute(sql).await);
        println!("{sql}: {}", prepared.as_ref().err().map_or("no error".into(), failure));
        if prepared.as_ref().err().map(failure) != simple.as_ref().err().map(failure) {
            println!("{sql}, simple: {}", simple.err().map_or("no error".into(), |e| failure(&e)));
        }
    }
    let queries: Vec<_> = (1..=5i32).collect();
    let answers = join_all(queries.iter().map(|i| async move { c.query_one("SELECT $1::int * 2", &[i]).await.map(|r| r.get::<_, i32>(0)).unwrap() })).await;
    println!("pipelined: {answers:?}");
    Ok(())
}

async fn transactions(c: &mut Client) -> Res<()> {
    let mut t = c.transaction().await?;
    t.execute("INSERT INTO p VALUES ($1, $2)", &[&10i32, &1i32]).await?;
    let inner = t.savepoint("here").await?;
    println!("in a savepoint: {}", failure(&inner.execute("INSERT INTO p VALUES (10, 1)", &[]).await.unwrap_err()));
    inner.rollback().await?;
    t.commit().await?;
    let t = c.transaction().await?;
    println!("DELETE: {}", t.execute("DELETE FROM p", &[]).await?);
    t.rollback().await?;
    println!("COMMIT and ROLLBACK: {}", c.query("SELECT id FROM p ORDER BY id", &[]).await?.len());
    let t = c.transaction().await?;
    let portal = t.bind("SELECT generate_series(1, $1)", &[&10i32]).await?;
    let mut sizes = vec![];
    for most in [4, 3, 0] {
        sizes.push(t.query_portal(&portal, most).await?.len());
        t.query_one("SELECT 1", &[]).await?;
    }
    println!("a portal: {sizes:?}");
    t.commit().await?;
    Ok(())
}

async fn copies(c: &Client) -> Res<()> {
    let sink = c.copy_in("COPY copied (id, name, at, f, a) FROM STDIN (FORMAT binary)").await?;
    let writer = BinaryCopyInWriter::new(sink, &[Type::INT4, Type::TEXT, Type::TIMESTAMPTZ, Type::FLOAT8, Type::INT4_ARRAY]);
    pin_mut!(writer);
    for i in 0..500i32 {
        let at = DateTime::from_timestamp_millis(i64::from(i) * 1001).unwrap();
        writer.as_mut().write(&[&i, &format!("name {i}"), &at, &(f64::from(i) / 4.0), &vec![Some(i), None]]).await?;
    }
    println!("COPY in binary: {}", writer.finish().await?);
    let r = c.query_one("SELECT count(*), sum(f), max(at), sum(a[1]) FROM copied", &[]).await?;
    println!("its sums: {:?}", (r.get::<_, i64>(0), r.get::<_, f64>(1), r.get::<_, DateTime<Utc>>(2), r.get::<_, i64>(3)));
    let sink = c.copy_in("COPY copied (id, name) FROM STDIN").await?;
    pin_mut!(sink);
    sink.send(bytes::Bytes::from_static(b"501\tx\n1\tagain\n")).await?;
    println!("a key twice: {}", failure(&sink.finish().await.unwrap_err()));
    let out: Vec<_> = c.copy_out("COPY (SELECT id, name FROM copied WHERE id < 2 ORDER BY id) TO STDOUT").await?.try_collect().await?;
    println!("COPY TO: {:?}", String::from_utf8(out.concat())?);
    Ok(())
}

async fn packed(c: &Client) -> Res<()> {
    for r in c.query("SELECT host, count(*), sum(n), array_agg(n ORDER BY n) FROM packed WHERE n < $1 GROUP BY host ORDER BY host", &[&9i64]).await? {
        println!("group: {:?}", (r.get::<_, &str>(0), r.get::<_, i64>(1), r.get::<_, Decimal>(2), r.get::<_, Vec<i64>>(3)));
    }
    let cancel = c.cancel_token();
    let stop = async move {
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
        cancel.cancel_query(NoTls).await.unwrap();
    };
    let (e, ()) = tokio::join!(c.batch_execute("SELECT pg_sleep(600)"), stop);
    println!("cancelled: {}", failure(&e.unwrap_err()));
    println!("after it: {}", c.query_one("SELECT 1", &[]).await?.get::<_, i32>(0));
    Ok(())
}

pub async fn all() -> Res<()> {
    let mut c = connect().await?;
    all_values(&c).await?;
    statements(&c).await?;
    transactions(&mut c).await?;
    copies(&c).await?;
    packed(&c).await
}
