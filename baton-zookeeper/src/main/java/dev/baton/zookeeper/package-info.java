/**
 * Locks in ZooKeeper: {@code Baton.connect("zookeeper://host:2181")}. Nothing here needs to be named by a program, but
 * for {@link dev.baton.zookeeper.ZookeeperStoreProvider}, which {@link java.util.ServiceLoader} finds.
 */
@NullMarked
package dev.baton.zookeeper;

import org.jspecify.annotations.NullMarked;
