-- SQLite, 3.42 or later. Sections begin with "--@ name"; {name} is replaced by the section "define name", and
-- :parameters may stand in any order, as often as needed.

--@ store
SQLite

--@ reach
HOST

--@ push
false

--@ shortest lease millis
100

--@ driver
org.xerial:sqlite-jdbc

-- A clock given for tests wins over the database's. Both count microseconds.
--@ define now
coalesce(:clock, cast(round(unixepoch('subsec') * 1000) as integer) * 1000)

-- One line per statement for every new connection; what stands behind "->" is the answer it must give.
-- NORMAL: an acknowledged hold is in the operating system's cache and survives the death of any process. Only a crash
-- of the machine can lose it, and then all who could believe in it are gone as well.
--@ connect
PRAGMA journal_mode = WAL -> wal
PRAGMA synchronous = {synchronous}

--@ wait limit
PRAGMA busy_timeout = {millis}

-- SQLITE_BUSY and SQLITE_LOCKED: nothing was executed, and the same may be tried again.
--@ busy codes
5 6

-- Refused as a whole, for a reason that people have to remove: the driver's code, the reason and what to
-- say.
--@ refusals
3 DENIED no permission: give this user read and write access to {target} and to its directory
8 DENIED the file is read-only: give this user write access to {target} and to its directory (SQLite writes files beside it)
11 UNFIT {target} is damaged: move it away and restart all clients (locks are forgotten, tokens go on from the clock)
13 UNFIT the disk is full: make room on the file system of {target}
14 DENIED cannot open {target}: create its directory, and let this user read and write there
23 DENIED access was denied to {target}
26 UNFIT {target} is not an SQLite database: name another file, or move this one away

-- What the database says of itself: a label, and a statement that answers with one value.
--@ facts
version: SELECT 'SQLite ' || sqlite_version()
file: SELECT file FROM pragma_database_list WHERE name = 'main'
size: SELECT (page_count * page_size) || ' bytes' FROM pragma_page_count(), pragma_page_size()
journal_mode: SELECT journal_mode FROM pragma_journal_mode
synchronous: SELECT CASE synchronous WHEN 1 THEN 'NORMAL' WHEN 2 THEN 'FULL' ELSE synchronous END FROM pragma_synchronous

