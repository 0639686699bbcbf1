package dev.baton.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs the code of parent and children once, in one process and without faults. The launcher records this run to learn
 * which classes belong in its archive.
 */
public final class Rehearsal {
    private static final int STOCK = 2;

    private Rehearsal() {}

    /**
     * Plays every round.
     *
     * @param directory the demo's directory
     * @param listener hears of each round
     * @return the results, in the order of the rounds
     * @throws InterruptedException if the thread is interrupted
     * @throws IOException if a round cannot create its directory
     */
    public static List<Result> run(Path directory, SaleListener listener) throws InterruptedException, IOException {
        List<Result> results = new ArrayList<>();
        for (Round round : Rounds.ALL) {
            listener.started(round);
            Result result = play(round, directory, settings(directory).store());
            listener.ended(result);
            results.add(result);
        }
        return results;
    }

    /**
     * Returns how large the rehearsal is.
     *
     * @param directory the demo's directory
     * @return its settings
     */
    public static Settings settings(Path directory) {
        return new Settings("jdbc:sqlite:" + directory.resolve("baton.db"), 1, 1, STOCK, Rounds.ALL);
    }

    private static Result play(Round round, Path demo, String store) throws InterruptedException, IOException {
        Path directory = Files.createDirectory(demo.resolve(round.name()));
        Assignment assignment = new Assignment(
                Assignment.Role.SELLER,
                "",
                round.name(),
                directory,
                store,
                1,
                1,
                1,
                round.faults().get(0));
        Round.Place place = Assignment.of(
                        assignment.asSeller("shop").toArguments().toArray(String[]::new))
                .place();
        Shop.create(place.shop(), STOCK);
        try (ShopLock lock = assignment.openLock(place);
                Shop shop = new Shop(place.shop())) {
            ShopLock.Hold hold = lock.acquire();
            shop.pick("shop", hold.token()).ifPresent(shop::buy);
            hold.release();
            return new Result(round, STOCK, shop.books(), false, 0, Waits.of(List.of("1 2")), hold.believed(), 0);
        }
    }
}
