package dev.baton.spring

import dev.baton.Baton
import dev.baton.spring.boot.BatonAutoConfiguration
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.DisplayName
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows
import org.springframework.boot.autoconfigure.AutoConfigurations
import org.springframework.boot.test.context.runner.ApplicationContextRunner
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration

/** Locked suspend functions: held until they end or are cancelled. */
class SuspendTest {
    private val uri = "memory://suspend-${NUMBER.incrementAndGet()}"

    @Configuration(proxyBeanMethods = false)
    open class Application {
        @Bean open fun shop() = Shop()
    }

    open class Shop {
        private val entered = CompletableDeferred<Unit>()
        private val go = CompletableDeferred<String>()

        open fun entered() = entered

        open fun go() = go

        @Locked("stock:#{#sku}", waitFor = "0")
        open suspend fun sell(sku: String): String {
            entered.complete(Unit)
            return go.await() + " " + sku
        }

        @Locked("fail", waitFor = "0")
        open suspend fun fail(): String {
            throw IllegalStateException("no money")
        }

        @Locked("flow", waitFor = "0")
        open fun flow(): Flow<String> = flow {
            entered.complete(Unit)
            emit(go.await())
        }

        @Locked("busy", waitFor = "0", otherwise = "instead")
        open suspend fun busy(): String = "ran"

        open suspend fun instead(): String {
            delay(1)
            return "instead"
        }

        @Locked("plain", waitFor = "0", otherwise = "atOnce")
        open suspend fun plain(): String = "ran"

        open fun atOnce(): String = "at once"
    }

    private fun inShop(use: suspend (Shop, Baton) -> Unit) {
        ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(BatonAutoConfiguration::class.java))
            .withUserConfiguration(Application::class.java)
            .withPropertyValues("baton.uri=$uri", "baton.connect-timeout=20s")
            .run { context ->
                Baton.connect(uri).use { other ->
                    runBlocking { withTimeout(60_000) { use(context.getBean(Shop::class.java), other) } }
                }
            }
    }

    private fun isFree(other: Baton, name: String) =
        other.lock(name).tryAcquire().map { it.close(); true }.orElse(false)

    @Test
    @DisplayName("P48: suspendFunction_isLockedUntilItEnds")
    fun suspendFunction_isLockedUntilItEnds() = inShop { shop, other ->
        coroutineScope {
            val sold = async(Dispatchers.Default) { shop.sell("7") }
            shop.entered().await()
            assertThat(isFree(other, "stock:7")).isFalse()
            shop.go().complete("sold")
            assertThat(sold.await()).isEqualTo("sold 7")
        }
        assertThat(isFree(other, "stock:7")).isTrue()
    }

    @Test
    fun suspendFunction_thatIsCancelled_releasesTheLock() = inShop { shop, other ->
        coroutineScope {
            val job = launch(Dispatchers.Default) { shop.sell("7") }
            shop.entered().await()
            assertThat(isFree(other, "stock:7")).isFalse()
            job.cancelAndJoin()
        }
        untilFree(other, "stock:7")
    }

    private fun untilFree(other: Baton, name: String) {
        other.lock(name).acquire().close()
    }

    @Test
    fun suspendFunction_thatThrows_releasesTheLock() = inShop { shop, other ->
        assertThrows<IllegalStateException> { shop.fail() }
        assertThat(isFree(other, "fail")).isTrue()
    }

    @Test
    fun suspendFunction_withoutTheLock_doesNotRun() = inShop { shop, other ->
        other.lock("stock:7").acquire().use {
            assertThrows<LockNotAvailableException> { shop.sell("7") }
            assertThat(shop.entered().isCompleted).isFalse()
        }
    }

    @Test
    fun suspendFunction_withoutTheLock_isWhatTheFunctionForThisCaseSays() = inShop { shop, other ->
        assertThat(shop.busy()).isEqualTo("ran")
        other.lock("busy").acquire().use { assertThat(shop.busy()).isEqualTo("instead") }
        other.lock("plain").acquire().use { assertThat(shop.plain()).isEqualTo("at once") }
    }

    @Test
    fun flow_isLockedUntilItIsCollected() = inShop { shop, other ->
        coroutineScope {
            val all = async(Dispatchers.Default) { shop.flow().toList() }
            shop.entered().await()
            assertThat(isFree(other, "flow")).isFalse()
            shop.go().complete("a")
            assertThat(all.await()).containsExactly("a")
        }
        untilFree(other, "flow")
    }

    open class SuspendsAndFlows {
        @Locked("both") open suspend fun all(): Flow<Int> = flowOf(1, 2, 3)
    }

    /** Two ends, of which the proxy sees one: the collector would get one element. */
    @Test
    fun suspendFunction_thatReturnsAFlow_keepsTheApplicationFromStarting() {
        ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(BatonAutoConfiguration::class.java))
            .withBean(SuspendsAndFlows::class.java)
            .withPropertyValues("baton.uri=memory://both")
            .run { context ->
                assertThat(context.startupFailure).rootCause().hasMessageContaining("leave suspend out")
            }
    }

    companion object {
        private val NUMBER = AtomicInteger()
    }
}
