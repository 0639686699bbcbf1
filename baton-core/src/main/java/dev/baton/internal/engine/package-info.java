/**
 * The engine: a client's beliefs, requests and undoing. It has no thread, clock, random number or socket of its own;
 * the constructor receives them, so the simulator runs this same code in virtual time.
 */
@NullMarked
package dev.baton.internal.engine;

import org.jspecify.annotations.NullMarked;
