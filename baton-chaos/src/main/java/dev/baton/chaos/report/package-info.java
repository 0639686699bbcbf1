/** Reports of runs: for programs, for the terminal and as a page. */
@NullMarked
package dev.baton.chaos.report;

import org.jspecify.annotations.NullMarked;
