package dev.baton.redis;

import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What rights.lua found missing.
 *
 * @param denied commands that this user may not run
 * @param absent commands that the server lets no script run
 * @param silent whether scripts do not learn the replication history from INFO
 */
record Rights(List<String> denied, List<String> absent, boolean silent) {
    private static final String ABSENT = "!";
    private static final String SILENT = "?INFO";
    private static final String WITHOUT = ", by which scripts see that the server may have forgotten locks";
    private static final String GRACE_OFF =
            ", or set grace=off in the address of all clients: then two may hold a lock after a failover";

    /** Reads the script's answer. */
    static Rights of(Object answer) {
        List<String> found = Dialer.texts(answer);
        return new Rights(
                found.stream()
                        .filter(each -> !each.startsWith(ABSENT) && !each.equals(SILENT))
                        .toList(),
                found.stream()
                        .filter(each -> each.startsWith(ABSENT))
                        .map(each -> each.substring(1))
                        .toList(),
                found.contains(SILENT));
    }

    Rights without(String command) {
        List<String> more = new ArrayList<>(denied);
        more.add(command);
        return new Rights(more, absent, silent);
    }

    /** Refuses a user or a server that lacks anything. */
    void require(String target) throws StoreFailure {
        String why = why(target);
        if (why != null) {
            throw new StoreFailure(Effect.NONE, denied.isEmpty() ? Reason.UNFIT : Reason.DENIED, why, null);
        }
    }

    private @Nullable String why(String target) {
        if (!denied.isEmpty()) {
            String rights = denied.stream()
                    .map(command -> '+' + command.toLowerCase(Locale.ROOT))
                    .collect(Collectors.joining(" "));
            return "the user of Redis at " + target + " lacks rights that locks need: give it " + rights
                    + " (the page of the Redis store lists all)";
        }
        if (absent.contains("INFO")) {
            return "Redis at " + target + " lets no script run INFO" + WITHOUT
                    + ": see rename-command in its configuration" + GRACE_OFF;
        }
        if (!absent.isEmpty()) {
            return "Redis at " + target + " lets no script run " + String.join(", ", absent)
                    + ", which locks need: see rename-command in its configuration";
        }
        return silent
                ? "INFO replication of Redis at " + target + " has no master_replid" + WITHOUT
                        + ": use a server that shows it" + GRACE_OFF
                : null;
    }
}
