package dev.baton.etcd;

import dev.baton.tck.OrderedFixture;
import dev.baton.tck.SessionContract;

class EtcdSessionContractTest extends SessionContract {
    @Override
    protected OrderedFixture newFixture() {
        return new EtcdFixture();
    }
}
