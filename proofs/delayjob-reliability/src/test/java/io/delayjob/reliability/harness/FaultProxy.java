package io.delayjob.reliability.harness;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The network between a client and a Redis on 127.0.0.1, to be broken at will. Faults hold for the connections that are open
 * and for those that come, until they are taken back. Thread-safe: everything happens on one thread.
 */
public final class FaultProxy implements AutoCloseable {

    private final MultiThreadIoEventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Channel server;
    private final Set<ProxiedConnection> connections = new LinkedHashSet<>();
    private final List<LostReplies> lostReplies = new ArrayList<>();
    private int target;
    private boolean refuses;
    private boolean stalled;
    private Duration delay = Duration.ZERO;
    private Duration jitter = Duration.ZERO;
    private Random random = new Random(1);

    /** A proxy in front of a port on 127.0.0.1, on a port of its own. */
    public FaultProxy(int target) {
        this.target = target;
        this.server = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .childOption(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel client) {
                        accept(client);
                    }
                })
                .bind("127.0.0.1", 0)
                .syncUninterruptibly()
                .channel();
    }

    /** The port to connect to. */
    public int port() {
        return ((InetSocketAddress) server.localAddress()).getPort();
    }

    /** The address to connect to, as {@code redis://127.0.0.1:<port>}. */
    public String url() {
        return "redis://127.0.0.1:" + port();
    }

    private void accept(Channel client) {
        if (refuses) {
            ProxiedConnection.reset(client);
            return;
        }
        ProxiedConnection connection = new ProxiedConnection(this, client);
        connections.add(connection);
        client.closeFuture().addListener(closed -> connections.remove(connection));
        connection.open(new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.AUTO_READ, false)
                .option(ChannelOption.TCP_NODELAY, true)
                .remoteAddress("127.0.0.1", target));
    }

    /** New connections go to another port, as when an address moves to the new master; those that are open stay. */
    public void retarget(int port) {
        run(() -> target = port);
    }

    /** Lets nothing pass in either direction, and loses nothing: connections stay open, also new ones. */
    public void stall() {
        run(() -> {
            stalled = true;
            connections.forEach(connection -> connection.read(false));
        });
    }

    /** Ends {@link #stall}: what was held passes now. */
    public void resume() {
        run(() -> {
            stalled = false;
            connections.forEach(connection -> connection.read(true));
        });
    }

    /** Resets all connections (RST). */
    public void cut() {
        run(() -> List.copyOf(connections).forEach(ProxiedConnection::reset));
    }

    /** Resets new connections at once, until {@link #allow}. */
    public void refuse() {
        run(() -> refuses = true);
    }

    /** Ends {@link #refuse}. */
    public void allow() {
        run(() -> refuses = false);
    }

    /**
     * Closes the server's half of all connections in silence: the client's half stays open, and nothing comes or goes, as when
     * a firewall forgot the connection or the server's machine lost its power. New connections work.
     */
    public void halfClose() {
        run(() -> List.copyOf(connections).forEach(ProxiedConnection::halfClose));
    }

    /**
     * Like {@link #halfClose()}, but only for connections whose last data, in either direction, contains a text: a request that
     * has no answer yet, or the last message to a subscriber.
     */
    public void halfClose(String needle) {
        run(() -> List.copyOf(connections).stream()
                .filter(connection -> connection.last().contains(needle))
                .forEach(ProxiedConnection::halfClose));
    }

    /**
     * Keeps the client's half of all connections from the server for good: what the client sends still reaches the server,
     * its replies are lost. New connections work.
     */
    public void muteReplies() {
        run(() -> connections.forEach(ProxiedConnection::mute));
    }

    /**
     * Delays what passes, each chunk by so much and a random part more, in order, from now on.
     *
     * @param random of the random part
     */
    public void delay(Duration delay, Duration jitter, Random random) {
        run(() -> {
            this.delay = delay;
            this.jitter = jitter;
            this.random = random;
        });
    }

    /**
     * Loses replies: when a request holds what is looked for, it reaches the server and is executed, but its reply does not
     * come back, nor do those behind it; soon after, the connection is reset.
     *
     * @param request found in the bytes that are sent, each taken as one character
     * @param times how many requests, one after the other, lose their reply
     * @return complete when the last of them has
     */
    public CompletableFuture<Void> loseReplies(Pattern request, int times) {
        LostReplies lost = new LostReplies(request, times);
        run(() -> lostReplies.add(lost));
        return lost.done();
    }

    /** How many connections are open. */
    public int connections() {
        return call(connections::size);
    }

    boolean isStalled() {
        return stalled;
    }

    long delayNanos() {
        long more = jitter.isZero() ? 0 : (long) (random.nextDouble() * jitter.toNanos());
        return delay.toNanos() + more;
    }

    @Nullable LostReplies lostBy(String request) {
        for (LostReplies lost : lostReplies) {
            if (lost.matches(request)) {
                return lost;
            }
        }
        return null;
    }

    private void run(Runnable step) {
        call(() -> {
            step.run();
            return true;
        });
    }

    private <T> T call(Callable<T> step) {
        return loop.submit(step).syncUninterruptibly().getNow();
    }

    /** Resets all connections and stops listening. */
    @Override
    public void close() {
        server.close().syncUninterruptibly();
        cut();
        loop.shutdownGracefully(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
