package io.delayjob.benchmarks.driver;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** Claims that wait for a minute at a server, each on a connection of its own, and hang up together. */
public final class ParkedPolls implements AutoCloseable {

    private static final String BODY = "{\"max\": 1, \"wait\": \"PT60S\"}";
    private static final String REQUEST = """
            POST /api/v1/queues/%s/claims HTTP/1.1\r
            Host: localhost\r
            Authorization: Bearer %s\r
            Content-Type: application/json\r
            Content-Length: %d\r
            \r
            %s""";

    private final List<SocketChannel> connections = new ArrayList<>();

    private ParkedPolls() {}

    /** The name of a queue. */
    public static String queue(int number) {
        return "parked-" + number;
    }

    /** Sends so many, in turn to so many queues. */
    public static ParkedPolls open(URI server, int count, int queues) {
        ParkedPolls polls = new ParkedPolls();
        try {
            InetSocketAddress address = new InetSocketAddress(server.getHost(), server.getPort());
            for (int i = 0; i < count; i++) {
                SocketChannel connection = SocketChannel.open(address);
                polls.connections.add(connection);
                String request = REQUEST.formatted(queue(i % queues), JobServer.TOKEN, BODY.length(), BODY);
                connection.write(ByteBuffer.wrap(request.getBytes(US_ASCII)));
                connection.configureBlocking(false);
            }
            return polls;
        } catch (IOException e) {
            polls.close();
            throw new UncheckedIOException(e);
        }
    }

    /** How many have been answered, whatever with, or have lost their connection. */
    public long answered() {
        return connections.stream().filter(ParkedPolls::hasAnswer).count();
    }

    private static boolean hasAnswer(SocketChannel connection) {
        try {
            return connection.read(ByteBuffer.allocate(1)) != 0;
        } catch (IOException e) {
            return true;
        }
    }

    @Override
    public void close() {
        for (SocketChannel connection : connections) {
            try {
                connection.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
