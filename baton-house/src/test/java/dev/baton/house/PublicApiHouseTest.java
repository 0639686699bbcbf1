package dev.baton.house;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every public and protected member of the exported packages, as a committed list: a method that vanishes or changes breaks
 * users, and shows here first.
 */
class PublicApiHouseTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "dev.baton",
                "dev.baton.spi",
                "dev.baton.test",
                "dev.baton.micrometer",
                "dev.baton.shedlock",
                "dev.baton.reactor",
                "dev.baton.kotlin",
                "dev.baton.spring",
                "dev.baton.spring.boot",
                "dev.baton.spring.integration"
            })
    void members_areThoseOfTheList(String exported) throws IOException {
        Committed.list("api-" + exported + ".txt")
                .check(types(exported).flatMap(PublicApiHouseTest::lines).toList());
    }

    /** What users call of the stores, beside what the service loader finds. */
    @Test
    void fences_areThoseOfTheList() throws IOException {
        Committed.list("api-stores.txt")
                .check(Stream.of(
                                "dev.baton.jdbc",
                                "dev.baton.redis",
                                "dev.baton.zookeeper",
                                "dev.baton.etcd",
                                "dev.baton.memcached")
                        .flatMap(PublicApiHouseTest::types)
                        .flatMap(PublicApiHouseTest::lines)
                        .toList());
    }

    private static Stream<Class<?>> types(String exported) {
        return Compiled.types().stream()
                .filter(type -> type.getPackageName().equals(exported))
                .map(JavaClass::reflect)
                .filter(PublicApiHouseTest::isVisible)
                .sorted((one, other) -> one.getName().compareTo(other.getName()))
                .map(type -> type);
    }

    /** Public or protected itself, in types that are, all the way up. */
    private static boolean isVisible(Class<?> type) {
        return isVisible(type.getModifiers())
                && (type.getEnclosingClass() == null || isVisible(type.getEnclosingClass()));
    }

    private static boolean isVisible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    private static Stream<String> lines(Class<?> type) {
        List<String> lines = new ArrayList<>();
        // JDKs since 21 say "sealed" here, and each lists the permitted types in an order of its own.
        lines.add(type.toGenericString().replaceAll("\\b(non-)?sealed ", "") + parents(type));
        if (type.isRecord()) {
            lines.add("    components "
                    + Arrays.stream(type.getRecordComponents())
                            .map(RecordComponent::toString)
                            .collect(Collectors.joining(", ")));
        }
        if (type.isSealed()) {
            lines.add("    permits "
                    + Arrays.stream(type.getPermittedSubclasses())
                            .map(Class::getName)
                            .sorted()
                            .collect(Collectors.joining(", ")));
        }
        Stream<String> fields = Arrays.stream(type.getDeclaredFields())
                .filter(field -> isVisible(field.getModifiers()))
                .map(Field::toGenericString);
        Stream<String> constructors = Arrays.stream(type.getDeclaredConstructors())
                .filter(PublicApiHouseTest::isWritten)
                .map(Constructor::toGenericString);
        Stream<String> methods = Arrays.stream(type.getDeclaredMethods())
                .filter(method -> !method.isBridge())
                .filter(PublicApiHouseTest::isWritten)
                .map(Method::toGenericString);
        Stream.of(fields, constructors, methods)
                .flatMap(Stream::sorted)
                .map(line -> "    " + line)
                .forEach(lines::add);
        return lines.stream();
    }

    private static boolean isWritten(Executable member) {
        return isVisible(member.getModifiers()) && !member.isSynthetic();
    }

    private static String parents(Class<?> type) {
        List<String> parents = new ArrayList<>();
        if (type.getSuperclass() != null && type.getSuperclass() != Object.class) {
            parents.add(type.getGenericSuperclass().getTypeName());
        }
        Arrays.stream(type.getGenericInterfaces())
                .map(java.lang.reflect.Type::getTypeName)
                .forEach(parents::add);
        return parents.isEmpty() ? "" : " : " + String.join(", ", parents);
    }
}
