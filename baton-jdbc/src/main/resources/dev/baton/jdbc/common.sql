-- The text that all databases understand. A section of a dialect's own file wins over the one here. Sections begin with
-- "--@ name"; {name} is replaced by the section "define name"; :parameters may stand in any order, as often as needed,
-- and (:names) takes a list. The prefix baton_ of the tables is replaced by the configured one.

-- Statements for every new connection of Baton's own; the text behind "->" is the required answer.
--@ connect

-- The row of a free lease; everything in it is over, so it may be deleted.
--@ define free row
seat = 0 AND capacity = 1 AND client IS NULL AND waiters = 0 AND not_before <= :now AND changed <= :before

-- Checks that all tables exist.
--@ find_tables
SELECT 1 FROM baton_bucket, baton_lease, baton_ticket, baton_cancelled, baton_fence, baton_note,
    baton_descriptor{epoch table}
WHERE 1 = 0

-- Databases that a failover may leave without their last commits have one more table: it records which server the data
-- was on when a grant was last possible, and the end of a grace period. A replica has a copy of that record, so it shows
-- that it is another server as soon as it is promoted. Elsewhere these texts stand for "nothing was ever forgotten".
--@ define epoch table


-- Whether a statement may grant: the server is the recorded one, and no grace period is on.
--@ define settled
1 = 1

-- The rest of the grace period; less than 0 if the server is not the recorded one.
--@ define grace
0

-- The same in databases with that table.
--@ define recorded settled
EXISTS (
    SELECT 1 FROM baton_epoch e
    WHERE e.namespace = :namespace AND e.identity = {identity} AND e.grace_until <= {now})

--@ define recorded grace
coalesce((
    SELECT CASE WHEN e.identity = {identity} THEN greatest(e.grace_until - {now}, 0) ELSE -1 END
    FROM baton_epoch e WHERE e.namespace = :namespace), -1)

-- A namespace that has a descriptor, but no record of its server, was used before there were such records, or the record
-- was lost.
--@ define may have forgotten
EXISTS (SELECT 1 FROM baton_descriptor d WHERE d.namespace = :namespace)

--@ define add epoch
INSERT INTO baton_epoch (namespace, identity, grace_until)
SELECT :namespace, {identity}, CASE WHEN {may have forgotten} THEN {now} + :grace ELSE 0 END
FROM (SELECT 1 AS one) AS once
WHERE NOT EXISTS (SELECT 1 FROM baton_epoch e WHERE e.namespace = :namespace)

-- Changes no row, and is refused if nothing can be written.
--@ define write nothing
DELETE FROM baton_fence WHERE 1 = 0

--@ define made otherwise
was made by another version of Baton, or does not compare names byte by byte: use the same version of Baton everywhere. To go on with this one, drop the tables of Baton while no client is connected, or name others by baton.tables

--@ define limit
LIMIT :limit

--@ define first
LIMIT 1

--@ find_descriptor
SELECT protocol, buckets, grace, claim_window, presence, run_id, {has epoch}
FROM baton_descriptor WHERE namespace = :namespace

--@ define has epoch
1

--@ define recorded epoch
(SELECT count(*) FROM baton_epoch e WHERE e.namespace = :namespace)

--@ add_descriptor
{add descriptor}

--@ define add descriptor
INSERT INTO baton_descriptor (namespace, protocol, buckets, grace, claim_window, presence, run_id)
SELECT :namespace, :protocol, :buckets, :grace, :claim_window, :presence, :run_id
FROM (SELECT 1 AS one) AS once
WHERE NOT EXISTS (SELECT 1 FROM baton_descriptor d WHERE d.namespace = :namespace)

--@ now
SELECT {now}, {grace}

-- The uncontended release: no client waits, so nothing has to be handed over. The row stays until a sweep.
--@ define release
UPDATE baton_lease SET {freed}, changed = {answered now}
WHERE namespace = :namespace AND name = :name AND seat = 0 AND capacity = 1 AND waiters = 0
    AND client = :client AND attempt = :attempt AND token = :token AND deadline > {now}
    AND changed <= {now}

--@ define freed
client = NULL, attempt = 0, deadline = 0, lock_delay = 0, not_before = 0

-- Many releases of holds without waiters; leaves out those whose rows others keep locked.
--@ define find releasable
SELECT attempt, token, {now} FROM {leases by key}
WHERE namespace = :namespace AND name IN (:names) AND seat = 0 AND capacity = 1 AND waiters = 0 AND client = :client
    AND attempt IN (:attempts) AND token IN (:tokens) AND deadline > {now} AND changed <= {now} AND {settled}
ORDER BY name FOR UPDATE SKIP LOCKED

--@ define release found
UPDATE {leases by key} SET {freed}, changed = {now}
WHERE namespace = :namespace AND name IN (:names) AND seat = 0 AND client = :client AND attempt IN (:attempts)
    AND token IN (:tokens)

--@ define leases by key
baton_lease

-- The description of the present holder; the text in braces is repeated for each element of its lists.
--@ define owner
CASE attempt {each WHEN :attempts THEN :descriptions} ELSE description END

