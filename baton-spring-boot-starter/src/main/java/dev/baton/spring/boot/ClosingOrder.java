package dev.baton.spring.boot;

import dev.baton.Baton;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.util.ClassUtils;

/**
 * Lets executors and schedulers close before the clients. Their tasks use a client without a dependency that Spring could see,
 * and a client that closed first would take the leases of tasks that still run. The dependencies are registered only when the
 * context closes: they order the end, and must not order, or forbid, anything before it.
 */
final class ClosingOrder implements ApplicationListener<ContextClosedEvent> {
    private static final List<String> WORKERS = List.of(Executor.class.getName(), "org.quartz.Scheduler");

    private final ConfigurableApplicationContext context;
    private volatile @Nullable Executor ofTheClient;

    ClosingOrder(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /** Tells of an executor that the client needs until its own end. */
    void closesAfterTheClient(@Nullable Executor executor) {
        ofTheClient = executor;
    }

    /** The order has to be there when the event has been published. */
    @Override
    public boolean supportsAsyncExecution() {
        return false;
    }

    @Override
    public void onApplicationEvent(ContextClosedEvent event) {
        if (event.getApplicationContext() != context) {
            return; // a child's end, of which its parent hears
        }
        ConfigurableListableBeanFactory beans = context.getBeanFactory();
        for (String client : beans.getBeanNamesForType(Baton.class, false, false)) {
            Set<String> needed = neededBy(beans, client);
            for (String worker : WORKERS) {
                closeBefore(beans, client, worker, needed);
            }
        }
    }

    private void closeBefore(
            ConfigurableListableBeanFactory beans, String client, String worker, Set<String> neededByClient) {
        if (!ClassUtils.isPresent(worker, context.getClassLoader())) {
            return;
        }
        Class<?> type = ClassUtils.resolveClassName(worker, context.getClassLoader());
        String[] names = beans.getBeanNamesForType(type, false, false);
        // As Spring does: the newest is closed first.
        for (int i = names.length - 1; i >= 0; i--) {
            Object bean = beans.getSingleton(names[i]);
            if (bean != null && bean != ofTheClient && !neededByClient.contains(names[i])) {
                beans.registerDependentBean(client, names[i]);
            }
        }
    }

    private static Set<String> neededBy(ConfigurableListableBeanFactory beans, String client) {
        Set<String> needed = new HashSet<>();
        Deque<String> left = new ArrayDeque<>(List.of(client));
        // The client looks these up, of which Spring registers nothing.
        for (Class<?> type : List.of(DataSource.class, BatonConnectionDetails.class, BatonOptionsCustomizer.class)) {
            left.addAll(List.of(beans.getBeanNamesForType(type, false, false)));
        }
        while (!left.isEmpty()) {
            for (String dependency : beans.getDependenciesForBean(left.pop())) {
                if (needed.add(dependency)) {
                    left.push(dependency);
                }
            }
        }
        return needed;
    }
}
