/**
 * For authors of stores whose server keeps entries in order and bound to a session of their client (ZooKeeper, etcd):
 * the abstract machine over such entries. A store implements {@link dev.baton.spi.line.LineServer} and opens a
 * {@link dev.baton.spi.line.LineStore} on it.
 */
@NullMarked
package dev.baton.spi.line;

import org.jspecify.annotations.NullMarked;
