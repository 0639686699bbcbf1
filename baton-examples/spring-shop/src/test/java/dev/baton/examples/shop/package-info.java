/** The shop as three processes, and its customers. */
@NullMarked
package dev.baton.examples.shop;

import org.jspecify.annotations.NullMarked;
