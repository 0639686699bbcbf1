package dev.baton.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page on concurrency names every class that has a lock, and every class that starts threads. */
class ConcurrencyHouseTest {
    /** The modules that run in users' processes; the others are tests, benchmarks and programs. */
    private static final List<String> LIBRARY =
            List.of("baton-core", "baton-jdbc", "baton-redis", "baton-zookeeper", "baton-etcd", "baton-memcached");

    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*");
    private static final Pattern LOCK =
            Pattern.compile("\\bsynchronized\\b|new (?:ReentrantLock|ReentrantReadWriteLock|StampedLock|Semaphore)\\(");
    private static final Pattern THREAD =
            Pattern.compile("new Thread\\(|\\bExecutors\\.new|new (?:Scheduled)?ThreadPoolExecutor\\(");

    private final String page = Repository.read(Repository.ROOT.resolve("docs/concurrency.md"));

    @Test
    void classWithALock_isOnThePage() {
        assertThat(missing(LOCK))
                .as("classes with a lock that docs/concurrency.md does not name: say what it guards, and what may be"
                        + " called while it is held")
                .isEmpty();
    }

    @Test
    void classThatStartsThreads_isOnThePage() {
        assertThat(missing(THREAD))
                .as("classes that start threads and that docs/concurrency.md does not name: say what the threads do,"
                        + " and whether code of users runs on them")
                .isEmpty();
    }

    private List<String> missing(Pattern what) {
        List<Path> found = LIBRARY.stream()
                .flatMap(module -> Repository.javaFiles(Repository.mainJava(module)).stream())
                .filter(file -> what.matcher(
                                COMMENT.matcher(Repository.read(file)).replaceAll(""))
                        .find())
                .toList();
        assertThat(found).isNotEmpty();
        return found.stream()
                .filter(file -> !isNamed(file))
                .map(Repository::name)
                .toList();
    }

    private boolean isNamed(Path file) {
        String type = file.getFileName().toString().replace(".java", "");
        return Pattern.compile("`" + type + "\\b").matcher(page).find();
    }
}
