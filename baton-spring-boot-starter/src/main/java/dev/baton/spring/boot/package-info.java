/** The configuration of Baton in Spring Boot. */
@NullMarked
package dev.baton.spring.boot;

import org.jspecify.annotations.NullMarked;
