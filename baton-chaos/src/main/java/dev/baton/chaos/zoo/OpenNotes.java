package dev.baton.chaos.zoo;

import dev.baton.spi.Note;
import dev.baton.spi.NoteView;
import dev.baton.spi.Stamp;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.WriteNote;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisException;

/** Notes in keys of Redis that each client may set. Thread-safe. */
record OpenNotes(Redis redis, String namespace) {
    private static final String KEY = "zoo-note:";

    NoteView read(String name) throws StoreFailure {
        try {
            return new NoteView(stamp(), parse(redis.get(key(name))));
        } catch (JedisException unanswered) {
            throw unknown(unanswered);
        }
    }

    WriteNote.Reply write(String name, Note note) throws StoreFailure {
        try {
            redis.set(
                    key(name),
                    note.token() + " " + note.number() + " "
                            + Base64.getEncoder().encodeToString(note.bytes()));
            return new WriteNote.Written(stamp());
        } catch (JedisException unanswered) {
            throw unknown(unanswered);
        }
    }

    private String key(String name) {
        return KEY + namespace + ":" + name;
    }

    private static Optional<Note> parse(@Nullable String value) {
        if (value == null) {
            return Optional.empty();
        }
        String[] words = value.split(" ", -1);
        return Optional.of(new Note(
                Long.parseLong(words[0]),
                Long.parseLong(words[1]),
                Base64.getDecoder().decode(words[2])));
    }

    private Stamp stamp() {
        return new Stamp("open notes", redis.micros(), 0);
    }

    private static StoreFailure unknown(JedisException unanswered) {
        return new StoreFailure(StoreFailure.Effect.UNKNOWN, "nothing is known of a note", unanswered);
    }
}
