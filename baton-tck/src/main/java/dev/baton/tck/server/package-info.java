/** Real servers for tests, started and killed as processes. */
@NullMarked
package dev.baton.tck.server;

import org.jspecify.annotations.NullMarked;
