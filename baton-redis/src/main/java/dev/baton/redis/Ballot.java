package dev.baton.redis;

import dev.baton.spi.Acquire;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Says at the members of a quorum whose hold it is: before the description for users stands an attempt of a client. So a client
 * that is refused sees whether one other attempt has a majority, or the members' votes are split.
 */
final class Ballot {
    private static final Pattern MARKED = Pattern.compile("([0-9a-f]{32}#\\d{1,19}) (.*)", Pattern.DOTALL);

    private final String mark;

    /** Creates the ballot of one attempt. */
    Ballot(String client, Acquire command) {
        this.mark = client + '#' + command.attempt().value() + ' ';
    }

    /** Marks a description. */
    String on(String description) {
        return mark + description;
    }

    /** Returns the attempt that a description is marked with; the description itself without a mark. */
    static String attempt(String marked) {
        Matcher matcher = MARKED.matcher(marked);
        return matcher.matches() ? matcher.group(1) : marked;
    }

    /** Returns the client's own number of the attempt that a description is marked with; the given one without a mark. */
    static long number(String marked, long otherwise) {
        Matcher matcher = MARKED.matcher(marked);
        return matcher.matches()
                ? Long.parseLong(marked.substring(marked.indexOf('#') + 1, matcher.end(1)))
                : otherwise;
    }

    /** Returns a description without its mark. */
    static String without(String marked) {
        Matcher matcher = MARKED.matcher(marked);
        return matcher.matches() ? matcher.group(2) : marked;
    }
}
