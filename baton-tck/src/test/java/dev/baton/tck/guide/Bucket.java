package dev.baton.tck.guide;

import dev.baton.spi.Kind;
import dev.baton.spi.Protocol;
import dev.baton.spi.Resource;
import dev.baton.spi.ResourceState;
import dev.baton.spi.ResourceView.Hold;
import dev.baton.spi.ResourceView.Ticket;
import dev.baton.spi.Timings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All names of one bucket with what their commands need: one document, so that it changes as a whole. */
final class Bucket {
    /** Up to which number a client's attempts and commands are over. */
    record Mark(long attempt, long end, long touchedMicros) {
        static final Mark NONE = new Mark(0, 0, 0);
    }

    final Map<String, ResourceState> resources = new TreeMap<>();
    final Map<String, Mark> marks = new HashMap<>();
    long highWater;

    /** Forgets what no longer matters: idle names leave nothing behind, marks go an hour after their client fell silent. */
    void tidy(long now) {
        resources.values().removeIf(state -> state.isOver(now));
        marks.values().removeIf(mark -> mark.touchedMicros() + Protocol.MARK_MICROS < now);
    }

    byte[] encode() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeLong(highWater);
        out.writeInt(marks.size());
        for (Map.Entry<String, Mark> each : marks.entrySet()) {
            out.writeUTF(each.getKey());
            out.writeLong(each.getValue().attempt());
            out.writeLong(each.getValue().end());
            out.writeLong(each.getValue().touchedMicros());
        }
        out.writeInt(resources.size());
        for (ResourceState state : resources.values()) {
            write(out, state);
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, ResourceState state) throws IOException {
        out.writeUTF(state.resource().name());
        out.writeUTF(state.resource().kind().name());
        out.writeInt(state.resource().capacity());
        out.writeLong(state.notBeforeMicros());
        out.writeInt(state.holds().size());
        for (Hold hold : state.holds()) {
            out.writeUTF(hold.client());
            out.writeLong(hold.attempt());
            out.writeInt(hold.weight());
            out.writeLong(hold.token());
            out.writeLong(hold.deadlineMicros());
            out.writeLong(hold.lockDelayMicros());
            out.writeBoolean(hold.claimed());
            out.writeBoolean(hold.revoked());
            out.writeUTF(hold.description());
        }
        out.writeInt(state.tickets().size());
        for (Ticket ticket : state.tickets()) {
            out.writeUTF(ticket.client());
            out.writeLong(ticket.attempt());
            out.writeInt(ticket.weight());
            out.writeLong(ticket.lockDelayMicros());
            out.writeLong(ticket.presentUntilMicros());
            out.writeUTF(ticket.description());
            out.writeLong(ticket.secret());
        }
    }

    static Bucket decode(byte[] content, Timings timings) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(content));
        Bucket bucket = new Bucket();
        bucket.highWater = in.readLong();
        for (int left = in.readInt(); left > 0; left--) {
            bucket.marks.put(in.readUTF(), new Mark(in.readLong(), in.readLong(), in.readLong()));
        }
        for (int left = in.readInt(); left > 0; left--) {
            ResourceState state = readState(in, timings);
            bucket.resources.put(state.resource().name(), state);
        }
        return bucket;
    }

    private static ResourceState readState(DataInputStream in, Timings timings) throws IOException {
        Resource resource = new Resource(in.readUTF(), Kind.valueOf(in.readUTF()), in.readInt());
        long notBefore = in.readLong();
        List<Hold> holds = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            holds.add(new Hold(
                    in.readUTF(),
                    in.readLong(),
                    in.readInt(),
                    in.readLong(),
                    in.readLong(),
                    in.readLong(),
                    in.readBoolean(),
                    in.readBoolean(),
                    in.readUTF()));
        }
        List<Ticket> tickets = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            tickets.add(new Ticket(
                    in.readUTF(),
                    in.readLong(),
                    in.readInt(),
                    in.readLong(),
                    in.readLong(),
                    in.readUTF(),
                    in.readLong()));
        }
        return new ResourceState(resource, timings, notBefore, holds, tickets);
    }
}
