-- The tables of Baton on H2; created if they are missing. Only Fence uses baton_fence. Names and other text that is
-- compared are bytes of UTF-8: no mode or setting of the database changes them.
CREATE TABLE IF NOT EXISTS baton_bucket (
    namespace VARBINARY(64) NOT NULL,
    bucket INT NOT NULL,
    high_water BIGINT NOT NULL,
    PRIMARY KEY (namespace, bucket)
);
CREATE TABLE IF NOT EXISTS baton_lease (
    namespace VARBINARY(64) NOT NULL,
    name VARBINARY(1024) NOT NULL,
    seat INT NOT NULL,
    bucket INT NOT NULL,
    kind VARCHAR(64) NOT NULL,
    capacity INT NOT NULL,
    waiters INT NOT NULL,
    not_before BIGINT NOT NULL,
    token BIGINT NOT NULL,
    client VARBINARY(64),
    attempt BIGINT NOT NULL,
    weight INT NOT NULL,
    deadline BIGINT NOT NULL,
    lock_delay BIGINT NOT NULL,
    claimed SMALLINT NOT NULL,
    revoked SMALLINT NOT NULL,
    description VARBINARY(65535) NOT NULL,
    changed BIGINT NOT NULL,
    PRIMARY KEY (namespace, name, seat)
);
CREATE TABLE IF NOT EXISTS baton_ticket (
    namespace VARBINARY(64) NOT NULL,
    name VARBINARY(1024) NOT NULL,
    place BIGINT NOT NULL,
    client VARBINARY(64) NOT NULL,
    attempt BIGINT NOT NULL,
    weight INT NOT NULL,
    lock_delay BIGINT NOT NULL,
    present_until BIGINT NOT NULL,
    description VARBINARY(65535) NOT NULL,
    secret BIGINT NOT NULL,
    PRIMARY KEY (namespace, name, place)
);
CREATE INDEX IF NOT EXISTS baton_ticket_owner ON baton_ticket (namespace, client, attempt);
CREATE TABLE IF NOT EXISTS baton_cancelled (
    namespace VARBINARY(64) NOT NULL,
    client VARBINARY(64) NOT NULL,
    attempt BIGINT NOT NULL,
    since BIGINT NOT NULL,
    PRIMARY KEY (namespace, client, attempt)
);
CREATE TABLE IF NOT EXISTS baton_fence (
    name VARBINARY(1024) NOT NULL PRIMARY KEY,
    high_water BIGINT NOT NULL
);
CREATE TABLE IF NOT EXISTS baton_note (
    namespace VARBINARY(64) NOT NULL,
    name VARBINARY(1024) NOT NULL,
    token BIGINT NOT NULL,
    number BIGINT NOT NULL,
    note VARBINARY(1024) NOT NULL,
    PRIMARY KEY (namespace, name)
);
CREATE TABLE IF NOT EXISTS baton_descriptor (
    namespace VARBINARY(64) NOT NULL PRIMARY KEY,
    protocol INT NOT NULL,
    buckets INT NOT NULL,
    grace BIGINT NOT NULL,
    claim_window BIGINT NOT NULL,
    presence BIGINT NOT NULL,
    run_id VARCHAR(64) NOT NULL
);
