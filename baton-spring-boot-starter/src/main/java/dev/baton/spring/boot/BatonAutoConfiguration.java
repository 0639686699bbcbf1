package dev.baton.spring.boot;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.spi.StoreProvider;
import dev.baton.spring.internal.ClusterScheduledMethods;
import dev.baton.spring.internal.LockedMethods;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import javax.sql.DataSource;
import org.apache.curator.framework.CuratorFramework;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Role;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Gives an application a {@link Baton} client and locked methods. A {@code Baton} bean of the application takes the place of
 * the client.
 *
 * @since 0.1
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration"
        })
@EnableConfigurationProperties(BatonProperties.class)
@ImportRuntimeHints(BatonRuntimeHints.class)
public class BatonAutoConfiguration {
    /** For Spring. */
    public BatonAutoConfiguration() {}

    @Bean
    static ClosingOrder batonClosingOrder(ConfigurableApplicationContext context) {
        return new ClosingOrder(context);
    }

    /** The client. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(Baton.class)
    static class ClientConfiguration {
        @Bean(destroyMethod = "close")
        Baton baton(
                BatonProperties properties,
                Environment environment,
                ObjectProvider<BatonConnectionDetails> details,
                ObjectProvider<SslBundles> bundles,
                ObjectProvider<BatonOptionsCustomizer> customizers,
                DerivedStores stores,
                ClosingOrder closing) {
            BatonConnectionDetails found = details.getIfAvailable(() -> stores.find(properties, environment, bundles));
            BatonOptions.Builder options = properties.options();
            String application = environment.getProperty("spring.application.name");
            if (properties.applicationName() == null && application != null) {
                options.applicationName(application);
            }
            customizers.orderedStream().forEach(each -> each.customize(options));
            found.driverObjects().forEach(options::driverObject);
            BatonOptions complete = options.build();
            closing.closesAfterTheClient(complete.callbackExecutor().orElse(null));
            if (!properties.lazy() || isOfNoStore(properties.uri())) {
                return Baton.connect(found.uri(), complete);
            }
            // Half a second more, so that a caller gets the reason and not only that its time is over.
            return new LazyClient(
                            () -> Baton.connect(found.uri(), complete),
                            complete.connectTimeout().plusMillis(500))
                    .start();
        }

        /** An address that no store here serves keeps the application from starting, lazy or not: trying again is of no use. */
        private static boolean isOfNoStore(@Nullable String uri) {
            return uri != null
                    && !uri.isBlank()
                    && ServiceLoader.load(StoreProvider.class, Baton.class.getClassLoader()).stream()
                            .flatMap(each -> each.get().schemes().keySet().stream())
                            .noneMatch(scheme -> uri.startsWith(scheme + ':'));
        }

        @Bean
        @ConditionalOnMissingBean
        DerivedStores batonDerivedStores(ObjectProvider<StoreFinder> finders) {
            return new DerivedStores(finders.orderedStream().toList());
        }

        @Configuration(proxyBeanMethods = false)
        @ConditionalOnClass(value = DataSource.class, name = "dev.baton.jdbc.JdbcStoreProvider")
        static class DataSourceConfiguration {
            @Bean
            @Order(1)
            StoreFinder batonDataSourceFinder(ObjectProvider<DataSource> sources) {
                return () -> {
                    DataSource only = sources.getIfUnique();
                    return only == null ? null : new DataSourceDetails(only);
                };
            }
        }

        @Configuration(proxyBeanMethods = false)
        @ConditionalOnClass(value = CuratorFramework.class, name = "dev.baton.zookeeper.ZookeeperStoreProvider")
        static class CuratorConfiguration {
            @Bean
            @Order(2)
            StoreFinder batonCuratorFinder(ObjectProvider<CuratorFramework> frameworks) {
                return () -> {
                    CuratorFramework only = frameworks.getIfUnique();
                    return only == null ? null : new CuratorDetails(only);
                };
            }
        }
    }

    /** Finds a store that the application has, in the form of its only, or primary, bean of some type. */
    @FunctionalInterface
    interface StoreFinder {
        @Nullable
        BatonConnectionDetails find();
    }

    /** Finds the store of an application that names none. */
    record DerivedStores(List<StoreFinder> finders) {
        BatonConnectionDetails find(
                BatonProperties properties, Environment environment, ObjectProvider<SslBundles> bundles) {
            String uri = properties.uri();
            if (uri != null && !uri.isBlank()) {
                return () -> uri;
            }
            BatonConnectionDetails redis =
                    ClassUtils.isPresent("dev.baton.redis.RedisStoreProvider", DerivedStores.class.getClassLoader())
                            ? RedisDetails.of(environment, bundles.getIfAvailable())
                            : null;
            if (redis != null) {
                return redis;
            }
            return finders.stream()
                    .map(StoreFinder::find)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElseThrow(NoStoreException::new);
        }
    }

    /** Methods that are jobs. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "baton.jobs.enabled", matchIfMissing = true)
    static class JobsConfiguration {
        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static ClusterScheduledMethods batonClusterScheduledMethods() {
            return new ClusterScheduledMethods();
        }

        /** As for methods with {@code @Scheduled}: a bean that nothing else needs is made all the same. */
        @Bean
        static LazyInitializationExcludeFilter batonClusterScheduledBeans() {
            return (name, definition, type) -> ClusterScheduledMethods.areIn(type);
        }

        @Bean
        JobsLifecycle batonJobs(ClusterScheduledMethods methods, BatonProperties properties) {
            return new JobsLifecycle(methods.jobs(), properties.jobs().awaitTermination());
        }

        @Bean
        JobsHealth batonJobsHealth(ClusterScheduledMethods methods, BatonProperties properties) {
            return new JobsHealth(methods.jobs(), properties.jobs().downWhenOverdue());
        }
    }

    /** Locked methods. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "baton.locked.enabled", matchIfMissing = true)
    static class LockedConfiguration {
        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static LockedMethods.Outside batonLockedMethods(Environment environment) {
            return new LockedMethods.Outside(environment);
        }

        @Configuration(proxyBeanMethods = false)
        @ConditionalOnClass(name = {"dev.baton.jdbc.Fence", "org.springframework.jdbc.datasource.ConnectionHolder"})
        static class FenceConfiguration {
            @Bean
            @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
            static LockedMethods.Inside batonFencedMethods(Environment environment) {
                return new LockedMethods.Inside(environment);
            }
        }
    }
}
