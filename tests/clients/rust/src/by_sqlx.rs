use crate::Res;
use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use futures_util::{future::join_all, TryStreamExt};
use rust_decimal::Decimal;
use serde_json::Value;
use sqlx::error::DatabaseError;
use sqlx::postgres::{types::PgInterval, PgConnectOptions, PgConnection, PgDatabaseError, PgPoolOptions, Postgres};
use sqlx::{AssertSqlSafe, Column, Connection, Decode, Encode, Executor, Row, SqlSafeStr, Type, TypeInfo};
use std::fmt::Debug;
use uuid::Uuid;

#[derive(Debug, Clone, sqlx::Type)]
#[sqlx(type_name = "mood", rename_all = "lowercase")]
enum Mood {
    Sad,
    Ok,
    Happy,
}


fn failure(e: &sqlx::Error) -> String {
    match e.as_database_error().and_then(|d| d.try_downcast_ref::<PgDatabaseError>()) {
        Some(d) => format!("{} at {:?}, table {:?}, constraint {:?}, {:?}", d.code(), d.position(), d.table(), d.constraint(), d.kind()),
        None => e.to_string(),
    }
}

pub async fn logs_in() -> String {
    match PgConnection::connect_with(&PgConnectOptions::new()).await {
        Ok(mut c) => sqlx::query_scalar("SELECT 'logged in'").fetch_one(&mut c).await.unwrap(),
        Err(e) => failure(&e),
    }
}

// A column of table v in binary, and each value as a parameter.
async fn values<T>(c: &mut PgConnection, x: &str) -> Res<()>
where
    T: for<'a> Decode<'a, Postgres> + for<'a> Encode<'a, Postgres> + Type<Postgres> + Send + Sync + Unpin + Debug + Clone + 'static,
{
    let found: Vec<Option<T>> = sqlx::query_scalar(AssertSqlSafe(format!("SELECT {x} FROM v ORDER BY id"))).fetch_all(&mut *c).await?;
    println!("sqlx {x}: {found:?}");
    for value in &found {
        let n: i64 = sqlx::query_scalar(AssertSqlSafe(format!("SELECT count(*) FROM v WHERE {x} = $1"))).bind(value.clone()).fetch_one(&mut *c).await?;
        if (n == 0) != value.is_none() {
            println!("sqlx {x}: {value:?} is found {n} times");
        }
    }
    Ok(())
}

async fn all_values(c: &mut PgConnection) -> Res<()> {
    values::<i16>(c, "i2").await?;
    values::<i32>(c, "i4").await?;
    values::<i64>(c, "i8").await?;
    values::<f32>(c, "f4").await?;
    values::<f64>(c, "f8").await?;
    values::<Decimal>(c, "n").await?;
    values::<bool>(c, "b").await?;
    for x in ["t", "vc", "c"] {
        values::<String>(c, x).await?;
    }
    values::<Vec<u8>>(c, "y").await?;
    values::<NaiveDate>(c, "d").await?;
    values::<NaiveTime>(c, "tm").await?;
    values::<NaiveDateTime>(c, "ts").await?;
    values::<DateTime<Utc>>(c, "tz").await?;
    values::<PgInterval>(c, "iv").await?;
    values::<Uuid>(c, "u").await?;
    values::<Value>(c, "jb").await?;
    values::<Mood>(c, "m").await?;
    values::<Vec<Option<i16>>>(c, "i2s").await?;
    values::<Vec<Option<Decimal>>>(c, "ns[1:2]").await?;
    values::<Vec<Option<String>>>(c, "txs").await?;
    values::<Vec<DateTime<Utc>>>(c, "tzs").await?;
    values::<Vec<Uuid>>(c, "us").await?;
    values::<Vec<Option<Mood>>>(c, "ms").await
}

// What the macro query! asks of a server when it is compiled.
async fn described(c: &mut PgConnection) -> Res<()> {
    for sql in ["SELECT id, n2 AS n, id + 1 AS more, m, ms FROM v WHERE t = $1 AND i8 > $2 AND m = $3", "SELECT host, sum(n) FROM packed GROUP BY host", "INSERT INTO p VALUES ($1, $2) RETURNING id, n", "DELETE FROM p WHERE id = $1"] {
        let d = c.describe(sql.into_sql_str()).await?;
        println!("described: {sql}: {:?}", d.parameters().map(|p| p.map_right(|n| n.to_string()).map_left(|l| l.iter().map(|t| t.name().to_string()).collect::<Vec<_>>())));
        for (i, f) in d.columns().iter().enumerate() {
            println!("   {}: {}, origin {:?}, nullable {:?}", f.name(), f.type_info(), f.origin(), d.nullable(i));
        }
    }
    Ok(())
}

async fn statements(c: &mut PgConnection) -> Res<()> {
    for sql in ["SELECT nosuch FROM v", "SELEC 1", "INSERT INTO p VALUES (1, 1)", "INSERT INTO p VALUES (2, -1)", "INSERT INTO p (n) VALUES (1)", "SELECT 1 / 0", "LISTEN channel"] {
        println!("sqlx {sql}: {}", c.execute(sql).await.err().map_or("no error".into(), |e| failure(&e)));
    }
    let mut t = c.begin().await?;
    println!("sqlx INSERT: {}", sqlx::query("INSERT INTO p VALUES ($1, $2), (21, 1)").bind(20).bind(1).execute(&mut *t).await?.rows_affected());
    let mut inner = t.begin().await?;
    println!("sqlx in a savepoint: {}", failure(&sqlx::query("INSERT INTO p VALUES (20, 1)").execute(&mut *inner).await.unwrap_err()));
    inner.rollback().await?;
    t.commit().await?;
    let mut t = c.begin().await?;
    sqlx::query("DELETE FROM p").execute(&mut *t).await?;
    t.rollback().await?;
    println!("sqlx COMMIT and ROLLBACK: {:?}", sqlx::query_scalar::<_, i32>("SELECT id FROM p ORDER BY id").fetch_all(&mut *c).await?);
    let mut copy = c.copy_in_raw("COPY copied (id, name) FROM STDIN").await?;
    copy.send(&b"7001\tx\n7002\t\\N\n"[..]).await?;
    println!("sqlx COPY: {}", copy.finish().await?);
    let out: Vec<_> = c.copy_out_raw("COPY (SELECT id, name FROM copied WHERE id > 7000 ORDER BY id) TO STDOUT").await?.try_collect().await?;
    println!("sqlx COPY TO: {:?}", String::from_utf8(out.concat())?);
    let mut rows = sqlx::query("SELECT host, n FROM packed ORDER BY n").fetch(&mut *c);
    let mut sum = 0i64;
    while let Some(r) = rows.try_next().await? {
        sum += r.get::<i64, _>("n");
    }
    println!("sqlx a stream: {sum}");
    Ok(())
}

async fn pools() -> Res<()> {
    let pool = PgPoolOptions::new().max_connections(4).connect_with(PgConnectOptions::new()).await?;
    let all = join_all((0..20i32).map(|i| sqlx::query_scalar::<_, i32>("SELECT sum(n)::int + $1 FROM packed WHERE host = 'h1'").bind(i).fetch_one(&pool))).await;
    let found: Vec<i32> = all.into_iter().collect::<Result<_, _>>()?;
    println!("sqlx a pool: {}", found[19] - found[0]);
    pool.close().await;
    Ok(())
}

pub async fn all() -> Res<()> {
    let mut c = PgConnection::connect_with(&PgConnectOptions::new()).await?;
    all_values(&mut c).await?;
    described(&mut c).await?;
    statements(&mut c).await?;
    c.close().await?;
    pools().await
}
