package io.delayjob.server.internal.protocols;

import io.delayjob.server.internal.servlet.TomcatConnection;
import io.netty.util.NetUtil;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.util.ClassUtils;
import reactor.netty.http.server.HttpServerRequest;

/**
 * The addresses by which a request has come: that of its connection, and those that proxies say are before it. Anybody can write the headers of
 * proxies, so they may make a request less trusted, and never more, whatever {@code server.forward-headers-strategy} says.
 */
final class Senders {

    private static final boolean NETTY = isPresent("reactor.netty.http.server.HttpServerRequest");
    private static final boolean SERVLET = isPresent("jakarta.servlet.http.HttpServletRequest");
    private static final String LIST = "X-Forwarded-For";
    private static final String OTHER = "Forwarded";

    /** Is in no network. */
    private static final InetSocketAddress UNKNOWN = InetSocketAddress.createUnresolved("unknown", 0);

    private final List<InetSocketAddress> all = new ArrayList<>();

    private Senders() {}

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, Senders.class.getClassLoader());
    }

    /**
     * The addresses, of which the first is the one that the application is shown; one that is not known is unresolved.
     *
     * @param request a request whose address is known
     */
    static List<InetSocketAddress> of(ServerHttpRequest request) {
        Senders senders = new Senders();
        senders.add(request.getRemoteAddress());
        Object received = ServerHttpRequestDecorator.getNativeRequest(request);
        if (NETTY && OnNetty.is(received)) {
            OnNetty.add(received, senders);
        } else if (SERVLET && OnServlet.is(received)) {
            OnServlet.add(received, senders);
        }
        return senders.all;
    }

    private void add(@Nullable SocketAddress address) {
        if (!(address instanceof InetSocketAddress internet)) {
            all.add(UNKNOWN);
        } else if (internet.isUnresolved()) {
            add(internet.getHostString());
        } else {
            all.add(internet);
        }
    }

    private void add(String text) {
        InetAddress address = NetUtil.createInetAddressFromIpAddressString(text.strip());
        all.add(address == null ? UNKNOWN : new InetSocketAddress(address, 0));
    }

    private void addHeaders(List<String> lists, boolean hasOther) {
        lists.stream().flatMap(list -> Arrays.stream(list.split(",", -1))).forEach(this::add);
        if (hasOther) {
            all.add(UNKNOWN);
        }
    }

    /** Apart, because an application may be without this library. */
    private static final class OnNetty {

        static boolean is(Object received) {
            return received instanceof HttpServerRequest;
        }

        static void add(Object received, Senders senders) {
            HttpServerRequest request = (HttpServerRequest) received;
            request.withConnection(
                    connection -> senders.add(connection.channel().remoteAddress()));
            senders.addHeaders(
                    request.requestHeaders().getAll(LIST),
                    request.requestHeaders().contains(OTHER));
        }
    }

    /** Apart, because an application may be without this library. */
    private static final class OnServlet {

        /** Tomcat sets it where it has replaced the address of the connection by that of a header. */
        private static final String TOMCAT_HAS_REPLACED = "org.apache.tomcat.request.forwarded";

        static boolean is(Object received) {
            return received instanceof HttpServletRequest;
        }

        /** A filter of Spring's hides the headers of proxies, and answers for them. */
        static void add(Object received, Senders senders) {
            ServletRequest innermost = (ServletRequest) received;
            while (innermost instanceof ServletRequestWrapper wrapper) {
                innermost = wrapper.getRequest();
            }
            HttpServletRequest request = (HttpServletRequest) innermost;
            senders.add(request.getRemoteAddr());
            if (request.getAttribute(TOMCAT_HAS_REPLACED) != null) {
                senders.add(Objects.requireNonNullElse(TomcatConnection.peer(request), ""));
            }
            senders.addHeaders(Collections.list(request.getHeaders(LIST)), request.getHeader(OTHER) != null);
        }
    }
}
