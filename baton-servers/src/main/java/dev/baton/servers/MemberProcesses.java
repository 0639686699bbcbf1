package dev.baton.servers;

import dev.baton.servers.net.FreePort;
import dev.baton.spi.Deadline;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Members that are one process each, with loopback ports of their own. */
abstract class MemberProcesses implements Members {
    private static final int ATTEMPTS = 10;
    private static final long LEADER_LIMIT_SECONDS = 30;

    private final String scheme;
    private final List<ServerLife> members = new ArrayList<>();

    /**
     * Creates a set without members.
     *
     * @param scheme of its address
     */
    MemberProcesses(String scheme) {
        this.scheme = scheme;
    }

    /** Returns the members of a set of this size, which know each other by new ports. */
    abstract List<ServerLife.Kind> kinds(int size);

    /** Returns whether a member leads. Throws if it does not answer. */
    abstract boolean isLeader(int member) throws IOException;

    /** Starts all members, and waits until each of them answers. Another process may take their ports: then anew. */
    static <M extends MemberProcesses> M started(Supplier<M> created, int size) {
        for (int attempt = 1; ; attempt++) {
            M all = created.get();
            try {
                ((MemberProcesses) all).launch(size);
                return all;
            } catch (PortTaken taken) {
                all.close();
                if (attempt == ATTEMPTS) {
                    throw new IllegalStateException("no ports after " + attempt + " attempts", taken);
                }
            } catch (RuntimeException e) {
                all.close();
                throw e;
            }
        }
    }

    private void launch(int size) throws PortTaken {
        for (ServerLife.Kind kind : kinds(size)) {
            ServerLife life = new ServerLife(kind);
            members.add(life);
            life.launch(FreePort.next());
        }
        for (ServerLife member : members) {
            member.awaitAnswer();
        }
    }

    final ServerLife life(int member) {
        return members.get(member);
    }

    @Override
    public int size() {
        return members.size();
    }

    /** Returns the address with all members, separated by commas. */
    @Override
    public String uri() {
        return members.stream()
                .map(member -> "127.0.0.1:" + member.port())
                .collect(Collectors.joining(",", scheme + "://", ""));
    }

    @Override
    public int leader() {
        Deadline deadline = Deadline.in(TimeUnit.SECONDS.toNanos(LEADER_LIMIT_SECONDS));
        while (deadline.leftNanos() > 0) {
            for (int member = 0; member < size(); member++) {
                if (leads(member)) {
                    return member;
                }
            }
        }
        throw new IllegalStateException("none of " + uri() + " leads");
    }

    private boolean leads(int member) {
        try {
            return isLeader(member);
        } catch (IOException gone) {
            return false;
        }
    }

    @Override
    public void pause(int member) {
        life(member).pause();
    }

    @Override
    public void resume(int member) {
        life(member).resume();
    }

    @Override
    public void kill(int member) {
        life(member).kill();
    }

    @Override
    public void restart(int member) {
        life(member).restart();
    }

    @Override
    public void close() {
        members.forEach(ServerLife::close);
    }
}
