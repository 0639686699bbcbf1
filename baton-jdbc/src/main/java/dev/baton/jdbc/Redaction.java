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
 * Keeps the secrets of an address out of messages and logs. Drivers quote addresses and options in their messages, and
 * each has a syntax of its own. Immutable.
 */
final class Redaction {
    private static final String HIDDEN = "…";

    /** The beginning of the options, in every driver's syntax. */
    private static final Pattern OPTIONS = Pattern.compile("[?;(]");

    private static final Pattern SEPARATORS = Pattern.compile("[?&;(),]");
    private static final Pattern SECRET_NAME =
            Pattern.compile("pass|pwd|secret|credential|token", Pattern.CASE_INSENSITIVE);
    private static final Pattern USER = Pattern.compile("//(.*)@", Pattern.DOTALL);
    private static final Pattern AUTHORITY = Pattern.compile("//([^/]*)");
    private static final Pattern HOSTS = Pattern.compile("(?:(?:[\\w.-]*|\\[[\\w.:%]*])(?::\\d+)?,?)*");

    /** Matches options that look like secrets in any address: a DataSource has an address of its own. */
    private static final Pattern NAMED = Pattern.compile(
            "([\\w.-]*(?:pass|pwd|secret)[\\w.-]*=)(?:\"[^\"]*\"|'[^']*'|[^;&,()\\s]+)", Pattern.CASE_INSENSITIVE);

    /** Shorter secrets are hidden only next to their option's name: they may be a part of any word. */
    private static final int SHORTEST = 4;

    private final String url;
    private final String shown;
    private final List<String> secrets;

    private Redaction(String url, String shown, List<String> secrets) {
        this.url = url;
        this.shown = shown;
        this.secrets = secrets;
    }

    /** Creates the redaction for one address. */
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
                // The secret is not encoded; it stands as it is.
            }
        }
    }

    /** Returns the address without user and options; also without hosts if they may be a password. */
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
        // An address without hosts is an H2 file, or malformed.
        boolean user = !url.startsWith("jdbc:h2:") && (split || rest.indexOf('@') >= 0);
        return user ? rest.substring(0, rest.indexOf(':', "jdbc:".length()) + 1) + HIDDEN : rest;
    }

    /** Returns the address as messages show it. */
    String shown() {
        return shown;
    }

    /** Returns a text without secrets. */
    String text(@Nullable String said) {
        String text = String.valueOf(said).replace(url, shown);
        for (String secret : secrets) {
            text = text.replace(secret, HIDDEN);
        }
        return NAMED.matcher(text).replaceAll("$1" + HIDDEN);
    }

    /** Returns a driver's exception, or a copy without secrets if it or one of its causes contained any. */
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