--@ schema
CREATE TABLE IF NOT EXISTS baton_descriptor (
    namespace TEXT NOT NULL PRIMARY KEY,
    protocol INTEGER NOT NULL,
    buckets INTEGER NOT NULL,
    grace INTEGER NOT NULL,
    claim_window INTEGER NOT NULL,
    presence INTEGER NOT NULL,
    run_id TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS baton_bucket (
    namespace TEXT NOT NULL,
    bucket INTEGER NOT NULL,
    high_water INTEGER NOT NULL,
    PRIMARY KEY (namespace, bucket)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS baton_lease (
    namespace TEXT NOT NULL,
    name TEXT NOT NULL,
    seat INTEGER NOT NULL,
    bucket INTEGER NOT NULL,
    kind TEXT NOT NULL,
    capacity INTEGER NOT NULL,
    waiters INTEGER NOT NULL,
    not_before INTEGER NOT NULL,
    token INTEGER NOT NULL,
    client TEXT,
    attempt INTEGER NOT NULL,
    weight INTEGER NOT NULL,
    deadline INTEGER NOT NULL,
    lock_delay INTEGER NOT NULL,
    claimed INTEGER NOT NULL,
    revoked INTEGER NOT NULL,
    description TEXT NOT NULL,
    changed INTEGER NOT NULL,
    PRIMARY KEY (namespace, name, seat)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS baton_ticket (
    namespace TEXT NOT NULL,
    name TEXT NOT NULL,
    place INTEGER NOT NULL,
    client TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    weight INTEGER NOT NULL,
    lock_delay INTEGER NOT NULL,
    present_until INTEGER NOT NULL,
    description TEXT NOT NULL,
    PRIMARY KEY (namespace, name, place)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS baton_cancelled (
    namespace TEXT NOT NULL,
    client TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    since INTEGER NOT NULL,
    PRIMARY KEY (namespace, client, attempt)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS baton_cancelled_since ON baton_cancelled (namespace, since);

--@ find_descriptor
SELECT protocol, buckets, grace, claim_window, presence, run_id FROM baton_descriptor WHERE namespace = :namespace

--@ add_descriptor
INSERT INTO baton_descriptor (namespace, protocol, buckets, grace, claim_window, presence, run_id)
VALUES (:namespace, :protocol, :buckets, :grace, :claim_window, :presence, :run_id)
ON CONFLICT (namespace) DO NOTHING

--@ begin
BEGIN IMMEDIATE

--@ commit
COMMIT

--@ rollback
ROLLBACK

--@ now
SELECT {now}

-- The uncontended acquire. The row of a free name is taken over in place: it keeps the name's last token.
--@ acquire
INSERT INTO baton_lease (namespace, name, seat, bucket, kind, capacity, waiters, not_before, token, client, attempt,
    weight, deadline, lock_delay, claimed, revoked, description, changed)
SELECT :namespace, :name, 0, :bucket, :kind, 1, 0, 0,
    max((m.now - :epoch) * 2 / 125,
        1 + coalesce((SELECT b.high_water FROM baton_bucket b WHERE b.namespace = :namespace AND b.bucket = :bucket), 0)),
    :client, :attempt, 1, m.now + :lease, :lock_delay, 1, 0, :description, m.now
FROM (SELECT {now} AS now) AS m
WHERE NOT EXISTS (
    SELECT 1 FROM baton_cancelled c
    WHERE c.namespace = :namespace AND c.client = :client AND c.attempt = :attempt)
ON CONFLICT (namespace, name, seat) DO UPDATE SET
    kind = excluded.kind,
    not_before = 0,
    token = max(excluded.token, baton_lease.token + 1),
    client = excluded.client,
    attempt = excluded.attempt,
    weight = 1,
    deadline = excluded.deadline,
    lock_delay = excluded.lock_delay,
    claimed = 1,
    revoked = 0,
    description = excluded.description,
    changed = excluded.changed
WHERE baton_lease.capacity = 1 AND baton_lease.waiters = 0 AND baton_lease.not_before <= excluded.changed
    AND (baton_lease.client IS NULL OR baton_lease.deadline + baton_lease.lock_delay <= excluded.changed)
RETURNING token, deadline, changed

-- The uncontended release: nobody waits, so nothing is to be handed on. The row stays until it is swept.
--@ release
UPDATE baton_lease SET client = NULL, attempt = 0, deadline = 0, lock_delay = 0, not_before = 0, description = '',
    changed = {now}
WHERE namespace = :namespace AND name = :name AND seat = 0 AND capacity = 1 AND waiters = 0
    AND client = :client AND attempt = :attempt AND token = :token AND deadline > {now}
RETURNING changed

-- All that is known of a name: holds first, then the queue.
--@ load
SELECT 0 AS part, seat AS place, kind, capacity, waiters, not_before, token, client, attempt, weight,
    deadline AS until, lock_delay, claimed, revoked, description, {now} AS now
FROM baton_lease WHERE namespace = :namespace AND name = :name
UNION ALL
SELECT 1, place, '', 0, 0, 0, 0, client, attempt, weight, present_until, lock_delay, 0, 0, description, {now}
FROM baton_ticket WHERE namespace = :namespace AND name = :name
ORDER BY 1, 2

--@ save_lease
INSERT INTO baton_lease (namespace, name, seat, bucket, kind, capacity, waiters, not_before, token, client, attempt,
    weight, deadline, lock_delay, claimed, revoked, description, changed)
VALUES (:namespace, :name, :place, :bucket, :kind, :capacity, :waiters, :not_before, :token, :client, :attempt,
    :weight, :until, :lock_delay, :claimed, :revoked, :description, :now)
ON CONFLICT (namespace, name, seat) DO UPDATE SET
    kind = excluded.kind, capacity = excluded.capacity, waiters = excluded.waiters, not_before = excluded.not_before,
    token = excluded.token, client = excluded.client, attempt = excluded.attempt, weight = excluded.weight,
    deadline = excluded.deadline, lock_delay = excluded.lock_delay, claimed = excluded.claimed,
    revoked = excluded.revoked, description = excluded.description, changed = excluded.changed

--@ delete_lease
DELETE FROM baton_lease WHERE namespace = :namespace AND name = :name AND seat = :place

--@ delete_leases
DELETE FROM baton_lease WHERE namespace = :namespace AND name = :name

--@ save_ticket
INSERT INTO baton_ticket (namespace, name, place, client, attempt, weight, lock_delay, present_until, description)
VALUES (:namespace, :name, :place, :client, :attempt, :weight, :lock_delay, :until, :description)
ON CONFLICT (namespace, name, place) DO UPDATE SET
    client = excluded.client, attempt = excluded.attempt, weight = excluded.weight,
    lock_delay = excluded.lock_delay, present_until = excluded.present_until, description = excluded.description

--@ delete_ticket
DELETE FROM baton_ticket WHERE namespace = :namespace AND name = :name AND place = :place

--@ high_water
SELECT high_water FROM baton_bucket WHERE namespace = :namespace AND bucket = :bucket

--@ raise_high_water
INSERT INTO baton_bucket (namespace, bucket, high_water) VALUES (:namespace, :bucket, :token)
ON CONFLICT (namespace, bucket) DO UPDATE SET high_water = max(baton_bucket.high_water, excluded.high_water)

--@ find_cancelled
SELECT 1 FROM baton_cancelled WHERE namespace = :namespace AND client = :client AND attempt = :attempt

--@ record_cancelled
INSERT INTO baton_cancelled (namespace, client, attempt, since) VALUES (:namespace, :client, :attempt, :now)
ON CONFLICT (namespace, client, attempt) DO UPDATE SET since = excluded.since

--@ names
SELECT name FROM (
    SELECT name FROM baton_lease
    WHERE namespace = :namespace AND seat = 0 AND name > :after AND name >= :prefix AND name < :end
    UNION
    SELECT name FROM baton_ticket
    WHERE namespace = :namespace AND name > :after AND name >= :prefix AND name < :end)
ORDER BY name LIMIT :limit

-- Where the next batch of the sweep ends; null behind the last name.
--@ sweep_end
SELECT max(name) FROM (
    SELECT name FROM baton_lease
    WHERE namespace = :namespace AND seat = 0 AND name > :after ORDER BY name LIMIT :limit)

-- Before rows are deleted, their tokens go into the high water of their buckets.
--@ sweep_raise
INSERT INTO baton_bucket (namespace, bucket, high_water)
SELECT namespace, bucket, max(token) FROM baton_lease
WHERE namespace = :namespace AND name > :after AND name <= :end AND seat = 0 AND capacity = 1 AND client IS NULL
    AND waiters = 0 AND not_before <= :now AND changed <= :before
GROUP BY namespace, bucket
ON CONFLICT (namespace, bucket) DO UPDATE SET high_water = max(baton_bucket.high_water, excluded.high_water)

--@ sweep_delete
DELETE FROM baton_lease
WHERE namespace = :namespace AND name > :after AND name <= :end AND seat = 0 AND capacity = 1 AND client IS NULL
    AND waiters = 0 AND not_before <= :now AND changed <= :before

-- Names that nobody may ever ask for again although something of theirs is over.
--@ sweep_dead
SELECT name FROM baton_lease
WHERE namespace = :namespace AND name > :after AND name <= :end AND seat = 0
    AND (capacity > 1 OR client IS NOT NULL AND deadline <= :now
        OR client IS NULL AND waiters > 0 AND not_before <= :now)
UNION
SELECT name FROM (
    SELECT name FROM baton_ticket WHERE namespace = :namespace AND present_until <= :now LIMIT :limit)

--@ sweep_cancelled
DELETE FROM baton_cancelled
WHERE namespace = :namespace AND (client, attempt) IN (
    SELECT client, attempt FROM baton_cancelled
    WHERE namespace = :namespace AND since <= :before ORDER BY since LIMIT :limit)
