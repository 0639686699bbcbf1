-- The tables of Baton on PostgreSQL; made when they are missing, if the user may. The last one is for Fence alone.
-- Half of each page of the lease table stays free, so that a row is changed within its page and no index is touched.
CREATE TABLE IF NOT EXISTS baton_descriptor (
    namespace text COLLATE "C" NOT NULL PRIMARY KEY,
    protocol integer NOT NULL,
    buckets integer NOT NULL,
    grace bigint NOT NULL,
    claim_window bigint NOT NULL,
    presence bigint NOT NULL,
    run_id text NOT NULL
);
CREATE TABLE IF NOT EXISTS baton_bucket (
    namespace text COLLATE "C" NOT NULL,
    bucket integer NOT NULL,
    high_water bigint NOT NULL,
    PRIMARY KEY (namespace, bucket)
);
CREATE TABLE IF NOT EXISTS baton_lease (
    namespace text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    seat integer NOT NULL,
    bucket integer NOT NULL,
    kind text NOT NULL,
    capacity integer NOT NULL,
    waiters integer NOT NULL,
    not_before bigint NOT NULL,
    token bigint NOT NULL,
    client text,
    attempt bigint NOT NULL,
    weight integer NOT NULL,
    deadline bigint NOT NULL,
    lock_delay bigint NOT NULL,
    claimed integer NOT NULL,
    revoked integer NOT NULL,
    description text NOT NULL,
    changed bigint NOT NULL,
    PRIMARY KEY (namespace, name, seat)
) WITH (fillfactor = 50);
CREATE TABLE IF NOT EXISTS baton_ticket (
    namespace text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    place bigint NOT NULL,
    client text NOT NULL,
    attempt bigint NOT NULL,
    weight integer NOT NULL,
    lock_delay bigint NOT NULL,
    present_until bigint NOT NULL,
    description text NOT NULL,
    PRIMARY KEY (namespace, name, place)
);
CREATE TABLE IF NOT EXISTS baton_cancelled (
    namespace text COLLATE "C" NOT NULL,
    client text NOT NULL,
    attempt bigint NOT NULL,
    since bigint NOT NULL,
    PRIMARY KEY (namespace, client, attempt)
);
CREATE INDEX IF NOT EXISTS baton_cancelled_since ON baton_cancelled (namespace, since);
CREATE TABLE IF NOT EXISTS baton_fence (
    name text COLLATE "C" NOT NULL PRIMARY KEY,
    high_water bigint NOT NULL
);
