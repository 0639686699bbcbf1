/** Faults at clients, on the wire and at servers, and the nemesis that chooses among them by a seed. */
@NullMarked
package dev.baton.chaos.fault;

import org.jspecify.annotations.NullMarked;
