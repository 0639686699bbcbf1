package dev.baton.chaos.fault;

/**
 * A fault that is not offered here.
 *
 * @param id its name
 * @param reason why not
 */
public record Absent(String id, String reason) {
    @Override
    public String toString() {
        return id + " is not offered: " + reason;
    }
}
