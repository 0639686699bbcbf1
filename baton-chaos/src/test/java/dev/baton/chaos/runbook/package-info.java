/** Tests of what clients say, and of the page that explains it. */
@NullMarked
package dev.baton.chaos.runbook;

import org.jspecify.annotations.NullMarked;
