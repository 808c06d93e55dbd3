package io.delayjob.journal.internal.submitting;

import io.delayjob.NodeSnapshot;
import io.delayjob.engine.ledger.FleetView;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.journal.internal.tables.Database;
import io.delayjob.journal.internal.tables.NodeTable.NodeRow;
import io.delayjob.spring.autoconfigure.DelayJobJournalProperties.Mode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices nodes that journal a queue in another way than this one, or not at all: their submits are lost to the journal. Each node
 * states its modes in the database, and a node that runs a queue but states nothing has no journal.
 */
public final class ModesWatch implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ModesWatch.class);
    private static final long PERIOD_SECONDS = 20;
    private static final long STATED_MILLIS = TimeUnit.SECONDS.toMillis(3 * PERIOD_SECONDS);
    private static final long FORGOTTEN_MILLIS = TimeUnit.HOURS.toMillis(1);

    private final Database database;
    private final Modes modes;
    private final String node;
    private final Supplier<Set<String>> queues;
    private final Function<String, Ledger> ledgers;
    private final Set<String> told = new HashSet<>();
    private Set<String> silent = Set.of();
    private volatile List<String> differences = List.of();
    private @Nullable ScheduledExecutorService thread;

    /**
     * Watches the queues of a node.
     *
     * @param queues the queues that this node uses
     * @param ledgers opens the first shard of a queue
     */
    public ModesWatch(
            Database database,
            Modes modes,
            String node,
            Supplier<Set<String>> queues,
            Function<String, Ledger> ledgers) {
        this.database = database;
        this.modes = modes;
        this.node = node;
        this.queues = queues;
        this.ledgers = ledgers;
    }

    /** Looks from now on, the first time on this thread. */
    public synchronized void start() {
        if (thread == null) {
            look();
            thread = Executors.newSingleThreadScheduledExecutor(work -> {
                Thread one = new Thread(work, "delayjob-journal-modes");
                one.setDaemon(true);
                return one;
            });
            thread.scheduleWithFixedDelay(this::look, PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** In what other nodes differ from this one now, a sentence each. */
    public List<String> differences() {
        return differences;
    }

    /** Looks once. */
    void look() {
        try {
            Map<String, String> own = queues.get().stream()
                    .collect(Collectors.toMap(
                            queue -> queue, queue -> modes.of(queue).name()));
            database.nodes().state(node, own);
            List<NodeRow> stated = database.nodes().stated(STATED_MILLIS);
            List<String> found = new ArrayList<>(otherModes(own, stated));
            found.addAll(withoutJournal(own, stated));
            differences = List.copyOf(found);
            found.stream().filter(told::add).forEach(log::warn);
        } catch (RuntimeException e) {
            log.debug("the modes of other nodes cannot be read now", e);
        }
    }

    private static List<String> otherModes(Map<String, String> own, List<NodeRow> stated) {
        return stated.stream()
                .filter(row -> own.containsKey(row.queue()) && !row.mode().equals(own.get(row.queue())))
                .map(row ->
                        "queue '" + row.queue() + "' has journal mode " + own.get(row.queue()) + " on this node and "
                                + row.mode() + " on " + row.node()
                                + ": set delayjob.journal.mode or delayjob.queues." + row.queue()
                                + ".journal.mode to the same on every node")
                .toList();
    }

    /** A node that has just started may not have stated its modes yet, so it is only named the second time. */
    private List<String> withoutJournal(Map<String, String> own, List<NodeRow> stated) {
        Set<String> known = stated.stream().map(NodeRow::node).collect(Collectors.toSet());
        Set<String> now = new HashSet<>();
        List<String> found = new ArrayList<>();
        own.forEach((queue, mode) -> {
            FleetView fleet =
                    ledgers.apply(queue).fleet().orTimeout(5, TimeUnit.SECONDS).join();
            if (mode.equals(Mode.OFF.name()) && fleet.flow() != null) {
                found.add("queue '" + queue + "' has no journal on this node, and another node has one for it or had"
                        + " within the last hour: set delayjob.journal.mode to the same on every node");
            } else if (!mode.equals(Mode.OFF.name())) {
                fleet.nodes().stream()
                        .map(NodeSnapshot::node)
                        .filter(name -> known.stream().noneMatch(name::startsWith))
                        .filter(name -> now.add(queue + ' ' + name) && silent.contains(queue + ' ' + name))
                        .forEach(
                                name -> found.add(
                                        "queue '" + queue + "' has a journal on this node, and none on " + name
                                                + ": add delayjob-journal there, with the same DataSource and delayjob.journal.mode"));
            }
        });
        silent = now;
        return found;
    }

    /** Ends looking, and states nothing more. */
    @Override
    public synchronized void close() {
        ScheduledExecutorService running = thread;
        if (running != null) {
            thread = null;
            running.shutdown();
            try {
                database.nodes().forget(node, FORGOTTEN_MILLIS);
            } catch (RuntimeException e) {
                log.debug("this node's modes are forgotten later", e);
            }
        }
    }
}
