/** What callers ask of locks under test. */
@NullMarked
package dev.baton.chaos.lock;

import org.jspecify.annotations.NullMarked;
