/**
 * Locks in ZooKeeper: {@code Baton.connect("zookeeper://host:2181")}. A program needs to name nothing here except
 * {@link dev.baton.zookeeper.ZookeeperStoreProvider}, and {@link java.util.ServiceLoader} finds even that.
 */
@NullMarked
package dev.baton.zookeeper;

import org.jspecify.annotations.NullMarked;
