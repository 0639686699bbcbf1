/**
 * {@code baton run}: one command under a lock. {@link dev.baton.cli.run.RunCommand} waits for the lock and starts the
 * command in this process's own group, so that terminal, pipes and signals are its own; {@link dev.baton.cli.run.Watch}
 * stays with it until it ends; a {@link dev.baton.cli.run.Guardian}, a process of its own, ends it when the lock is lost
 * or this process is gone.
 */
@NullMarked
package dev.baton.cli.run;

import org.jspecify.annotations.NullMarked;
