/** {@code baton demo}: shows the flash sale of {@code baton-demo} while it runs, and what it sold. */
@NullMarked
package dev.baton.cli.demo;

import org.jspecify.annotations.NullMarked;
