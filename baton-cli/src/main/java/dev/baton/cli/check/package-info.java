/** The command that checks whether a store is fit for locks. */
@NullMarked
package dev.baton.cli.check;

import org.jspecify.annotations.NullMarked;
