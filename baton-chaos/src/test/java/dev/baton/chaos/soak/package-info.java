/** Tests of what long runs conclude. */
@NullMarked
package dev.baton.chaos.soak;

import org.jspecify.annotations.NullMarked;
