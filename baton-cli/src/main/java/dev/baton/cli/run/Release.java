package dev.baton.cli.run;

import dev.baton.Lease;
import dev.baton.ReleaseOutcome;
import dev.baton.cli.console.DurationConverter;
import dev.baton.cli.console.ExitCode;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Releases the lease when the command has ended.
 *
 * @param leaseTime how long the lock may outlive this process
 * @param late waits for a release that was not answered in time, and returns whether the lock is free then
 * @param tell receives troubles
 */
record Release(Lease lease, Duration leaseTime, BooleanSupplier late, Consumer<String> tell) {
    /**
     * Releases it.
     *
     * @param exitCode the command's
     * @param rest for how long the lock is kept from all others
     * @return the command's exit code, or {@link ExitCode#RUN_LOST}
     */
    int after(int exitCode, Duration rest) {
        boolean wasHeld = lease.isHeld();
        ReleaseOutcome outcome = rest.isNegative() ? lease.release() : lease.releaseAndKeep(rest);
        if (outcome == ReleaseOutcome.UNKNOWN) {
            if (!late.getAsBoolean()) {
                tell.accept("the store did not answer the release: the lock ends with its lease, in at most "
                        + DurationConverter.text(leaseTime));
            }
        } else if (outcome != ReleaseOutcome.RELEASED && !wasHeld) {
            tell.accept("the lock was lost before the command ended: somebody else may have run at the same time");
            return ExitCode.RUN_LOST;
        }
        return exitCode;
    }
}
