/**
 * The abstract machine for stores whose server keeps entries in order, each bound to a session of its client
 * (ZooKeeper, etcd). A store implements {@link dev.baton.internal.ordered.OrderedServer} and opens a
 * {@link dev.baton.internal.ordered.OrderedStore} on it.
 */
@NullMarked
package dev.baton.internal.ordered;

import org.jspecify.annotations.NullMarked;
