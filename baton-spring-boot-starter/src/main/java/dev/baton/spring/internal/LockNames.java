package dev.baton.spring.internal;

import dev.baton.spring.LockNameResolver;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.ParserContext;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.common.LiteralExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** The names of the locks of one method: literals, expressions, or a bean that tells them. Immutable. */
final class LockNames {
    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    private static final ParameterNameDiscoverer PARAMETERS = new DefaultParameterNameDiscoverer();

    private final ConfigurableBeanFactory beans;
    private final Method method;
    private final List<List<Expression>> names;
    private final String resolver;

    /** The root of expressions. */
    record Root(@Nullable Object target, Method method) {}

    /**
     * Parses names.
     *
     * @throws IllegalArgumentException if one does not parse, or there is none
     */
    LockNames(ConfigurableBeanFactory beans, Method method, String[] texts, String resolver) {
        this.beans = beans;
        this.method = method;
        this.resolver = resolver;
        List<List<Expression>> parsed = new ArrayList<>();
        for (String text : texts) {
            parsed.add(parse(text));
        }
        this.names = List.copyOf(parsed);
        if (names.isEmpty() == resolver.isEmpty()) {
            throw new IllegalArgumentException("has to say a name, or the bean that tells it, and not both");
        }
    }

    /** Returns a method's name, for users. */
    static String text(Method method) {
        return method.getDeclaringClass().getSimpleName() + '.' + method.getName();
    }

    private List<Expression> parse(String text) {
        String resolved = beans.resolveEmbeddedValue(text);
        if (resolved == null || resolved.isBlank()) {
            throw new IllegalArgumentException("has a name that is empty");
        }
        Expression whole = PARSER.parseExpression(resolved, ParserContext.TEMPLATE_EXPRESSION);
        return whole instanceof CompositeStringExpression parts ? List.of(parts.getExpressions()) : List.of(whole);
    }

    /** Returns how many there are; 0 if a bean tells them. */
    int count() {
        return names.size();
    }

    /** Returns the names for a call. */
    List<String> of(@Nullable Object target, @Nullable Object[] arguments) {
        if (!resolver.isEmpty()) {
            List<String> told = beans.getBean(resolver, LockNameResolver.class).names(method, nonNull(arguments));
            if (told.isEmpty() || told.stream().anyMatch(String::isBlank)) {
                throw empty("bean \"" + resolver + '"');
            }
            return told.stream().distinct().toList();
        }
        EvaluationContext context = null;
        List<String> found = new ArrayList<>(names.size());
        for (List<Expression> each : names) {
            StringBuilder name = new StringBuilder();
            for (Expression part : each) {
                if (context == null && !(part instanceof LiteralExpression)) {
                    context = context(target, arguments);
                }
                name.append(value(part, context));
            }
            found.add(name.toString());
        }
        // Two expressions may say the same, as for a transfer from an account to itself.
        return found.size() == 1 ? found : found.stream().distinct().toList();
    }

    @SuppressWarnings("NullAway") // arguments of a call may be null, and users of reflection know
    private static Object[] nonNull(@Nullable Object[] arguments) {
        return arguments;
    }

    private EvaluationContext context(@Nullable Object target, @Nullable Object[] arguments) {
        MethodBasedEvaluationContext context =
                new MethodBasedEvaluationContext(new Root(target, method), method, nonNull(arguments), PARAMETERS);
        context.setBeanResolver(new BeanFactoryResolver(beans));
        return context;
    }

    /** A part that is null would vanish in the name, and calls for different things would share one lock. */
    private String value(Expression part, @Nullable EvaluationContext context) {
        if (part instanceof LiteralExpression literal) {
            return literal.getValue();
        }
        Object value = part.getValue(context == null ? context(null, new Object[0]) : context);
        String text = value == null ? "" : value.toString();
        if (text.isBlank()) {
            throw empty("#{" + part.getExpressionString() + "} is " + (value == null ? "null" : "blank"));
        }
        return text;
    }

    private IllegalArgumentException empty(String what) {
        return new IllegalArgumentException("the name of the lock of " + text(method) + " is missing: " + what
                + ", and all such calls would share one lock");
    }
}
