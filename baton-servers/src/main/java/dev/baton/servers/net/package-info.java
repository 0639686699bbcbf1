/** The network of tests: a proxy that holds back, delays, splits and cuts, and ports to listen on. */
@NullMarked
package dev.baton.servers.net;

import org.jspecify.annotations.NullMarked;
