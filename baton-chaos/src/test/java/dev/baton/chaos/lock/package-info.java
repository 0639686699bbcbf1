/** Tests of what callers ask for. */
@NullMarked
package dev.baton.chaos.lock;

import org.jspecify.annotations.NullMarked;
