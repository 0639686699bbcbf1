package dev.baton.redis;

import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A part of a server's configuration, for operators.
 *
 * @param settings by name; none if the server does not show them
 * @param unread why the server does not show them, after the words "their value"; empty if it does
 */
record Configuration(Map<String, String> settings, String unread) {
    static Configuration ask(Pipeline pipeline, String pattern, Deadline deadline) throws StoreFailure {
        Call call = pipeline.ask(
                (out, wire) -> out.command(3).bulk("CONFIG").bulk("GET").bulk(pattern), deadline);
        try {
            Map<String, String> settings = pairs(Answer.list(call, pipeline.target()));
            return new Configuration(settings, settings.isEmpty() ? "is not said by the server" : "");
        } catch (StoreFailure refused) {
            return new Configuration(Map.of(), why(refused));
        }
    }

    private static Map<String, String> pairs(List<?> pairs) {
        Map<String, String> settings = new HashMap<>();
        for (int i = 0; i + 1 < pairs.size(); i += 2) {
            settings.put(RespReader.text(pairs.get(i)), RespReader.text(pairs.get(i + 1)));
        }
        return settings;
    }

    /** Managed services often have no CONFIG at all. */
    private static String why(StoreFailure refused) {
        return switch (refused.reason()) {
            case DENIED -> "is not for this user to read: +config|get";
            case UNFIT -> "is not to be read: the server has no CONFIG";
            default -> "was not read: " + refused.getMessage();
        };
    }

    boolean isRefused() {
        return !unread.isEmpty();
    }
}
