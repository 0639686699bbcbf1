package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Holds for any interleaving of callers, including late ones: each gets its own answer, no caller waits forever,
 * nothing is sent twice, and a command that is reported as never sent was not sent. The twins show that the checker
 * finds the defects that it is there for.
 */
public class PipelineLincheckTest {
    private static final boolean NIGHTLY = Boolean.getBoolean("baton.nightly");
    private static final int INVOCATIONS = NIGHTLY ? 10_000 : 300;

    /** Twins are caught earlier; how much earlier is chance. */
    private static final int FOR_TWINS = 5_000;

    private static final int FOR_RARE_TWINS = 100_000;
    private static final long LONG = 1_000;

    private static Supplier<PipelineUsers> maker;

    /** The actions of callers, each on a thread of its own. */
    public static class Callers {
        private final PipelineUsers users = maker.get();

        @Operation
        public void ask() {
            users.ask(1, LONG);
        }

        @Operation
        public void askMany() {
            users.ask(2, LONG);
        }

        @Operation
        public void askVirtually() {
            users.askVirtually(1, LONG);
        }

        /** Has no time: it gives up while others may be sending its command. */
        @Operation
        public void askLate() {
            users.ask(1, 0);
        }

        @Operation
        public void askManyLate() {
            users.ask(2, 0);
        }

        @Operation
        public void askSoon() {
            users.ask(1, 1);
        }

        @Operation
        public void tick() {
            users.tick();
        }

        @Operation
        public void cut() {
            users.cut();
        }

        @Operation
        public void close() {
            users.close();
        }

        @Validate
        public void check() {
            users.check();
        }
    }

    /** The view of a single thread: nothing. The checks for forbidden results run on the way. */
    public static class Nothing {
        public void ask() {}

        public void askMany() {}

        public void askVirtually() {}

        public void askLate() {}

        public void askManyLate() {}

        public void askSoon() {}

        public void tick() {}

        public void cut() {}

        public void close() {}
    }

    private static void check(PipelineVariant variant, String scenario, int invocations) {
        maker = variant.users();
        new ModelCheckingOptions()
                .iterations(0)
                .addCustomScenario(scenario(scenario))
                .invocationsPerIteration(invocations)
                .minimizeFailedScenario(false)
                .sequentialSpecification(Nothing.class)
                .addGuarantee(ManagedStrategyGuaranteeKt.forClasses(PipelineLincheckTest::isOfOneThread)
                        .allMethods()
                        .ignore())
                .addGuarantee(ManagedStrategyGuaranteeKt.forClasses(PipelineLincheckTest::isOfTheJdk)
                        .allMethods()
                        .treatAsAtomic())
                .check(Callers.class);
    }

    /** Only the leader uses these, which {@link PipelineModel} checks, or a single thread. */
    private static boolean isOfOneThread(String type) {
        return type.startsWith("dev.baton.redis.Resp")
                || type.startsWith("dev.baton.redis.Deadline")
                || type.equals("java.lang.ThreadLocal")
                || type.startsWith("java.util.ArrayDeque")
                || type.startsWith("java.util.ArrayList");
    }

    private static boolean isOfTheJdk(String type) {
        return type.startsWith("java.util.concurrent.ConcurrentHashMap")
                || type.startsWith("java.util.concurrent.ConcurrentLinkedQueue");
    }

    /** Starts one thread for each word. */
    private static ExecutionScenario scenario(String words) {
        List<List<Actor>> threads = Stream.of(words.split(" "))
                .map(PipelineLincheckTest::actor)
                .map(List::of)
                .toList();
        return new ExecutionScenario(List.of(), threads, List.of(), actor("check"));
    }

