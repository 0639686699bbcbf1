package dev.baton.redis;

import java.util.List;

/**
 * The channels to which a client listens on one server.
 *
 * @param keys their names
 * @param clientId the client
 * @param database whose clients are counted
 * @param sharded whether each bucket has a channel of its own, as on a cluster
 * @param buckets those of the server
 */
record Channels(Keys keys, String clientId, int database, boolean sharded, Buckets buckets) {
    /** Writes the commands that subscribe, and returns how many channels there are. */
    int subscribe(RespWriter out) {
        String presence = keys.presence(database);
        if (!sharded) {
            out.part(ChannelReader.subscribing("SUBSCRIBE", List.of(keys.channel(0, clientId), presence)));
            return 2;
        }
        List<Integer> numbers = buckets.numbers();
        out.part(ChannelReader.subscribing("SUBSCRIBE", List.of(presence)));
        // One command for each: they are in different slots.
        numbers.forEach(
                bucket -> out.part(ChannelReader.subscribing("SSUBSCRIBE", List.of(keys.channel(bucket, clientId)))));
        return 1 + numbers.size();
    }
}
