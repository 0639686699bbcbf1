/** How texts are laid out, for terminals and in Markdown. */
@NullMarked
package dev.baton.chaos.text;

import org.jspecify.annotations.NullMarked;
