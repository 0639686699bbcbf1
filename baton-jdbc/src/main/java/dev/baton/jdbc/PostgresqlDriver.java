package dev.baton.jdbc;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Features of PostgreSQL's driver that JDBC does not have: notifications, process numbers, and control over prepared
 * statements. Uses reflection, because the driver is only there if the application uses PostgreSQL, and is no module
 * that another could name.
 */
final class PostgresqlDriver {
    private final Class<?> type;
    private final Object connection;
    private final Method wait;
    private final Method text;

    private PostgresqlDriver(Class<?> type, Object connection, Method wait, Method text) {
        this.type = type;
        this.connection = connection;
        this.wait = wait;
        this.text = text;
    }

    /**
     * Returns the driver's own connection, unwrapped from everything that pools have put around it.
     *
     * @throws SQLException if the connection is of another driver
     */
    static PostgresqlDriver of(Connection wrapped) throws SQLException {
        try {
            ClassLoader loader = wrapped.unwrap(Connection.class).getClass().getClassLoader();
            Class<?> type = Class.forName("org.postgresql.PGConnection", true, loader);
            Class<?> note = Class.forName("org.postgresql.PGNotification", true, loader);
            return new PostgresqlDriver(
                    type,
                    wrapped.unwrap(type),
                    type.getMethod("getNotifications", int.class),
                    note.getMethod("getParameter"));
        } catch (ReflectiveOperationException e) {
            throw new SQLException("the driver is not org.postgresql:postgresql", e);
        }
    }

    /** Returns the process number that the driver received when it connected. */
    int process() throws SQLException {
        return (int) Objects.requireNonNull(plain("getBackendPID"));
    }

    /** Makes the driver prepare no statements on the server from now on. */
    void prepareNothing() throws SQLException {
        plain("setPrepareThreshold", 0);
    }

    private @Nullable Object plain(String name, Integer... numbers) throws SQLException {
        try {
            Class<?>[] types = Stream.of(numbers).map(each -> int.class).toArray(Class<?>[]::new);
            return call(type.getMethod(name, types), connection, (Object[]) numbers);
        } catch (NoSuchMethodException e) {
            throw new SQLException("the driver is not org.postgresql:postgresql", e);
        }
    }

    /** Waits for notifications, and returns their payloads; returns none after the time is over. */
    List<String> notes(int millis) throws SQLException {
        @Nullable Object array = call(wait, connection, millis);
        List<String> notes = new ArrayList<>();
        for (int i = 0; array != null && i < Array.getLength(array); i++) {
            notes.add(String.valueOf(call(text, Array.get(array, i))));
        }
        return notes;
    }

    private static @Nullable Object call(Method method, Object target, Object... arguments) throws SQLException {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof SQLException said ? said : new SQLException(e.getCause());
        } catch (IllegalAccessException e) {
            throw new SQLException(e);
        }
    }
}
