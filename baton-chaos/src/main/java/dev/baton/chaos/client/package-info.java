/** The clients: JVMs that use locks in every way, write down what they saw, and are killed, stopped and cut off. */
@NullMarked
package dev.baton.chaos.client;

import org.jspecify.annotations.NullMarked;
