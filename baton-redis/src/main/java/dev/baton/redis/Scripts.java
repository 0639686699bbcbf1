package dev.baton.redis;

import dev.baton.spi.Timings;
import java.util.EnumMap;
import java.util.Map;

/** All scripts. They are called by their hash, or by their text if a server forgot it. */
final class Scripts {
    private final Map<Script.Name, Script> scripts = new EnumMap<>(Script.Name.class);
    private final Map<Script.Name, byte[]> byHash = new EnumMap<>(Script.Name.class);
    private final Map<Script.Name, byte[]> byText = new EnumMap<>(Script.Name.class);

    /**
     * Reads them.
     *
     * @param sharded whether each bucket has a channel of its own, as on a cluster
     */
    Scripts(Timings timings, GraceMode grace, boolean sharded) {
        for (Script.Name name : Script.Name.values()) {
            Script script = Script.of(name, timings, grace, sharded);
            scripts.put(name, script);
            byHash.put(name, start("EVALSHA", script.sha()));
            byText.put(name, start("EVAL", script.text()));
        }
    }

    private static byte[] start(String command, String script) {
        RespWriter out = new RespWriter().bulk(command).bulk(script);
        return java.util.Arrays.copyOf(out.bytes(), out.size());
    }

    Iterable<Script> all() {
        return scripts.values();
    }

    Script get(Script.Name name) {
        return script(name);
    }

    private Script script(Script.Name name) {
        Script script = scripts.get(name);
        if (script == null) {
            throw new IllegalStateException("no script " + name);
        }
        return script;
    }

    /** Begins a call; keys and arguments follow. */
    RespWriter begin(RespWriter out, Script.Name name, boolean whole, int keys, int arguments) {
        byte[] start = (whole ? byText : byHash).get(name);
        if (start == null) {
            throw new IllegalStateException("no script " + name);
        }
        return out.command(3 + keys + arguments).raw(start).bulk(keys);
    }
}
