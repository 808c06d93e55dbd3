package io.delayjob.server.internal.protocols;

import io.delayjob.server.Access;
import io.delayjob.server.Grant;
import io.delayjob.server.Role;
import io.delayjob.server.internal.access.FilterOrder;
import io.delayjob.server.web.Api;
import io.delayjob.server.web.Problem;
import io.delayjob.server.web.Problems;
import io.netty.handler.ipfilter.IpFilterRuleType;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Lets clients use the protocols that cannot send the header {@code Authorization}: by a token in the query, or because of where they
 * are. Neither is so unless it was configured. Browsers need a token wherever they are, because any page of the web could make them ask.
 */
@Order(FilterOrder.OLDER_CLIENTS)
public final class OlderClientsFilter implements WebFilter {

    private static final String PROPERTY = "delayjob.server.protocols.trusted-networks";

    /** Headers of requests that a page has made. */
    private static final List<String> PAGES = List.of(HttpHeaders.ORIGIN, HttpHeaders.REFERER, "Sec-Fetch-Site");

    /** The beginning of the names of all browsers. */
    private static final String BROWSERS = "Mozilla/";

    private final boolean queryToken;
    private final List<IpSubnetFilterRule> networks;
    private final Grant trusted;

    /**
     * A filter.
     *
     * @param queryToken whether a token may come as the query parameter {@code token}
     * @param networks of callers that need no token, such as {@code 10.0.0.0/8}
     * @param queues of these callers, as patterns; they may submit and work
     */
    public OlderClientsFilter(boolean queryToken, List<String> networks, List<String> queues) {
        this.queryToken = queryToken;
        this.networks = networks.stream().map(OlderClientsFilter::rule).toList();
        this.trusted = new Grant(Set.of(Role.SUBMIT, Role.WORK), queues);
    }

    private static IpSubnetFilterRule rule(String network) {
        try {
            return new IpSubnetFilterRule(network, IpFilterRuleType.ACCEPT);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    PROPERTY + " must name networks, such as 10.0.0.0/8 or fd00::/8: " + network, e);
        }
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (!ProtocolFilter.serves(exchange)
                || exchange.getRequest().getHeaders().getFirst(HttpHeaders.AUTHORIZATION) != null) {
            return chain.filter(exchange);
        }
        String token = exchange.getRequest().getQueryParams().getFirst(Api.TOKEN_PARAMETER);
        if (queryToken && token != null && !token.isBlank()) {
            return chain.filter(exchange.mutate()
                    .request(request -> request.headers(headers -> headers.setBearerAuth(token)))
                    .build());
        }
        List<InetSocketAddress> senders = networks.isEmpty() ? List.of() : Senders.of(exchange.getRequest());
        if (senders.isEmpty() || !senders.stream().allMatch(this::isTrusted)) {
            return chain.filter(exchange);
        }
        if (isBrowser(exchange.getRequest().getHeaders())) {
            return Problems.write(
                    exchange,
                    Problem.FORBIDDEN.detail(
                            "browsers need a token also in a trusted network, because any page could make them send"
                                    + " this; send the header Authorization: Bearer <token>"));
        }
        exchange.getAttributes().put(Access.ATTRIBUTE, access(senders.get(0)));
        return chain.filter(exchange);
    }

    /** Pages can keep a browser from sending most of these, but not from saying what it is. */
    private static boolean isBrowser(HttpHeaders headers) {
        String agent = headers.getFirst(HttpHeaders.USER_AGENT);
        return PAGES.stream().anyMatch(headers::containsHeader) || (agent != null && agent.startsWith(BROWSERS));
    }

    private boolean isTrusted(InetSocketAddress address) {
        return !address.isUnresolved() && networks.stream().anyMatch(network -> network.matches(address));
    }

    private Access access(InetSocketAddress address) {
        return Access.of(address.getAddress().getHostAddress(), trusted, () -> CompletableFuture.completedFuture(true));
    }
}
