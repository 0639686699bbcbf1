package dev.baton.internal.client;

import dev.baton.Lease;
import dev.baton.LeaseLostException;
import dev.baton.LossCause;
import dev.baton.ReleaseOutcome;
import dev.baton.internal.Exceptions;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The lease of several names: held while all of them are. When one is lost, the others are released. */
final class GroupLease implements OwnedLease {
    private static final List<ReleaseOutcome> WORST_FIRST =
            List.of(ReleaseOutcome.UNKNOWN, ReleaseOutcome.EXPIRED, ReleaseOutcome.NOT_HELD, ReleaseOutcome.RELEASED);

    private final String name;
    private final List<LeaseHandle> parts;

    /**
     * Creates a lease.
     *
     * @param name all names
     * @param parts one for each name, in the order in which they were acquired
     */
    GroupLease(String name, List<LeaseHandle> parts) {
        this.name = name;
        this.parts = List.copyOf(parts);
    }

    /** Has the rest released when one is lost; before this returns, a part may be lost already. */
    GroupLease watched() {
        parts.forEach(part -> part.onLost(cause -> releaseOthers(part)));
        return this;
    }

    /** Returns whether all parts are held; asks the store if only the wall clock says that one is over. */
    boolean stands() {
        return parts.stream().allMatch(LeaseHandle::stands);
    }

    private void releaseOthers(LeaseHandle lost) {
        for (LeaseHandle part : parts) {
            if (part != lost) {
                part.giveBack();
            }
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long token() {
        throw new UnsupportedOperationException(
                "a lease of several names has a token for each: use token(name) with one of " + name);
    }

    @Override
    public long token(String name) {
        List<LeaseHandle> named =
                parts.stream().filter(part -> part.name().equals(name)).toList();
        if (named.size() > 1) {
            throw new IllegalArgumentException(
                    "this lease has \"" + name + "\" of " + named.size() + " namespaces: use tokenIn of its lock");
        }
        return only(named, name);
    }

    @Override
    public long tokenOf(Waits waits, String asked) {
        return only(parts.stream().filter(part -> part.isOf(waits, asked)).toList(), asked);
    }

    private long only(List<LeaseHandle> found, String asked) {
        if (found.isEmpty()) {
            throw new IllegalArgumentException("\"" + asked + "\" is none of the names of this lease: " + name);
        }
        return found.get(0).token();
    }

    @Override
    public boolean isShared() {
        return parts.stream().anyMatch(Lease::isShared);
    }

    @Override
    public boolean isHeld() {
        return parts.stream().allMatch(Lease::isHeld);
    }

    @Override
    public Duration remaining() {
        return parts.stream()
                .map(Lease::remaining)
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    @Override
    public Optional<LossCause> loss() {
        return parts.stream().flatMap(part -> part.loss().stream()).findFirst();
    }

    @Override
    public void ensureHeld(Duration minRemaining) {
        try {
            parts.forEach(part -> part.ensureHeld(minRemaining));
        } catch (LeaseLostException part) {
            // The part that was lost is the reason, not one that was released because of it.
            throw wasLost() ? lost(null, null) : part;
        }
    }

    @Override
    public boolean extend(Duration atLeast) {
        boolean all = true;
        for (LeaseHandle part : parts) {
            all &= part.extend(atLeast);
        }
        return all;
    }

    @Override
    public CompletableFuture<Boolean> extendAsync(Duration atLeast) {
        CompletableFuture<Boolean> all = CompletableFuture.completedFuture(true);
        for (LeaseHandle part : parts) {
            all = all.thenCombine(part.extendAsync(atLeast), Boolean::logicalAnd);
        }
        return all;
    }

    @Override
    public Lease onLost(Consumer<LossCause> action) {
        AtomicBoolean told = new AtomicBoolean();
        for (LeaseHandle part : parts) {
            part.onLost(cause -> {
                if (told.compareAndSet(false, true)) {
                    action.accept(cause);
                }
            });
        }
        return this;
    }

    @Override
    public Optional<byte[]> note() {
        throw withoutNote();
    }

    @Override
    public void writeNote(byte[] note) {
        throw withoutNote();
    }

    private UnsupportedOperationException withoutNote() {
        return new UnsupportedOperationException(
                "a lease of several names has no note: acquire one of " + name + " alone, and use the note of that");
    }

    @Override
    public void downgrade() {
        throw new UnsupportedOperationException("only the writer of a read-write lock can become a reader: " + name
                + " are locks that are held together");
    }

    @Override
    public ReleaseOutcome release() {
        return worst(parts.stream().map(Lease::release).toList());
    }

    @Override
    public ReleaseOutcome releaseAndKeep(Duration keepFor) {
        // Before the first is released: a reader among them cannot be kept.
        parts.forEach(part -> part.requireKeepable(keepFor));
        return worst(parts.stream().map(part -> part.releaseAndKeep(keepFor)).toList());
    }

    @Override
    public void giveBack() {
        parts.forEach(LeaseHandle::giveBack);
    }

    @Override
    public CompletableFuture<ReleaseOutcome> releaseAsync() {
        CompletableFuture<ReleaseOutcome> all = CompletableFuture.completedFuture(ReleaseOutcome.RELEASED);
        for (LeaseHandle part : parts) {
            all = all.thenCombine(part.releaseAsync(), (one, other) -> worst(List.of(one, other)));
        }
        return all;
    }

    private static ReleaseOutcome worst(List<ReleaseOutcome> outcomes) {
        return outcomes.stream().min(Comparator.comparing(WORST_FIRST::indexOf)).orElseThrow();
    }

    @Override
    public void close() {
        parts.forEach(Lease::close);
    }

    @Override
    public boolean wasReleased() {
        return !wasLost() && parts.stream().allMatch(OwnedLease::wasReleased);
    }

    @Override
    public boolean wasLost() {
        return parts.stream().anyMatch(OwnedLease::wasLost);
    }

    @Override
    public LeaseLostException lost(@Nullable Object result, @Nullable Throwable failure) {
        LeaseHandle which = parts.stream()
                .filter(OwnedLease::wasLost)
                .findFirst()
                .orElseGet(() -> parts.stream()
                        .min(Comparator.comparing(Lease::remaining))
                        .orElseThrow());
        LeaseLostException part = which.lost(result, failure);
        return parts.size() == 1
                ? part
                : Exceptions.get()
                        .leaseLost(
                                part.getMessage() + "; it was held together with "
                                        + parts.stream()
                                                .filter(other -> other != which)
                                                .map(other -> '"' + other.name() + '"')
                                                .collect(Collectors.joining(", ")),
                                part.lossCause(),
                                result,
                                failure);
    }

    @Override
    public String toString() {
        return "Lease[" + name + ", " + (isHeld() ? "held for " + remaining().toMillis() + " ms" : "not held") + ']';
    }
}
