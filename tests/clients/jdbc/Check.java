/* pgjdbc against a server: Check PORT DATABASE [metadata]. It prints a line for each answer, which jdbc_test.py compares. */
import java.sql.*;
import java.util.*;

public class Check {
    static void rows(String what, ResultSet r, String... columns) throws SQLException {
        List<String> found = new ArrayList<>();
        while (r.next()) {
            List<String> row = new ArrayList<>();
            for (String c : columns)
                row.add(r.getString(c));
            found.add(String.join("|", row.stream().map(String::valueOf).toList()));
        }
        r.close();
        System.out.println(what + ": " + String.join("; ", found));
    }

    static void metadata(Connection c) throws SQLException {
        DatabaseMetaData m = c.getMetaData();
        System.out.println("product: " + m.getDatabaseProductName() + " " + m.getDatabaseMajorVersion());
        rows("schemas", m.getSchemas(), "TABLE_SCHEM");
        rows("tables", m.getTables(null, "public", "%", new String[] {"TABLE", "VIEW", "MATERIALIZED VIEW", "SEQUENCE"}), "TABLE_NAME", "TABLE_TYPE");
        rows("columns", m.getColumns(null, "public", "k", "%"), "COLUMN_NAME", "TYPE_NAME", "DATA_TYPE", "COLUMN_SIZE", "NULLABLE", "COLUMN_DEF", "IS_AUTOINCREMENT");
        rows("primary key", m.getPrimaryKeys(null, "public", "k"), "COLUMN_NAME", "KEY_SEQ", "PK_NAME");
        rows("imported keys", m.getImportedKeys(null, "public", "k"), "FKCOLUMN_NAME");
        rows("exported keys", m.getExportedKeys(null, "public", "k"), "FKCOLUMN_NAME");
        rows("indexes", m.getIndexInfo(null, "public", "k", false, false), "INDEX_NAME", "NON_UNIQUE", "ORDINAL_POSITION", "COLUMN_NAME");
        rows("row identifier", m.getBestRowIdentifier(null, "public", "k", DatabaseMetaData.bestRowSession, true), "COLUMN_NAME");
        rows("version columns", m.getVersionColumns(null, "public", "k"), "COLUMN_NAME");
        rows("functions", m.getFunctions(null, "public", "%"), "FUNCTION_NAME");
        rows("function columns", m.getFunctionColumns(null, "public", "f", "%"), "COLUMN_NAME", "TYPE_NAME");
        rows("procedures", m.getProcedures(null, "public", "%"), "PROCEDURE_NAME");
        rows("user types", m.getUDTs(null, "public", "%", null), "TYPE_NAME");
        rows("table types", m.getTableTypes(), "TABLE_TYPE");
        rows("catalogs", m.getCatalogs(), "TABLE_CAT");
        rows("column privileges", m.getColumnPrivileges(null, "public", "k", "a"), "COLUMN_NAME");
        rows("table privileges", m.getTablePrivileges(null, "public", "none"), "TABLE_NAME");
        rows("client info", m.getClientInfoProperties(), "NAME");
        ResultSet types = m.getTypeInfo();
        int n = 0;
        while (types.next())
            n++;
        System.out.println("many types: " + (n > 30));
        System.out.println("keywords: " + m.getSQLKeywords().contains("analyze") + ", longest name: " + m.getMaxColumnNameLength());
    }

