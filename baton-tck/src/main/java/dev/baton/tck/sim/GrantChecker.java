package dev.baton.tck.sim;

import dev.baton.spi.Protocol;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Sees every grant when the server makes it: tokens grow, and no attempt is granted twice. */
final class GrantChecker {
    private record Attempt(int office, String name, String client, long number) {}

    private final List<String> findings;
    private final Map<String, Long> lastTokens = new HashMap<>();
    private final Map<String, Long> orders = new HashMap<>();
    private final Map<Attempt, Long> granted = new HashMap<>();

    GrantChecker(List<String> findings) {
        this.findings = findings;
    }

    void granted(int office, String name, String client, long number, long token) {
        Attempt attempt = new Attempt(office, name, client, number);
        Long before = granted.putIfAbsent(attempt, token);
        if (before != null) {
            if (before != token) {
                findings.add(attempt + " was granted twice: tokens " + before + " and " + token);
            }
            return;
        }
        orders.put(name + '#' + token, (long) granted.size());
        Long last = lastTokens.get(name);
        if (last != null && token <= last) {
            findings.add("token " + token + " of " + attempt + " does not exceed " + last);
        } else {
            lastTokens.put(name, token);
        }
    }

    /** Which lease this is, in the order in which leases were granted: the store's order, then the local one. */
    long orderOf(String name, long publicToken) {
        Long order = orders.get(name + '#' + publicToken / Protocol.LOCAL_TOKENS);
        return (order == null ? 0 : order) * Protocol.LOCAL_TOKENS + publicToken % Protocol.LOCAL_TOKENS;
    }

    int count() {
        return granted.size();
    }
}
