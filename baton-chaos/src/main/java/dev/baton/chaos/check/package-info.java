/** Checkers of histories: each knows one promise, and nothing about how a lock works. */
@NullMarked
package dev.baton.chaos.check;

import org.jspecify.annotations.NullMarked;
