package dev.baton.bench;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A message from one JVM to another: a JSON object on one line.
 *
 * @param fields the fields by their names
 */
record Message(Map<String, Object> fields) {
    static Message of(Map<String, Object> fields) {
        return new Message(fields);
    }

    static Message parse(String line) throws IOException {
        return new Message(JSON.std.mapFrom(line));
    }

    String line() throws IOException {
        return JSON.std.asString(fields);
    }

    Message with(String field, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(fields);
        more.put(field, value);
        return new Message(more);
    }

    boolean has(String field) {
        return fields.containsKey(field);
    }

    private Object get(String field) {
        Object value = fields.get(field);
        if (value == null) {
            throw new IllegalArgumentException("no " + field + " in " + fields);
        }
        return value;
    }

    String text(String field) {
        return get(field).toString();
    }

    long number(String field) {
        return ((Number) get(field)).longValue();
    }

    boolean is(String field) {
        return (boolean) get(field);
    }

    List<Long> numbers(String field) {
        return ((List<?>) get(field))
                .stream().map(each -> ((Number) each).longValue()).toList();
    }

    Map<?, ?> object(String field) {
        return (Map<?, ?>) get(field);
    }
}
