/** Servers for tests: real ones, started and killed as processes. */
@NullMarked
package dev.baton.servers;

import org.jspecify.annotations.NullMarked;
