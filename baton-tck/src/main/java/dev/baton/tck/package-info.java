/**
 * The test kit: contracts for authors of stores, checkers and a simulator for the protocol, and a test store with a
 * clock moved by hand for tests of code that uses locks.
 */
@NullMarked
package dev.baton.tck;

import org.jspecify.annotations.NullMarked;
