/** What clients write down while they run, in files that survive their death, and the reader of those files. */
@NullMarked
package dev.baton.chaos.history;

import org.jspecify.annotations.NullMarked;
