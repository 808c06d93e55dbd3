package io.delayjob.server.autoconfigure;

import io.delayjob.server.internal.protocols.Protocol;
import io.delayjob.server.internal.protocols.mykit.MykitController;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.util.StringUtils;

/** The paths of the protocols of older delay queues, as the properties have them. */
final class ProtocolRoutes {

    private ProtocolRoutes() {}

    /** The mappings of their servlets, each for a path and what is below it. */
    static List<String> mappings(DelayJobServerProperties.Protocols protocols) {
        return Stream.of(of(protocols.delayQueue()), of(protocols.mykit()))
                .flatMap(List::stream)
                .map(route -> StringUtils.trimTrailingCharacter(route.replace("/*", ""), '/') + "/*")
                .distinct()
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
