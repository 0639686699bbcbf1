package dev.baton.chaos.server;

import java.util.regex.Pattern;

/** Addresses as reports show them. */
public final class Addresses {
    private static final Pattern USER = Pattern.compile("://([^:/@]*):[^/]*@");
    private static final Pattern OPTION = Pattern.compile("(?i)(password[^=&;]*=)[^&;]*");

    private Addresses() {}

    /** Returns an address without its passwords. */
    public static String withoutPassword(String address) {
        String user = USER.matcher(address).replaceAll("://$1:***@");
        return OPTION.matcher(user).replaceAll("$1***");
    }
}
