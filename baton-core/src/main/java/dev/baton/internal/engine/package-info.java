/**
 * The engine: what a client believes, asks and undoes. No thread, clock, random number or socket inside; those come in
 * by constructor, so the simulator runs this very code in virtual time.
 */
@NullMarked
package dev.baton.internal.engine;

import org.jspecify.annotations.NullMarked;
