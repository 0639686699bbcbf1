/** Commands that show locks, and the one that releases them by force. */
@NullMarked
package dev.baton.cli.look;

import org.jspecify.annotations.NullMarked;
