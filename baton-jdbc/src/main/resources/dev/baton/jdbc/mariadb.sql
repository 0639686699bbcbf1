-- MariaDB, 10.6 or later: mysql.sql with what follows.

--@ driver
org.mariadb.jdbc:mariadb-java-client

-- A client that stops in the middle of a transaction is disconnected after a second, and holds nobody up.
--@ connect
SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED
SET SESSION innodb_lock_wait_timeout = 1
SET SESSION idle_transaction_timeout = 1

--@ facts
version: SELECT concat('MariaDB ', version())
schema: SELECT CASE WHEN 'baton_' LIKE '%.%' THEN substring_index('baton_', '.', 1) ELSE database() END
read_only: SELECT @@global.read_only
innodb_flush_log_at_trx_commit: SELECT @@global.innodb_flush_log_at_trx_commit

-- A row that is locked fails the statement at once, and those that are not locked are renewed by another one.
--@ renew
SET STATEMENT innodb_lock_wait_timeout = 0 FOR
{renew}
