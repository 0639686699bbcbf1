package dev.baton.jdbc;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the secrets of an address out of what people and logs are shown. Drivers quote addresses and options in their
 * messages, and each has a syntax of its own. Immutable.
 */
final class Redaction {
    private static final String HIDDEN = "…";

    /** Options begin here, in every driver's syntax. */
    private static final Pattern OPTIONS = Pattern.compile("[?;(]");

    private static final Pattern SEPARATORS = Pattern.compile("[?&;(),]");
    private static final Pattern SECRET_NAME =
            Pattern.compile("pass|pwd|secret|credential|token", Pattern.CASE_INSENSITIVE);
    private static final Pattern USER = Pattern.compile("//(.*)@", Pattern.DOTALL);
    private static final Pattern AUTHORITY = Pattern.compile("//([^/]*)");
    private static final Pattern HOSTS = Pattern.compile("(?:(?:[\\w.-]*|\\[[\\w.:%]*])(?::\\d+)?,?)*");

    /** What looks like a secret option, whatever address it is from: a DataSource has its own. */
    private static final Pattern NAMED = Pattern.compile(
            "([\\w.-]*(?:pass|pwd|secret)[\\w.-]*=)(?:\"[^\"]*\"|'[^']*'|[^;&,()\\s]+)", Pattern.CASE_INSENSITIVE);

    /** Shorter ones are hidden only where their option is named: they may be a part of any word. */
    private static final int SHORTEST = 4;

    private final String url;
    private final String shown;
    private final List<String> secrets;

    private Redaction(String url, String shown, List<String> secrets) {
        this.url = url;
        this.shown = shown;
        this.secrets = secrets;
    }

    /** For one address. */
    static Redaction of(String url) {
        Set<String> secrets = new LinkedHashSet<>();
        Matcher user = USER.matcher(url);
        if (user.find()) {
            for (String each : user.group(1).split("[,@]", -1)) {
                add(secrets, each.substring(each.indexOf(':') + 1));
            }
            add(secrets, user.group(1).substring(user.group(1).indexOf(':') + 1));
        }
        for (String option : SEPARATORS.split(url, -1)) {
            int equals = option.indexOf('=');
            if (equals > 0 && SECRET_NAME.matcher(option.substring(0, equals)).find()) {
                add(secrets, option.substring(equals + 1));
            }
        }
        List<String> longestFirst = secrets.stream()
                .sorted((one, other) -> other.length() - one.length())
                .toList();
        return new Redaction(url, shown(url), longestFirst);
    }

    private static void add(Set<String> secrets, String secret) {
        if (secret.length() >= SHORTEST) {
            secrets.add(secret);
            try {
                secrets.add(URLDecoder.decode(secret, StandardCharsets.UTF_8));
            } catch (IllegalArgumentException notEncoded) {
                // Then it is what it says.
            }
        }
    }

    /** The address without user and options; without hosts, too, if what stands in their place may be a password. */
    static String shown(String url) {
        Matcher options = OPTIONS.matcher(url);
        boolean cut = options.find();
        String rest = cut ? url.substring(0, options.start()) : url;
        boolean split = cut && url.indexOf('@', options.start()) >= 0 && rest.indexOf('@') < 0;
        rest = USER.matcher(rest).replaceFirst("//");
        Matcher authority = AUTHORITY.matcher(rest);
        if (authority.find()) {
            boolean hosts = HOSTS.matcher(authority.group(1)).matches();
            return hosts ? rest : rest.substring(0, authority.start()) + "//" + HIDDEN;
        }
        // Without hosts it is a file of H2's, or malformed.
        boolean user = !url.startsWith("jdbc:h2:") && (split || rest.indexOf('@') >= 0);
        return user ? rest.substring(0, rest.indexOf(':', "jdbc:".length()) + 1) + HIDDEN : rest;
    }

    /** The address for people. */
    String shown() {
        return shown;
    }

    /** A text without secrets. */
    String text(@Nullable String said) {
        String text = String.valueOf(said).replace(url, shown);
        for (String secret : secrets) {
            text = text.replace(secret, HIDDEN);
        }
        return NAMED.matcher(text).replaceAll("$1" + HIDDEN);
    }

    /** What a driver threw; a copy without secrets if there were any in it, or in what it is caused by. */
    SQLException of(SQLException said) {
        return isClean(said) ? said : copy(said);
    }

    private boolean isClean(Throwable said) {
        Throwable next = said instanceof SQLException sql ? sql.getNextException() : null;
        Throwable cause = said.getCause();
        boolean clean = said.getMessage() == null || said.getMessage().equals(text(said.getMessage()));
        for (Throwable suppressed : said.getSuppressed()) {
            clean &= isClean(suppressed);
        }
        return clean && (cause == null || isClean(cause)) && (next == null || isClean(next));
    }

    private SQLException copy(Throwable said) {
        String message = text(said.getMessage());
        SQLException copy = said instanceof SQLException sql
                ? new SQLException(message, sql.getSQLState(), sql.getErrorCode())
                : new SQLException(said.getClass().getName() + ": " + message);
        copy.setStackTrace(said.getStackTrace());
        Throwable cause = said.getCause();
        if (cause != null) {
            copy.initCause(copy(cause));
        }
        return copy;
    }
}
