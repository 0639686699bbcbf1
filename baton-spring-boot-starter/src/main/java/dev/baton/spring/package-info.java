/** Locked methods of Spring beans. */
@NullMarked
package dev.baton.spring;

import org.jspecify.annotations.NullMarked;
