/** Two programs that use Baton: a sale that must not oversell, and a job that must not overlap. */
@NullMarked
package dev.baton.examples;

import org.jspecify.annotations.NullMarked;
