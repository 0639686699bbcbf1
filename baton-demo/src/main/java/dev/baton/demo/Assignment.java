package dev.baton.demo;

import java.nio.file.Path;
import java.util.List;

/**
 * The command-line arguments of a child process.
 *
 * @param role the role of the child
 * @param name its name in the order book
 * @param round the round's name
 * @param directory the round's directory
 * @param store the address of the store with Baton's lock
 * @param threads how many buyers a seller serves
 * @param quota how many units each buyer buys in every wave except the last
 * @param waves how many waves there are
 * @param fault the fault of a villain
 */
record Assignment(
        Role role,
        String name,
        String round,
        Path directory,
        String store,
        int threads,
        int quota,
        int waves,
        Fault fault) {

    /** The roles of children. */
    enum Role {
        /** A shop with several buyers. */
        SELLER,
        /** A holder that gets into trouble. */
        VILLAIN
    }

    Assignment asVillain(String villain, Fault itsFault) {
        return new Assignment(Role.VILLAIN, villain, round, directory, store, threads, quota, waves, itsFault);
    }

    Assignment asSeller(String seller) {
        return new Assignment(Role.SELLER, seller, round, directory, store, threads, quota, waves, fault);
    }

    List<String> toArguments() {
        return List.of(
                role.name(),
                name,
                round,
                directory.toString(),
                store,
                Integer.toString(threads),
                Integer.toString(quota),
                Integer.toString(waves),
                fault.name());
    }

    static Assignment of(String... arguments) {
        return new Assignment(
                Role.valueOf(arguments[0]),
                arguments[1],
                arguments[2],
                Path.of(arguments[3]),
                arguments[4],
                Integer.parseInt(arguments[5]),
                Integer.parseInt(arguments[6]),
                Integer.parseInt(arguments[7]),
                Fault.valueOf(arguments[8]));
    }

    Round.Place place() {
        return new Round.Place(directory, store, keyValue -> keyValue);
    }

    ShopLock openLock(Round.Place place) {
        return Rounds.named(round).orElseThrow().lock().open(place);
    }
}
