package dev.baton.tck;

import dev.baton.spi.Acquire;
import dev.baton.spi.Cancel;
import dev.baton.spi.Capabilities;
import dev.baton.spi.Grace;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Note;
import dev.baton.spi.NoteView;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import dev.baton.spi.ResourceView;
import dev.baton.spi.Stamp;
import dev.baton.spi.Store;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.WriteNote;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A store that passes everything on to another one: subclasses change what they are made for. Many releases at once are
 * passed on one by one, so that a subclass sees each.
 */
public abstract class ForwardingStore implements Store {
    /** For subclasses. */
    protected ForwardingStore() {}

    /**
     * Returns the store behind this one.
     *
     * @return the store
     */
    protected abstract Store inner();

    @Override
    public Capabilities capabilities() {
        return inner().capabilities();
    }

    @Override
    public List<String> warnings() {
        return inner().warnings();
    }

    @Override
    public String namespaceId() {
        return inner().namespaceId();
    }

    @Override
    public int shardOf(String name) {
        return inner().shardOf(name);
    }

    @Override
    public Stamp ping(long timeoutNanos) throws StoreFailure {
        return inner().ping(timeoutNanos);
    }

    @Override
    public Map<String, String> facts(long timeoutNanos) throws StoreFailure {
        return inner().facts(timeoutNanos);
    }

    @Override
    public Optional<Grace> grace(long timeoutNanos) throws StoreFailure {
        return inner().grace(timeoutNanos);
    }

    @Override
    public Acquire.Reply acquire(Acquire command, long timeoutNanos) throws StoreFailure {
        return inner().acquire(command, timeoutNanos);
    }

    @Override
    public Heartbeat.Reply heartbeat(Heartbeat command, long timeoutNanos) throws StoreFailure {
        return inner().heartbeat(command, timeoutNanos);
    }

    @Override
    public Release.Reply release(Release command, long timeoutNanos) throws StoreFailure {
        return inner().release(command, timeoutNanos);
    }

    @Override
    public Stamp cancel(Cancel command, long timeoutNanos) throws StoreFailure {
        return inner().cancel(command, timeoutNanos);
    }

    @Override
    public Optional<ResourceView> inspect(String name, long timeoutNanos) throws StoreFailure {
        return inner().inspect(name, timeoutNanos);
    }

    @Override
    public List<ResourceView> list(String prefix, String after, int limit, long timeoutNanos) throws StoreFailure {
        return inner().list(prefix, after, limit, timeoutNanos);
    }

    @Override
    public boolean forceRelease(String name, long token, boolean now, long timeoutNanos) throws StoreFailure {
        return inner().forceRelease(name, token, now, timeoutNanos);
    }

    @Override
    public Resource withhold(Resource semaphore, int weight, long timeoutNanos) throws StoreFailure {
        return inner().withhold(semaphore, weight, timeoutNanos);
    }

    @Override
    public NoteView note(String name, long timeoutNanos) throws StoreFailure {
        return inner().note(name, timeoutNanos);
    }

    @Override
    public WriteNote.Reply writeNote(WriteNote command, long timeoutNanos) throws StoreFailure {
        return inner().writeNote(command, timeoutNanos);
    }

    @Override
    public WriteNote.Reply restoreNote(String name, Note note, long timeoutNanos) throws StoreFailure {
        return inner().restoreNote(name, note, timeoutNanos);
    }

    @Override
    public WriteNote.Reply forgetNote(String name, long timeoutNanos) throws StoreFailure {
        return inner().forgetNote(name, timeoutNanos);
    }

    @Override
    public void close() {
        inner().close();
    }
}
