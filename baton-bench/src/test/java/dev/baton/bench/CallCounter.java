package dev.baton.bench;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.Method;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.EventRequestManager;
import com.sun.jdi.request.MethodEntryRequest;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts the calls of Baton's own methods, of all threads, while {@link CountedProgram} does an operation. The JVM that runs
 * the program reports each method that it enters; so the figures are exact, and the times mean nothing.
 */
final class CallCounter {
    private static final String MARKS = "dev.baton.bench.CountedProgram";

    private final VirtualMachine machine;
    private final EventRequestManager requests;
    private final MethodEntryRequest calls;
    private final List<Map<String, Integer>> counted = new ArrayList<>();

    /** The calls between the present marks, by the name of the class. */
    private Map<String, Integer> present = new TreeMap<>();

    private CallCounter(VirtualMachine machine) {
        this.machine = machine;
        this.requests = machine.eventRequestManager();
        this.calls = requests.createMethodEntryRequest();
        calls.addClassFilter("dev.baton.*");
        calls.addClassExclusionFilter("dev.baton.bench.*");
        calls.setSuspendPolicy(EventRequest.SUSPEND_NONE);
    }

    /** The calls of one operation: the least of several times, by the name of the class. */
    record Calls(Map<String, Integer> byClass) {
        int all() {
            return byClass.values().stream().mapToInt(Integer::intValue).sum();
        }

        int of(String type) {
            return byClass.getOrDefault(type, 0);
        }
    }

    /** Runs the program on a store. */
    static Map<CountedProgram.Operation, Calls> count(String uri) throws Exception {
        VirtualMachine machine = launch(uri);
        try {
            CallCounter counter = new CallCounter(machine);
            counter.listen();
            return counter.least();
        } finally {
            machine.process().destroyForcibly();
        }
    }

    private static VirtualMachine launch(String uri) throws Exception {
        LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        arguments.get("main").setValue(MARKS + ' ' + uri);
        arguments.get("options").setValue("-cp \"" + System.getProperty("java.class.path") + '"');
        VirtualMachine machine = connector.launch(arguments);
        drain(machine.process().getInputStream());
        drain(machine.process().getErrorStream());
        return machine;
    }

    /** A full pipe would stop the program. */
    private static void drain(java.io.InputStream output) {
        Thread thread = new Thread(() -> {
            try (output) {
                output.transferTo(System.out);
            } catch (java.io.IOException over) {
                // The program has ended.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private void listen() throws InterruptedException {
        ClassPrepareRequest loaded = requests.createClassPrepareRequest();
        loaded.addClassFilter(MARKS);
        loaded.enable();
        machine.resume();
        try {
            while (true) {
                EventSet events = machine.eventQueue().remove();
                for (Event event : events) {
                    if (event instanceof VMDisconnectEvent) {
                        return;
                    }
                    take(event);
                }
                events.resume();
            }
        } catch (VMDisconnectedException over) {
            // The program has ended.
        }
    }

    private void take(Event event) {
        if (event instanceof ClassPrepareEvent) {
            MethodEntryRequest marks = requests.createMethodEntryRequest();
            marks.addClassFilter(MARKS);
            marks.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
            marks.enable();
        } else if (event instanceof MethodEntryEvent entry) {
            Method method = entry.method();
            if (!method.declaringType().name().equals(MARKS)) {
                present.merge(method.declaringType().name(), 1, Integer::sum);
            } else if (method.name().equals("begin")) {
                present = new TreeMap<>();
                calls.enable();
            } else if (method.name().equals("end")) {
                calls.disable();
                counted.add(present);
            }
        }
    }

    private Map<CountedProgram.Operation, Calls> least() {
        Map<CountedProgram.Operation, Calls> least = new EnumMap<>(CountedProgram.Operation.class);
        for (int i = 0; i < counted.size(); i++) {
            CountedProgram.Operation operation = CountedProgram.Operation.values()[i / CountedProgram.TIMES];
            least.merge(operation, new Calls(counted.get(i)), (one, two) -> one.all() <= two.all() ? one : two);
        }
        if (counted.size() != CountedProgram.TIMES * CountedProgram.Operation.values().length) {
            throw new IllegalStateException("the program ended after " + counted.size() + " operations");
        }
        return least;
    }
}
