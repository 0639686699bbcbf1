package dev.baton.internal.client;

import dev.baton.Admin;
import dev.baton.GracePeriod;
import dev.baton.LockInfo;
import dev.baton.StoreReport;
import dev.baton.WaitForGraph;
import dev.baton.internal.engine.InUse;
import dev.baton.spi.Capabilities;
import dev.baton.spi.Grace;
import dev.baton.spi.Kind;
import dev.baton.spi.Protocol;
import dev.baton.spi.Resource;
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
    private final Notes notes;
    private final Consumer<String> changedAtStore;
    private final Supplier<StoreReport> examination;
    private final Supplier<Capabilities> store;
    private final Pause pause;

    /**
     * Creates an admin.
     *
     * @param changedAtStore is told a name whose hold was changed at the store: tells the holder in this client at once
     * @param examination examines the store
     * @param store what the store can do
     * @param pause lets time pass between two looks
     */
    StoreAdmin(
            Questions questions,
            Notes notes,
            Consumer<String> changedAtStore,
            Supplier<StoreReport> examination,
            Supplier<Capabilities> store,
            Pause pause) {
        this.questions = questions;
        this.notes = notes;
        this.changedAtStore = changedAtStore;
        this.examination = examination;
        this.store = store;
        this.pause = pause;
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
    public Optional<byte[]> note(String name) {
        return notes.read(Checks.name(name));
    }

    @Override
    public boolean forget(String name) {
        return notes.forget(Checks.name(name));
    }

    @Override
    public WaitForGraph waitsFor() throws InterruptedException {
        Checks.requireQueue(store.get());
        return new WaitForSearch(questions, pause).graph();
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
        Optional<LockInfo> found = inspect(name);
        Optional<LockInfo.Holder> taken = found.flatMap(
                        info -> info.holders().stream().findFirst())
                .filter(holder -> force(name, holder.storeToken(), immediately));
        if (found.isPresent() && !found.get().keptFor().isZero()) {
            force(name, 0, immediately);
        }
        changedAtStore.accept(name);
        return taken;
    }

    private boolean force(String name, long token, boolean immediately) {
        return questions.ask(
                "whether \"" + name + "\" was released by force is unknown",
                (store, timeout) -> store.forceRelease(name, token, immediately, timeout));
    }

    /** Sets how many permits of a semaphore are granted to no client. */
    void withhold(Resource semaphore, int permits) {
        Resource present = questions.ask(
                "whether \"" + semaphore.name() + "\" was resized is unknown",
                (store, timeout) -> store.withhold(semaphore, permits, timeout));
        if (!present.equals(semaphore)) {
            throw InUse.as(present, semaphore);
        }
    }

    private static LockInfo info(ResourceView view) {
        return new LockInfo(
                view.resource().name(),
                Kinds.of(view.resource().kind()),
                view.holds().stream()
                        .filter(hold -> !hold.isWithheld())
                        .map(hold -> holder(view, hold))
                        .toList(),
                view.tickets().stream().map(ResourceView.Ticket::description).toList(),
                Duration.ofNanos(view.restMicros() * 1_000),
                isSemaphore(view) ? view.resource().capacity() - view.withheld() : 0);
    }

    private static boolean isSemaphore(ResourceView view) {
        return view.resource().kind() == Kind.SEMAPHORE;
    }

    private static LockInfo.Holder holder(ResourceView view, ResourceView.Hold hold) {
        boolean shared =
                view.resource().kind() == Kind.READ_WRITE && view.resource().isSharedAt(hold.weight());
        return new LockInfo.Holder(
                hold.description(),
                hold.client(),
                hold.token(),
                shared ? Protocol.sharedToken(hold.token()) : Protocol.firstToken(hold.token()),
                Duration.ofNanos((hold.deadlineMicros() - view.stamp().nowMicros()) * 1_000),
                hold.revoked(),
                isSemaphore(view) ? hold.weight() : 0);
    }
}
