/** A complete store of Baton's for the processes of one machine: {@code docs/write-a-store.md} builds it step by step. */
@NullMarked
package dev.baton.examples.store;

import org.jspecify.annotations.NullMarked;
