/**
 * Commands under leases. {@link dev.baton.cli.run.RunCommand} waits for a lock and runs one; {@link
 * dev.baton.cli.run.JobRunCommand} and {@link dev.baton.cli.run.ElectCommand} run one again and again, by {@link
 * dev.baton.cli.run.Turns}. A command starts in this process's own group, so that it has the same terminal, pipes and
 * signals. {@link dev.baton.cli.run.Watch} stays with it until it ends. A {@link dev.baton.cli.run.Guardian}, a separate
 * process, ends it when the lock is lost or this process is gone.
 */
@NullMarked
package dev.baton.cli.run;

import org.jspecify.annotations.NullMarked;
