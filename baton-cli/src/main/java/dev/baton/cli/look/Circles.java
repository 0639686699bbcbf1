package dev.baton.cli.look;

import dev.baton.Admin;
import dev.baton.WaitForGraph;
import dev.baton.cli.console.CliException;
import dev.baton.cli.console.ExitCode;
import dev.baton.cli.console.Printable;
import dev.baton.cli.console.Terminal;
import dev.baton.cli.console.Who;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Prints the threads that wait for each other. */
final class Circles {
    private final Terminal out;
    private final Terminal err;

    Circles(Terminal out, Terminal err) {
        this.out = out;
        this.err = err;
    }

    int print(Admin admin, boolean json) {
        WaitForGraph graph = look(admin);
        if (json) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put(
                    "deadlocks",
                    graph.deadlocks().stream()
                            .map(circle -> circle.stream().map(Circles::json).toList())
                            .toList());
            object.put("whole", graph.isWhole());
            out.json(object);
            return ExitCode.OK;
        }
        for (List<WaitForGraph.Wait> circle : graph.deadlocks()) {
            out.out().println("Deadlock of " + circle.size() + (circle.size() == 1 ? " thread:" : " threads:"));
            circle.forEach(wait -> out.out().println("  " + line(wait)));
        }
        if (graph.deadlocks().isEmpty()) {
            err.out().println("baton: no threads wait for each other in a circle");
        }
        if (!graph.isWhole()) {
            err.out().println("baton: there are more names than one look reads: others may be in a circle");
        }
        return ExitCode.OK;
    }

    private static WaitForGraph look(Admin admin) {
        try {
            return admin.waitsFor();
        } catch (UnsupportedOperationException noQueue) {
            throw new CliException(ExitCode.STORE, String.valueOf(noQueue.getMessage()), noQueue);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CliException(ExitCode.INTERRUPTED, "interrupted between the two looks", e);
        }
    }

    private static String line(WaitForGraph.Wait wait) {
        return Who.of(wait.waiter()).line() + " waits for " + wait.kind() + " \"" + Printable.of(wait.name()) + "\", "
                + (wait.isQueued() ? "behind " : "which is held by ")
                + Who.of(wait.holder()).name();
    }

    private static Map<String, Object> json(WaitForGraph.Wait wait) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("waiter", wait.waiter());
        object.put("name", wait.name());
        object.put("kind", wait.kind().toString());
        object.put("holder", wait.holder());
        object.put("queued", wait.isQueued());
        return object;
    }
}
