/** Schedules of cron expressions. It uses Baton's API and the library that reads the expressions, and nothing else. */
@NullMarked
package dev.baton.cli.cron;

import org.jspecify.annotations.NullMarked;
