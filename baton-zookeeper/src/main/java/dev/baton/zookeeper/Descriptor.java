package dev.baton.zookeeper;

import dev.baton.spi.Agreement;
import dev.baton.spi.StoreFailure;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the clients of a namespace agreed on, as the data of its node. */
final class Descriptor {
    private static final Pattern TEXT = Pattern.compile(
            "baton protocol=(\\d{1,9}) buckets=(\\d{1,9}) grace=(\\d{1,18}) claim=(\\d{1,18}) presence=(\\d{1,18})");

    private Descriptor() {}

    static byte[] write(Agreement agreement) {
        return ("baton protocol=" + agreement.protocol() + " buckets=" + agreement.buckets() + " grace="
                        + agreement.graceMicros() + " claim=" + agreement.claimMicros() + " presence="
                        + agreement.presenceMicros())
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Refuses what this client cannot work with. */
    static void agree(String recorded, Agreement own, String where) throws StoreFailure {
        Matcher text = TEXT.matcher(recorded);
        if (!text.matches()) {
            throw new StoreFailure(
                    StoreFailure.Effect.NONE,
                    StoreFailure.Reason.UNFIT,
                    "the data of " + where + " is not a descriptor of Baton's: use another namespace",
                    null);
        }
        new Agreement(
                        Integer.parseInt(text.group(1)),
                        Integer.parseInt(text.group(2)),
                        Long.parseLong(text.group(3)),
                        Long.parseLong(text.group(4)),
                        Long.parseLong(text.group(5)))
                .require(own, where);
    }
}
