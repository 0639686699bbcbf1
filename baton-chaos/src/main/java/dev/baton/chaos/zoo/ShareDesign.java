package dev.baton.chaos.zoo;

import dev.baton.chaos.lock.NameKind;
import java.util.List;

/** The steps of locks on one Redis that several may hold at once, or several of at once. Immutable. */
record ShareDesign(List<NameKind> kinds, Entry entry, Giving giving, Failing failing, Upgrade upgrade)
        implements Design {
    /** Returns the design without defects. */
    static ShareDesign sound(NameKind kind) {
        return new ShareDesign(
                List.of(kind), Entry.IF_IT_FITS, Giving.WHAT_IS_HELD, Failing.GIVES_BACK, Upgrade.AFTER_READING);
    }

    ShareDesign with(Entry other) {
        return new ShareDesign(kinds, other, giving, failing, upgrade);
    }

    ShareDesign with(Giving other) {
        return new ShareDesign(kinds, entry, other, failing, upgrade);
    }

    ShareDesign with(Failing other) {
        return new ShareDesign(kinds, entry, giving, other, upgrade);
    }

    ShareDesign with(Upgrade other) {
        return new ShareDesign(kinds, entry, giving, failing, other);
    }
}
