package dev.baton.chaos.server;

import java.util.LinkedHashMap;
import java.util.Map;

/** What each fault does, and what counts its effects. */
final class Descriptions {
    /**
     * Of one fault.
     *
     * @param course what happens
     * @param proof what counts as an effect
     */
    record Description(String course, String proof) {}

    private static final Map<String, Description> ALL = new LinkedHashMap<>();

    static {
        ofClients();
        ofNetworks();
        ofServers();
        ofMembers();
        ofReplicas();
    }

    private Descriptions() {}

    private static void put(String fault, String course, String proof) {
        ALL.put(fault, new Description(course, proof));
    }

    private static void ofClients() {
        put("client-kill", "A client's JVM dies by SIGKILL, and another one takes its place.", "the process has ended");
        put(
                "client-pause",
                "A client's JVM is stopped for half a lease to three leases.",
                "the system says that the process is stopped");
        put(
                "client-interrupt",
                "The callers of a client are interrupted, a hundred times.",
                "interrupts that the client has seen");
        put(
                "client-executor-blocked",
                "The threads that run a client's callbacks are held up for half a lease to three leases.",
                "callbacks that were held up");
        put(
                "client-clock-step",
                "A client's wall clock is set by up to an hour either way, and right again; its monotonic clock goes on.",
                "readings that the step changed");
    }

    private static void ofNetworks() {
        put("wire-delay", "All bytes between a client and the server come late.", "chunks that the proxy delayed");
        put(
                "wire-distance",
                "A client is as far away as a round trip of up to 20 ms.",
                "chunks that the proxy delayed");
        put("wire-cut", "All connections of a client are reset.", "connections that the proxy has cut");
        put(
                "wire-refuse",
                "All connections of a client are reset, and new ones refused.",
                "connections that the proxy has cut or refused");
        put("wire-silence", "Nothing arrives in either direction, and comes late.", "chunks that the proxy held back");
        put("wire-late-requests", "Answers arrive, and requests come late.", "chunks that the proxy held back");
        put("wire-late-replies", "Requests arrive, and their answers come late.", "chunks that the proxy held back");
        put(
                "wire-lost-replies",
                "Requests arrive, their answers never come, and the connections are cut.",
                "chunks that the proxy threw away");
        put(
                "wire-half-open",
                "The server loses all connections of a client, which is not told.",
                "connections that the proxy has cut at one side");
        put(
                "wire-half-open-server",
                "A client loses all its connections, and the server is not told. H2, which keeps a transaction for as long"
                        + " as its connection, hears of it after 5 s of silence, as by keep-alive probes.",
                "connections that the proxy has cut at one side");
        put("wire-slow", "A few bytes arrive at a time.", "chunks that the proxy divided");
        put("wire-cut-one", "One connection of several is reset.", "connections that the proxy has cut");
        put(
                "wire-silence-one",
                "One connection of several falls silent, and is reset in the end.",
                "chunks that the proxy held back");
    }

    private static void ofServers() {
        put("server-pause", "The server's processes are stopped for up to two leases.", "the process was stopped");
        put(
                "server-kill",
                "The server dies by SIGKILL, and is started again with what it has on its disk.",
                "the process has ended");
        put(
                "server-restart-old-data",
                "The server dies by SIGKILL, and is started again with its data of 2 to 20 seconds before.",
                "the server no longer knows a mark that it was given before its death");
        put(
                "sessions-kill",
                "The server ends sessions of clients: connections of Redis and of databases, a session of ZooKeeper,"
                        + " a lease of etcd.",
                "sessions that the server has ended");
        put("subscriptions-kill", "The server ends the connections for messages.", "connections that it has ended");
        put("scripts-flush", "The server forgets its scripts.", "scripts that it knew");
        put("items-flushed", "The server forgets all items.", "items that it knew");
        put("memory-full", "The server refuses every write for want of memory.", "commands that it has refused");
        put("rows-pinned", "Another transaction keeps the rows of all locks locked.", "rows that it has locked");
        put("history-compacted", "The server forgets all former versions of keys.", "compactions that it has done");
        put(
                "server-clock-back",
                "The server's wall clock is set back by up to one and a half leases, and stays so.",
                "readings that the step changed");
        put(
                "server-clock-forward",
                "The server's wall clock is set forward by up to an hour, and stays so.",
                "readings that the step changed");
        put(
                "machine-clock-back",
                "The wall clock of the clients' machine, and so the store's, is set back like a server's.",
                "readings that the step changed");
        put(
                "machine-clock-forward",
                "The wall clock of the clients' machine, and so the store's, is set forward like a server's.",
                "readings that the step changed");
        put("disk-full", "The server's disk is full.", "writes that the server has refused");
    }

    private static void ofMembers() {
        put("leader-pause", "The leader is stopped for up to two leases.", "the process was stopped");
        put("leader-kill", "The leader dies by SIGKILL, and is started again.", "the process has ended");
        put("member-kill", "A member that does not lead dies, and is started again.", "the process has ended");
    }

    private static void ofReplicas() {
        put(
                "failover-lost-tail",
                "The replicas receive nothing any more, the primary dies after up to a lease, and Sentinel promotes one of"
                        + " them. The dead one is started again as a replica.",
                "locks that the old primary knew when it died, and the new one did not");
        put(
                "failover",
                "The primary dies by SIGKILL, and Sentinel promotes a replica. The dead one is started again as a replica.",
                "another server is the primary");
        put(
                "failover-late-clients",
                "All clients but one are stopped for longer than a lease. Then the primary dies as in failover, and they go on"
                        + " in the grace period of the new one.",
                "clients that were stopped when another server was the primary");
        put(
                "switch-over",
                "Sentinel promotes a replica although the primary lives, and makes that one a replica some seconds later.",
                "former primaries that still take writes after the promotion");
        put(
                "primary-freeze",
                "The primary is stopped for ten seconds, in which Sentinel promotes a replica, and goes on as if nothing"
                        + " had happened until Sentinel makes it a replica.",
                "former primaries that still take writes when they go on");
        put(
                "failback",
                "Sentinel promotes a replica, and then the former primary again, as in failover-lost-tail.",
                "locks that the old primary knew when it died, and the new one did not, in the process that was the primary"
                        + " before");
        put("bucket-deleted", "Someone deletes the key of a bucket.", "keys that the server has deleted");
        put(
                "restart-empty",
                "The primary dies by SIGKILL, and is started again without data before a sentinel notices. Its replicas"
                        + " forget all with it.",
                "locks that it knew when it died");
    }

    /** Returns them, by fault. */
    static Map<String, Description> all() {
        return ALL;
    }
}
