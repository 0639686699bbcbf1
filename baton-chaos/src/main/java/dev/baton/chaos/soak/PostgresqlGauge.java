package dev.baton.chaos.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Measures a PostgreSQL. Its memory is measured if its processes run on this machine.
 *
 * @param uri its address
 */
record PostgresqlGauge(String uri) implements Gauge {
    private static final double KIB = 1_024;
    private static final Pattern ANONYMOUS = Pattern.compile("(?m)^Pss_Anon:\\s+(\\d+) kB");

    @Override
    public Reading read() {
        try (Connection connection = DriverManager.getConnection(uri);
                Statement statement = connection.createStatement()) {
            List<String> tables =
                    words(statement, "SELECT tablename FROM pg_tables WHERE tablename LIKE 'baton%' ORDER BY 1");
            double rows = 0;
            double bytes = 0;
            for (String table : tables) {
                // Without it the tables would grow until the server's own turn, which has nothing to do with leaks.
                statement.execute("VACUUM " + table);
                // Cancelled attempts stay for an hour, in which they may still arrive.
                rows += table.equals("baton_cancelled") ? 0 : number(statement, "SELECT count(*) FROM " + table);
                bytes += number(statement, "SELECT pg_total_relation_size('" + table + "')");
            }
            Map<Quantity, Double> values = new EnumMap<>(Quantity.class);
            values.put(Quantity.ENTRIES, rows);
            values.put(Quantity.TABLES, bytes / KIB);
            values.put(
                    Quantity.CONNECTIONS,
                    number(
                            statement,
                            "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
                                    + " AND pid <> pg_backend_pid()"));
            long own = (long) number(statement, "SELECT pg_backend_pid()");
            double memory = memory(own);
            if (memory > 0) {
                values.put(Quantity.SERVER_MEMORY, memory);
            }
            return new Reading(
                    words(statement, "SELECT pg_postmaster_start_time()").get(0), values);
        } catch (SQLException unreachable) {
            return Reading.NOTHING;
        }
    }

    private static List<String> words(Statement statement, String query) throws SQLException {
        List<String> words = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                words.add(rows.getString(1));
            }
        }
        return words;
    }

    private static double number(Statement statement, String query) throws SQLException {
        return Double.parseDouble(words(statement, query).get(0));
    }

    /** Returns the memory of all processes of the server except that of this session; 0 if they run elsewhere. */
    private static double memory(long own) {
        return ProcessHandle.of(own)
                .flatMap(ProcessHandle::parent)
                .map(server -> Stream.concat(Stream.of(server), server.children())
                        .filter(each -> each.pid() != own)
                        .mapToDouble(PostgresqlGauge::anonymous)
                        .sum())
                .orElse(0.0);
    }

    private static double anonymous(ProcessHandle process) {
        try {
            Matcher line =
                    ANONYMOUS.matcher(Files.readString(Path.of("/proc", Long.toString(process.pid()), "smaps_rollup")));
            return line.find() ? Double.parseDouble(line.group(1)) : 0;
        } catch (IOException gone) {
            return 0;
        }
    }
}
