package io.delayjob.reliability.harness;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One client's connection through a {@link FaultProxy}, with its other half to the server. Used on the proxy's thread only. */
final class ProxiedConnection {

    /** Long enough for a server to execute what it was sent. */
    private static final long EXECUTED_MILLIS = 100;

    private final FaultProxy proxy;
    private final Channel client;
    private @Nullable Channel server;
    private String last = "";
    private boolean mute;

    ProxiedConnection(FaultProxy proxy, Channel client) {
        this.proxy = proxy;
        this.client = client;
    }

    void open(Bootstrap toServer) {
        toServer.handler(new ChannelInboundHandlerAdapter());
        toServer.connect().addListener(connected -> {
            if (connected.isSuccess()) {
                join(((io.netty.channel.ChannelFuture) connected).channel());
            } else {
                reset(client);
            }
        });
    }

    private void join(Channel opened) {
        server = opened;
        opened.pipeline().addLast(new Pipe(client, false));
        client.pipeline().addLast(new Pipe(opened, true));
        read(!proxy.isStalled());
    }

    void read(boolean on) {
        client.config().setAutoRead(on);
        if (server != null) {
            server.config().setAutoRead(on);
        }
    }

    /** The data that passed last, in either direction. */
    String last() {
        return last;
    }

    void mute() {
        mute = true;
    }

    void reset() {
        reset(client);
        if (server != null) {
            reset(server);
        }
    }

    void halfClose() {
        mute = true;
        if (server != null) {
            server.close();
        }
    }

    /** RST, unless it is closed already. */
    static void reset(Channel channel) {
        if (channel.isOpen()) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
            channel.close();
        }
    }

    /** Passes on what one side sends to the other. */
    private final class Pipe extends ChannelInboundHandlerAdapter {

        private final Channel to;
        private final boolean requests;
        private long freeAtNanos;
        private final Deque<Object> waiting = new ArrayDeque<>();

        Pipe(Channel to, boolean requests) {
            this.to = to;
            this.requests = requests;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object data) {
            last = ((ByteBuf) data).toString(StandardCharsets.ISO_8859_1);
            if (requests) {
                lookFor(last);
                pass(context, data);
            } else if (mute) {
                ReferenceCountUtil.release(data);
            } else {
                pass(context, data);
            }
        }

        private void lookFor(String request) {
            LostReplies lost = mute ? null : proxy.lostBy(request);
            if (lost != null) {
                mute = true;
                client.eventLoop()
                        .schedule(
                                () -> {
                                    reset();
                                    lost.one();
                                },
                                EXECUTED_MILLIS,
                                TimeUnit.MILLISECONDS);
            }
        }

        /** Later by the proxy's delay, and never before what came before. */
        private void pass(ChannelHandlerContext context, Object data) {
            long delay = proxy.delayNanos();
            if (delay == 0 && waiting.isEmpty()) {
                to.writeAndFlush(data);
                return;
            }
            long now = System.nanoTime();
            freeAtNanos = Math.max(now + delay, freeAtNanos);
            waiting.add(data);
            // Whichever of the timers is first, it passes on what came first.
            context.executor()
                    .schedule(() -> to.writeAndFlush(waiting.remove()), freeAtNanos - now, TimeUnit.NANOSECONDS);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (requests || !mute) {
                to.close();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }
}
