package dev.baton.bench;

import java.net.URI;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The addresses that a client connects to, and its index among the clients.
 *
 * @param addresses the addresses of the homes under test
 * @param clients the number of the contestant's clients
 * @param index the index of this client, from 0
 */
public record Stage(Map<Home, String> addresses, int clients, int index) {
    private static final String MEMORY = "memory:bench";

    /** Creates a stage for all clients. */
    static Stage at(Map<Home, String> addresses) {
        return new Stage(Map.copyOf(addresses), 1, 0);
    }

    /**
     * Returns the address of Baton's store.
     *
     * @return the Redis server under test, or the memory of the JVM if there is none
     */
    public String baton() {
        return addresses.getOrDefault(Home.SERVER, MEMORY);
    }

    /**
     * Returns the address of the Redis server, for contestants that need one.
     *
     * @return the address
     * @throws IllegalStateException if there is none; contestants that need one must not be opened then
     */
    public URI serverAddress() {
        return URI.create(addressOf(Home.SERVER));
    }

    /**
     * Returns the address of a home, for contestants that need one.
     *
     * @param home the home
     * @return the address, in the form that Baton or a driver accepts
     * @throws IllegalStateException if there is none; contestants that need one must not be opened then
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

    /** Returns whether a contestant with this home can take part. */
    boolean has(Home home) {
        return home.isEverywhere() || addresses.containsKey(home);
    }

    /** Returns the home of a contestant's locks: of Baton, that which there is. */
    Home resolve(Home home) {
        if (home == Home.BATON) {
            return addresses.containsKey(Home.SERVER) ? Home.SERVER : Home.JVM;
        }
        return home;
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
