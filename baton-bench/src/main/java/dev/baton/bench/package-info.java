/**
 * Measures Baton beside its peers: on the same servers and in turns, so that whatever else the machine does is the same
 * for all.
 *
 * <p>{@link dev.baton.bench.Rows} is what is compared and what is hoped for; {@link dev.baton.bench.Contestants} is who
 * takes part. Both are data. {@link dev.baton.bench.Servers} starts what is measured. {@link dev.baton.bench.Bench} opens
 * the contestants of a {@link dev.baton.bench.Trial} and lets them take turns. A contestant with all its clients is a
 * {@link dev.baton.bench.Crew}; those of its clients that share a JVM are a {@link dev.baton.bench.Team}, and all JVMs of
 * a turn see one {@link dev.baton.bench.Board}, on which nothing but the lock under test keeps order. A turn gives a
 * {@link dev.baton.bench.Sample}; a {@link dev.baton.bench.Metric} reads one figure out of it, and an
 * {@link dev.baton.bench.Estimate} says how sure the figures of all rounds are. {@link dev.baton.bench.Report} prints,
 * {@link dev.baton.bench.Charts} draws.
 */
@NullMarked
package dev.baton.bench;

import org.jspecify.annotations.NullMarked;
