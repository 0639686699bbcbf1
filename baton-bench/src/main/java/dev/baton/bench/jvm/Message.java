package dev.baton.bench.jvm;

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
public record Message(Map<String, Object> fields) {
    public static Message of(Map<String, Object> fields) {
        return new Message(fields);
    }

    public static Message parse(String line) throws IOException {
        return new Message(JSON.std.mapFrom(line));
    }

    public String line() throws IOException {
        return JSON.std.asString(fields);
    }

    public Message with(String field, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(fields);
        more.put(field, value);
        return new Message(more);
    }

    public boolean has(String field) {
        return fields.containsKey(field);
    }

    private Object get(String field) {
        Object value = fields.get(field);
        if (value == null) {
            throw new IllegalArgumentException("no " + field + " in " + fields);
        }
        return value;
    }

    public String text(String field) {
        return get(field).toString();
    }

    public long number(String field) {
        return ((Number) get(field)).longValue();
    }

    public boolean is(String field) {
        return (boolean) get(field);
    }

    public List<Long> numbers(String field) {
        return ((List<?>) get(field))
                .stream().map(each -> ((Number) each).longValue()).toList();
    }

    public List<String> texts(String field) {
        return ((List<?>) get(field)).stream().map(Object::toString).toList();
    }

    @SuppressWarnings("unchecked") // JSON objects have texts as keys
    public List<Message> messages(String field) {
        return ((List<?>) get(field))
                .stream().map(each -> new Message((Map<String, Object>) each)).toList();
    }

    public Map<?, ?> object(String field) {
        return (Map<?, ?>) get(field);
    }
}
