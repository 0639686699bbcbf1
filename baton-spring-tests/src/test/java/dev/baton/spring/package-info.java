/** The starter in an application, with the versions of one line of Boot. */
@NullMarked
package dev.baton.spring;

import org.jspecify.annotations.NullMarked;
