/** Jobs and elections: over locks and notes, as users have them. */
@NullMarked
package dev.baton.internal.work;

import org.jspecify.annotations.NullMarked;
