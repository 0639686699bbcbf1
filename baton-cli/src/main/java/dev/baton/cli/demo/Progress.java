package dev.baton.cli.demo;

import dev.baton.cli.console.Terminal;
import dev.baton.cli.console.Terminal.Style;
import dev.baton.demo.Result;
import dev.baton.demo.Round;
import dev.baton.demo.SaleListener;
import dev.baton.demo.Shop;
import java.util.concurrent.TimeUnit;

/** Shows the progress of the sale: one line per round, rewritten in place if possible. */
final class Progress implements SaleListener {
    private static final int BAR = 24;
    private static final int TITLE = 17;
    private static final long REDRAW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Terminal terminal;
    private final int stock;
    private long drawnAt = System.nanoTime() - REDRAW_NANOS;
    private boolean open;

    Progress(Terminal terminal, int stock) {
        this.terminal = terminal;
        this.stock = stock;
    }

    void say(String line) {
        terminal.out().println(line);
    }

    @Override
    public synchronized void started(Round round) {
        show(round, 0, "starting");
    }

    /** Draws the bar, but not more often than a user can follow. */
    @Override
    public synchronized void show(Round round, int sold, String note) {
        if (!terminal.live() || System.nanoTime() - drawnAt < REDRAW_NANOS) {
            return;
        }
        drawnAt = System.nanoTime();
        String line = pad(round.title()) + bar(sold) + " " + sold + "/" + stock + "  " + note;
        redraw(line.substring(0, Math.min(line.length(), terminal.width() - 1)));
        open = true;
    }

    @Override
    public synchronized void ended(Result result) {
        String text = pad(result.round().title()) + outcome(result);
        if (!terminal.live()) {
            say(text);
            return;
        }
        redraw(terminal.paint(result.isBaton() && result.asAnnounced() ? Style.GREEN : Style.RED, text));
        terminal.out().println();
        open = false;
    }

    /** Ends the line that is being rewritten. */
    synchronized void leave() {
        if (open) {
            terminal.out().println();
            open = false;
        }
    }

    private void redraw(String line) {
        terminal.out().print("\r" + line + "\u001b[K");
        terminal.out().flush();
    }

    private static String outcome(Result result) {
        Shop.Books books = result.books();
        String sold = "sold " + books.orders() + " of " + result.stock();
        if (books.oversold() > 0) {
            return sold + ": " + books.oversold() + " oversold";
        }
        if (result.stuck()) {
            return sold + ": stuck";
        }
        return sold + ": 0 oversold" + (books.refused() > 0 ? ", " + books.refused() + " stale refused" : "");
    }

    private String bar(int sold) {
        int full = Math.min(BAR, sold * BAR / stock);
        return (terminal.unicode() ? "█" : "#").repeat(full) + (terminal.unicode() ? "░" : "-").repeat(BAR - full);
    }

    private static String pad(String title) {
        return title + " ".repeat(Math.max(1, TITLE - title.length()));
    }
}
