package io.delayjob.testing;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A Redis Cluster that belongs to one test: masters with a share of the slots and a replica each.
 *
 * <p>A replica takes over after about a second of its master's silence. Nothing is kept over a restart but the node's
 * place in the cluster. Close it; the end of the JVM does so too.
 */
public final class OwnCluster implements AutoCloseable {
    /** How many slots a cluster has. */
    public static final int SLOTS = 16_384;

    private static final int FAILED_NODE_MILLIS = 1000;
    private static final String KEYS_AT_ONCE = "100";
    private static final String MIGRATE_MILLIS = "30000";

    private final List<OwnRedis> nodes;

    private OwnCluster(List<OwnRedis> nodes) {
        this.nodes = nodes;
    }

    /**
     * Starts a cluster and waits until all its nodes agree on it.
     *
     * @param masters how many, at least 3; half of the nodes
     * @param arguments redis-server arguments of all nodes, as for {@link OwnRedis#start}
     * @return the running cluster
     */
    public static OwnCluster start(int masters, String... arguments) {
        OwnCluster cluster = new OwnCluster(IntStream.range(0, 2 * masters)
                .mapToObj(i -> OwnRedis.startClusterNode(arguments(arguments)))
                .toList());
        try {
            cluster.meet(masters);
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private static List<String> arguments(String... more) {
        List<String> arguments = new ArrayList<>(Replication.ARGUMENTS);
        arguments.addAll(List.of("--cluster-enabled", "yes"));
        arguments.addAll(List.of("--cluster-node-timeout", Integer.toString(FAILED_NODE_MILLIS)));
        arguments.addAll(List.of("--cluster-replica-validity-factor", "0"));
        arguments.addAll(List.of(more));
        return arguments;
    }

    private void meet(int masters) {
        for (int i = 0; i < nodes.size(); i++) {
            nodes.get(i).call("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
            nodes.get(i)
                    .call(
                            "CLUSTER",
                            "MEET",
                            "127.0.0.1",
                            Integer.toString(nodes.get(0).port()));
        }
        IntStream.range(0, masters)
                .forEach(i -> addSlots(nodes.get(i), SLOTS * i / masters, SLOTS * (i + 1) / masters));
        awaitAll(
                "nodes know each other",
                info -> Info.field(info, "cluster_known_nodes").equals("" + nodes.size()));
        for (int i = masters; i < nodes.size(); i++) {
            nodes.get(i).call("CLUSTER", "REPLICATE", id(nodes.get(i - masters)));
        }
        awaitAll("nodes have all slots", info -> info.contains("cluster_state:ok"));
        nodes.subList(masters, nodes.size()).forEach(Replication::awaitLinked);
        Waiting.until("nodes know all replicas", () -> nodes.stream().allMatch(node -> replicas(node) == masters));
    }

    private static void addSlots(OwnRedis node, int from, int to) {
        node.call(Stream.concat(
                        Stream.of("CLUSTER", "ADDSLOTS"),
                        IntStream.range(from, to).mapToObj(Integer::toString))
                .toArray(String[]::new));
    }

    private void awaitAll(String what, Predicate<String> clusterInfo) {
        Waiting.until(what, () -> nodes.stream().allMatch(node -> clusterInfo.test(node.call("CLUSTER", "INFO"))));
    }

    private static long replicas(OwnRedis node) {
        return view(node).filter(line -> line.isReplica() && line.isConnected()).count();
    }

    /** One line of CLUSTER NODES: id, address, flags, master, ping, pong, epoch, link, slots. */
    private record Line(List<String> words) {
        boolean isOf(OwnRedis node) {
            return words.get(1).startsWith("127.0.0.1:" + node.port() + "@");
        }

        boolean isMaster() {
            return words.get(2).contains("master") && !words.get(2).contains("fail");
        }

        boolean isReplica() {
            return words.get(2).contains("slave") && !words.get(2).contains("fail");
        }

        boolean isReplicaOf(String masterId) {
            return isReplica() && words.get(3).equals(masterId);
        }

        boolean isConnected() {
            return words.get(2).contains("myself") || words.get(7).equals("connected");
        }

        boolean has(int slot) {
            return words.stream().skip(8).filter(word -> !word.startsWith("[")).anyMatch(range -> {
                int dash = range.indexOf('-');
                int first = Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
                return first <= slot && slot <= Integer.parseInt(range.substring(dash + 1));
            });
        }
    }

    private static Stream<Line> view(OwnRedis node) {
        return node.call("CLUSTER", "NODES").lines().map(line -> new Line(List.of(line.split(" ", -1))));
    }

    private static String id(OwnRedis node) {
        return node.call("CLUSTER", "MYID");
    }

    private Stream<OwnRedis> alive() {
        return nodes.stream().filter(OwnRedis::isAlive);
    }

    /**
     * The master that has a slot.
     *
     * @param slot 0 to 16383
     * @return a live node, by its own word
     * @throws IllegalStateException if none has it within 30 seconds
     */
    public OwnRedis masterOf(int slot) {
        Waiting.until("a master has slot " + slot, () -> alive().anyMatch(node -> owns(node, slot)));
        return alive().filter(node -> owns(node, slot)).findFirst().orElseThrow();
    }

    private static boolean owns(OwnRedis node, int slot) {
        return view(node).anyMatch(line -> line.isOf(node) && line.isMaster() && line.has(slot));
    }

    /**
     * The replica of a master.
     *
     * @param master a live node
     * @return a live node that follows it
     */
    public OwnRedis replicaOf(OwnRedis master) {
        String masterId = id(master);
        return alive().filter(node -> view(node).anyMatch(line -> line.isOf(node) && line.isReplicaOf(masterId)))
                .findFirst()
                .orElseThrow();
    }

    /** Returns when a live master has each slot, and all live nodes say so. */
    public void awaitWhole() {
        Waiting.until(
                "the cluster is whole",
                () -> alive().allMatch(node -> node.call("CLUSTER", "INFO").contains("cluster_state:ok")));
    }

    /**
     * Moves slots with all their keys to another master, while clients use them.
     *
     * @param slots which
     * @param target a live master
     */
    public void moveSlots(Collection<Integer> slots, OwnRedis target) {
        slots.forEach(slot -> move(slot, masterOf(slot), target));
    }

    private void move(int slot, OwnRedis source, OwnRedis target) {
        target.call("CLUSTER", "SETSLOT", "" + slot, "IMPORTING", id(source));
        source.call("CLUSTER", "SETSLOT", "" + slot, "MIGRATING", id(target));
        for (List<String> keys = keys(source, slot); !keys.isEmpty(); keys = keys(source, slot)) {
            keys.forEach(key ->
                    source.call("MIGRATE", "127.0.0.1", Integer.toString(target.port()), key, "0", MIGRATE_MILLIS));
        }
        // The target first: a client that the source sends there must not be sent back.
        target.call("CLUSTER", "SETSLOT", "" + slot, "NODE", id(target));
        source.call("CLUSTER", "SETSLOT", "" + slot, "NODE", id(target));
    }

    private static List<String> keys(OwnRedis node, int slot) {
        return node.call("CLUSTER", "GETKEYSINSLOT", "" + slot, KEYS_AT_ONCE)
                .lines()
                .toList();
    }

    /**
     * Changes a setting of all live nodes.
     *
     * @param name as in redis.conf
     * @param value as in redis.conf
     */
    public void configure(String name, String value) {
        alive().forEach(node -> node.call("CONFIG", "SET", name, value));
    }

    /**
     * How often live nodes have answered with an error.
     *
     * @param code such as {@code MOVED}, {@code ASK} or {@code TRYAGAIN}
     * @return the sum over the nodes
     */
    public long errors(String code) {
        return alive().map(node -> Info.field(node.call("INFO", "errorstats"), "errorstat_" + code))
                .mapToLong(count -> Long.parseLong(count.replace("count=", "")))
                .sum();
    }

    /**
     * All nodes.
     *
     * @return the nodes, also those that were killed
     */
    public List<OwnRedis> nodes() {
        return nodes;
    }

    /**
     * Where the nodes listen.
     *
     * @return {@code 127.0.0.1:<port>} of each
     */
    public List<String> addresses() {
        return nodes.stream().map(node -> "127.0.0.1:" + node.port()).toList();
    }

    /** Kills all nodes and deletes their folders. */
    @Override
    public void close() {
        nodes.forEach(OwnRedis::close);
    }
}