-- The token that was named for the attempt of a row: two lists alone would let a hold pass by the token of another.
--@ define own token
CASE attempt {each WHEN :attempts THEN :tokens} ELSE token - token END

--@ define renewed
baton_lease

-- Whether a client waits for a hold; the count in its row includes dead tickets.
--@ define contended
CASE WHEN waiters > 0 AND EXISTS (
    SELECT 1 FROM baton_ticket t
    WHERE t.namespace = {renewed}.namespace AND t.name = {renewed}.name AND t.present_until > {now}) THEN 1 ELSE 0 END

-- The heartbeat of standing holds; those that it does not change are read one by one. An explicit lease begins with its
-- first heartbeat, and later ones do not make it longer. Answers the time, which hold it is, and whether a client waits
-- for it.
--@ define renew
UPDATE baton_lease SET deadline = {now} + :lease, claimed = 1, changed = {answered now}, description = {owner}
WHERE namespace = :namespace AND name IN (:names) AND seat = 0 AND capacity = 1 AND client = :client
    AND attempt IN (:attempts) AND token = {own token} AND revoked = 0 AND deadline > {now}
    AND deadline <= {now} + :lease AND changed <= {now} AND (claimed = 0 OR 1 = :extend)

-- Everything known about names: holds first, then the queue.
--@ load
SELECT name, 0 AS part, seat AS place, kind, capacity, waiters, not_before, token, client, attempt, weight,
    deadline AS valid_until, lock_delay, claimed, revoked, description, {now} AS moment, 0 AS secret, {grace} AS grace
FROM baton_lease WHERE namespace = :namespace AND name IN (:names)
UNION ALL
SELECT name, 1, place, '', 0, 0, 0, 0, client, attempt, weight, present_until, lock_delay, 0, 0, description, {now}, secret,
    {grace}
FROM baton_ticket WHERE namespace = :namespace AND name IN (:names)
ORDER BY 1, 2, 3

-- Everything known about one name, but of its queue only the head and the client's own tickets: the number of rows read
-- does not depend on the number of other waiters.
--@ load_head
SELECT name, 0 AS part, seat AS place, kind, capacity, waiters, not_before, token, client, attempt, weight,
    deadline AS valid_until, lock_delay, claimed, revoked, description, {now} AS moment, 0 AS secret, {grace} AS grace
FROM baton_lease WHERE namespace = :namespace AND name = :name
UNION ALL
SELECT name, 1, place, '', 0, 0, 0, 0, client, attempt, weight, present_until, lock_delay, 0, 0, description, {now}, secret,
    {grace}
FROM (
    SELECT name, place, client, attempt, weight, present_until, lock_delay, description, secret
    FROM baton_ticket WHERE namespace = :namespace AND name = :name ORDER BY place {limit}) AS head
UNION ALL
SELECT name, 2, place, '', 0, 0, 0, 0, client, attempt, weight, present_until, lock_delay, 0, 0, description, {now}, secret,
    {grace}
FROM {tickets by owner}
WHERE namespace = :namespace AND client = :client AND attempt IN (:attempts) AND name = :name
ORDER BY 2, 3

--@ define tickets by owner
baton_ticket

-- The same for many names, but only for queues that are not longer than a head.
--@ load_heads
SELECT name, 0 AS part, seat AS place, kind, capacity, waiters, not_before, token, client, attempt, weight,
    deadline AS valid_until, lock_delay, claimed, revoked, description, {now} AS moment, 0 AS secret, {grace} AS grace
FROM baton_lease WHERE namespace = :namespace AND name IN (:names)
UNION ALL
SELECT t.name, 1, t.place, '', 0, 0, 0, 0, t.client, t.attempt, t.weight, t.present_until, t.lock_delay, 0, 0,
    t.description, {now}, t.secret, {grace}
FROM baton_lease l JOIN baton_ticket t ON t.namespace = l.namespace AND t.name = l.name
WHERE l.namespace = :namespace AND l.name IN (:names) AND l.seat = 0 AND l.waiters > 0 AND l.waiters < :limit
ORDER BY 1, 2, 3

-- Keeps living tickets alive. Nothing else depends on that, so the name need not be locked.
--@ show_presence
UPDATE {tickets by owner} SET present_until = {now} + :presence
WHERE namespace = :namespace AND client = :client AND attempt IN (:attempts) AND name IN (:names)
    AND present_until > {now}

-- Those of some names that are known.
--@ known_names
SELECT name FROM baton_lease WHERE namespace = :namespace AND name IN (:names) AND seat = 0

-- If other transactions run at the same time, a name's row 0 is locked before the name is read.
--@ add_name
{add name}

--@ define add name
INSERT INTO baton_lease (namespace, name, seat, bucket, kind, capacity, waiters, not_before, token, client, attempt,
    weight, deadline, lock_delay, claimed, revoked, description, changed)