    private static Actor actor(String name) {
        try {
            return new Actor(Callers.class.getMethod(name), List.of(), false, false, false, false, false);
        } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** The build tries the first three, and the nightly run tries all of them. */
    static Stream<String> scenarios() {
        Stream<String> all = Stream.of(
                "ask askLate ask",
                "askVirtually ask cut",
                "ask ask close",
                "ask ask ask",
                "ask askSoon ask tick",
                "ask askMany ask",
                "ask askManyLate ask",
                "ask askVirtually askVirtually",
                "askVirtually askLate ask",
                "ask ask cut",
                "ask ask ask close",
                "askVirtually askVirtually close");
        return all.limit(NIGHTLY ? Long.MAX_VALUE : 3);
    }

    /** On a far server callers write beside the leader. */
    @ParameterizedTest
    @MethodSource("scenarios")
    void farPipeline_anyInterleaving_keepsItsPromises(String scenario) {
        check(PipelineVariant.far(), scenario, INVOCATIONS);
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void pipeline_anyInterleaving_keepsItsPromises(String scenario) {
        check(PipelineVariant.shipped(), scenario, INVOCATIONS);
    }

    /** A pipeline that differs from the shipped one in a few words, and the expected damage. */
    private record Twin(
            String name, boolean far, String type, String words, String instead, String scenario, String message) {
        Twin(String name, String type, String words, String instead, String scenario, String message) {
            this(name, false, type, words, instead, scenario, message);
        }

        PipelineVariant variant() {
            return (far ? PipelineVariant.far() : PipelineVariant.shipped()).but(type, words, instead);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** The build tries the first four, which are caught soon; the nightly run tries all of them. */
    static Stream<Twin> twins() {
        Stream<Twin> all = Stream.of(
                new Twin(
                        "writes beside a leader that leaves, and does not look back",
                        true,
                        "Pipeline",
                        "if (!leading.get()) {\n                handOn(null);",
                        "if (false) {\n                handOn(null);",
                        "askVirtually ask",
                        "hung"),
                new Twin(
                        "does not look into the queue", "Pipeline", "heir = out.firstQueued();", "", "ask ask", "hung"),
                new Twin(
                        "sends what was abandoned",
                        "Call",
                        "if (!STATE.compareAndSet(this, QUEUED, SENT)) {",
                        "if (false) {",
                        "ask askLate",
                        "reported as never sent"),
                new Twin(
                        "mixes answers up",
                        "Outbound",
                        "Call call = sent.poll();\n        if",
                        "Call call = sent.poll(); if (sent.peek() != null) { sent.add(call); call = sent.poll(); }\n        if",
                        "ask ask ask",
                        "got"),
                new Twin(
                        "leads in pairs",
                        "Pipeline",
                        "if (!leading.compareAndSet(false, true)) {\n            return false;",
                        "if (leading.getAndSet(true) && false) {\n            return false;",
                        "ask ask",
                        ""),
                new Twin(
                        "leaves without looking back",
                        "Pipeline",
                        "forEach(Call::abandon);\n                passTheLeadOn();",
                        "forEach(Call::abandon);",
                        "ask askManyLate ask",
                        "hung"),
                new Twin(
                        "ends without a word",
                        "Pipeline",
                        "endIfNobodyLeads();\n            return;",
                        "",
                        "askVirtually askVirtually close",
                        "hung"),
                new Twin(
                        "breaks down beside one who writes",
                        true,
                        "Outbound",
                        "sending.lock();",
                        "if (!sending.tryLock()) { sent.clear(); wire = null; return; }",
                        "ask ask cut",
                        "hung"),
                // Threads have to switch at three places, and each place is one of a hundred.
                new Twin(
                        "passes the lead to one who may be gone",
                        "Pipeline",
                        " && !heir.isAbandoned()",
                        "",
                        "ask askLate ask",
                        "hung"));
        return all.limit(NIGHTLY ? Long.MAX_VALUE : 4);
    }

    @ParameterizedTest
    @MethodSource("twins")
    void twin_isCaught(Twin twin) {
        assertThatThrownBy(() -> check(twin.variant(), twin.scenario, NIGHTLY ? FOR_RARE_TWINS : FOR_TWINS))
                .hasMessageContaining(twin.message);
    }
}
