-- MySQL, 8.0 or later: common.sql with the following changes. MariaDB differs in a few more sections.

--@ write_nothing
{write nothing}

-- Triggers run as their definers, so they are no danger to this user; a view may call functions as this user. Tables of
-- other engines have no transactions.
--@ find_unfit_tables
SELECT concat('table ', c.table_name, ' {made otherwise}')
FROM information_schema.columns c
JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
WHERE lower(CASE WHEN 'baton_' LIKE '%.%' THEN concat(c.table_schema, '.', c.table_name) ELSE c.table_name END) IN (
        lower('baton_descriptor'), lower('baton_bucket'), lower('baton_lease'), lower('baton_ticket'),
        lower('baton_cancelled'), lower('baton_fence'), lower('baton_note'), lower('baton_epoch'))
    AND ('baton_' LIKE '%.%' OR c.table_schema = database())
    AND (t.table_type <> 'BASE TABLE' OR t.engine <> 'InnoDB'
        OR c.column_name IN ('namespace', 'name', 'client') AND c.data_type <> 'varbinary')
{first}

--@ driver
com.mysql:mysql-connector-j

-- There is no RETURNING: statements answer with the one number of LAST_INSERT_ID, which is the time.
--@ answers
generated key

-- UTC, because the local time of a session repeats an hour in autumn.
--@ define now
coalesce(:clock, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)))

--@ define epoch table
, baton_epoch

-- Replication refuses a replica with its primary's server_id. MySQL's server_uuid would do, too, but its driver also
-- connects to MariaDB, where no such variable exists.
--@ define identity
concat(@@global.server_id, '-', @@global.hostname, '-', @@global.port)

--@ define has epoch
{recorded epoch}

--@ define settled
{recorded settled}

--@ define grace
{recorded grace}

--@ add_epoch
{add epoch}

-- Only the first client that finds out begins the grace period. A period that ends later than one that begins now was
-- begun before the clock was set back. The assignments run in this order.
--@ begin_grace
INSERT INTO baton_epoch (namespace, identity, grace_until) VALUES (:namespace, {identity}, {now} + :grace)
ON DUPLICATE KEY UPDATE
    grace_until = IF(identity <> VALUES(identity), VALUES(grace_until), LEAST(grace_until, VALUES(grace_until))),
    identity = VALUES(identity)

-- A driver writes bytes into the statement, where a character set such as gbk may take one of them for the end of a
-- quoted text. Digits are the same in all character sets.
--@ bytes
UNHEX(?)

--@ connect
SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED
SET SESSION innodb_lock_wait_timeout = 1

-- MySQL cannot end an idle transaction, only an idle connection. So that limit is short during a transaction.
--@ begin_limited
SET SESSION wait_timeout = 1, SESSION autocommit = 0

--@ commit_limited
SET SESSION autocommit = 1, SESSION wait_timeout = DEFAULT

-- Deadlock, lock wait timeout, record has changed, duplicate key (another client was first): nothing was executed.
--@ busy codes
1213 1205 1020 1062

--@ locked codes
1205

--@ missing codes
1146

--@ refusals
1045 DENIED {target} refuses this user, or its password
1044 DENIED this user has no right on the database that {target} names
1142 DENIED this user lacks a right on {target}: let it SELECT, INSERT, UPDATE and DELETE in Baton's tables, or CREATE them
1049 UNFIT no such database: create the one that {target} names
1146 UNFIT a table of Baton is missing in {target}: run schema/mysql.sql, which is beside this class in the jar
1176 UNFIT the tables of Baton in {target} were made by an earlier version, and lack an index: run ALTER TABLE baton_ticket ADD KEY owner (namespace, client, attempt)
1290 UNFIT {target} is read-only: it is a replica, or has become one; name the primary
1792 UNFIT {target} gives this client read-only transactions: have no pool make its connections read-only
1836 UNFIT {target} is read-only: it is a replica, or has become one; name the primary
1021 UNFIT the disk of {target} is full: make room
1114 UNFIT a table of {target} is full: make room
1040 UNREACHABLE {target} has too many connections: raise max_connections, or make pools smaller
1053 UNREACHABLE {target} is shutting down

--@ facts
version: SELECT concat('MySQL ', version())
schema: SELECT CASE WHEN 'baton_' LIKE '%.%' THEN substring_index('baton_', '.', 1) ELSE database() END
read_only: SELECT @@global.read_only
innodb_flush_log_at_trx_commit: SELECT @@global.innodb_flush_log_at_trx_commit

--@ warnings
SELECT CASE WHEN @@global.innodb_flush_log_at_trx_commit <> 1 THEN concat('has innodb_flush_log_at_trx_commit = ', @@global.innodb_flush_log_at_trx_commit, ': a crash may forget who holds what, and two may hold the same lock; set it to 1') END

-- The uncontended acquire. A single number comes back, so the token must follow from it: if the last token is not
-- behind the clock, a transaction draws the next one. The first assignment decides, and all others follow it: "claimed"
-- is 2 exactly if the hold is granted here.
--@ acquire
INSERT INTO baton_lease (namespace, name, seat, bucket, kind, capacity, waiters, not_before, token, client, attempt,
    weight, deadline, lock_delay, claimed, revoked, description, changed)
