/** The stores under test: how each is started, which faults only it can have, and what they may cost. */
@NullMarked
package dev.baton.chaos.server;

import org.jspecify.annotations.NullMarked;
