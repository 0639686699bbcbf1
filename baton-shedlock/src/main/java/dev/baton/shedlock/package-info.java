/** A provider of locks for ShedLock. */
@NullMarked
package dev.baton.shedlock;

import org.jspecify.annotations.NullMarked;