    static void statements(Connection c) throws SQLException {
        try (PreparedStatement p = c.prepareStatement("INSERT INTO k (a, b, t, n, u) VALUES (?, ?, ?, ?, ?)", Statement.RETURN_GENERATED_KEYS)) {
            for (int i = 1; i <= 250; i++) {
                p.setInt(1, i);
                p.setString(2, i % 10 == 0 ? null : "b" + i);
                p.setTimestamp(3, new Timestamp(1704067200000L + i));
                p.setBigDecimal(4, new java.math.BigDecimal("12.50"));
                p.setObject(5, new UUID(0, i));
                p.addBatch();
            }
            System.out.println("batch: " + Arrays.stream(p.executeBatch()).sum());
            ResultSet keys = p.getGeneratedKeys();
            int n = 0;
            while (keys.next())
                n += keys.getInt("c") > 0 ? 1 : 0;
            System.out.println("generated keys: " + n);
        }
        c.setAutoCommit(false);
        try (PreparedStatement p = c.prepareStatement("SELECT a, b, t, n, u, ARRAY[a, NULL] AS x FROM k WHERE a > ? ORDER BY a")) {
            p.setFetchSize(30);
            for (int turn = 0; turn < 8; turn++) { // after five turns pgjdbc prepares it, and receives in binary
                p.setInt(1, turn);
                ResultSet r = p.executeQuery();
                int n = 0, nulls = 0;
                long sum = 0;
                while (r.next()) {
                    n++;
                    sum += r.getInt(1);
                    nulls += r.getString(2) == null ? 1 : 0;
                    if (r.getTimestamp(3).getTime() != 1704067200000L + r.getInt(1) || !r.getBigDecimal(4).toString().equals("12.50") || !r.getObject(5).equals(new UUID(0, r.getInt(1))) || ((Integer[]) r.getArray(6).getArray())[0] != r.getInt(1))
                        throw new SQLException("wrong values in row " + n + " of turn " + turn);
                }
                System.out.println("turn " + turn + ": " + n + " " + sum + " " + nulls);
            }
        }
        Savepoint s = c.setSavepoint("here");
        try (Statement st = c.createStatement()) {
            st.executeUpdate("UPDATE k SET n = 77");
            st.execute("SELECT nosuch");
        } catch (SQLException e) {
            System.out.println("error: " + e.getSQLState() + " " + e.getMessage().split("\n")[0]);
            c.rollback(s);
        }
        rows("after the savepoint", c.createStatement().executeQuery("SELECT count(*) AS n FROM k WHERE n = 77"), "n");
        c.commit();
        c.setAutoCommit(true);
        ParameterMetaData pm = c.prepareStatement("SELECT ?::int + a FROM k WHERE b = ?").getParameterMetaData();
        System.out.println("parameters: " + pm.getParameterTypeName(1) + " " + pm.getParameterTypeName(2));
        ResultSetMetaData rm = c.prepareStatement("SELECT a, b, n FROM k").getMetaData();
        System.out.println("result: " + rm.getColumnTypeName(1) + " " + rm.getColumnTypeName(3) + " " + rm.getPrecision(3) + " " + rm.getScale(3));
        updatable(c);
        org.postgresql.copy.CopyManager copy = c.unwrap(org.postgresql.PGConnection.class).getCopyAPI();
        try {
            System.out.println("COPY: " + copy.copyIn("COPY k (a, b) FROM STDIN (FORMAT csv)", new java.io.StringReader("1001,p\n1002,q\n")));
        } catch (java.io.IOException e) {
            throw new SQLException(e);
        }
    }

    /* These need the table's OID and the column's number in a result's description. */
    static void updatable(Connection c) throws SQLException {
        try (Statement st = c.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE)) {
            ResultSet r = st.executeQuery("SELECT a, b, c FROM k WHERE a IN (7, 8) ORDER BY a");
            ResultSetMetaData m = r.getMetaData();
            org.postgresql.PGResultSetMetaData p = (org.postgresql.PGResultSetMetaData) m;
            System.out.println("base: " + p.getBaseSchemaName(1) + "." + p.getBaseTableName(1) + "." + p.getBaseColumnName(1) + ", nullable " + m.isNullable(2) + ", serial " + m.isAutoIncrement(3));
            r.next();
            r.updateString("b", "changed");
            r.updateRow();
            r.next();
            r.deleteRow();
            r.moveToInsertRow();
            r.updateInt(1, 900);
            r.updateString(2, "made");
            r.updateInt(3, 900);
            r.insertRow();
        }
        rows("updatable", c.createStatement().executeQuery("SELECT a, b FROM k WHERE a IN (7, 8, 900) ORDER BY a"), "a", "b");
    }

    public static void main(String[] a) throws Exception {
        String url = "jdbc:postgresql://127.0.0.1:" + a[0] + "/" + a[1] + "?user=tester";
        try (Connection c = DriverManager.getConnection(url)) {
            metadata(c);
            if (a.length > 2)
                return;
            statements(c);
        }
        for (String mode : new String[] {"simple", "extended", "extendedForPrepared", "extendedCacheEverything"})
            try (Connection c = DriverManager.getConnection(url + "&preferQueryMode=" + mode + "&reWriteBatchedInserts=true")) {
                PreparedStatement p = c.prepareStatement("SELECT ?::int * 2 AS n");
                p.setInt(1, 21);
                rows(mode, p.executeQuery(), "n");
            }
    }
}
