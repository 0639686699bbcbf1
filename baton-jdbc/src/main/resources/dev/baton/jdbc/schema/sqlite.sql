-- The tables of Baton on SQLite; created if they are missing. Only Fence uses baton_fence. Names and other text that is
-- compared are bytes of UTF-8, in any encoding of the file.
CREATE TABLE IF NOT EXISTS baton_bucket (
    namespace BLOB NOT NULL,
    bucket INTEGER NOT NULL,
    high_water INTEGER NOT NULL,
    PRIMARY KEY (namespace, bucket)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS baton_lease (
    namespace BLOB NOT NULL,
    name BLOB NOT NULL,
    seat INTEGER NOT NULL,
    bucket INTEGER NOT NULL,
    kind TEXT NOT NULL,
    capacity INTEGER NOT NULL,
    waiters INTEGER NOT NULL,
    not_before INTEGER NOT NULL,
    token INTEGER NOT NULL,
    client BLOB,
    attempt INTEGER NOT NULL,
    weight INTEGER NOT NULL,
    deadline INTEGER NOT NULL,
    lock_delay INTEGER NOT NULL,
    claimed INTEGER NOT NULL,
    revoked INTEGER NOT NULL,
    description BLOB NOT NULL,
    changed INTEGER NOT NULL,
    PRIMARY KEY (namespace, name, seat)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS baton_ticket (
    namespace BLOB NOT NULL,
    name BLOB NOT NULL,
    place INTEGER NOT NULL,
    client BLOB NOT NULL,
    attempt INTEGER NOT NULL,
    weight INTEGER NOT NULL,
    lock_delay INTEGER NOT NULL,
    present_until INTEGER NOT NULL,
    description BLOB NOT NULL,
    secret INTEGER NOT NULL,
    PRIMARY KEY (namespace, name, place)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS baton_ticket_owner ON baton_ticket (namespace, client, attempt);
CREATE TABLE IF NOT EXISTS baton_cancelled (
    namespace BLOB NOT NULL,
    client BLOB NOT NULL,
    attempt INTEGER NOT NULL,
    since INTEGER NOT NULL,
    PRIMARY KEY (namespace, client, attempt)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS baton_cancelled_since ON baton_cancelled (namespace, since);
CREATE TABLE IF NOT EXISTS baton_fence (
    name BLOB NOT NULL PRIMARY KEY,
    high_water INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS baton_note (
    namespace BLOB NOT NULL,
    name BLOB NOT NULL,
    token INTEGER NOT NULL,
    number INTEGER NOT NULL,
    note BLOB NOT NULL,
    PRIMARY KEY (namespace, name)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS baton_descriptor (
    namespace BLOB NOT NULL PRIMARY KEY,
    protocol INTEGER NOT NULL,
    buckets INTEGER NOT NULL,
    grace INTEGER NOT NULL,
    claim_window INTEGER NOT NULL,
    presence INTEGER NOT NULL,
    run_id TEXT NOT NULL
) WITHOUT ROWID;
