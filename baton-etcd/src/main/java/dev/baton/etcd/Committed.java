package dev.baton.etcd;

import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.kv.TxnResponse;
import java.util.List;

/**
 * The answer to a transaction, or to one that went as a part of another.
 *
 * @param succeeded whether its comparisons held
 * @param revision the revision of the store after it
 * @param term the term in which it was answered
 * @param gets what it has read
 */
record Committed(boolean succeeded, long revision, long term, List<GetResponse> gets) {
    static Committed of(TxnResponse response) {
        return partOf(response, response);
    }

    /** Parts have no header of their own. */
    static Committed partOf(TxnResponse whole, TxnResponse part) {
        return new Committed(
                part.isSucceeded(),
                whole.getHeader().getRevision(),
                whole.getHeader().getRaftTerm(),
                part.getGetResponses());
    }
}
