package dev.baton.chaos.check;

import java.util.List;

/** When all clients have gone, the store knows no lock any more. */
final class ResidueChecker implements Checker {
    @Override
    public String promise() {
        return "residue";
    }

    @Override
    public List<Finding> check(Evidence evidence) {
        return evidence.residue().stream()
                .map(name -> evidence.finding(promise(), name, 0, 0, "the store still knows " + name))
                .toList();
    }
}
