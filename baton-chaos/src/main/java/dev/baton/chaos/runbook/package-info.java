/** The operator's runbook as programs read it, and what clients say of themselves. */
@NullMarked
package dev.baton.chaos.runbook;

import org.jspecify.annotations.NullMarked;
