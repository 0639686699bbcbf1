/** A registry of locks for Spring Integration. */
@NullMarked
package dev.baton.spring.integration;

import org.jspecify.annotations.NullMarked;
