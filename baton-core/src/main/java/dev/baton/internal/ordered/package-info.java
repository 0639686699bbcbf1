/**
 * For authors of stores whose server keeps entries in order and bound to a session of their client (ZooKeeper, etcd):
 * the abstract machine over such entries. A store implements {@link dev.baton.internal.ordered.OrderedServer} and opens a
 * {@link dev.baton.internal.ordered.OrderedStore} on it.
 */
@NullMarked
package dev.baton.internal.ordered;

import org.jspecify.annotations.NullMarked;
