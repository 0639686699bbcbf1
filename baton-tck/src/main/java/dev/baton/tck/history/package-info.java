/** Checkers of recorded histories: they know nothing of how a lock works, only what must never be seen. */
@NullMarked
package dev.baton.tck.history;

import org.jspecify.annotations.NullMarked;
