package dev.baton.internal.client;

import dev.baton.Admin;
import dev.baton.GracePeriod;
import dev.baton.LockInfo;
import dev.baton.StoreReport;
import dev.baton.spi.Grace;
import dev.baton.spi.Kind;
import dev.baton.spi.Protocol;
import dev.baton.spi.ResourceView;
import dev.baton.spi.Store;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Inspects and releases locks from outside. */
final class StoreAdmin implements Admin {
    private final Questions questions;
    private final Consumer<String> changedAtStore;
    private final Supplier<StoreReport> examination;

    /**
     * Creates an admin.
     *
     * @param changedAtStore is told a name whose hold was changed at the store: tells the holder in this client at once
     * @param examination examines the store
     */
    StoreAdmin(Questions questions, Consumer<String> changedAtStore, Supplier<StoreReport> examination) {
        this.questions = questions;
        this.changedAtStore = changedAtStore;
        this.examination = examination;
    }

    @Override
    public List<LockInfo> list(String prefix, String after, int limit) {
        Objects.requireNonNull(prefix, "prefix");
        Objects.requireNonNull(after, "after");
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be at least 1, but is " + limit);
        }
        List<ResourceView> views =
                questions.ask("could not list locks", (store, timeout) -> store.list(prefix, after, limit, timeout));
        return views.stream().map(StoreAdmin::info).toList();
    }

    @Override
    public Optional<LockInfo> inspect(String name) {
        String valid = Checks.name(name);
        return questions
                .ask("could not look at \"" + name + '"', (store, timeout) -> store.inspect(valid, timeout))
                .map(StoreAdmin::info);
    }

    @Override
    public Optional<LockInfo.Holder> forceRelease(String name) {
        return force(name, false);
    }

    @Override
    public Optional<LockInfo.Holder> forceReleaseNow(String name) {
        return force(name, true);
    }

    @Override
    public Optional<GracePeriod> gracePeriod() {
        return questions
                .ask("whether the store is in a grace period is unknown", Store::grace)
                .map(StoreAdmin::gracePeriod);
    }

    private static GracePeriod gracePeriod(Grace grace) {
        String part = grace.isOfAll()
                ? ""
                : " (" + grace.buckets() + " of " + Protocol.BUCKETS + " parts of the store; other names are granted)";
        return new GracePeriod(Duration.ofNanos(grace.restMicros() * 1_000), grace.reason() + part);
    }

    @Override
    public StoreReport examine() {
        return examination.get();
    }

    private Optional<LockInfo.Holder> force(String name, boolean immediately) {
        Optional<LockInfo.Holder> holder =
                inspect(name).flatMap(info -> info.holders().stream().findFirst());
        Optional<LockInfo.Holder> taken = holder.filter(found -> questions.ask(
                "whether \"" + name + "\" was released by force is unknown",
                (store, timeout) -> store.forceRelease(name, found.storeToken(), immediately, timeout)));
        changedAtStore.accept(name);
        return taken;
    }

    private static LockInfo.Kind kind(Kind kind) {
        return switch (kind) {
            case LOCK -> LockInfo.Kind.LOCK;
            case READ_WRITE -> LockInfo.Kind.READ_WRITE_LOCK;
            case SEMAPHORE -> LockInfo.Kind.SEMAPHORE;
        };
    }

    private static LockInfo info(ResourceView view) {
        return new LockInfo(
                view.resource().name(),
                kind(view.resource().kind()),
                view.holds().stream().map(hold -> holder(view, hold)).toList(),
                view.tickets().stream().map(ResourceView.Ticket::description).toList());
    }

    private static LockInfo.Holder holder(ResourceView view, ResourceView.Hold hold) {
        return new LockInfo.Holder(
                hold.description(),
                hold.client(),
                hold.token(),
                hold.token() * Protocol.LOCAL_TOKENS,
                Duration.ofNanos((hold.deadlineMicros() - view.stamp().nowMicros()) * 1_000),
                hold.revoked());
    }
}
