/**
 * {@code baton demo}: the flash sale. Several processes sell a limited stock, first under one broken lock after the
 * other, then under Baton.
 *
 * <p>The parent ({@link dev.baton.cli.demo.DemoCommand}, {@link dev.baton.cli.demo.Sale}) starts a JVM for each shop
 * ({@link dev.baton.cli.demo.Seller}) and one for each misbehaving holder ({@link dev.baton.cli.demo.Villain}). They
 * exchange lines ({@link dev.baton.cli.demo.Child}), share a stock and an order book ({@link dev.baton.cli.demo.Shop}),
 * and exclude each other with the lock of the round ({@link dev.baton.cli.demo.Rounds}, which are data).
 */
@NullMarked
package dev.baton.cli.demo;

import org.jspecify.annotations.NullMarked;
