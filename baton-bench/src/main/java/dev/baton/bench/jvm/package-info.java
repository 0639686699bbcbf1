/** The JVMs of a run: how they start, how they talk to each other, and the clock that they share. */
@NullMarked
package dev.baton.bench.jvm;

import org.jspecify.annotations.NullMarked;
