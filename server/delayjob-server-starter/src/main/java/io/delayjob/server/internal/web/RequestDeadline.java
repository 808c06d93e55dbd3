package io.delayjob.server.internal.web;

import io.delayjob.server.web.OwnPaths;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.AttributeKey;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import reactor.netty.NettyPipeline;
import reactor.netty.http.server.HttpServerRequest;

/**
 * Closes a connection of Reactor Netty whose request has not come as a whole in time, from the first byte of its headers to the last of its body. It does so
 * even if the request was answered before, such as with 401: what is left of its body would be waited for without end. Reactor Netty's own
 * {@code requestTimeout} ends with the answer, and knows no headers.
 */
public final class RequestDeadline extends ChannelInboundHandlerAdapter {

    private static final AttributeKey<RequestDeadline> OF = AttributeKey.valueOf(RequestDeadline.class, "of");

    private final Duration most;
    private boolean isUnderWay;
    private @Nullable Future<?> end;

    private RequestDeadline(Duration most) {
        this.most = most;
    }

    /**
     * Watches a new connection.
     *
     * @param most how long a request may take to come
     * @param mostAfterAnswer how many bytes of a body are read after the request was answered
     */
    public static void watch(Channel connection, Duration most, long mostAfterAnswer) {
        if (connection.pipeline().get(NettyPipeline.HttpCodec) instanceof HttpServerCodec) {
            RequestDeadline deadline = new RequestDeadline(most);
            connection.attr(OF).set(deadline);
            connection
                    .pipeline()
                    .addBefore(NettyPipeline.HttpCodec, "delayjob.bytes", deadline)
                    .addAfter(NettyPipeline.HttpCodec, "delayjob.ahead", new RequestsAhead(mostAfterAnswer))
                    .addAfter(NettyPipeline.HttpCodec, "delayjob.requests", deadline.new Requests());
        }
    }

    /** A handler of requests that gives those for other paths all the time that the application gives them. */
    public static HttpHandler only(OwnPaths paths, HttpHandler handler) {
        return (request, response) -> {
            if (!paths.serve(request)) {
                lift(request);
            }
            return handler.handle(request, response);
        };
    }

    private static void lift(ServerHttpRequest request) {
        if (ServerHttpRequestDecorator.<Object>getNativeRequest(request) instanceof HttpServerRequest netty) {
            netty.withConnection(connection -> {
                RequestDeadline deadline = connection.channel().attr(OF).get();
                if (deadline != null) {
                    connection.channel().eventLoop().execute(deadline::lift);
                }
            });
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) {
        if (context.pipeline().get(HttpServerCodec.class) == null) {
            // The connection is one of another protocol now, such as of WebSocket.
            lift();
            context.pipeline().remove(this);
        } else {
            begin(context);
        }
        context.fireChannelRead(bytes);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        lift();
        context.fireChannelInactive();
    }

    private void begin(ChannelHandlerContext context) {
        if (!isUnderWay) {
            isUnderWay = true;
            end = context.executor().schedule(() -> context.close(), most.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void ended() {
        isUnderWay = false;
        lift();
    }

    private void lift() {
        if (end != null) {
            end.cancel(false);
            end = null;
        }
    }

    /** Sees where one request ends, and the next one begins in the same bytes. */
    private final class Requests extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof HttpRequest) {
                begin(context);
            }
            if (message instanceof LastHttpContent) {
                ended();
            }
            context.fireChannelRead(message);
        }
    }
}
