package dev.baton.tck;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ArgumentsSource;

/** A case with a {@link Mode} as its only parameter, run in the modes of this JDK; see {@link ModesOfCase}. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedTest(name = "{displayName} {0}")
@ArgumentsSource(ModesOfCase.class)
@interface EachMode {}
