/** {@code ./baton chaos}: real servers and several client JVMs under faults, and checkers of what the clients saw. */
@NullMarked
package dev.baton.chaos;

import org.jspecify.annotations.NullMarked;
