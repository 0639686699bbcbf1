-- H2, 2.2 or later: common.sql with the following changes.

--@ write_nothing
{write nothing}

--@ find_unfit_tables
SELECT 'table ' || c.TABLE_NAME || ' {made otherwise}'
FROM INFORMATION_SCHEMA.COLUMNS c
WHERE lower(CASE WHEN 'baton_' LIKE '%.%' THEN c.TABLE_SCHEMA || '.' || c.TABLE_NAME ELSE c.TABLE_NAME END) IN (
        lower('baton_descriptor'), lower('baton_bucket'), lower('baton_lease'), lower('baton_ticket'),
        lower('baton_cancelled'), lower('baton_fence'), lower('baton_note'))
    AND ('baton_' LIKE '%.%' OR c.TABLE_SCHEMA = SCHEMA())
    AND upper(c.COLUMN_NAME) IN ('NAMESPACE', 'NAME', 'CLIENT') AND upper(c.DATA_TYPE) <> 'BINARY VARYING'
{first}

-- Not every mode knows LIMIT.
--@ define limit
FETCH FIRST :limit ROWS ONLY

--@ define first
FETCH FIRST ROW ONLY

--@ driver
com.h2database:h2

--@ define now
coalesce(CAST(:clock AS BIGINT), CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP(6)) * 1000000 AS BIGINT))

--@ connect
SET LOCK_TIMEOUT 500

-- Lock timeout, deadlock, concurrent update, unique violation (another client was first): nothing was executed.
--@ busy codes
50200 40001 90131 23505

--@ locked codes
50200

--@ missing codes
42102 42103 42104

--@ refusals
28000 DENIED {target} refuses this user, or its password
42102 UNFIT a table of Baton is missing in {target}: run schema/h2.sql, which is beside this class in the jar
42103 UNFIT a table of Baton is missing in {target}: run schema/h2.sql, which is beside this class in the jar
42104 UNFIT a table of Baton is missing in {target}: run schema/h2.sql, which is beside this class in the jar
90020 UNFIT {target} is in use by another process: connect through an H2 server (jdbc:h2:tcp:), or add AUTO_SERVER=TRUE on all sides
90067 UNREACHABLE the connection to {target} broke: is the server running?
90096 DENIED this user lacks a right on {target}: let it SELECT, INSERT, UPDATE and DELETE in Baton's tables, or CREATE them
90097 DENIED {target} is read-only: give this user write access to its files
90149 UNFIT no such database: create the one that {target} names, or start the server with -ifNotExists

--@ facts
version: SELECT 'H2 ' || H2VERSION()
database: SELECT DATABASE()
schema: SELECT CASE WHEN 'baton_' LIKE '%.%' THEN substring('baton_', 1, locate('.', 'baton_') - 1) ELSE SCHEMA() END
write_delay: SELECT coalesce((SELECT SETTING_VALUE FROM INFORMATION_SCHEMA.SETTINGS WHERE SETTING_NAME = 'WRITE_DELAY'), '?') || ' ms'

-- A database in memory has no path, and nothing to lose but itself.
--@ warnings
SELECT 'has WRITE_DELAY ' || SETTING_VALUE || ': a crash may forget who holds what, and two may hold the same lock; add ;WRITE_DELAY=0 to its address' FROM INFORMATION_SCHEMA.SETTINGS WHERE SETTING_NAME = 'WRITE_DELAY' AND SETTING_VALUE <> '0' AND DATABASE_PATH() IS NOT NULL

