/**
 * The simulator: it runs the real engine against the reference machine in virtual time, with faults drawn from a seed.
 * The same seed replays the same history to the last event.
 */
@NullMarked
package dev.baton.tck.sim;

import org.jspecify.annotations.NullMarked;
