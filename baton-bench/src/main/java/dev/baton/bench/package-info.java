/**
 * Measures Baton and its peers on the same servers and in turns, so that the load from other programs is the same for
 * all.
 *
 * <p>{@link dev.baton.bench.Rows} lists the comparisons and their targets, {@link dev.baton.bench.Contestants} the
 * contestants. {@link dev.baton.bench.Servers} starts the servers. {@link dev.baton.bench.Bench} opens the contestants of
 * a {@link dev.baton.bench.Trial} and lets them take turns. All clients of a contestant are a
 * {@link dev.baton.bench.Crew}; the clients in one JVM are a {@link dev.baton.bench.Team}. All JVMs of a turn share a
 * {@link dev.baton.bench.Board}, on which only the lock under test orders reads and writes. A turn gives a
 * {@link dev.baton.bench.Sample}; a {@link dev.baton.bench.Metric} reads one figure from it, and an
 * {@link dev.baton.bench.Estimate} is the mean of all rounds with its interval. {@link dev.baton.bench.Report} and
 * {@link dev.baton.bench.Summary} print the results, {@link dev.baton.bench.Charts} draws them.
 *
 * <p>{@link dev.baton.bench.jobs} measures no speed: it counts what products do with jobs.
 */
@NullMarked
package dev.baton.bench;

import org.jspecify.annotations.NullMarked;
