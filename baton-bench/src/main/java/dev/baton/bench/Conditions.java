package dev.baton.bench;

import dev.baton.bench.Contestant.Home;
import java.util.Map;

/**
 * Under which conditions results were measured.
 *
 * @param pace how long and how often
 * @param load what else the machine did
 * @param servers the servers with their versions, by the home that they are
 */
record Conditions(Bench.Pace pace, Load load, Map<Home, String> servers) {}
