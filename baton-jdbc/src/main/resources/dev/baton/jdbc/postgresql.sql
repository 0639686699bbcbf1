-- PostgreSQL, 14 or later: common.sql and on-conflict.sql with the following changes.

-- One client after the other, because one transaction creates the tables. The number is arbitrary; no other program may
-- use it.
--@ lock_schema
SELECT pg_advisory_xact_lock(4703117200918231)

--@ write_nothing
{write nothing}

-- The owner of a table can make every statement on it run code, by triggers, rules, policies and defaults, as the user
-- who sent the statement. So the owner must be this user, a superuser, a role with the rights of the schema's owner
-- (which could replace the table), or a role that this user was made a member of. Before PostgreSQL 16 every role that
-- can log in may grant others membership of itself. No operator or function here has a closer match that others could
-- have created.
--@ find_unfit_tables
SELECT complaint FROM (
    SELECT 1 AS place, 'table ' || c.oid::regclass::text || ' belongs to the role "' || o.rolname::text
        || '", which can have it run code as this user. Look at the table, then drop it, or ALTER TABLE '
        || c.oid::regclass::text || ' OWNER TO "' || current_user::text
        || '"; and keep others from making tables there (REVOKE CREATE ON SCHEMA "' || n.nspname::text
        || '" FROM PUBLIC), or give Baton a schema of its own by baton.tables' AS complaint
    FROM {tables}
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_catalog.pg_roles o ON o.oid = c.relowner
    JOIN pg_catalog.pg_roles me ON me.rolname = current_user
    WHERE o.oid <> me.oid
        AND NOT pg_has_role(o.oid, n.nspowner, 'USAGE'::text)
        AND (me.rolsuper OR NOT pg_has_role(me.oid, o.oid, 'USAGE'::text)
            OR o.rolcanlogin AND current_setting('server_version_num'::text)::integer < 160000)
    UNION ALL
    SELECT 2, 'table ' || c.oid::regclass::text || ' {made otherwise}'
    FROM {tables}
    WHERE c.relkind NOT IN ('r'::"char", 'p'::"char") OR EXISTS (
        SELECT 1 FROM pg_catalog.pg_attribute a
        WHERE a.attrelid = c.oid AND a.attname IN ('namespace'::name, 'name'::name, 'client'::name)
            AND a.atttypid <> 'bytea'::regtype::oid)) AS found
ORDER BY place {first}

--@ define tables
unnest(ARRAY['baton_descriptor', 'baton_bucket', 'baton_lease', 'baton_ticket', 'baton_cancelled', 'baton_fence',
        'baton_note', 'baton_epoch']::text[])
        AS called (table_name)
    JOIN pg_catalog.pg_class c ON c.oid = to_regclass(called.table_name)::oid

--@ driver
org.postgresql:postgresql

-- The clock at the time of the call, not that of the transaction: a statement may have waited for a row. date_part is a
-- double, exact to the microsecond until 2106, and cheaper than extract, which is a numeric.
--@ define now
coalesce(:clock, (date_part('epoch'::text, clock_timestamp()) * 1000000::double precision)::bigint)

-- A time before the statement took its snapshot. The statement is a transaction of its own, and statement_timestamp()
-- would be too late: a snapshot of REPEATABLE READ is taken when the statement is bound, and not when it is executed.
--@ define started
coalesce(:clock, (date_part('epoch'::text, transaction_timestamp()) * 1000000::double precision)::bigint)

--@ define greatest
greatest

--@ define epoch table
, baton_epoch

-- The number of the cluster, and the timeline of the file that it is writing: a promotion begins another one. The control
-- file keeps the old timeline until the first checkpoint after the promotion has ended, which may take minutes; the name
-- of the file changes at once, also for a connection that was open before.
--@ define identity
CASE WHEN pg_is_in_recovery() THEN NULL
    ELSE (pg_control_system()).system_identifier::text || '-'::text || {timeline} END

--@ define timeline
left(pg_walfile_name(pg_current_wal_lsn()), 8)

-- A namespace that is missing on a server may be new, or its first commits were lost. No server whose timeline is the
-- first was ever promoted. On another one, the last commit that it replayed tells how long ago it was a standby, as long
-- as the process runs.
--@ define may have forgotten
EXISTS (SELECT 1 FROM baton_descriptor d WHERE d.namespace = :namespace)
    OR {timeline} <> '00000001'::text AND (
        pg_postmaster_start_time() > clock_timestamp() - interval '10 minutes'
        OR pg_last_xact_replay_timestamp() > clock_timestamp() - interval '10 minutes')

--@ define has epoch
{recorded epoch}

