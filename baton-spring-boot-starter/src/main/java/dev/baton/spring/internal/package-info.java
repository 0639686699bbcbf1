/** The machinery of locked methods and jobs. */
@NullMarked
package dev.baton.spring.internal;

import org.jspecify.annotations.NullMarked;
