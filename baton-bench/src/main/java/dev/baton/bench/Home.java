package dev.baton.bench;

/** The place where locks are kept; it decides which server's figures count. */
public enum Home {
    /** Locks are kept in this JVM. */
    JVM("this JVM"),
    /** Locks are kept on the Redis server under test. */
    SERVER("Redis"),
    /** Locks are kept in the database under test. Only Redis counts commands; the others do not. */
    DATABASE("PostgreSQL"),
    /** Locks are kept in the ZooKeeper ensemble under test. */
    ZOOKEEPER("ZooKeeper"),
    /** Locks are kept in the etcd cluster under test. */
    ETCD("etcd"),
    /** Locks are kept on the Redis server under test, or in this JVM if there is none. */
    BATON("Redis or this JVM");

    private final String words;

    Home(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }

    /** Returns whether this home needs no server. */
    boolean isEverywhere() {
        return this == JVM || this == BATON;
    }
}
