package dev.baton.internal.work;

import dev.baton.DistributedLock;
import dev.baton.Election;
import dev.baton.LockInfo;
import dev.baton.LockOptions;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/** An election: the holder of the lock leads. Thread-safe. */
public final class LockElection implements Election {
    /** Begins the names of the locks of elections. */
    static final String PREFIX = "baton-election:";

    private final String name;
    private final Host host;
    private final DistributedLock lock;
    private final Consumer<Duty> started;

    /**
     * Creates an election.
     *
     * @param started starts a candidate
     */
    public LockElection(String name, Host host, Consumer<Duty> started) {
        this.name = name;
        this.host = host;
        this.lock = host.lock(PREFIX + name, LockOptions.defaults());
        this.started = started;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Candidacy join(Listener listener) {
        Candidate candidate = new Candidate(name, lock, host, Objects.requireNonNull(listener, "listener"));
        started.accept(candidate);
        return candidate;
    }

    @Override
    public Optional<Leader> leader() {
        Optional<LockInfo.Holder> holder =
                lock.inspect().flatMap(info -> info.holders().stream().findFirst());
        if (holder.isEmpty()) {
            return Optional.empty();
        }
        LockInfo.Holder leads = holder.get();
        // The note may be that of an earlier leader.
        Optional<byte[]> note = host.look(lock.name())
                .note()
                .flatMap(LeaderNote::of)
                .filter(found -> found.isOfHold(leads.storeToken()))
                .map(LeaderNote::bytes);
        return Optional.of(new Leader(leads.description(), leads.clientId(), note));
    }

    @Override
    public List<String> candidates() {
        return lock.inspect().map(LockInfo::waiters).orElse(List.of());
    }

    @Override
    public AutoCloseable follow(Consumer<Optional<Leader>> follower) {
        Follower following = new Follower(this, host, Objects.requireNonNull(follower, "follower"));
        started.accept(following);
        return following::close;
    }

    @Override
    public String toString() {
        return "Election[" + name + ']';
    }
}
