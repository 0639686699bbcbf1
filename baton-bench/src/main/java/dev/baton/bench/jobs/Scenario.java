package dev.baton.bench.jobs;

/** A row of the table. */
@SuppressWarnings("ImmutableEnumChecker") // functions without state
enum Scenario {
    J1("23 h at least and 20 min at most: when is it told?", Scenarios::timesThatCannotBe),
    J2A("one fire time, three clocks that differ by 30 s: how often does it run?", Scenarios::oneFireTimeOnWrongClocks),
    J2B(
            "a fire time every 2 s, five clocks that differ by 30 s and 1 h, for 12 s: how often do they run?",
            Scenarios::manyFireTimesOnWrongClocks),
    J3("the runner is killed: does another finish the run, when, and is that recorded?", Scenarios::deathOfTheRunner),
    J4("the database is killed over two fire times or more: does the next run?", Scenarios::databaseThatIsAway),
    J5("the action throws once: do runs go on, and is it told?", Scenarios::actionThatThrows),
    J6("all nodes were down: how many of the fire times that passed are run?", Scenarios::allNodesDown),
    J7("all nodes are paused: who tells that a run is overdue?", Scenarios::allNodesPaused),
    J8("a node did not run it: is it told who did?", Scenarios::nodeThatIsSkipped);

    /** Plays a scenario. */
    @FunctionalInterface
    private interface Play {
        String with(Arena arena) throws Exception;
    }

    private final String words;
    private final Play play;

    Scenario(String words, Play play) {
        this.words = words;
        this.play = play;
    }

    /** Returns the first cell of the row. */
    String title() {
        return name() + ": " + words;
    }

    /** Returns the counts. */
    String play(Arena arena) throws Exception {
        arena.clear();
        try {
            return play.with(arena);
        } finally {
            arena.closeMachines();
        }
    }
}
