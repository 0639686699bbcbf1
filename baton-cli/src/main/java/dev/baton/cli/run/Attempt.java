package dev.baton.cli.run;

import dev.baton.BatonException;
import dev.baton.StoreException;
import dev.baton.cli.console.CliException;
import dev.baton.cli.console.ExitCode;

/**
 * Asks the client for something that the arguments name.
 *
 * @param <T> its type
 */
interface Attempt<T> {
    T make() throws InterruptedException;

    /** A wrong name, time or kind is reported when the client is asked. */
    static <T> T of(Attempt<T> attempt) throws InterruptedException {
        try {
            return attempt.make();
        } catch (StoreException failure) {
            throw failure;
        } catch (IllegalArgumentException | UnsupportedOperationException | BatonException e) {
            throw new CliException(ExitCode.USAGE, inOptions(String.valueOf(e.getMessage())), e);
        }
    }

    /** Returns a message of the library in the words of the command line. */
    static String inOptions(String message) {
        return message.replace("atLeast", "--at-least").replace("atMost", "--at-most");
    }
}
