package dev.baton.tck;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.ParameterDeclarations;

/** Says in which modes a case is run; see {@link EveryMode}. */
final class ModesOfCase implements ArgumentsProvider {
    @Override
    public Stream<Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
        List<Mode> modes = Mode.available().toList();
        Class<?> suite = outermost(context);
        if (suite.isAnnotationPresent(EveryMode.class) || ClientContract.nightly()) {
            return modes.stream().map(Arguments::of);
        }
        int turn = context.getRequiredTestMethod().getName().hashCode()
                + suite.getSimpleName().hashCode();
        return Stream.of(Arguments.of(modes.get(Math.floorMod(turn, modes.size()))));
    }

    private static Class<?> outermost(ExtensionContext context) {
        Class<?> type = context.getRequiredTestClass();
        for (ExtensionContext each = context;
                each.getTestClass().isPresent();
                each = each.getParent().orElseThrow()) {
            type = each.getRequiredTestClass();
        }
        return type;
    }
}
