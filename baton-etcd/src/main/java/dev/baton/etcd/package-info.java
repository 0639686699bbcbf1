/**
 * Locks in etcd: {@code Baton.connect("etcd://host:2379")}. Nothing here needs to be named by a program, but
 * for {@link dev.baton.etcd.EtcdStoreProvider}, which {@link java.util.ServiceLoader} finds.
 */
@NullMarked
package dev.baton.etcd;

import org.jspecify.annotations.NullMarked;