SELECT :namespace, :name, 0, :bucket, 'LOCK', 1, 0, 0, 0, NULL, 0, 0, 0, 0, 0, 0, :description, 0
FROM (SELECT 1 AS one) AS once
WHERE NOT EXISTS (SELECT 1 FROM baton_lease l WHERE l.namespace = :namespace AND l.name = :name AND l.seat = 0)

--@ define lease columns
namespace, name, seat, bucket, kind, capacity, waiters, not_before, token, client, attempt,
    weight, deadline, lock_delay, claimed, revoked, description, changed

--@ insert_lease
INSERT INTO baton_lease ({lease columns})
VALUES (:namespace, :name, :place, :bucket, :kind, :capacity, :waiters, :not_before, :token, :client, :attempt,
    :weight, :until, :lock_delay, :claimed, :revoked, :description, :now)

--@ update_lease
UPDATE baton_lease SET kind = :kind, capacity = :capacity, waiters = :waiters, not_before = :not_before,
    token = :token, client = :client, attempt = :attempt, weight = :weight, deadline = :until,
    lock_delay = :lock_delay, claimed = :claimed, revoked = :revoked, description = :description, changed = :now
WHERE namespace = :namespace AND name = :name AND seat = :place

--@ delete_lease
DELETE FROM baton_lease WHERE namespace = :namespace AND name = :name AND seat = :place

-- Adds a ticket at the end of the queue.
--@ insert_ticket
INSERT INTO baton_ticket (namespace, name, place, client, attempt, weight, lock_delay, present_until, description, secret)
SELECT :namespace, :name, 1 + coalesce(max(place), 0), :client, :attempt, :weight, :lock_delay, :until, :description,
    :secret
FROM baton_ticket WHERE namespace = :namespace AND name = :name

--@ update_ticket
UPDATE baton_ticket SET present_until = :until, description = :description
WHERE namespace = :namespace AND name = :name AND place = :place

--@ delete_tickets
DELETE FROM baton_ticket WHERE namespace = :namespace AND name = :name AND place IN (:places)

--@ high_water
SELECT high_water FROM baton_bucket WHERE namespace = :namespace AND bucket = :bucket

--@ find_cancelled
SELECT 1 FROM baton_cancelled WHERE namespace = :namespace AND client = :client AND attempt = :attempt

--@ record_cancelled
INSERT INTO baton_cancelled (namespace, client, attempt, since)
SELECT :namespace, :client, :attempt, {now}
FROM (SELECT 1 AS one) AS once
WHERE NOT EXISTS (
    SELECT 1 FROM baton_cancelled c
    WHERE c.namespace = :namespace AND c.client = :client AND c.attempt = :attempt)

-- The note of a name, if there is one; the time in any case.
--@ find_note
SELECT n.token, n.number, n.note, {now}, {grace}
FROM (SELECT 1 AS one) AS once LEFT JOIN baton_note n ON n.namespace = :namespace AND n.name = :name

--@ forget_note
DELETE FROM baton_note WHERE namespace = :namespace AND name = :name

--@ names
SELECT name FROM (
    SELECT name FROM baton_lease
    WHERE namespace = :namespace AND seat = 0 AND name > :after AND name >= :prefix AND name < :end
    UNION
    SELECT name FROM baton_ticket
    WHERE namespace = :namespace AND name > :after AND name >= :prefix AND name < :end) AS known
ORDER BY name {limit}

-- The last name of the next batch of the sweep; no row after the last of all names.
--@ sweep_end
SELECT name FROM (
    SELECT name FROM baton_lease
    WHERE namespace = :namespace AND seat = 0 AND name > :after ORDER BY name {limit}) AS batch
ORDER BY name DESC {first}

-- A token ahead of the clock keeps its row: a running acquire may not know its high water yet.
--@ sweep_delete
DELETE FROM baton_lease
WHERE namespace = :namespace AND name > :after AND name <= :end AND {free row} AND token < :token

-- Names whose state is over, and which perhaps no client will ever ask for again. Living names are not examined: their
-- holder or waiter will come back.
--@ sweep_dead
SELECT name FROM baton_lease
WHERE namespace = :namespace AND name > :after AND name <= :end AND seat = 0
    AND (client IS NOT NULL AND deadline <= :now
        OR client IS NULL AND capacity = 1 AND waiters > 0 AND not_before <= :now
        OR capacity > 1 AND not_before <= :now AND NOT EXISTS (
            SELECT 1 FROM baton_lease s
            WHERE s.namespace = baton_lease.namespace AND s.name = baton_lease.name AND s.seat > 0 AND s.deadline > :now))

-- The head of the next queue; the row of its name tells a dead one, unless that row was deleted by hand.
--@ sweep_queue
SELECT name, present_until FROM baton_ticket
WHERE namespace = :namespace AND name > :after ORDER BY name, place {first}

--@ sweep_cancelled
DELETE FROM baton_cancelled
WHERE namespace = :namespace AND (client, attempt) IN (
    SELECT client, attempt FROM baton_cancelled
    WHERE namespace = :namespace AND since <= :before ORDER BY since {limit})
