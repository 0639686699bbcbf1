package dev.baton.etcd;

import dev.baton.tck.LineFixture;
import dev.baton.tck.SessionContract;

class EtcdSessionContractTest extends SessionContract {
    @Override
    protected LineFixture newFixture() {
        return new EtcdFixture();
    }
}
