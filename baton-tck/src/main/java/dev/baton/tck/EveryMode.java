package dev.baton.tck;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * For a test class that subclasses a client contract or contains such classes: every run executes each case in every
 * mode (synchronous, asynchronous, on virtual threads). Without it, a case runs in one mode, which differs from class
 * to class, and in all modes with {@code -Dbaton.nightly=true}. The modes differ only above the store.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface EveryMode {}
