package dev.baton.etcd;

import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.Op;
import java.util.List;

/**
 * A transaction that changes the queue of one name, and may go together with those of other names.
 *
 * @param what what it does, as messages show it
 * @param name the name
 * @param creates whether it creates an entry, whose token is the revision of the transaction
 * @param compares what must hold
 * @param alone what it does if it goes alone
 * @param together what it does if it goes with others: its answer must be small enough for many
 */
record Change(String what, String name, boolean creates, List<Cmp> compares, Branches alone, Branches together) {
    /**
     * What a transaction does.
     *
     * @param then if all holds
     * @param otherwise if not
     */
    record Branches(List<Op> then, List<Op> otherwise) {}

    /** Returns a change that ends an entry. Its answer is small in any case. */
    static Change ending(String what, String name, List<Cmp> compares, Branches branches) {
        return new Change(what, name, false, compares, branches, branches);
    }

    Op asPart() {
        return Op.txn(
                compares.toArray(Cmp[]::new),
                together.then().toArray(Op[]::new),
                together.otherwise().toArray(Op[]::new));
    }
}
