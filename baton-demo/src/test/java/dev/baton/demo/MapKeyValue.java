package dev.baton.demo;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A key-value server whose clock is moved by hand. */
final class MapKeyValue implements KeyValue {
    private final Map<String, String> values = new HashMap<>();
    private final Map<String, Long> expiries = new HashMap<>();
    private long nowMillis;

    void pass(Duration time) {
        nowMillis += time.toMillis();
        values.keySet().removeIf(key -> expiries.getOrDefault(key, Long.MAX_VALUE) <= nowMillis);
    }

    @Override
    public Optional<String> get(String key) {
        return Optional.ofNullable(values.get(key));
    }

    @Override
    public void set(String key, String value) {
        values.put(key, value);
        expiries.remove(key);
    }

    @Override
    public boolean setIfAbsent(String key, String value, Optional<Duration> expiry) {
        if (values.containsKey(key)) {
            return false;
        }
        set(key, value);
        expiry.ifPresent(time -> expiries.put(key, nowMillis + time.toMillis()));
        return true;
    }

    @Override
    public void delete(String key) {
        values.remove(key);
    }

    @Override
    public boolean compareAndDelete(String key, String value) {
        return values.remove(key, value);
    }

    @Override
    public void close() {}
}
