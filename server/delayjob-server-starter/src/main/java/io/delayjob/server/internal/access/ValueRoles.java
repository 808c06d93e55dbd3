package io.delayjob.server.internal.access;

import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.internal.web.ApiPath;
import io.delayjob.server.web.Problem;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPattern.PathMatchInfo;

/**
 * Roles of which a caller needs one for its body, or the values of its query, to be read. A route asks for what it needs as well, and knows more: the queue or
 * the action that only these name. But by then a large body has cost its time, and a value that cannot be read is refused first.
 */
public final class ValueRoles {

    private static final List<Route> ROUTES = List.of(
            post("/queues/{queue}/jobs", Role.SUBMIT),
            post("/queues/{queue}/jobs/batch", Role.SUBMIT),
            post("/queues/{queue}/jobs/actions", Role.SUBMIT, Role.OPERATE),
            post("/queues/{queue}/jobs/{id}/reschedule", Role.SUBMIT, Role.OPERATE),
            post("/queues/{queue}/redrive", Role.OPERATE),
            post("/queues/{queue}/purge", Role.OPERATE),
            put("/queues/{queue}/limits", Role.OPERATE),
            put("/queues/{queue}/limits/keys/{key}", Role.OPERATE),
            post("/queues/{queue}/claims", Role.WORK),
            post("/claims", Role.WORK),
            post("/settlements", Role.WORK),
            post("/journal/restore", Role.OPERATE),
            post("/journal/clear", Role.OPERATE),
            post("/tokens", Role.ADMIN),
            post("/tokens/{name}/rotate", Role.ADMIN),
            put("/targets/{topic}", Role.ADMIN),
            put("/clients", Role.WORK),
            put("/schedules/{name}", Role.OPERATE),
            post("/schedules/{name}/backfill", Role.OPERATE),
            get("/queues", Role.READ),
            get("/nodes", Role.READ),
            get("/queues/{queue}/jobs", Role.READ),
            get("/queues/{queue}/ended", Role.READ),
            get("/queues/{queue}/jobs/{id}/history", Role.READ),
            get("/schedules/{name}/preview", Role.READ),
            get("/journal/diff", Role.READ));

    private ValueRoles() {}

    private record Route(HttpMethod method, PathPattern path, List<Role> any) {

        @Nullable PathMatchInfo match(ServerWebExchange exchange) {
            return method.equals(exchange.getRequest().getMethod()) ? ApiPath.match(path, exchange) : null;
        }

        void require(Access access, @Nullable String queue) {
            Role[] roles = any.toArray(Role[]::new);
            if (queue == null) {
                access.require(roles);
            } else {
                access.require(queue, roles);
            }
        }
    }

    private static Route get(String path, Role... any) {
        return route(HttpMethod.GET, path, any);
    }

    private static Route post(String path, Role... any) {
        return route(HttpMethod.POST, path, any);
    }

    private static Route put(String path, Role... any) {
        return route(HttpMethod.PUT, path, any);
    }

    private static Route route(HttpMethod method, String path, Role... any) {
        return new Route(method, ApiPath.routes(path).get(0), List.of(any));
    }

    /** The routes, as a method and the path after that of the API. */
    public static Stream<String> routes() {
        return ROUTES.stream().map(route -> route.method() + " " + route.path());
    }

    /**
     * Refuses the values of a caller that has none of the roles, or does not know the queue.
     *
     * @throws org.springframework.web.ErrorResponseException as the route would answer
     */
    static void check(ServerWebExchange exchange, Access access) {
        try {
            for (Route route : ROUTES) {
                PathMatchInfo match = route.match(exchange);
                if (match != null) {
                    route.require(access, match.getUriVariables().get("queue"));
                    return;
                }
            }
        } catch (IllegalArgumentException e) {
            throw Problem.INVALID_VALUE.with(String.valueOf(e.getMessage()));
        }
    }
}
