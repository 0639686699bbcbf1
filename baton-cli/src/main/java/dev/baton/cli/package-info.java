/**
 * The command line. {@link dev.baton.cli.Main} reads the arguments. Each command has its own package and writes its
 * output through a {@link dev.baton.cli.console.Terminal}.
 */
@NullMarked
package dev.baton.cli;

import org.jspecify.annotations.NullMarked;
