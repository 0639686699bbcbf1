/**
 * Network tools for tests: a proxy that holds back, delays, splits and cuts connections, and free ports to listen on.
 */
@NullMarked
package dev.baton.servers.net;

import org.jspecify.annotations.NullMarked;
