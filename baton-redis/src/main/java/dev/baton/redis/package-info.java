/**
 * Locks in Redis or Valkey. The rules are those of {@link dev.baton.spi.ResourceState}, as Lua scripts in the resource
 * files; all threads of a client share one connection through {@link dev.baton.redis.Pipeline}.
 */
@NullMarked
package dev.baton.redis;

import org.jspecify.annotations.NullMarked;
