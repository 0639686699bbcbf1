package dev.baton.cli.demo;

import dev.baton.cli.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs the code of parent and children once, in one process and without faults. The launcher records this run to learn
 * which classes belong in its archive.
 */
final class Rehearsal {
    private static final int STOCK = 2;

    private Rehearsal() {}

    static void run(Path directory, Terminal terminal) throws InterruptedException, IOException {
        String store = "jdbc:sqlite:" + directory.resolve("baton.db");
        Settings settings = new Settings(store, 1, 1, STOCK, Rounds.ALL);
        Progress progress = new Progress(terminal, STOCK);
        List<Result> results = new ArrayList<>();
        for (Round round : Rounds.ALL) {
            progress.started(round);
            Result result = play(round, directory, store);
            progress.ended(result);
            results.add(result);
        }
        Report report = new Report(settings, results, 0);
        report.print(terminal);
        terminal.out().println(report.toJson());
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
