package dev.baton.bench;

import java.util.Map;

/**
 * The conditions under which results were measured.
 *
 * @param pace the length and the number of turns
 * @param load the load from other programs
 * @param servers the names and versions of the servers
 * @param distance how far away they were
 */
record Conditions(Bench.Pace pace, Load load, Map<Home, String> servers, Distance distance) {}
