package dev.baton.bench;

import dev.baton.bench.Contestant.Home;
import java.net.URI;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Where a client goes, and its place among others.
 *
 * @param addresses of the homes that are measured
 * @param clients how many clients of the contestant there are
 * @param index which of them this is, from 0
 */
public record Stage(Map<Home, String> addresses, int clients, int index) {
    private static final String MEMORY = "memory:bench";

    /** For all clients. */
    static Stage at(Map<Home, String> addresses) {
        return new Stage(Map.copyOf(addresses), 1, 0);
    }

    /**
     * The address of Baton's store.
     *
     * @return the Redis server that is measured; where none is, the memory of the JVM
     */
    public String baton() {
        return addresses.getOrDefault(Home.SERVER, MEMORY);
    }

    /**
     * The address of the Redis server, for those who cannot do without.
     *
     * @return the address
     * @throws IllegalStateException if there is none: whoever needs one must not be opened then
     */
    public URI serverAddress() {
        return URI.create(addressOf(Home.SERVER));
    }

    /**
     * The address of a home, for those who cannot do without.
     *
     * @param home where to
     * @return the address, as Baton or a driver knows it
     * @throws IllegalStateException if there is none: whoever needs one must not be opened then
     */
    public String addressOf(Home home) {
        String address = addresses.get(home);
        if (address == null) {
            throw new IllegalStateException("no address was given for " + home);
        }
        return address;
    }

    Stage of(int allClients, int thisIndex) {
        return new Stage(addresses, allClients, thisIndex);
    }

    /** Whether a contestant can take part. */
    boolean has(Contestant contestant) {
        return contestant.home().isEverywhere() || addresses.containsKey(contestant.home());
    }

    /** Where a contestant's locks are. */
    Home homeOf(Contestant contestant) {
        if (contestant.home() == Home.BATON) {
            return addresses.containsKey(Home.SERVER) ? Home.SERVER : Home.JVM;
        }
        return contestant.home();
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        addresses.forEach((home, address) -> json.put(home.name(), address));
        return json;
    }

    static Stage fromJson(Map<?, ?> json) {
        Map<Home, String> addresses = new EnumMap<>(Home.class);
        json.forEach((home, address) -> addresses.put(Home.valueOf((String) home), (String) address));
        return at(addresses);
    }
}
