/**
 * Distributed locks. Start at {@link dev.baton.Baton#connect(String)}.
 *
 * <p>A {@link dev.baton.Lease} is the ownership: it carries a fencing token, is renewed until it is released, says
 * truthfully whether it is still held, and tells when it is lost. Three answers, never two: the lease (mine), empty
 * (held by another), {@link dev.baton.StoreException} (unknown; Baton undoes the request in the background).
 */
@NullMarked
package dev.baton;

import org.jspecify.annotations.NullMarked;
