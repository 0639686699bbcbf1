/**
 * The test of the house: what must be so in all rooms at once. It reads compiled classes, sources and documents of the
 * whole repository; each rule says in its message what to do instead.
 */
package dev.baton.house;
