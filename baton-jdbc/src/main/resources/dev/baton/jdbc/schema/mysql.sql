-- The tables of Baton on MySQL and MariaDB; created if they are missing and the user may. Only Fence uses baton_fence.
-- Names and other text that is compared are bytes of UTF-8: no character set, collation or padding changes them, and
-- the longest name fits into a key.
CREATE TABLE IF NOT EXISTS baton_bucket (
    namespace VARBINARY(64) NOT NULL,
    bucket INT NOT NULL,
    high_water BIGINT NOT NULL,
    PRIMARY KEY (namespace, bucket)
) ENGINE = InnoDB;
CREATE TABLE IF NOT EXISTS baton_lease (
    namespace VARBINARY(64) NOT NULL,
    name VARBINARY(1024) NOT NULL,
    seat INT NOT NULL,
    bucket INT NOT NULL,
    kind VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
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
    description BLOB NOT NULL,
    changed BIGINT NOT NULL,
    PRIMARY KEY (namespace, name, seat)
) ENGINE = InnoDB;
CREATE TABLE IF NOT EXISTS baton_ticket (
    namespace VARBINARY(64) NOT NULL,
    name VARBINARY(1024) NOT NULL,
    place BIGINT NOT NULL,
    client VARBINARY(64) NOT NULL,
    attempt BIGINT NOT NULL,
    weight INT NOT NULL,
    lock_delay BIGINT NOT NULL,
    present_until BIGINT NOT NULL,
    description BLOB NOT NULL,
    secret BIGINT NOT NULL,
    PRIMARY KEY (namespace, name, place),
    KEY owner (namespace, client, attempt)
) ENGINE = InnoDB;
CREATE TABLE IF NOT EXISTS baton_cancelled (
    namespace VARBINARY(64) NOT NULL,
    client VARBINARY(64) NOT NULL,
    attempt BIGINT NOT NULL,
    since BIGINT NOT NULL,
    PRIMARY KEY (namespace, client, attempt),
    KEY (namespace, since)
) ENGINE = InnoDB;
CREATE TABLE IF NOT EXISTS baton_fence (
    name VARBINARY(1024) NOT NULL PRIMARY KEY,
    high_water BIGINT NOT NULL
) ENGINE = InnoDB;
CREATE TABLE IF NOT EXISTS baton_note (
    namespace VARBINARY(64) NOT NULL,
    name VARBINARY(1024) NOT NULL,
    token BIGINT NOT NULL,
    number BIGINT NOT NULL,
    note VARBINARY(1024) NOT NULL,
    PRIMARY KEY (namespace, name)
) ENGINE = InnoDB;
CREATE TABLE IF NOT EXISTS baton_descriptor (
    namespace VARBINARY(64) NOT NULL PRIMARY KEY,
    protocol INT NOT NULL,
    buckets INT NOT NULL,
    grace BIGINT NOT NULL,
    claim_window BIGINT NOT NULL,
    presence BIGINT NOT NULL,
    run_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL
) ENGINE = InnoDB;
CREATE TABLE IF NOT EXISTS baton_epoch (
    namespace VARBINARY(64) NOT NULL PRIMARY KEY,
    identity VARCHAR(300) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    grace_until BIGINT NOT NULL
) ENGINE = InnoDB;
