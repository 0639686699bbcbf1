/** A flash sale on several instances of Spring Boot. */
@NullMarked
package dev.baton.examples.shop;

import org.jspecify.annotations.NullMarked;
