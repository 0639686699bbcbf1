package dev.baton.zookeeper;

import dev.baton.internal.ordered.ServerHosts;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;

/** Risks in a connection, and in the access rights of the namespace. */
final class Warnings {
    private static final int CHANGES =
            ZooDefs.Perms.WRITE | ZooDefs.Perms.CREATE | ZooDefs.Perms.DELETE | ZooDefs.Perms.ADMIN;

    private Warnings() {}

    static List<String> of(ZookeeperAddress address, ZookeeperSession session, List<ACL> acl) {
        List<String> warnings = new ArrayList<>();
        boolean local = ServerHosts.areLocal(session.servers());
        if (address.user() != null && address.tls() == null && !local) {
            warnings.add("the password of user " + address.user() + " goes to ZooKeeper at " + session.target()
                    + " unencrypted: use zookeeper+tls://, or a network that nobody can listen to");
        }
        // Without a user on the local machine, the namespace is meant to be open.
        boolean meant = address.user() == null && local;
        if (!meant && acl.stream().anyMatch(Warnings::isOpen)) {
            warnings.add(
                    "the namespace's node at ZooKeeper at " + session.target() + " has an ACL by which everybody who"
                            + " reaches it may change it (world:anyone), and with it take away locks: connect with a user before"
                            + " it is made, or set its ACL");
        }
        return warnings;
    }

    private static boolean isOpen(ACL each) {
        return each.getId().getScheme().equals("world") && (each.getPerms() & CHANGES) != 0;
    }
}
