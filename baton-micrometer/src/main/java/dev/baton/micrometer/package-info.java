/** Meters of locks, for Micrometer. */
@NullMarked
package dev.baton.micrometer;

import org.jspecify.annotations.NullMarked;