--@ define settled
{recorded settled}

--@ define grace
{recorded grace}

-- The timeline, if this server is the recorded one and no grace period is on. A connection leads to one server, whose
-- timeline only a promotion changes, and which keeps its record. So as long as a connection shows the same timeline, its
-- statements may grant without a look at the record.
--@ timeline
SELECT CASE WHEN {settled} THEN {timeline} END

--@ acquire_here
{acquire if} {timeline} = CAST(:timeline AS text)
{acquire then}

--@ release_here
{release} AND {timeline} = CAST(:timeline AS text)
RETURNING changed

-- The uncontended acquires of many names, with one commit. It waits for no row that another transaction keeps locked: such
-- a name is left out, and its caller goes on alone. Names are inserted in order, so that two of these statements never
-- wait for each other. Padding repeats the last name, hence DISTINCT.
--@ acquire_all
WITH asked AS MATERIALIZED (
    SELECT DISTINCT ON (a.name) a.name, a.bucket, a.kind, a.attempt, a.lease, a.lock_delay, a.description
    FROM unnest(ARRAY[:names]::bytea[], ARRAY[:name_buckets]::integer[], ARRAY[:kinds]::text[], ARRAY[:attempts]::bigint[],
            ARRAY[:leases]::bigint[], ARRAY[:lock_delays]::bigint[], ARRAY[:descriptions]::bytea[])
        AS a (name, bucket, kind, attempt, lease, lock_delay, description)
    ORDER BY a.name),
known AS MATERIALIZED (
    SELECT l.name FROM baton_lease l WHERE l.namespace = :namespace AND l.name IN (:names) AND l.seat = 0),
free AS MATERIALIZED (
    SELECT l.name FROM baton_lease l WHERE l.namespace = :namespace AND l.name IN (:names) AND l.seat = 0
    FOR UPDATE SKIP LOCKED)
INSERT INTO baton_lease ({lease columns})
SELECT :namespace, a.name, 0, a.bucket, a.kind, 1, 0, 0,
    {greatest}((m.now - :epoch) * 2 / 125,
        1 + coalesce((SELECT b.high_water FROM baton_bucket b WHERE b.namespace = :namespace AND b.bucket = a.bucket), 0)),
    :client, a.attempt, 1, m.now + a.lease, a.lock_delay, 1, 0, a.description, m.now
FROM asked a, (SELECT {now} AS now) AS m
WHERE NOT EXISTS (
        SELECT 1 FROM baton_cancelled c
        WHERE c.namespace = :namespace AND c.client = :client AND c.attempt = a.attempt)
    AND (NOT EXISTS (SELECT 1 FROM known k WHERE k.name = a.name)
        OR EXISTS (SELECT 1 FROM free f WHERE f.name = a.name))
    AND {may grant}
ORDER BY a.name
{take over}
RETURNING token, deadline, changed, attempt

-- The same for releases of holds without waiters. A row that is locked here stays as it was read, so it is found by its
-- place. Answers which name it was, because an attempt is no longer in its row.
--@ release_all
UPDATE baton_lease SET {freed}, changed = {now}
WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM baton_lease
    WHERE namespace = :namespace AND name IN (:names) AND seat = 0 AND capacity = 1 AND waiters = 0
        AND client = :client AND attempt IN (:attempts) AND token = {own token} AND deadline > {now}
        AND changed <= {now}
    FOR UPDATE SKIP LOCKED))
    AND {may grant}
RETURNING changed, array_position(ARRAY[:names]::bytea[], name)

--@ define may grant
(CAST(:timeline AS text) IS NULL AND {settled} OR {timeline} = CAST(:timeline AS text))

--@ add_epoch
{add epoch}
ON CONFLICT DO NOTHING

-- Only the first client that finds out begins the grace period. A period that ends later than one that begins now was
-- begun before the clock was set back.
--@ begin_grace
INSERT INTO baton_epoch (namespace, identity, grace_until) VALUES (:namespace, {identity}, {now} + :grace)
ON CONFLICT (namespace) DO UPDATE SET identity = excluded.identity, grace_until = excluded.grace_until
WHERE baton_epoch.identity <> excluded.identity OR baton_epoch.grace_until > excluded.grace_until

-- A client that stops in the middle of a transaction is rolled back after a second, so that it delays no other client.
-- A statement waits at most half a second for a row: then its session serves others, and no server process waits in
-- vain. Every statement finds its rows by a key; a plan from when the tables were small would keep scanning them. None
-- of this is set if another process answers than the driver was told: behind a pooler, other clients use the session as
-- well.
--@ connect
SELECT CASE WHEN pg_backend_pid() <> {process} THEN 'pooled '::text || current_setting('lock_timeout'::text) ELSE set_config('idle_in_transaction_session_timeout'::text, '1000'::text, false) || set_config('lock_timeout'::text, '500'::text, false) || set_config('enable_seqscan'::text, 'off'::text, false) END

