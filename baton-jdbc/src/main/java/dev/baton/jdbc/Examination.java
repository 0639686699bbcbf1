package dev.baton.jdbc;

import dev.baton.spi.StoreFailure;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Asks a database about itself. */
final class Examination {
    private Examination() {}

    /** Returns the database's facts; a server answers in one transaction, as each statement would be one anyway. */
    static Map<String, String> facts(Session session) throws SQLException, StoreFailure {
        return session.dialect().has(Sql.LOCK_NAMES) ? session.transaction(Examination::ask) : ask(session);
    }

    private static Map<String, String> ask(Session session) throws SQLException {
        Map<String, String> facts = new LinkedHashMap<>();
        for (Dialect.Fact fact : session.dialect().facts()) {
            facts.put(fact.label(), String.valueOf(session.execute(fact.statement())));
        }
        return facts;
    }

    /** Returns the risky settings of the database; a database that does not tell them gets a warning, too. */
    static List<String> warnings(Session session) {
        List<String> warnings = new ArrayList<>();
        for (String question : session.dialect().warnings()) {
            String answer;
            try {
                answer = session.execute(question);
            } catch (SQLException e) {
                answer = "did not say whether it keeps what it acknowledged: " + session.withoutSecrets(e.getMessage());
            }
            if (answer != null) {
                warnings.add(session.dialect().store() + " at " + session.target() + ' ' + answer);
            }
        }
        return warnings;
    }
}
