package dev.baton.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The starter works without each library that it can do without: in another JVM, whose class path lacks it. */
class ClassPathTest {
    @ParameterizedTest
    @CsvSource({
        "nothing, nothing-at-all",
        "reactor, reactor-core|reactive-streams|jooq",
        "databases, baton-jdbc|spring-jdbc|spring-tx|spring-boot-jdbc|spring-boot-transaction|spring-boot-sql|HikariCP|h2-",
        "fences, baton-jdbc",
        "actuator, spring-boot-actuator|spring-boot-health|spring-boot-micrometer|spring-boot-starter-actuator",
        "meters, baton-micrometer",
        "redis, baton-redis|jedis",
        "curator, curator",
        "zookeeper, baton-zookeeper",
        "'all of them', 'reactor-core|reactive-streams|jooq|baton-jdbc|spring-jdbc|spring-tx|spring-boot-jdbc|spring-boot-transaction"
                + "|spring-boot-sql|HikariCP|h2-|spring-boot-actuator|spring-boot-health|baton-micrometer|micrometer-core|micrometer-jakarta9|spring-boot-micrometer|baton-redis|jedis|baton-zookeeper|curator|zookeeper'"
    })
    void application_startsAndLocks_without(String what, String jars) throws Exception {
        assertThat(said(jars, Application.class)).as("without %s", what).contains("worked under the lock");
    }

    /** Runs an application without some jars, and returns its output. */
    private static String said(String jars, Class<?> application) throws Exception {
        Pattern absent = Pattern.compile(".*/(" + jars + ")[^/]*\\.jar");
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(each -> !absent.matcher(each).matches() && !isModule(each, jars))
                .collect(Collectors.joining(File.pathSeparator));
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath,
                        application.getName())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return said;
    }

    /** A fence that cannot be raised must not be left out silently. */
    @Test
    void fence_withoutTheModuleForIt_keepsTheApplicationFromStarting() throws Exception {
        assertThat(said("baton-jdbc", Fenced.class)).contains("needs baton-jdbc and spring-jdbc on the class path");
    }

    /** In a build of all modules, ours are directories. */
    private static boolean isModule(String entry, String jars) {
        return Pattern.compile(".*/(" + jars + ")/target/classes").matcher(entry).matches();
    }

    /** An application with one locked method. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        @Bean
        Worker worker(Baton baton) {
            return new Worker(baton);
        }

        public static void main(String[] arguments) {
            try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                    .web(WebApplicationType.NONE)
                    .properties("baton.uri=memory://bare", "spring.main.banner-mode=off")
                    .run(arguments)) {
                context.getBean(Worker.class).work();
            }
        }
    }

    /** An application whose method asks for a fence. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Fenced {
        @Bean
        FencedWorker worker() {
            return new FencedWorker();
        }

        public static void main(String[] arguments) {
            new SpringApplicationBuilder(Fenced.class)
                    .web(WebApplicationType.NONE)
                    .properties("baton.uri=memory://bare", "spring.main.banner-mode=off")
                    .run(arguments)
                    .close();
        }
    }

    static class FencedWorker {
        @Locked(value = "bare", fence = true)
        void work() {}
    }

    static class Worker {
        private final Baton baton;

        Worker(Baton baton) {
            this.baton = baton;
        }

        @Locked("bare")
        void work() {
            if (baton.lock("bare").isLocked()) {
                System.out.println("worked under the lock");
            }
        }
    }
}