-- The uncontended acquire. It takes over the row of a free name in place, because the row keeps the name's last token.
-- It leaves a row that changed since the statement took its snapshot to a transaction: the statement may not see that
-- its attempt was cancelled before that change. H2 reads the clock after the snapshot, so times alone do not tell.
--@ acquire
SELECT token, deadline, changed FROM FINAL TABLE (
    MERGE INTO baton_lease l
    USING (
        SELECT n.moment, greatest((n.moment - :epoch) * 2 / 125,
            1 + coalesce((SELECT b.high_water FROM baton_bucket b
                WHERE b.namespace = :namespace AND b.bucket = :bucket), 0)) AS next_token,
            (SELECT s.changed FROM baton_lease s
                WHERE s.namespace = :namespace AND s.name = :name AND s.seat = 0) AS seen
        FROM (SELECT {now} AS moment) AS n
        WHERE NOT EXISTS (
            SELECT 1 FROM baton_cancelled c
            WHERE c.namespace = :namespace AND c.client = :client AND c.attempt = :attempt)) AS m
    ON l.namespace = :namespace AND l.name = :name AND l.seat = 0
    WHEN MATCHED AND l.capacity = 1 AND l.waiters = 0 AND l.not_before <= m.moment AND l.changed <= m.moment
            AND l.changed = m.seen
            AND (l.client IS NULL OR l.deadline + l.lock_delay <= m.moment) THEN
        UPDATE SET kind = :kind, not_before = 0, token = greatest(m.next_token, l.token + 1), client = :client,
            attempt = :attempt, weight = 1, deadline = m.moment + :lease, lock_delay = :lock_delay, claimed = 1,
            revoked = 0, description = :description, changed = m.moment
    WHEN NOT MATCHED THEN
        INSERT (namespace, name, seat, bucket, kind, capacity, waiters, not_before, token, client, attempt, weight,
            deadline, lock_delay, claimed, revoked, description, changed)
        VALUES (:namespace, :name, 0, :bucket, :kind, 1, 0, 0, m.next_token, :client, :attempt, 1,
            m.moment + :lease, :lock_delay, 1, 0, :description, m.moment))

--@ define answered now
{now}

--@ release
SELECT changed FROM FINAL TABLE (
{release})

--@ renew
SELECT changed, attempt, token, {contended} FROM FINAL TABLE (
{renew}) AS renewed

--@ define renewed
renewed


--@ lock_names
SELECT name FROM baton_lease
WHERE namespace = :namespace AND name IN (:names) AND seat = 0 ORDER BY name FOR UPDATE

--@ find_releasable
{find releasable}

--@ release_found
{release found}

-- Those of the names that no other transaction keeps locked, without waiting.
--@ free_names
SELECT name FROM baton_lease
WHERE namespace = :namespace AND name IN (:names) AND seat = 0 ORDER BY name FOR UPDATE SKIP LOCKED

--@ raise_high_water
MERGE INTO baton_bucket b USING (SELECT CAST(:token AS BIGINT) AS token) AS m
ON b.namespace = :namespace AND b.bucket = :bucket
WHEN MATCHED THEN UPDATE SET high_water = greatest(b.high_water, m.token)
WHEN NOT MATCHED THEN INSERT (namespace, bucket, high_water) VALUES (:namespace, :bucket, m.token)

--@ sweep_raise
MERGE INTO baton_bucket b
USING (
    SELECT namespace, bucket, max(token) AS token FROM baton_lease
    WHERE namespace = :namespace AND name > :after AND name <= :end AND {free row}
    GROUP BY namespace, bucket) AS m
ON b.namespace = m.namespace AND b.bucket = m.bucket
WHEN MATCHED THEN UPDATE SET high_water = greatest(b.high_water, m.token)
WHEN NOT MATCHED THEN INSERT (namespace, bucket, high_water) VALUES (m.namespace, m.bucket, m.token)

--@ save_note
MERGE INTO baton_note n USING (SELECT CAST(:token AS BIGINT) AS token) AS m
ON n.namespace = :namespace AND n.name = :name
WHEN MATCHED THEN UPDATE SET token = m.token, number = :number, note = :note
WHEN NOT MATCHED THEN INSERT (namespace, name, token, number, note)
    VALUES (:namespace, :name, m.token, :number, :note)

--@ raise_fence
MERGE INTO baton_fence f USING (SELECT CAST(:token AS BIGINT) AS token) AS m ON f.name = :name
WHEN MATCHED AND f.high_water <= m.token THEN UPDATE SET high_water = m.token
WHEN NOT MATCHED THEN INSERT (name, high_water) VALUES (:name, m.token)
