/** Locked methods, jobs and elections of Spring applications. */
@NullMarked
package dev.baton.spring;

import org.jspecify.annotations.NullMarked;
