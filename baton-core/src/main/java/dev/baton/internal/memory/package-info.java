/**
 * The embedded store: the abstract machine in plain Java, and the reference that all other stores are compared with.
 */
@NullMarked
package dev.baton.internal.memory;

import org.jspecify.annotations.NullMarked;
