package dev.baton.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Baton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.dsl.IntegrationFlow;
import org.springframework.integration.handler.advice.LockRequestHandlerAdvice;
import org.springframework.integration.store.SimpleMessageStore;
import org.springframework.integration.support.MessageBuilder;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;

/** Messages to two contexts, each with a client of its own, on one store. */
@Timeout(60)
@SuppressWarnings("rawtypes") // Spring Integration 6.5 has no parameters, and 7 has
class FlowsTest {
    /** An account without any protection of its own, and a place for groups of messages, which all contexts share. */
    static class Shared {
        private final AtomicInteger inside = new AtomicInteger();
        private final AtomicInteger overlaps = new AtomicInteger();
        private final Queue<List<Integer>> groups = new ConcurrentLinkedQueue<>();
        private final SlowMessageStore messages = new SlowMessageStore();
        private volatile int balance;

        void deposit(int amount) {
            overlaps.addAndGet(inside.getAndIncrement());
            int before = balance;
            Thread.yield();
            balance = before + amount;
            inside.getAndDecrement();
        }

        SlowMessageStore messages() {
            return messages;
        }

        void complete(Collection<?> group) {
            groups.add(group.stream().map(Integer.class::cast).sorted().toList());
        }
    }

    /** A store over a network takes its time between the writes of one node and those of another. */
    static final class SlowMessageStore extends SimpleMessageStore {
        @Override
        public void addMessagesToGroup(Object groupId, Message<?>... messages) {
            super.addMessagesToGroup(groupId, messages);
            try {
                Thread.sleep(1);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableIntegration
    static class Application {
        @Bean
        LockRegistry lockRegistry(Baton baton) {
            return new BatonLockRegistry(baton).withPrefix("application:");
        }

        @Bean
        LockRequestHandlerAdvice oneAtATime(LockRegistry registry) {
            return new LockRequestHandlerAdvice(registry, "account");
        }

        @Bean
        IntegrationFlow depositing(Shared shared, LockRequestHandlerAdvice oneAtATime) {
            return IntegrationFlow.from("deposits")
                    .handle(
                            Integer.class,
                            (amount, headers) -> {
                                shared.deposit(amount);
                                return null;
                            },
                            endpoint -> endpoint.advice(oneAtATime))
                    .get();
        }

        @Bean
        IntegrationFlow ordering(Shared shared, LockRegistry registry) {
            return IntegrationFlow.from("parts")
                    .aggregate(aggregator -> aggregator
                            .lockRegistry(registry)
                            .messageStore(shared.messages())
                            .correlationStrategy(part -> part.getHeaders().get("order"))
                            .releaseStrategy(group -> group.size() == 4)
                            .expireGroupsUponCompletion(true))
                    .handle(Collection.class, (parts, headers) -> {
                        shared.complete(parts);
                        return null;
                    })
                    .get();
        }
    }

    private static AnnotationConfigApplicationContext context(Nodes nodes, Shared shared) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.registerBean(Baton.class, () -> nodes.client());
        context.registerBean(Shared.class, () -> shared);
        context.register(Application.class);
        context.refresh();
        return context;
    }

    /** Sends on four threads, two for each context. */
    private static void send(Nodes nodes, Shared shared, String channel, int perThread, Sender sender) throws Exception {
        try (AnnotationConfigApplicationContext one = context(nodes, shared);
                AnnotationConfigApplicationContext other = context(nodes, shared)) {
            List<FutureTask<Boolean>> threads = new ArrayList<>();
            for (int number = 0; number < 4; number++) {
                int thread = number;
                MessageChannel to = (thread % 2 == 0 ? one : other).getBean(channel, MessageChannel.class);
                threads.add(Nodes.start(() -> {
                    IntStream.range(0, perThread).forEach(each -> to.send(sender.message(thread, each)));
                    return true;
                }));
            }
            for (FutureTask<Boolean> thread : threads) {
                Nodes.await(thread);
            }
        }
    }

    private interface Sender {
        Message<?> message(int thread, int number);
    }

    @ParameterizedTest
    @EnumSource
    void handlerWithAdvice_handlesOneMessageAtATime(Nodes.Kind store) throws Exception {
        Shared shared = new Shared();
        try (Nodes nodes = store.nodes()) {
            send(nodes, shared, "deposits", 25, (thread, number) -> MessageBuilder.withPayload(1)
                    .build());
        }
        assertThat(shared.overlaps).hasValue(0);
        assertThat(shared.balance).isEqualTo(100);
    }

    /** Each thread has one part of each group: without exclusion, two nodes see the fourth part, or none does. */
    @ParameterizedTest
    @EnumSource
    void aggregator_releasesEachGroup_once(Nodes.Kind store) throws Exception {
        Shared shared = new Shared();
        try (Nodes nodes = store.nodes()) {
            send(nodes, shared, "parts", 25, (thread, order) -> MessageBuilder.withPayload(thread)
                    .setHeader("order", "order-" + order)
                    .build());
        }
        assertThat(shared.groups).hasSize(25).allMatch(List.of(0, 1, 2, 3)::equals);
    }

    @ParameterizedTest
    @EnumSource
    void lockThatAnotherNodeHas_isRefusedInTime(Nodes.Kind store) throws Exception {
        Shared shared = new Shared();
        try (Nodes nodes = store.nodes();
                AnnotationConfigApplicationContext context = context(nodes, shared)) {
            LockRequestHandlerAdvice advice = context.getBean(LockRequestHandlerAdvice.class);
            advice.setWaitLockDuration(Duration.ofMillis(100));
            MessageChannel deposits = context.getBean("deposits", MessageChannel.class);
            Consumer<Integer> deposit =
                    amount -> deposits.send(MessageBuilder.withPayload(amount).build());
            try (AutoCloseable held = nodes.client().lock("application:account").acquire()) {
                assertThat(held).isNotNull();
                assertThatThrownBy(() -> deposit.accept(1))
                        .hasRootCauseInstanceOf(TimeoutException.class);
            }
            advice.setWaitLockDuration(Nodes.LONG);
            deposit.accept(2);
            assertThat(shared.balance).isEqualTo(2);
        }
    }
}
