/** Broken locks on a real Redis: each has one defect, known from an article or a library, and a repaired twin. */
@NullMarked
package dev.baton.chaos.zoo;

import org.jspecify.annotations.NullMarked;
