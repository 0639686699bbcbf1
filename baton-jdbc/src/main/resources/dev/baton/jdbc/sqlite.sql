-- SQLite, 3.42 or later: common.sql and on-conflict.sql with the following changes.

-- The transaction is the lock.
--@ lock_schema
SELECT 1

--@ find_unfit_tables
SELECT 'table ' || t.name || ' {made otherwise}'
FROM sqlite_master AS t, pragma_table_info(t.name) AS c
WHERE t.name IN ('baton_descriptor', 'baton_bucket', 'baton_lease', 'baton_ticket', 'baton_cancelled', 'baton_fence',
        'baton_note')
    AND (t.type <> 'table' OR c.name IN ('namespace', 'name', 'client') AND upper(c.type) <> 'BLOB')
{first}

--@ driver
org.xerial:sqlite-jdbc

-- A clock given by tests wins over the database's. Both count microseconds.
--@ define now
coalesce(:clock, cast(round(unixepoch('subsec') * 1000) as integer) * 1000)

-- There is one writer at a time, so a writer sees every commit before it.
--@ define started
excluded.changed

--@ define greatest
max

-- NORMAL: an acknowledged hold is in the operating system's cache and survives the death of any process. Only a crash
-- of the machine can lose it, and then all clients that could rely on it are gone as well.
--@ connect
PRAGMA journal_mode = WAL -> wal
PRAGMA synchronous = {synchronous}

--@ wait limit
PRAGMA busy_timeout = {millis}

-- SQLITE_BUSY and SQLITE_LOCKED: nothing was executed, and the call may be retried.
--@ busy codes
5 6

-- SQLITE_ERROR, which SQLite also reports for a missing table.
--@ missing codes
1

-- Refused as a whole, for a cause that the operator has to remove: the driver's code, the reason and the message.
--@ refusals
3 DENIED no permission: give this user read and write access to {target} and to its directory
8 DENIED the file is read-only: give this user write access to {target} and to its directory (SQLite writes files beside it)
11 UNFIT {target} is damaged: move it away and restart all clients (locks are forgotten, tokens go on from the clock)
13 UNFIT the disk is full: make room on the file system of {target}
14 DENIED cannot open {target}: create its directory, and let this user read and write there
23 DENIED access was denied to {target}
26 UNFIT {target} is not an SQLite database: name another file, or move this one away

-- The database's facts about itself: a label, and a statement that answers with one value.
--@ facts
version: SELECT 'SQLite ' || sqlite_version()
file: SELECT file FROM pragma_database_list WHERE name = 'main'
size: SELECT (page_count * page_size) || ' bytes' FROM pragma_page_count(), pragma_page_size()
journal_mode: SELECT journal_mode FROM pragma_journal_mode
synchronous: SELECT CASE synchronous WHEN 1 THEN 'NORMAL' WHEN 2 THEN 'FULL' ELSE synchronous END FROM pragma_synchronous

-- There is one writer at a time: nothing else needs to be locked.
--@ begin
BEGIN IMMEDIATE

--@ commit
COMMIT

--@ rollback
ROLLBACK
