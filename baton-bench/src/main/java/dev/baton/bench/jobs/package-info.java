/**
 * What Baton's jobs, ShedLock, Quartz and db-scheduler do in the same situations on PostgreSQL, counted.
 *
 * <p>{@link dev.baton.bench.jobs.JobTable} plays each {@link dev.baton.bench.jobs.Scenario} with each
 * {@link dev.baton.bench.jobs.Product}. An {@link dev.baton.bench.jobs.Arena} has a product's server and its machines: JVMs
 * of their own, which can be killed and paused, and whose clocks can be set. The program of such a JVM is
 * {@link dev.baton.bench.jobs.Node}; it runs jobs by a {@link dev.baton.bench.jobs.JobPeer}. Each action writes into a table
 * ({@link dev.baton.bench.jobs.RunTable}), and the rows there are counted.
 */
@NullMarked
package dev.baton.bench.jobs;

import org.jspecify.annotations.NullMarked;
