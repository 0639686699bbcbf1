/**
 * Locks in an SQL database. The rules are those of {@link dev.baton.spi.ResourceState}; the SQL is data, one resource
 * file per dialect.
 */
@NullMarked
package dev.baton.jdbc;

import org.jspecify.annotations.NullMarked;
