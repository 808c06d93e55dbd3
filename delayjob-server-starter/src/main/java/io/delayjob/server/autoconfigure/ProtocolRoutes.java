package io.delayjob.server.autoconfigure;

import io.delayjob.server.internal.protocols.Protocol;
import io.delayjob.server.internal.protocols.mykit.MykitController;
import java.util.List;
import java.util.stream.Stream;

/** The paths of the protocols of older delay queues, as the properties have them. */
final class ProtocolRoutes {

    private ProtocolRoutes() {}

    static List<String> of(DelayJobServerProperties.Protocols protocols) {
        return Stream.of(of(protocols.delayQueue()), of(protocols.mykit()))
                .flatMap(List::stream)
                .toList();
    }

    static List<String> of(DelayJobServerProperties.DelayQueue delayQueue) {
        return delayQueue.enabled() ? List.of(delayQueue.path()) : List.of();
    }

    static List<String> of(DelayJobServerProperties.Mykit mykit) {
        return mykit.enabled()
                ? MykitController.ROUTES.stream()
                        .map(route -> Protocol.route(mykit.path(), route))
                        .toList()
                : List.of();
    }
}
