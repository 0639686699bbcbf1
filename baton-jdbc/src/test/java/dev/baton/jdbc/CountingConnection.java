package dev.baton.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Records every statement that connections execute, and fails those that a test wants to fail. */
final class CountingConnection {
    private final List<String> executed = new CopyOnWriteArrayList<>();
    private volatile Predicate<String> failing = sql -> false;
    private volatile Predicate<String> swallowed = sql -> false;
    private volatile Consumer<String> before = sql -> {};
    private volatile UnaryOperator<String> rewriting = UnaryOperator.identity();
    private volatile int failureCode;

    /** Returns every statement since the last {@link #clear}. */
    List<String> executed() {
        return executed;
    }

    void clear() {
        executed.clear();
    }

    /** Makes statements fail with an error code before they are executed. */
    void fail(Predicate<String> which, int code) {
        failing = which;
        failureCode = code;
    }

    /** Makes statements do nothing. */
    void swallow(Predicate<String> which) {
        swallowed = which;
    }

    /** Prepares other statements than the requested ones. */
    void rewrite(UnaryOperator<String> how) {
        rewriting = how;
    }

    /** Runs an action before each statement. */
    void before(Consumer<String> action) {
        before = action;
    }

    Connection around(Connection connection) {
        return proxy(Connection.class, (self, method, arguments) -> {
            if (method.getName().equals("setAutoCommit")) {
                execute((Boolean) arguments[0] ? "COMMIT" : "BEGIN");
            }
            if (method.getName().equals("prepareStatement")) {
                arguments[0] = rewriting.apply((String) arguments[0]);
            }
            Object result = call(connection, method, arguments);
            if (result instanceof PreparedStatement statement) {
                String sql = (String) arguments[0];
                return proxy(PreparedStatement.class, watched(statement, sql));
            }
            return result instanceof Statement statement ? proxy(Statement.class, watched(statement, null)) : result;
        });
    }

    private InvocationHandler watched(Statement statement, @Nullable String prepared) {
        return (self, method, arguments) -> {
            if (method.getName().startsWith("execute")) {
                String sql = prepared != null ? prepared : (String) arguments[0];
                execute(sql);
                if (swallowed.test(sql)) {
                    return false;
                }
            }
            return call(statement, method, arguments);
        };
    }

    private void execute(String sql) throws SQLException {
        executed.add(sql);
        before.accept(sql);
        if (failing.test(sql)) {
            throw new SQLException("made to fail", "", failureCode);
        }
    }

    private static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
