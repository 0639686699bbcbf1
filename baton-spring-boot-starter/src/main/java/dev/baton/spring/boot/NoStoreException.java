package dev.baton.spring.boot;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** The application says no store, and has none that locks could be kept in. */
final class NoStoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NoStoreException() {
        super("baton.uri is not set, and no store of the application can be used for locks");
    }

    /** Says what to do. */
    static final class Analyzer extends AbstractFailureAnalyzer<NoStoreException> {
        @Override
        protected FailureAnalysis analyze(Throwable rootFailure, NoStoreException cause) {
            return new FailureAnalysis(
                    "Baton has no store for its locks: baton.uri is not set, there are no spring.data.redis.* properties with"
                            + " baton-redis on the class path, no single DataSource with baton-jdbc on the class path, and"
                            + " no single CuratorFramework with baton-zookeeper on the class path.",
                    "Set baton.uri, as in redis://localhost:6379 or jdbc:postgresql://localhost/shop?user=app, and add the"
                            + " module of that store (baton-redis, baton-jdbc, …). memory:// is for tests: it reaches one"
                            + " process only.",
                    cause);
        }
    }
}
