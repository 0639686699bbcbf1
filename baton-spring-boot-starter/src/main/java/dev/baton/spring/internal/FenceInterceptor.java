package dev.baton.spring.internal;

import dev.baton.jdbc.Fence;
import java.sql.Connection;
import java.sql.SQLException;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Raises the fence of the lock on the connection of the method's transaction. It is the innermost advice, so the transaction
 * has begun, and the method has not.
 */
final class FenceInterceptor implements MethodInterceptor {
    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Inside inside = Inside.innermost();
        if (inside == null) {
            throw new IllegalStateException("no lease to raise a fence for: " + LockNames.text(invocation.getMethod()));
        }
        Connection connection = connection();
        if (connection == null) {
            throw new IllegalStateException("@Locked(fence = true) on " + LockNames.text(invocation.getMethod())
                    + " has no transaction with a JDBC connection to raise the fence in: make the method @Transactional, with"
                    + " the transaction manager of its DataSource");
        }
        try {
            Fence.raise(connection, inside.lease());
        } catch (SQLException failure) {
            throw new UncategorizedSQLException(
                    "Raising the fence of \"" + inside.lease().name() + '"', null, failure);
        }
        return invocation.proceed();
    }

    /** The connection that is in a transaction; others are only used beside it, and commit each statement. */
    private static @Nullable Connection connection() throws SQLException {
        Connection found = null;
        if (TransactionSynchronizationManager.isActualTransactionActive()) {
            for (Object each :
                    TransactionSynchronizationManager.getResourceMap().values()) {
                if (each instanceof ConnectionHolder holder
                        && !holder.getConnection().getAutoCommit()) {
                    if (found != null && found != holder.getConnection()) {
                        throw new IllegalStateException(
                                "two databases take part in this transaction, and nothing says to which"
                                        + " of them the fence belongs: raise it in the method, with Fence.raise");
                    }
                    found = holder.getConnection();
                }
            }
        }
        return found;
    }
}
