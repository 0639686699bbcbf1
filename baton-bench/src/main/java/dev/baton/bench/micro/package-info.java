/**
 * Measures single operations with JMH: the time and the allocation of a pair, alone and with other threads.
 * {@link dev.baton.bench.Bench} measures several clients, servers and peers.
 *
 * <p>{@link dev.baton.bench.micro.Micro} runs them. All take the address of the store as the parameter {@code store}.
 */
@NullMarked
package dev.baton.bench.micro;

import org.jspecify.annotations.NullMarked;
