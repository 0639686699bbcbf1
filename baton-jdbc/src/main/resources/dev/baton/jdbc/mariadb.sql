-- MariaDB, 10.6 or later: mysql.sql with the following changes.

--@ driver
org.mariadb.jdbc:mariadb-java-client

-- A client that stops in the middle of a transaction is disconnected after a second, so that it delays no other client.
--@ connect
SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED
SET SESSION innodb_lock_wait_timeout = 1
SET SESSION idle_transaction_timeout = 1

--@ begin_limited

--@ commit_limited

--@ facts
version: SELECT concat('MariaDB ', version())
schema: SELECT CASE WHEN 'baton_' LIKE '%.%' THEN substring_index('baton_', '.', 1) ELSE database() END
read_only: SELECT @@global.read_only
innodb_flush_log_at_trx_commit: SELECT @@global.innodb_flush_log_at_trx_commit

-- A locked row fails the statement at once; another statement then renews the rows that are not locked.
--@ renew
SET STATEMENT innodb_lock_wait_timeout = 0 FOR
{renew}
