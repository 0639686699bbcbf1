/** Checkers of recorded histories: they know only what must never happen, and nothing about how a lock works. */
@NullMarked
package dev.baton.tck.history;

import org.jspecify.annotations.NullMarked;
