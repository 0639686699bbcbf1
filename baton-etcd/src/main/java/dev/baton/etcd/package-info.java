/**
 * Locks in etcd: {@code Baton.connect("etcd://host:2379")}. A program needs to name nothing here except
 * {@link dev.baton.etcd.EtcdStoreProvider}, and {@link java.util.ServiceLoader} finds even that.
 */
@NullMarked
package dev.baton.etcd;

import org.jspecify.annotations.NullMarked;
