package dev.baton.jdbc;

import dev.baton.tck.ClientContractAdmin;
import dev.baton.tck.ClientContractExclusion;
import dev.baton.tck.ClientContractFaults;
import dev.baton.tck.ClientContractLifecycle;
import dev.baton.tck.ClientContractLoss;
import dev.baton.tck.ClientContractTemplates;
import dev.baton.tck.ClientContractThreads;
import dev.baton.tck.ClientContractWaiting;
import dev.baton.tck.StoreFixture;
import java.io.IOException;
import org.junit.jupiter.api.Nested;

/** The client contract on SQLite. */
class SqliteClientContractTest {
    @Nested
    class Exclusion extends ClientContractExclusion {
        @Override
        protected StoreFixture newFixture() throws IOException {
            return new SqliteFixture();
        }
    }

    @Nested
    class Waiting extends ClientContractWaiting {
        @Override
        protected StoreFixture newFixture() throws IOException {
            return new SqliteFixture();
        }
    }

    @Nested
    class Faults extends ClientContractFaults {
        @Override
        protected StoreFixture newFixture() throws IOException {
            return new SqliteFixture();
        }
    }

    @Nested
    class Loss extends ClientContractLoss {
        @Override
        protected StoreFixture newFixture() throws IOException {
            return new SqliteFixture();
        }
    }

    @Nested
    class Threads extends ClientContractThreads {
        @Override
        protected StoreFixture newFixture() throws IOException {
            return new SqliteFixture();
        }
    }

    @Nested
    class Templates extends ClientContractTemplates {
        @Override
        protected StoreFixture newFixture() throws IOException {
            return new SqliteFixture();
        }
    }

    @Nested
    class Lifecycle extends ClientContractLifecycle {
        @Override
        protected StoreFixture newFixture() throws IOException {
            return new SqliteFixture();
        }
    }

    @Nested
    class Admin extends ClientContractAdmin {
        @Override
        protected StoreFixture newFixture() throws IOException {
            return new SqliteFixture();
        }
    }
}
