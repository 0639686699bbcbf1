/**
 * The small questions, by JMH: what a pair costs one caller, what it allocates, what it costs with others beside it. What
 * takes several clients, a server or a peer is measured by {@link dev.baton.bench.Bench}.
 *
 * <p>{@link dev.baton.bench.micro.Micro} runs them. All take the address of the store as the parameter {@code store}.
 */
@NullMarked
package dev.baton.bench.micro;

import org.jspecify.annotations.NullMarked;
