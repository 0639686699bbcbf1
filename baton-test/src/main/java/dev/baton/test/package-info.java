/** A store in memory for tests of code that uses locks: the test moves its clock, expires its leases and silences it. */
@NullMarked
package dev.baton.test;

import org.jspecify.annotations.NullMarked;
