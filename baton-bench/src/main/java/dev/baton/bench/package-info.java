/**
 * Measures Baton beside its peers: in one JVM, on one server, in turns, so that whatever else the machine does is the
 * same for all.
 *
 * <p>{@link dev.baton.bench.Rows} is what is compared and what is hoped for; {@link dev.baton.bench.Contestants} is who
 * takes part. Both are data. {@link dev.baton.bench.Bench} opens the contestants of a {@link dev.baton.bench.Trial} and
 * lets them take turns; a turn is a {@link dev.baton.bench.Slice} and gives a {@link dev.baton.bench.Sample}; a
 * {@link dev.baton.bench.Metric} reads one figure out of it, and an {@link dev.baton.bench.Estimate} says how sure the
 * figures of all rounds are. {@link dev.baton.bench.Report} prints.
 */
@NullMarked
package dev.baton.bench;

import org.jspecify.annotations.NullMarked;
