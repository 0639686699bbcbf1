package dev.baton.redis;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.RedisCredentials;

/** A user and a password, which no text shows. Without a password nothing is sent. Immutable. */
final class UserPassword implements RedisCredentials {
    private final @Nullable String user;
    private final @Nullable String password;

    UserPassword(@Nullable String user, @Nullable String password) {
        this.user = user;
        this.password = password;
    }

    /** Copies, because a provider may overwrite its own. */
    static UserPassword copyOf(RedisCredentials given) {
        char[] password = given.getPassword();
        return new UserPassword(given.getUser(), password == null ? null : new String(password));
    }

    /** Returns whether there is anything to authenticate with. */
    boolean hasPassword() {
        return password != null;
    }

    /** Returns whether the user is the same, with any password. */
    boolean isUserOf(UserPassword other) {
        return Objects.equals(user, other.user);
    }

    @Override
    public @Nullable String getUser() {
        return user;
    }

    @Override
    public char @Nullable [] getPassword() {
        return password == null ? null : password.toCharArray();
    }

    /** Writes the command that authenticates. */
    void encode(RespWriter out) {
        String secret = Objects.requireNonNull(password, "no password");
        if (user == null) {
            out.command(2).bulk("AUTH").bulk(secret);
        } else {
            out.command(3).bulk("AUTH").bulk(user).bulk(secret);
        }
    }

    /** Returns a text without the password. */
    String without(String text) {
        return password == null || password.isEmpty() ? text : text.replace(password, "***");
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof UserPassword same
                && Objects.equals(user, same.user)
                && Objects.equals(password, same.password);
    }

    @Override
    public int hashCode() {
        return Objects.hash(user, password);
    }

    @Override
    public String toString() {
        return user == null ? "the default user" : "user " + user;
    }
}
