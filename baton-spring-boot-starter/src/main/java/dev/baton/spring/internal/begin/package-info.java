/** Beginning work with a client that may not be connected yet. */
@NullMarked
package dev.baton.spring.internal.begin;

import org.jspecify.annotations.NullMarked;