SELECT :namespace, :name, 0, :bucket, :kind, 1, 0, 0, (m.moment - :epoch) * 2 DIV 125, :client, :attempt, 1,
    m.moment + :lease, :lock_delay, 1, 0, :description, LAST_INSERT_ID(m.moment)
FROM (SELECT {now} AS moment) AS m
WHERE NOT EXISTS (
        SELECT 1 FROM baton_cancelled c
        WHERE c.namespace = :namespace AND c.client = :client AND c.attempt = :attempt)
    AND NOT EXISTS (
        SELECT 1 FROM baton_bucket b
        WHERE b.namespace = :namespace AND b.bucket = :bucket
            AND b.high_water >= (m.moment - :epoch) * 2 DIV 125)
    AND {settled}
ON DUPLICATE KEY UPDATE
    claimed = IF(capacity = 1 AND waiters = 0 AND not_before <= VALUES(changed)
        AND baton_lease.changed <= VALUES(changed) AND baton_lease.token < VALUES(token)
        AND (baton_lease.client IS NULL
            OR baton_lease.deadline + baton_lease.lock_delay <= VALUES(changed)), 2, IF(claimed > 0, 1, 0)),
    kind = IF(claimed = 2, VALUES(kind), baton_lease.kind),
    not_before = IF(claimed = 2, 0, baton_lease.not_before),
    token = IF(claimed = 2, VALUES(token), baton_lease.token),
    client = IF(claimed = 2, VALUES(client), baton_lease.client),
    attempt = IF(claimed = 2, VALUES(attempt), baton_lease.attempt),
    weight = IF(claimed = 2, 1, baton_lease.weight),
    deadline = IF(claimed = 2, VALUES(deadline), baton_lease.deadline),
    lock_delay = IF(claimed = 2, VALUES(lock_delay), baton_lease.lock_delay),
    revoked = IF(claimed = 2, 0, baton_lease.revoked),
    description = IF(claimed = 2, VALUES(description), baton_lease.description),
    changed = IF(claimed = 2, LAST_INSERT_ID(VALUES(changed)), baton_lease.changed + LAST_INSERT_ID(0))

-- Uses the key, even if a scan of a queue would be cheaper: a scan would wait for rows of others.
--@ define tickets by owner
baton_ticket FORCE INDEX (owner)

--@ define leases by key
baton_lease FORCE INDEX (PRIMARY)

--@ define answered now
LAST_INSERT_ID({now})

--@ release
{release} AND {settled}

-- The one number is twice the time, plus one if any of the rows counts tickets: it comes from the row that is changed
-- last.
--@ define renew
UPDATE baton_lease FORCE INDEX (PRIMARY) SET deadline = {now} + :lease, claimed = 1,
    changed = LAST_INSERT_ID(2 * {now} + (waiters > 0)) DIV 2, description = {owner}
WHERE namespace = :namespace AND name IN (:names) AND seat = 0 AND capacity = 1 AND client = :client
    AND attempt IN (:attempts) AND token = {own token} AND revoked = 0 AND deadline > {now}
    AND deadline <= {now} + :lease AND changed <= {now} AND (claimed = 0 OR 1 = :extend)
ORDER BY waiters > 0

--@ renew
{renew}

-- Uses the key, even if a scan would be cheaper: a scan locks, or waits for, rows of other names.
--@ lock_names
SELECT name FROM baton_lease FORCE INDEX (PRIMARY)
WHERE namespace = :namespace AND name IN (:names) AND seat = 0 ORDER BY name FOR UPDATE

--@ find_releasable
{find releasable}

--@ release_found
{release found}

-- Those of the names that no other transaction keeps locked, without waiting.
--@ free_names
SELECT name FROM baton_lease FORCE INDEX (PRIMARY)
WHERE namespace = :namespace AND name IN (:names) AND seat = 0 ORDER BY name FOR UPDATE SKIP LOCKED

--@ raise_high_water
INSERT INTO baton_bucket (namespace, bucket, high_water) VALUES (:namespace, :bucket, :token)
ON DUPLICATE KEY UPDATE high_water = greatest(high_water, VALUES(high_water))

--@ sweep_raise
INSERT INTO baton_bucket (namespace, bucket, high_water)
SELECT namespace, bucket, max(token) FROM baton_lease
WHERE namespace = :namespace AND name > :after AND name <= :end AND {free row}
GROUP BY namespace, bucket
ON DUPLICATE KEY UPDATE high_water = greatest(baton_bucket.high_water, VALUES(high_water))

--@ sweep_cancelled
DELETE FROM baton_cancelled WHERE namespace = :namespace AND since <= :before ORDER BY since {limit}

--@ save_note
INSERT INTO baton_note (namespace, name, token, number, note) VALUES (:namespace, :name, :token, :number, :note)
ON DUPLICATE KEY UPDATE token = VALUES(token), number = VALUES(number), note = VALUES(note)

-- Runs in the user's transaction. The number of changed rows tells nothing here, but the row does; it is read with a
-- lock, because another transaction may have raised it since this one began.
--@ raise_fence
INSERT INTO baton_fence (name, high_water) VALUES (:name, :token)
ON DUPLICATE KEY UPDATE high_water = greatest(high_water, VALUES(high_water))

--@ check_fence
SELECT high_water FROM baton_fence WHERE name = :name FOR UPDATE
