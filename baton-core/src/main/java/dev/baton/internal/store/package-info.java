/** Helpers that Baton's own stores share. Exported to them alone: a store of another author does not need them. */
@NullMarked
package dev.baton.internal.store;

import org.jspecify.annotations.NullMarked;
