package dev.baton.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * MySQL or MariaDB: the command that starts it with data of its own, and the check whether it is up, which needs its
 * driver on the class path.
 */
abstract class MysqlKind implements ServerLife.Kind {
    private static final String DATABASE = "test";

    /** When the server writes a commit to its log. */
    enum Commits {
        /** Within a second: the last ones are lost with the process. */
        LATE(0),
        /** Before it acknowledges them: they are lost with the machine only. */
        BEFORE_ANSWER(2);

        private final int option;

        Commits(int option) {
            this.option = option;
        }
    }

    private final String scheme;
    private final Commits commits;

    /**
     * Describes a server.
     *
     * @param scheme how its addresses begin
     * @param commits when it writes a commit to its log
     */
    MysqlKind(String scheme, Commits commits) {
        this.scheme = scheme;
        this.commits = commits;
    }

    /** Makes a directory of data. */
    abstract void makeData(Path directory, Path data) throws IOException;

    /** Returns the program, with the options that only it has. */
    abstract List<String> program(Path directory, Path data) throws IOException;

    static Path data(Path directory) {
        return directory.resolve("data");
    }

    /** Adds the option that both programs require of the system's administrator. */
    static List<String> asThisUser(List<String> command) {
        List<String> all = new ArrayList<>(command);
        if (System.getProperty("user.name").equals("root")) {
            all.add("--user=root");
        }
        return all;
    }

    @Override
    public final List<String> command(Path directory, int port) throws IOException {
        Path data = data(directory);
        if (!Files.exists(data)) {
            makeData(directory, data);
        }
        List<String> command = asThisUser(program(directory, data));
        command.addAll(List.of(
                "--port=" + port,
                "--bind-address=127.0.0.1",
                "--socket=" + directory.resolve("socket"),
                "--pid-file=" + directory.resolve("pid"),
                "--max-connections=300",
                "--innodb-flush-log-at-trx-commit=" + commits.option));
        return command;
    }

    /** Returns whether this process, with its data, is the one that answers on the port. */
    @Override
    public final boolean answers(long pid, int port) throws IOException {
        try (Connection connection = DriverManager.getConnection(uri(port, ""));
                Statement statement = connection.createStatement()) {
            try (ResultSet row = statement.executeQuery("SELECT @@pid_file")) {
                row.next();
                if (!Files.readString(Path.of(row.getString(1))).strip().equals(Long.toString(pid))) {
                    return false;
                }
            }
            statement.execute("CREATE DATABASE IF NOT EXISTS " + DATABASE);
            return true;
        } catch (SQLException notYet) {
            throw new IOException(notYet);
        }
    }

    @Override
    public final String portTaken() {
        return "Address already in use";
    }

    /** Returns the address of the database, with its user. */
    final String uri(int port) {
        return uri(port, DATABASE);
    }

    private String uri(int port, String database) {
        return scheme + "://127.0.0.1:" + port + "/" + database + "?user=root";
    }
}
