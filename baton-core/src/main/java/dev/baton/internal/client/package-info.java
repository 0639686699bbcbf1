/** The API's implementation: threads around the engine, handles in front of it. */
@NullMarked
package dev.baton.internal.client;

import org.jspecify.annotations.NullMarked;
