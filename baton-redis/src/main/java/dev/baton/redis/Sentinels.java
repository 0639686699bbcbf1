package dev.baton.redis;

import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;

/**
 * All sentinels that the address names. Each failover has a greater epoch, so the answer with the greatest one is the
 * newest; a sentinel that was cut off keeps naming the old primary. One thread asks at a time.
 */
final class Sentinels implements AutoCloseable {
    private final List<SentinelLink> links;
    private final String service;

    Sentinels(List<SentinelLink> links, String service) {
        this.links = links;
        this.service = service;
    }

    List<SentinelLink> links() {
        return links;
    }

    /**
     * Asks all of them but those that have just failed to answer.
     *
     * @return the newest answer
     * @throws StoreFailure if none of them named a primary
     */
    SentinelReply askAll() throws StoreFailure {
        links.stream().filter(SentinelLink::isWorthAsking).forEach(SentinelLink::ask);
        SentinelReply newest = newest();
        if (newest == null) {
            throw noAnswer();
        }
        return newest;
    }

    /**
     * Returns the newest of the last answers; null if there is none. A sentinel that answers no more keeps its last
     * answer, so that a primary which was left is never used again on the word of a sentinel that missed the failover.
     */
    @Nullable
    SentinelReply newest() {
        // Epochs are equal only if the sentinels were set up anew by hand: then the majority decides.
        return replies()
                .max(Comparator.comparingLong(SentinelReply::epoch).thenComparingLong(this::votes))
                .orElse(null);
    }

    /** Returns whether a sentinel takes the primary for dead that the newest answer names. */
    boolean isFailoverNear() {
        HostAndPort primary = primary();
        return replies().anyMatch(reply -> reply.down() && reply.primary().equals(primary));
    }

    private Stream<SentinelReply> replies() {
        return links.stream().map(SentinelLink::reply).filter(Objects::nonNull);
    }

    private long votes(SentinelReply reply) {
        return replies()
                .filter(other -> other.primary().equals(reply.primary()))
                .count();
    }

    private StoreFailure noAnswer() {
        if (links.stream().anyMatch(SentinelLink::isServiceUnknown)) {
            String known = links.stream()
                    .filter(SentinelLink::isServiceUnknown)
                    .flatMap(link -> link.services().stream())
                    .collect(Collectors.toCollection(TreeSet::new))
                    .toString();
            return new StoreFailure(
                    Effect.NONE,
                    Reason.UNFIT,
                    "the sentinels do not watch servers under the name " + service + "; the names that they know: "
                            + known.substring(1, known.length() - 1),
                    null);
        }
        // What people can mend comes first: another sentinel may be down besides.
        StoreFailure worst = failures()
                .max(Comparator.comparing(failure -> switch (failure.reason()) {
                    case DENIED -> 2;
                    case UNFIT -> 1;
                    default -> 0;
                }))
                .orElseThrow(() -> new IllegalStateException("no sentinel was asked"));
        String why = worst.reason() == Reason.UNREACHABLE
                ? "no sentinel answers: "
                        + failures().map(Throwable::getMessage).collect(Collectors.joining("; "))
                : worst.getMessage() + advice(worst);
        return new StoreFailure(Effect.NONE, worst.reason(), why, worst);
    }

    private Stream<StoreFailure> failures() {
        return links.stream().map(SentinelLink::failure).filter(Objects::nonNull);
    }

    private static String advice(StoreFailure failure) {
        return failure.reason() == Reason.DENIED
                ? " (this was a sentinel: sentinelUser= and sentinelPassword= are for sentinels, and the user and"
                        + " password before the hosts are for the servers that they watch)"
                : "";
    }

    /** Returns the risks in how the sentinels are set up and reached, as all of them have just been asked. */
    List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        for (SentinelLink link : links) {
            StoreFailure failure = link.failure();
            if (failure != null) {
                warnings.add("the sentinel at " + link.place() + " does not say where the primary of " + service
                        + " is, so it cannot tell of a failover: " + failure.getMessage() + advice(failure));
            }
        }
        if (replies().map(SentinelReply::primary).distinct().count() > 1) {
            warnings.add("the sentinels disagree about the primary of " + service + " ("
                    + links.stream()
                            .map(Sentinels::word)
                            .filter(Objects::nonNull)
                            .collect(Collectors.joining(", "))
                    + "): the newest configuration is trusted; if this lasts, see whether they reach each other");
        }
        SentinelReply newest = newest();
        if (links.size() == 1 && newest != null) {
            warnings.add(
                    newest.others() == 0
                            ? "the sentinel at " + links.get(0).place()
                                    + " is alone: when it is down nothing fails over; run"
                                    + " three, on different machines, and name all of them in the address"
                            : "the address names one of " + (newest.others() + 1)
                                    + " sentinels: when it is down, clients find no primary; name all of them");
        }
        return warnings;
    }

    private static @Nullable String word(SentinelLink link) {
        SentinelReply reply = link.reply();
        return reply == null
                ? null
                : link.place() + " names " + Hosts.shown(reply.primary()) + ", epoch " + reply.epoch();
    }

    /** Returns how many there are and how many of them answered, for operators. */
    String count() {
        long silent = links.stream().filter(link -> link.failure() != null).count();
        return links.size() + " asked, " + (links.size() - silent) + " answered";
    }

    /** Returns the place of the newest primary; null if there is none. */
    @Nullable
    HostAndPort primary() {
        SentinelReply newest = newest();
        return newest == null ? null : newest.primary();
    }

    @Override
    public void close() {
        links.forEach(SentinelLink::close);
    }
}
