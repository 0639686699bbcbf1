package dev.baton.servers;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import dev.baton.spi.Deadline;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** The sessions of the clients that are connected to one ZooKeeper process, as its management beans show them. */
final class ZookeeperSessions {
    private static final String CONNECTIONS = "org.apache.ZooKeeperService:*";
    private static final String END = "terminateSession";
    private static final long END_LIMIT_SECONDS = 2;

    private ZookeeperSessions() {}

    /** Ends sessions at the server, and returns how many have ended. */
    @SuppressWarnings("BanJNDI") // a process of this machine, which this JVM has started
    static long end(long pid, int most) throws IOException {
        try (JMXConnector connector = JMXConnectorFactory.connect(address(pid))) {
            MBeanServerConnection beans = connector.getMBeanServerConnection();
            long ended = 0;
            for (ObjectName session : sessions(beans).stream().limit(most).toList()) {
                ended += end(beans, session) ? 1 : 0;
            }
            return ended;
        } catch (JMException e) {
            throw new IOException("the sessions of ZooKeeper " + pid + " cannot be ended", e);
        }
    }

    private static JMXServiceURL address(long pid) throws IOException {
        try {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
            try {
                return new JMXServiceURL(machine.startLocalManagementAgent());
            } finally {
                machine.detach();
            }
        } catch (AttachNotSupportedException e) {
            throw new IOException(e);
        }
    }

    private static List<ObjectName> sessions(MBeanServerConnection beans) throws JMException, IOException {
        return beans.queryNames(new ObjectName(CONNECTIONS), null).stream()
                .filter(name -> name.getKeyPropertyList().containsValue("Connections"))
                .filter(name -> name.getKeyPropertyList().values().stream().anyMatch(value -> value.startsWith("0x")))
                .toList();
    }

    /** Ends a session, and returns whether it has ended: the server then has no bean for it. */
    private static boolean end(MBeanServerConnection beans, ObjectName session) throws JMException, IOException {
        try {
            beans.invoke(session, END, new Object[0], new String[0]);
        } catch (InstanceNotFoundException gone) {
            // It ended by itself.
            return false;
        }
        Deadline deadline = Deadline.in(TimeUnit.SECONDS.toNanos(END_LIMIT_SECONDS));
        while (beans.isRegistered(session)) {
            if (deadline.leftNanos() <= 0) {
                return false;
            }
        }
        return true;
    }
}
