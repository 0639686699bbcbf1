package dev.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.Lease;
import dev.baton.servers.EtcdServer;
import dev.baton.spi.Resource;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.WriteNote;
import io.etcd.jetcd.Auth;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.auth.Permission;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A server with users: the rights that the documentation page lists are enough, and secrets stay secret. */
class EtcdUsersTest {
    private static final String SECRET = "s3cret-of-locks";

    /** A new JVM loads gRPC's classes while its first client connects, which takes a busy machine a while. */
    private static final BatonOptions PATIENT =
            BatonOptions.builder().connectTimeout(Duration.ofSeconds(20)).build();

    private static EtcdServer server;

    @BeforeAll
    static void start() throws Exception {
        server = EtcdServer.start();
        try (ByHand hand = new ByHand(server)) {
            Auth auth = hand.client().getAuthClient();
            role(auth, "locks", "/prefix/baton");
            role(auth, "noter", "/notes/" + EtcdTestClient.NAMESPACE);
            user(auth, "locks", "locks");
            user(auth, "noter", "noter");
            user(auth, "root", "root");
            ByHand.answer(auth.authEnable());
        }
    }

    private static void role(Auth auth, String name, String root) throws Exception {
        ByHand.answer(auth.roleAdd(Keys.bytes(name)));
        ByteSequence from = Keys.bytes(root + '/');
        ByteSequence to = Keys.bytes(Keys.afterAll(root + '/'));
        ByHand.answer(auth.roleGrantPermission(Keys.bytes(name), from, to, Permission.Type.READWRITE));
    }

    private static void user(Auth auth, String name, String role) throws Exception {
        ByHand.answer(auth.userAdd(Keys.bytes(name), Keys.bytes(SECRET)));
        ByHand.answer(auth.userGrantRole(Keys.bytes(name), Keys.bytes(role)));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String uri(String login) {
        return server.uri().replace("etcd://", "etcd://" + login) + "/prefix?ttl=3s&shortLeases=true";
    }

    @Test
    void user_withTheRightsThatThePageNames_hasAllItNeeds() throws Exception {
        try (Baton one = Baton.connect(uri("locks:" + SECRET + "@"), PATIENT);
                Baton two = Baton.connect(uri("locks:" + SECRET + "@"), PATIENT)) {
            Lease first = one.lock("lock").acquire();
            CompletableFuture<Lease> next = two.lock("lock").acquireAsync();
            while (two.admin().inspect("lock").orElseThrow().waiters().isEmpty()) {
                TimeUnit.MILLISECONDS.sleep(5);
            }
            first.release();
            try (Lease second = next.get(20, TimeUnit.SECONDS)) {
                assertThat(second.token()).isGreaterThan(first.token());
                assertThat(one.admin().list("", 10)).hasSize(1);
            }
        }
    }

    @Test
    void user_withTheRightsThatThePageNames_mayWriteNotes() throws Exception {
        try (EtcdTestClient client = new EtcdTestClient(
                server.uri().replace("etcd://", "etcd://noter:" + SECRET + "@") + "/notes?ttl=3s&shortLeases=true",
                "c")) {
            client.writeNote(client.hold(Resource.lock("lock")));
            assertThat(client.store().note("lock", EtcdTestClient.TIMEOUT_NANOS).note())
                    .isPresent();
            assertThat(client.store().forgetNote("lock", EtcdTestClient.TIMEOUT_NANOS))
                    .isInstanceOf(WriteNote.Written.class);
        }
    }

    @Test
    void tokens_thatTheServerForgot_areAskedForAgain() throws Exception {
        try (EtcdServer forgetful = EtcdServer.start();
                ByHand hand = new ByHand(forgetful)) {
            Auth auth = hand.client().getAuthClient();
            user(auth, "root", "root");
            ByHand.answer(auth.authEnable());
            String uri = forgetful.uri().replace("etcd://", "etcd://root:" + SECRET + "@") + "?ttl=20s";
            try (Baton baton = Baton.connect(uri, PATIENT)) {
                baton.lock("lock").acquire().close();
                forgetful.restart(0);
                baton.lock("lock").acquire().close();
            }
        }
    }

    @Test
    @DisplayName("P35: secret_isInNoMessage")
    void secret_isInNoMessage() {
        for (String login : new String[] {"locks:wrong-" + SECRET + "@", "nobody:" + SECRET + "@", ""}) {
            StoreFailure refused = catchThrowableOfType(StoreFailure.class, () -> new EtcdTestClient(uri(login), "a"));
            assertThat(refused).as(login).isNotNull();
            assertThat(refused.reason()).as(login + ": " + refused.getMessage()).isEqualTo(StoreFailure.Reason.DENIED);
            StringWriter all = new StringWriter();
            refused.printStackTrace(new PrintWriter(all, true));
            assertThat(all.toString()).doesNotContain(SECRET);
        }
    }

    @Test
    void passwordInTheClear_isWarnedOf_offThisMachine() throws Exception {
        String here = uri("root:" + SECRET + "@");
        // Reaches this machine, but is not one of its names.
        String elsewhere = here.replace("127.0.0.1", "0.0.0.0");
        try (EtcdTestClient near = new EtcdTestClient(here, "a");
                EtcdTestClient far = new EtcdTestClient(elsewhere, "b")) {
            assertThat(near.store().warnings()).noneMatch(each -> each.contains("unencrypted"));
            assertThat(far.store().warnings()).anyMatch(each -> each.contains("unencrypted") && !each.contains(SECRET));
        }
    }

    @Test
    void user_withoutRightsOnTheNamespace_isToldSo() {
        BatonOptions options = BatonOptions.builder().namespace("elsewhere").build();
        Exception refused = catchThrowableOfType(
                Exception.class,
                () -> Baton.connect(uri("locks:" + SECRET + "@"), options).close());
        assertThat(refused).hasMessageContaining("rights").hasMessageNotContaining(SECRET);
    }
}
