package dev.baton.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The values of a statement's parameters; a missing value is null. Not thread-safe. */
final class Values {
    private final Map<Param, Object> values = new EnumMap<>(Param.class);
    private int longest = 1;

    Values with(Param param, @Nullable Object value) {
        if (value == null) {
            values.remove(param);
        } else {
            values.put(param, value);
        }
        return this;
    }

    /** Sets a parameter that takes a list, of at least one value. */
    Values with(Param param, List<?> list) {
        longest = Math.max(longest, list.size());
        values.put(param, list);
        return this;
    }

    /** Returns the length of the longest list. */
    int longest() {
        return longest;
    }

    void bind(PreparedStatement statement, Query.Sized query) throws SQLException {
        for (int i = 0; i < query.order().size(); i++) {
            Query.Place place = query.order().get(i);
            Param param = place.param();
            Object value = param.isList() ? element(param, place.at()) : values.get(param);
            if (value != null && param.isBytes()) {
                byte[] bytes = value instanceof byte[] given ? given : Utf8.bytes((String) value);
                statement.setBytes(i + 1, query.hex() ? Utf8.hex(bytes) : bytes);
            } else {
                statement.setObject(i + 1, value);
            }
        }
    }

    /** A list that is shorter than its parameter repeats its last value. */
    private @Nullable Object element(Param param, int at) {
        List<?> list = (List<?>) values.get(param);
        return list == null ? null : list.get(Math.min(at, list.size() - 1));
    }
}
