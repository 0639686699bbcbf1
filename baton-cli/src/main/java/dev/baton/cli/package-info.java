/**
 * The command line. {@link dev.baton.cli.Main} reads the arguments; each command has a package of its own and says what
 * it has to say through a {@link dev.baton.cli.Terminal}.
 */
@NullMarked
package dev.baton.cli;

import org.jspecify.annotations.NullMarked;
