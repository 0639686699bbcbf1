package dev.baton.house;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.PackageMatcher;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which package may use which. */
class ArrowsHouseTest {
    private static final String OURS = "dev.baton..";
    private static final String API = "dev.baton";
    private static final String SPI = "dev.baton.spi";
    private static final String ORDERED = "dev.baton.internal.ordered";
    private static final String ENGINE = "dev.baton.internal.engine";
    private static final String CLIENT = "dev.baton.internal.client";
    private static final String WORK = "dev.baton.internal.work";
    private static final String EXCEPTIONS = "dev.baton.internal";
    private static final String MEMORY = "dev.baton.internal.memory";
    private static final String STORE_HELPERS = "dev.baton.internal.store";
    private static final String SERVERS = "dev.baton.servers..";
    private static final String TCK = "dev.baton.tck..";

    /** From a package to packages or single classes; everything else is forbidden. */
    private record Arrow(String from, List<String> to, String because) {
        @Override
        public String toString() {
            return from + " uses only " + to;
        }
    }

    static Stream<Arrow> arrows() {
        Stream<Arrow> core = Stream.of(
                arrow(
                        "users read it alone: reach the inside through Connector",
                        API,
                        CLIENT + ".Connector",
                        EXCEPTIONS + ".Exceptions"),
                arrow("it makes what users catch, whose constructors are not public", EXCEPTIONS, API),
                arrow("a store's author imports nothing else: give what is needed a type in the SPI", SPI),
                arrow("it is what stores with sessions share: no more than any store has", ORDERED, SPI, STORE_HELPERS),
                arrow("its own stores share it: what a store of others needs belongs to the SPI", STORE_HELPERS, SPI),
                arrow(
                        "it is simulated: clocks, threads and stores reach it as Clock, Driver and answers",
                        ENGINE,
                        API,
                        SPI,
                        EXCEPTIONS),
                arrow("it drives any store: find stores by StoreProvider", CLIENT, API, SPI, ENGINE, WORK, EXCEPTIONS),
                arrow(
                        "jobs and elections use what users have, and Host for the rest",
                        WORK,
                        API,
                        SPI + ".Protocol",
                        EXCEPTIONS),
                arrow("it is a store like others", MEMORY, SPI, STORE_HELPERS));
        Stream<Arrow> apps = Stream.of(
                arrow(
                        "users have no more: if it is not enough, the API lacks something",
                        "dev.baton.cli..",
                        API,
                        "dev.baton.demo"),
                arrow("users have no more: if it is not enough, the API lacks something", "dev.baton.demo", API),
                arrow("it listens as users do", "dev.baton.micrometer", API),
                arrow("it locks as users do", "dev.baton.shedlock", API),
                arrow("it locks as users do", "dev.baton.reactor", API),
                arrow("it locks as users do", "dev.baton.kotlin", API),
                arrow(
                        "it uses what users have: if it is not enough, the API lacks something",
                        "dev.baton.spring..",
                        API,
                        "dev.baton.jdbc.Fence",
                        "dev.baton.micrometer",
                        "dev.baton.spi.StoreProvider"), // which addresses have a store here
                arrow(
                        "it is an application of users, with the starter",
                        "dev.baton.examples.shop",
                        API,
                        "dev.baton.jdbc.Fence",
                        "dev.baton.spring"),
                arrow("users have no more: if it is not enough, the API lacks something", "dev.baton.examples", API),
                arrow(
                        "authors of stores have no more: if it is not enough, the SPI lacks something",
                        "dev.baton.examples.store",
                        SPI),
                arrow(
                        "it measures what users get, on the servers of the tests; the limit is that of the Redis store's own"
                                + " pipeline",
                        "dev.baton.bench..",
                        API,
                        "dev.baton.redis.BarePipeline",
                        SERVERS),
                arrow(
                        "it breaks what users get, and in its zoo what a store answers, on the servers of the tests, and judges by"
                                + " the checkers of the test kit",
                        "dev.baton.chaos..",
                        API,
                        SPI,
                        SERVERS,
                        TCK));
        Arrow servers = arrow("they know no store: only what a deadline is", SERVERS, SPI + ".Deadline");
        Arrow test =
                arrow("it is the memory store with another clock", "dev.baton.test", API, SPI, "dev.baton.internal..");
        Arrow tck = arrow(
                "a store's tests depend on it: stores come in by their fixtures",
                TCK,
                API,
                SPI,
                SERVERS,
                "dev.baton.internal..");
        return Stream.of(core, stores(), apps, Stream.of(servers, test, tck)).flatMap(all -> all);
    }

    private static Stream<Arrow> stores() {
        return Compiled.stores().stream()
                .map(store -> store.provider().getClass().getPackageName())
                .filter(name -> !name.equals(MEMORY))
                .distinct()
                .map(name -> arrow(
                        "a store answers and the engine decides: what two stores share belongs to the SPI",
                        name + "..",
                        SPI,
                        ORDERED,
                        STORE_HELPERS,
                        // A fence is raised for a lease.
                        API + ".Lease",
                        API + ".StaleTokenException"));
    }

    /** Every package may use itself. */
    private static Arrow arrow(String because, String from, String... to) {
        return new Arrow(from, Stream.concat(Stream.of(from), Arrays.stream(to)).toList(), because);
    }

    @ParameterizedTest
    @MethodSource("arrows")
    void package_usesOnly_whatItsArrowPointsTo(Arrow arrow) {
        DescribedPredicate<JavaClass> allowed = resideInAnyPackage(arrow.to().toArray(String[]::new))
                .or(DescribedPredicate.describe("is named", type -> arrow.to().contains(Compiled.topLevelName(type))));
        noClasses()
                .that(resideInAPackage(arrow.from()))
                .should()
                .dependOnClassesThat(resideInAPackage(OURS).and(not(allowed)).as("are beyond its arrow"))
                .as(arrow.toString())
                .because(arrow.because())
                .check(Compiled.main());
    }

    @Test
    void everyPackage_hasOneArrow() {
        Set<String> without = Compiled.main().stream()
                .map(JavaClass::getPackageName)
                .filter(name ->
                        arrows().filter(arrow -> PackageMatcher.of(arrow.from()).matches(name))
                                        .count()
                                != 1)
                .collect(Collectors.toSet());
        assertThat(without)
                .as("packages without an arrow, or with two: say in ArrowsHouseTest.arrows() whom they may use")
                .isEmpty();
    }

    @Test
    void engine_startsNoThreads_andDoesNoInputOrOutput() {
        noClasses()
                .that(resideInAPackage(ENGINE))
                .should()
                .dependOnClassesThat(resideInAnyPackage("java.net..", "java.nio..", "java.io..", "java.sql.."))
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Executor.class)
                .orShould()
                .callMethod(Thread.class, "start")
                .because("the simulator must see every step: put a Command into the Outbox and let the Driver do it")
                .check(Compiled.main());
    }
}
