/** The network of tests: a proxy that holds back, delays, splits and cuts, and ports to listen on. */
@NullMarked
package dev.baton.tck.net;

import org.jspecify.annotations.NullMarked;
