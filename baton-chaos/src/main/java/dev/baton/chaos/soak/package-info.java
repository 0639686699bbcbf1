/** Long runs: whether anything grows with time, or with the number of clients that came and went. */
@NullMarked
package dev.baton.chaos.soak;

import org.jspecify.annotations.NullMarked;
