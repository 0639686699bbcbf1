package dev.baton.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values of a statement's parameters; what is not given is null. Not thread-safe. */
final class Values {
    private final Map<Param, Object> values = new EnumMap<>(Param.class);

    Values with(Param param, @Nullable Object value) {
        if (value == null) {
            values.remove(param);
        } else {
            values.put(param, value);
        }
        return this;
    }

    void bind(PreparedStatement statement, Query query) throws SQLException {
        List<Param> order = query.order();
        for (int i = 0; i < order.size(); i++) {
            statement.setObject(i + 1, values.get(order.get(i)));
        }
    }
}
