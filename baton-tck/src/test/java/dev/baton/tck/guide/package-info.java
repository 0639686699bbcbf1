/** The store that {@code docs/writing-a-store.md} walks through. */
@NullMarked
package dev.baton.tck.guide;

import org.jspecify.annotations.NullMarked;