-- Serialization failure, deadlock, lock not available, unique violation (another client was first): nothing was
-- executed.
--@ busy codes
40001 40P01 55P03 23505

--@ locked codes
55P03

--@ missing codes
42P01 3F000

--@ refusals
28000 DENIED {target} refuses this user: check user and pg_hba.conf
28P01 DENIED {target} refuses the password of this user
3D000 UNFIT no such database: create the one that {target} names
42501 DENIED this user lacks a right on {target}: let it SELECT, INSERT, UPDATE and DELETE in Baton's tables, or CREATE them
26000 UNFIT {target} does not know a statement that the driver has prepared there: a pooler gives each transaction another session. Set max_prepared_statements in PgBouncer 1.21 or later, or prepareThreshold=0 in the driver's address
42P05 UNFIT {target} knows a statement already that the driver wants to prepare there: a pooler gives each transaction another session. Set max_prepared_statements in PgBouncer 1.21 or later, or prepareThreshold=0 in the driver's address
42P01 UNFIT a table of Baton is missing in {target}: run schema/postgresql.sql, which is beside this class in the jar
25006 UNFIT {target} is read-only: if it is a standby, name the primary; else set default_transaction_read_only = off for this user and database, and have no pool make its connections read-only
53100 UNFIT the disk of {target} is full: make room
53300 UNREACHABLE {target} has too many connections: raise max_connections, or make pools smaller
25P03 UNREACHABLE this client stopped for a second in the middle of a transaction, and {target} has rolled it back
57P01 UNREACHABLE {target} was shut down
57P02 UNREACHABLE {target} crashed
57P03 UNREACHABLE {target} is starting up or shutting down

--@ facts
version: SELECT 'PostgreSQL ' || current_setting('server_version')
role: SELECT CASE WHEN pg_is_in_recovery() THEN 'standby' ELSE 'primary' END
fsync: SELECT current_setting('fsync')
synchronous_commit: SELECT current_setting('synchronous_commit')
schema: SELECT coalesce((SELECT n.nspname::text FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = to_regclass('baton_lease')::oid), 'none')
synchronous_standbys: SELECT coalesce(nullif(current_setting('synchronous_standby_names'), ''), 'none')

--@ warnings
SELECT CASE current_setting('fsync') WHEN 'off' THEN 'has fsync off: a crash of its machine may forget who holds what, and two may hold the same lock; set fsync = on' END
SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN 'has synchronous_commit off: a crash may forget who holds what, and two may hold the same lock; set synchronous_commit = on, or at least for Baton''s user' END

-- Sets the same time-out for connections out of a pool, which keep their settings.
--@ lock_names
SELECT name, set_config('idle_in_transaction_session_timeout', '1000', true) FROM baton_lease
WHERE namespace = :namespace AND name IN (:names) AND seat = 0 ORDER BY name FOR UPDATE

-- Those of the names that no other transaction keeps locked, without waiting.
--@ free_names
SELECT name FROM baton_lease
WHERE namespace = :namespace AND name IN (:names) AND seat = 0 ORDER BY name FOR UPDATE SKIP LOCKED

-- The common renewal, but it leaves out rows that another transaction keeps locked instead of waiting for them, so that
-- they do not keep the others from being renewed. A row that is locked here stays as it was read, so it is found by its
-- place.
--@ renew
WITH m AS MATERIALIZED (SELECT {now} AS now)
UPDATE baton_lease SET deadline = m.now + :lease, claimed = 1, changed = m.now, description = {owner}
FROM m WHERE baton_lease.ctid = ANY (ARRAY(
    SELECT ctid FROM baton_lease
    WHERE namespace = :namespace AND name IN (:names) AND seat = 0 AND capacity = 1 AND client = :client
        AND attempt IN (:attempts) AND token = {own token} AND revoked = 0 AND deadline > {now}
        AND deadline <= {now} + :lease AND changed <= {now} AND (claimed = 0 OR 1 = :extend)
    FOR UPDATE SKIP LOCKED))
RETURNING changed, attempt, token, {contended}

-- A transaction that notifies keeps a lock of the whole server until its commit is over. This one has nothing that must
-- survive a crash, so its commit waits for no disk and no standby.
--@ push_grant
SELECT set_config('synchronous_commit', 'off', true), pg_notify(CAST(:channel AS text), CAST(:payload AS text))
