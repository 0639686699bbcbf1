/** How commands speak with users and programs: text, JSON, times, errors and exit codes. */
@NullMarked
package dev.baton.cli.console;

import org.jspecify.annotations.NullMarked;
