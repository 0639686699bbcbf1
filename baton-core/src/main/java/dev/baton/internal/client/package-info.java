/** The implementation of the API: threads around the engine, and handles in front of it. */
@NullMarked
package dev.baton.internal.client;

import org.jspecify.annotations.NullMarked;
