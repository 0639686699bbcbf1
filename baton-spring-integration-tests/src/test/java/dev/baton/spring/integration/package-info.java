/** The registry of locks, on each line of Spring Integration. */
@NullMarked
package dev.baton.spring.integration;

import org.jspecify.annotations.NullMarked;
