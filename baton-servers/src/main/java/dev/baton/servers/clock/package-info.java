/** Wall clocks of other processes that can be set. */
@NullMarked
package dev.baton.servers.clock;

import org.jspecify.annotations.NullMarked;
