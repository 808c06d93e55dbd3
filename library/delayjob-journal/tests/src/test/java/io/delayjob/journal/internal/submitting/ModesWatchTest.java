package io.delayjob.journal.internal.submitting;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.NodeSnapshot;
import io.delayjob.engine.ledger.FleetView;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.journal.database.TestDatabase;
import io.delayjob.journal.internal.tables.Database;
import io.delayjob.spring.autoconfigure.DelayJobJournalProperties.Mode;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ModesWatchTest {

    @Test
    void namesANodeWithoutAJournalWhenItIsSeenAgain() {
        try (HikariDataSource source = TestDatabase.H2_MEMORY.prepared();
                ModesWatch watch = new ModesWatch(
                        Database.of(source, "dataSource"),
                        new Modes(Mode.TRANSACTIONAL, Map.of()),
                        "this-node",
                        () -> Set.of("orders"),
                        queue -> fleetOf("this-node", "old-node"))) {
            watch.look();
            assertThat(watch.differences()).isEmpty();

            watch.look();
            assertThat(watch.differences())
                    .singleElement()
                    .asString()
                    .contains(
                            "queue 'orders' has a journal on this node, and none on old-node",
                            "add delayjob-journal there");
        }
    }

    /** A ledger that knows its nodes, and nothing else. */
    private static Ledger fleetOf(String... names) {
        FleetView fleet = new FleetView(
                0,
                false,
                List.of(names).stream()
                        .map(name -> new NodeSnapshot(name, 1, 1, Set.of()))
                        .toList());
        return (Ledger) Proxy.newProxyInstance(
                Ledger.class.getClassLoader(), new Class<?>[] {Ledger.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("fleet")) {
                        return CompletableFuture.completedFuture(fleet);
                    }
                    throw new UnsupportedOperationException(method.getName());
                });
    }
}
