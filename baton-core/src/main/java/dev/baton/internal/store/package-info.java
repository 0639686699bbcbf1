/**
 * Helpers that Baton's own stores share. Only those stores see this package; stores of other authors do not need it.
 */
@NullMarked
package dev.baton.internal.store;

import org.jspecify.annotations.NullMarked;
