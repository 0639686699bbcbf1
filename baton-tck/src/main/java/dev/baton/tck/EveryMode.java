package dev.baton.tck;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On a test class that subclasses a client contract, or holds such classes: each case is run in every mode (synchronous,
 * asynchronous, on virtual threads) at any time of day. Without it, a case is run in one of them, another one for each
 * class, and in all of them with {@code -Dbaton.nightly=true}. The modes differ above the store.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface EveryMode {}
