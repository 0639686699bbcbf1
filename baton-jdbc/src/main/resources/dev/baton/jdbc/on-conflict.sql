-- Databases with INSERT … ON CONFLICT and RETURNING: SQLite and PostgreSQL.

-- The uncontended acquire. It takes over the row of a free name in place, because the row keeps the name's last token.
-- It leaves a row that changed since the statement began to a transaction: the statement may not see that its attempt
-- was cancelled before that change.
--@ acquire
{acquire if} {settled}
{acquire then}

--@ define acquire if
INSERT INTO baton_lease ({lease columns})
SELECT :namespace, :name, 0, :bucket, :kind, 1, 0, 0,
    {greatest}((m.now - :epoch) * 2 / 125,
        1 + coalesce((SELECT b.high_water FROM baton_bucket b WHERE b.namespace = :namespace AND b.bucket = :bucket), 0)),
    :client, :attempt, 1, m.now + :lease, :lock_delay, 1, 0, :description, m.now
FROM (SELECT {now} AS now) AS m
WHERE NOT EXISTS (
    SELECT 1 FROM baton_cancelled c
    WHERE c.namespace = :namespace AND c.client = :client AND c.attempt = :attempt)
    AND

--@ define acquire then
{take over}
RETURNING token, deadline, changed

--@ define take over
ON CONFLICT (namespace, name, seat) DO UPDATE SET
    kind = excluded.kind,
    not_before = 0,
    token = {greatest}(excluded.token, baton_lease.token + 1),
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
    AND baton_lease.changed <= {started}
    AND (baton_lease.client IS NULL OR baton_lease.deadline + baton_lease.lock_delay <= excluded.changed)

--@ define answered now
{now}

--@ release
{release} AND {settled}
RETURNING changed

--@ renew
{renew}
RETURNING changed, attempt, token, {contended}

--@ raise_high_water
INSERT INTO baton_bucket (namespace, bucket, high_water) VALUES (:namespace, :bucket, :token)
ON CONFLICT (namespace, bucket) DO UPDATE SET
    high_water = {greatest}(baton_bucket.high_water, excluded.high_water)

-- Before rows are deleted, their tokens go into the high water of their buckets.
--@ sweep_raise
INSERT INTO baton_bucket (namespace, bucket, high_water)
SELECT namespace, bucket, max(token) FROM baton_lease
WHERE namespace = :namespace AND name > :after AND name <= :end AND {free row}
GROUP BY namespace, bucket
ON CONFLICT (namespace, bucket) DO UPDATE SET
    high_water = {greatest}(baton_bucket.high_water, excluded.high_water)

--@ save_note
INSERT INTO baton_note (namespace, name, token, number, note) VALUES (:namespace, :name, :token, :number, :note)
ON CONFLICT (namespace, name) DO UPDATE SET token = excluded.token, number = excluded.number, note = excluded.note

-- Runs in the user's transaction: no row is changed if the token is too small.
--@ raise_fence
INSERT INTO baton_fence (name, high_water) VALUES (:name, :token)
ON CONFLICT (name) DO UPDATE SET high_water = excluded.high_water WHERE baton_fence.high_water <= excluded.high_water

-- A client that was not the first waits for the other one and is told that nothing was added; otherwise the server's
-- log would show an error.
--@ add_descriptor
{add descriptor}
ON CONFLICT DO NOTHING

--@ add_name
{add name}
ON CONFLICT DO NOTHING
