-- The tables of Baton on PostgreSQL; created if they are missing and the user may. Only Fence uses baton_fence. Names
-- and other text that is compared are bytes of UTF-8: no encoding, collation or setting of a session changes them. Half
-- of each page of the lease table stays free, so that a row is changed within its page and no index is touched.
CREATE TABLE IF NOT EXISTS baton_bucket (
    namespace bytea NOT NULL,
    bucket integer NOT NULL,
    high_water bigint NOT NULL,
    PRIMARY KEY (namespace, bucket)
);
CREATE TABLE IF NOT EXISTS baton_lease (
    namespace bytea NOT NULL,
    name bytea NOT NULL,
    seat integer NOT NULL,
    bucket integer NOT NULL,
    kind text NOT NULL,
    capacity integer NOT NULL,
    waiters integer NOT NULL,
    not_before bigint NOT NULL,
    token bigint NOT NULL,
    client bytea,
    attempt bigint NOT NULL,
    weight integer NOT NULL,
    deadline bigint NOT NULL,
    lock_delay bigint NOT NULL,
    claimed integer NOT NULL,
    revoked integer NOT NULL,
    description bytea NOT NULL,
    changed bigint NOT NULL,
    PRIMARY KEY (namespace, name, seat)
) WITH (fillfactor = 50);
CREATE TABLE IF NOT EXISTS baton_ticket (
    namespace bytea NOT NULL,
    name bytea NOT NULL,
    place bigint NOT NULL,
    client bytea NOT NULL,
    attempt bigint NOT NULL,
    weight integer NOT NULL,
    lock_delay bigint NOT NULL,
    present_until bigint NOT NULL,
    description bytea NOT NULL,
    secret bigint NOT NULL,
    PRIMARY KEY (namespace, name, place)
);
CREATE INDEX IF NOT EXISTS baton_ticket_owner ON baton_ticket (namespace, client, attempt);
CREATE TABLE IF NOT EXISTS baton_cancelled (
    namespace bytea NOT NULL,
    client bytea NOT NULL,
    attempt bigint NOT NULL,
    since bigint NOT NULL,
    PRIMARY KEY (namespace, client, attempt)
);
CREATE INDEX IF NOT EXISTS baton_cancelled_since ON baton_cancelled (namespace, since);
CREATE TABLE IF NOT EXISTS baton_fence (
    name bytea NOT NULL PRIMARY KEY,
    high_water bigint NOT NULL
);
CREATE TABLE IF NOT EXISTS baton_note (
    namespace bytea NOT NULL,
    name bytea NOT NULL,
    token bigint NOT NULL,
    number bigint NOT NULL,
    note bytea NOT NULL,
    PRIMARY KEY (namespace, name)
);
CREATE TABLE IF NOT EXISTS baton_descriptor (
    namespace bytea NOT NULL PRIMARY KEY,
    protocol integer NOT NULL,
    buckets integer NOT NULL,
    grace bigint NOT NULL,
    claim_window bigint NOT NULL,
    presence bigint NOT NULL,
    run_id text NOT NULL
);
CREATE TABLE IF NOT EXISTS baton_epoch (
    namespace bytea NOT NULL PRIMARY KEY,
    identity text NOT NULL,
    grace_until bigint NOT NULL
);
