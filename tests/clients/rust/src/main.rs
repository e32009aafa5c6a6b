// tokio-postgres and sqlx against a server that PGHOST, PGPORT, PGUSER, PGDATABASE and so on name.
// They print a line for each answer, which languages_test.py compares. With the argument `one` they
// only log in.
mod by_sqlx;
mod by_tokio;

use std::error::Error;

pub type Res<T> = Result<T, Box<dyn Error + Send + Sync>>;

pub fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
}

#[tokio::main]
async fn main() -> Res<()> {
    if std::env::args().nth(1).as_deref() == Some("one") {
        println!("{}", by_tokio::logs_in().await);
        println!("{}", by_sqlx::logs_in().await);
        return Ok(());
    }
    by_tokio::all().await?;
    by_sqlx::all().await
}
