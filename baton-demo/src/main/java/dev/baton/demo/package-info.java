/**
 * The flash sale of {@code baton demo}. A limited stock is sold by several processes under one broken lock after the
 * other, and under Baton.
 *
 * <p>The parent ({@link dev.baton.demo.Sale}) starts a JVM for each shop
 * ({@link dev.baton.demo.Seller}) and one for each misbehaving holder ({@link dev.baton.demo.Villain}). They
 * talk in lines ({@link dev.baton.demo.Child}), share a stock and an order book ({@link dev.baton.demo.Shop}),
 * and exclude each other by the lock of the round ({@link dev.baton.demo.Rounds}, which are data).
 */
@NullMarked
package dev.baton.demo;

import org.jspecify.annotations.NullMarked;
