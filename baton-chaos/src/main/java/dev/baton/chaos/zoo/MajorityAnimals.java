package dev.baton.chaos.zoo;

import static dev.baton.chaos.zoo.Animal.FENCE;
import static dev.baton.chaos.zoo.Animal.ORDER;
import static dev.baton.chaos.zoo.Animal.TWO_HOLDERS;

import java.util.List;

/** Broken locks on a majority of three independent Redis servers: Redlock. */
final class MajorityAnimals {
    private static final MajorityDesign SOUND =
            new MajorityDesign(Belief.FROM_REQUEST, MajorityDesign.Members.LONG_UP, MajorityTokens.NONE);

    static final List<Animal> ALL = List.of(
            new Animal(
                    "redlock-elapsed-time",
                    "The lease is counted from the last server's answer, so the time of asking is not subtracted.",
                    "Redlock article, \"The Redlock Algorithm\", step 4: minus the time elapsed",
                    "member-pause",
                    TWO_HOLDERS,
                    new MajorityDesign(Belief.FROM_REPLY, SOUND.members(), SOUND.tokens()),
                    SOUND),
            new Animal(
                    "redlock-restarts-at-once",
                    "A server that restarted without its keys takes part at once.",
                    "Redlock article, \"Performance, Crash Recovery and fsync\": it has to stay away for the longest lease",
                    "members-restart",
                    TWO_HOLDERS,
                    new MajorityDesign(SOUND.belief(), MajorityDesign.Members.ALL_UP, SOUND.tokens()),
                    SOUND),
            new Animal(
                    "redlock-token-of-one",
                    "The token is a counter at one server, which begins again when that server forgets.",
                    "M. Kleppmann, \"How to do distributed locking\" (2016): a counter on one node is not sufficient, because"
                            + " that node may fail",
                    "two-members-restart",
                    List.of(ORDER, FENCE),
                    new MajorityDesign(SOUND.belief(), SOUND.members(), MajorityTokens.OF_ONE_MEMBER),
                    new MajorityDesign(SOUND.belief(), SOUND.members(), MajorityTokens.OF_A_MAJORITY)));

    private MajorityAnimals() {}
}
