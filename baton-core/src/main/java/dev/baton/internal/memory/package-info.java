/** The embedded store: the abstract machine in plain Java, and the oracle that all others are compared with. */
@NullMarked
package dev.baton.internal.memory;

import org.jspecify.annotations.NullMarked;
