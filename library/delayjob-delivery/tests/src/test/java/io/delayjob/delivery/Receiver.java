package io.delayjob.delivery;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.FileOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/**
 * A program that takes jobs over HTTP until it is killed. What it has taken it writes to a file, one line each, before it confirms it: id, attempt, due
 * time, and when it came.
 */
final class Receiver {

    private static final long WORK_MILLIS = 5;

    private Receiver() {}

    /** Takes jobs at a port of 127.0.0.1, and appends them to a file. */
    public static void main(String[] args) throws IOException {
        try (FileOutputStream taken = new FileOutputStream(args[1], true)) {
            HttpServer server = HttpServer.create(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0])), 0);
            server.setExecutor(Executors.newCachedThreadPool());
            server.createContext("/", exchange -> take(exchange, taken));
            server.start();
            awaitKill();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void awaitKill() throws InterruptedException {
        Thread.currentThread().join();
    }

    private static void take(HttpExchange exchange, FileOutputStream taken) throws IOException {
        long came = System.currentTimeMillis();
        try (exchange) {
            byte[] unused = exchange.getRequestBody().readAllBytes();
            Thread.sleep(WORK_MILLIS);
            String line = "%s %s %s %d\n"
                    .formatted(
                            header(exchange, "delayjob-id"),
                            header(exchange, "delayjob-attempt"),
                            header(exchange, "delayjob-due"),
                            came);
            taken.write(line.getBytes(StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(200, -1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String header(HttpExchange exchange, String name) {
        return exchange.getRequestHeaders().getFirst(name);
    }
}
