package dev.baton.tck.sim;

import dev.baton.spi.Protocol;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks every grant when a server makes it, and every belief when a client begins it. Tokens must grow, a server
 * process must not grant an attempt twice with different tokens, and a client must believe in at most one grant of an
 * attempt, even if a failover made the servers forget an earlier one.
 */
final class GrantChecker {
    private record Attempt(String name, String client, long number) {}

    private record Granted(String run, Attempt attempt) {}

    private record Token(String name, long storeToken) {}

    private final List<String> findings;
    private final Map<String, Long> lastTokens = new HashMap<>();
    private final Map<Granted, Long> granted = new HashMap<>();
    private final Map<Token, Attempt> attempts = new HashMap<>();
    private final Map<Token, Long> orders = new HashMap<>();
    private final Map<Attempt, Long> believed = new HashMap<>();
    private final Set<Attempt> readers = new HashSet<>();

    GrantChecker(List<String> findings) {
        this.findings = findings;
    }

    /** Records an attempt that asks for a share of a read-write lock. */
    void reads(String name, String client, long number) {
        readers.add(new Attempt(name, client, number));
    }

    /** Records that the writer with a token becomes a reader. */
    void reads(String name, long publicToken) {
        Attempt attempt = attempts.get(new Token(name, publicToken / Protocol.LOCAL_TOKENS));
        if (attempt != null) {
            readers.add(attempt);
        }
    }

    void granted(String run, String name, String client, long number, long storeToken) {
        Attempt attempt = new Attempt(name, client, number);
        Long before = granted.putIfAbsent(new Granted(run, attempt), storeToken);
        if (before != null) {
            if (before != storeToken) {
                findings.add(attempt + " was granted twice: tokens " + before + " and " + storeToken);
            }
            return;
        }
        Token token = new Token(name, storeToken);
        Attempt first = attempts.putIfAbsent(token, attempt);
        if (attempt.equals(first) || (first != null && readers.contains(attempt) && readers.contains(first))) {
            // Another process answers for a hold that it took over, or readers hold together.
            return;
        }
        orders.put(token, (long) granted.size());
        Long last = lastTokens.get(name);
        if (last != null && storeToken <= last) {
            findings.add("token " + storeToken + " of " + attempt + " does not exceed " + last);
        } else {
            lastTokens.put(name, storeToken);
        }
    }

    /** Checks a client that begins to believe in a lease. */
    void believed(String name, long publicToken) {
        long storeToken = publicToken / Protocol.LOCAL_TOKENS;
        Attempt attempt = attempts.get(new Token(name, storeToken));
        if (attempt != null && readers.contains(attempt)) {
            // Readers that hold together have one token, so it does not tell which of them believes.
            return;
        }
        Long before = attempt == null ? null : believed.putIfAbsent(attempt, storeToken);
        if (before != null && before != storeToken) {
            findings.add(attempt + " was believed twice: tokens " + before + " and " + storeToken);
        }
    }

    /**
     * Returns the position of a lease in the order in which leases were granted: the store's order, then the local one.
     */
    long orderOf(String name, long publicToken) {
        Long order = orders.get(new Token(name, publicToken / Protocol.LOCAL_TOKENS));
        return (order == null ? 0 : order) * Protocol.LOCAL_TOKENS + publicToken % Protocol.LOCAL_TOKENS;
    }

    int count() {
        return granted.size();
    }
}
