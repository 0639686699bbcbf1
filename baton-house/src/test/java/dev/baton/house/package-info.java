/**
 * House tests: rules that hold in all modules at once. They read compiled classes, sources and documents of the whole
 * repository; the message of each rule says what to do instead.
 */
package dev.baton.house;
