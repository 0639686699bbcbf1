/** The machinery of locked methods. */
@NullMarked
package dev.baton.spring.internal;

import org.jspecify.annotations.NullMarked;
