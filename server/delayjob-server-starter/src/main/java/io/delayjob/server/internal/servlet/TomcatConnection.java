package io.delayjob.server.internal.servlet;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.RequestFacade;
import org.apache.coyote.AbstractProcessor;
import org.apache.coyote.http11.Http11Processor;
import org.apache.tomcat.util.net.NioEndpoint.NioSocketWrapper;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

/**
 * The HTTP/1.1 connection of a request on Tomcat, which can only be asked by reading from it. What was read is put back: it is the next
 * request. {@code ServletInputStream.available()} reads, too, but forgets a next request that has arrived together with the body.
 */
public final class TomcatConnection {

    private static final @Nullable Field REQUEST = ReflectionUtils.findField(RequestFacade.class, "request");
    private static final @Nullable Field HOOK = ReflectionUtils.findField(org.apache.coyote.Request.class, "hook");
    private static final @Nullable Method SOCKET =
            ReflectionUtils.findMethod(AbstractProcessor.class, "getSocketWrapper");

    private final NioSocketWrapper socket;

    private TomcatConnection(NioSocketWrapper socket) {
        this.socket = socket;
    }

    /** The connection; null if there is none of this kind. */
    static @Nullable TomcatConnection of(HttpServletRequest request) {
        ServletRequest innermost = request;
        while (innermost instanceof ServletRequestWrapper wrapper) {
            innermost = wrapper.getRequest();
        }
        return innermost instanceof RequestFacade facade ? of(facade) : null;
    }

    private static @Nullable TomcatConnection of(RequestFacade facade) {
        if (REQUEST == null || HOOK == null || SOCKET == null) {
            return null;
        }
        ReflectionUtils.makeAccessible(REQUEST);
        ReflectionUtils.makeAccessible(HOOK);
        ReflectionUtils.makeAccessible(SOCKET);
        return ReflectionUtils.getField(REQUEST, facade) instanceof Request request
                        && ReflectionUtils.getField(HOOK, request.getCoyoteRequest()) instanceof Http11Processor http
                        && ReflectionUtils.invokeMethod(SOCKET, http) instanceof NioSocketWrapper socket
                ? new TomcatConnection(socket)
                : null;
    }

    /** The address of the other end, whatever proxies say; null if that is not known. */
    public static @Nullable String peer(HttpServletRequest request) {
        TomcatConnection connection = of(request);
        return connection == null ? null : connection.socket.getRemoteAddr();
    }

    /** Whether the other end has closed it. Nobody else may read from it meanwhile. */
    boolean isClosed() {
        ByteBuffer next = ByteBuffer.allocate(1);
        try {
            int read = socket.read(false, next);
            if (read > 0) {
                socket.unRead(next.flip());
            }
            return read < 0;
        } catch (IOException closed) {
            return true;
        }
    }
}
