package io.delayjob.server.internal.queues;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.NodeSnapshot;
import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.internal.limits.Allowances;
import io.delayjob.server.internal.web.ApiController;
import io.delayjob.server.web.View;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import reactor.core.publisher.Mono;

/** Shows the nodes and what they run. */
@ApiController
@RequestMapping("/nodes")
public final class NodesController {

    private final AsyncDelayJobAdmin admin;
    private final Allowances allowances;

    /**
     * The nodes that run some queues.
     *
     * @param nodes the nodes
     * @param next the value of {@code after} that gets the nodes of the next queues; left out if there are none
     */
    public record NodesView(List<NodeView> nodes, @Nullable String next) implements View {}

    /** A node, and the queues that it runs jobs of. */
    public record NodeView(String node, List<ConsumedView> queues) {}

    /**
     * A queue that a node runs jobs of.
     *
     * @param queue the queue
     * @param workers how many jobs it runs at once
     * @param free how many of these workers are free
     * @param topics the topics that it runs; {@code *} for any, where it claims for workers elsewhere
     */
    public record ConsumedView(String queue, int workers, int free, Set<String> topics) {

        static ConsumedView of(String queue, NodeSnapshot node) {
            return new ConsumedView(queue, node.workers(), node.free(), node.jobs());
        }
    }

    private record Seen(String node, ConsumedView queue) {}

    /** Routes over an engine. */
    public NodesController(AsyncDelayJobAdmin admin, Allowances allowances) {
        this.admin = admin;
        this.allowances = allowances;
    }

    @GetMapping(name = "listNodes")
    public Mono<NodesView> list(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @RequestParam(required = false) @Nullable String after,
            @RequestParam(defaultValue = QueuePage.MOST) int limit) {
        access.require(Role.READ);
        return QueuePage.of(admin, allowances, access, after, limit)
                .flatMap(page -> page.ask(this::look).map(seen -> new NodesView(byNode(seen), page.next())));
    }

    private Mono<List<Seen>> look(String queue) {
        return Mono.fromFuture(() -> admin.nodes(queue)).map(nodes -> seen(queue, nodes));
    }

    private static List<Seen> seen(String queue, List<NodeSnapshot> nodes) {
        return nodes.stream()
                .map(node -> new Seen(node.node(), ConsumedView.of(queue, node)))
                .toList();
    }

    private static List<NodeView> byNode(List<List<Seen>> seen) {
        Map<String, List<ConsumedView>> nodes = seen.stream()
                .flatMap(Collection::stream)
                .collect(Collectors.groupingBy(
                        Seen::node, TreeMap::new, Collectors.mapping(Seen::queue, Collectors.toList())));
        return nodes.entrySet().stream()
                .map(node -> new NodeView(node.getKey(), node.getValue()))
                .toList();
    }
}
