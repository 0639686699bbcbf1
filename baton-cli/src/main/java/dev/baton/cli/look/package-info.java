/** Commands that look at locks from outside, and the one that takes them away. */
@NullMarked
package dev.baton.cli.look;

import org.jspecify.annotations.NullMarked;
