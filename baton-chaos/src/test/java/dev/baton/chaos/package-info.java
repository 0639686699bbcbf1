/** Tests of the chaos runs. */
@NullMarked
package dev.baton.chaos;

import org.jspecify.annotations.NullMarked;
