package io.delayjob.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A way to an HTTP server on which connections are cut as a plan says. For clients that wait for an answer before their next request. */
public final class CuttingProxy implements AutoCloseable {

    private static final int LONGEST_MILLIS = 100;

    private final ServerSocket socket = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final Map<Cut, Integer> cuts = new EnumMap<>(Cut.class);
    private final Supplier<URI> server;
    private final Supplier<Cut> plan;

    /** When the connection of a request is cut. */
    public enum Cut {
        /** Never. */
        NOT,
        /** Up to 100 ms after the request, unless it is answered by then. */
        WHILE_IT_WAITS,
        /** When the server has answered; nothing of the answer arrives. */
        BEFORE_THE_ANSWER,
        /** When a part of the answer has arrived. */
        WITHIN_THE_ANSWER
    }

    /**
     * Listens from now on.
     *
     * @param plan says of each request when its connection is cut
     */
    public CuttingProxy(URI server, Supplier<Cut> plan) throws IOException {
        this(() -> server, plan);
    }

    /**
     * Listens from now on.
     *
     * @param server says for each connection where the server is
     * @param plan says of each request when its connection is cut
     */
    public CuttingProxy(Supplier<URI> server, Supplier<Cut> plan) throws IOException {
        this.server = server;
        this.plan = plan;
        threads.execute(this::accept);
    }

    /** The address to ask instead of the server's. */
    public String url() {
        return "http://127.0.0.1:" + socket.getLocalPort();
    }

    /** How many connections were cut in that way. */
    public int count(Cut cut) {
        synchronized (cuts) {
            return cuts.getOrDefault(cut, 0);
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket client = socket.accept();
                threads.execute(() -> serve(client));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void serve(Socket client) {
        URI to = server.get();
        try (client;
                Socket upstream = new Socket(to.getHost(), to.getPort())) {
            client.setTcpNoDelay(true);
            upstream.setTcpNoDelay(true);
            Connection connection = new Connection(client, upstream);
            threads.execute(connection::passRequests);
            connection.passAnswers();
        } catch (IOException e) {
            // One side hung up, or was cut.
        }
    }

    /** One client and its requests, one after the other. */
    private final class Connection {

        private final Socket client;
        private final Socket upstream;
        private boolean waits;
        private int requests;
        private Cut planned = Cut.NOT;

        Connection(Socket client, Socket upstream) {
            this.client = client;
            this.upstream = upstream;
        }

        void passRequests() {
            try (client;
                    upstream) {
                InputStream in = client.getInputStream();
                OutputStream out = upstream.getOutputStream();
                byte[] buffer = new byte[65_536];
                for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                    requested();
                    out.write(buffer, 0, read);
                }
            } catch (IOException e) {
                // One side hung up, or was cut.
            }
        }

        private synchronized void requested() {
            if (waits) {
                return;
            }
            waits = true;
            requests++;
            planned = plan.get();
            if (planned == Cut.WHILE_IT_WAITS) {
                int request = requests;
                scheduler.schedule(
                        () -> cutIfItWaits(request),
                        ThreadLocalRandom.current().nextInt(LONGEST_MILLIS),
                        TimeUnit.MILLISECONDS);
            }
        }

        private synchronized void cutIfItWaits(int request) {
            if (waits && request == requests) {
                cut(Cut.WHILE_IT_WAITS);
            }
        }

        void passAnswers() throws IOException {
            InputStream in = upstream.getInputStream();
            OutputStream out = client.getOutputStream();
            byte[] buffer = new byte[65_536];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                Cut now = answered();
                if (now == Cut.WITHIN_THE_ANSWER) {
                    out.write(buffer, 0, read / 2);
                }
                if (now == Cut.WITHIN_THE_ANSWER || now == Cut.BEFORE_THE_ANSWER) {
                    cut(now);
                    return;
                }
                out.write(buffer, 0, read);
            }
        }

        private synchronized Cut answered() {
            Cut now = waits ? planned : Cut.NOT;
            waits = false;
            return now;
        }

        private void cut(Cut how) {
            synchronized (cuts) {
                cuts.merge(how, 1, Integer::sum);
            }
            try (client;
                    upstream) {
                return;
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
        scheduler.shutdownNow();
        threads.shutdownNow();
    }
}
