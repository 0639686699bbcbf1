/** {@code baton demo}: its options, its progress and its report. The sale itself is {@link dev.baton.demo}. */
@NullMarked
package dev.baton.cli.demo;

import org.jspecify.annotations.NullMarked;
