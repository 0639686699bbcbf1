/** Two programs that show Baton at work: a sale that must not oversell, and a job that must not overlap. */
@NullMarked
package dev.baton.examples;

import org.jspecify.annotations.NullMarked;
