/** Real servers for tests, started and killed as processes. */
@NullMarked
package dev.baton.servers;

import org.jspecify.annotations.NullMarked;
