/** How commands find their store, and keep its password and files from other users of the machine. */
@NullMarked
package dev.baton.cli.store;

import org.jspecify.annotations.NullMarked;
