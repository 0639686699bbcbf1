/** Locks for Reactor's publishers. */
@NullMarked
package dev.baton.reactor;

import org.jspecify.annotations.NullMarked;
