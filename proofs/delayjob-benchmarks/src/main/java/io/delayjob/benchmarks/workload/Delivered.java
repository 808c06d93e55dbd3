package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.contender.delayjob.Receiver;
import io.delayjob.benchmarks.driver.Outcome;
import io.delayjob.benchmarks.driver.RedisStore;
import io.delayjob.benchmarks.driver.Rig;
import io.delayjob.benchmarks.driver.Submit;
import io.delayjob.benchmarks.driver.Waits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Jobs that leave as calls: how many in a second, and whether a target that is dead makes those of the others late. */
final class Delivered {

    private static final int TARGETS = 50;
    private static final int PER_SECOND = 500;
    private static final int THREADS = 4;

    private Delivered() {}

    /** The burst on workers of the process, through one target, and through many: by turns. */
    static void bursts(Trial trial) {
        try (Rig process = trial.rig();
                Rig one = rig(trial, 1, Dead.NONE);
                Rig many = rig(trial, TARGETS, Dead.NONE)) {
            Map<Notebook, Burst> bursts = new LinkedHashMap<>();
            bursts.put(trial.notebook("workers=process", process), Burst.warm(trial, process));
            bursts.put(trial.notebook("targets=1", one), Burst.warm(trial, one));
            bursts.put(trial.notebook("targets=" + TARGETS, many), Burst.warm(trial, many));
            for (int round = 0; round < trial.runs(); round++) {
                bursts.forEach((book, burst) -> burst.run(book));
            }
            bursts.keySet().forEach(trial::add);
        }
    }

    /** How late are the calls to targets that work, beside one that is dead? The three fleets take turns. */
    static void besideADeadOne(Trial trial) {
        try (Rig none = rig(trial, TARGETS, Dead.NONE);
                Rig refusing = rig(trial, TARGETS, Dead.REFUSES);
                Rig silent = rig(trial, TARGETS, Dead.NEVER_ANSWERS)) {
            List<Fleet> fleets = List.of(
                    new Fleet(trial.notebook("dead=none", none), none, false),
                    new Fleet(trial.notebook("dead=refuses", refusing), refusing, true),
                    new Fleet(trial.notebook("dead=never answers", silent), silent, true));
            fleets.forEach(fleet -> Burst.warm(trial, fleet.rig()));
            // The first turn of each does not count: its code is still being compiled.
            fleets.forEach(fleet -> fleet.flow(trial.size(), 0));
            List<Fleet> order = new ArrayList<>(fleets);
            for (int round = 1; round <= 2 * trial.runs(); round++) {
                for (Fleet fleet : order) {
                    fleet.run(trial.size(), round);
                }
                Collections.rotate(order, 1);
            }
            fleets.forEach(fleet -> trial.add(fleet.book()));
        }
    }

    /** A node and its targets. */
    private record Fleet(Notebook book, Rig rig, boolean withDead) {

        void run(Size size, int round) {
            book.put(flow(size, round));
        }

        /** The dead target gets as many jobs as each of the others, on top of theirs. */
        Outcome flow(Size size, int round) {
            int seconds = size.steadySeconds();
            if (withDead) {
                int jobs = PER_SECOND / TARGETS * seconds;
                rig.submit(Submit.bulk("dead" + round, jobs, System.currentTimeMillis(), seconds * 1000L));
            }
            String prefix = "flow" + round;
            long behind = rig.flow(prefix, PER_SECOND, seconds, size.maxDelayMillis(), THREADS);
            if (behind > 0) {
                book.note("%d of %d submits began more than 5 ms late".formatted(behind, PER_SECOND * seconds));
            }
            return rig.await(prefix, (long) PER_SECOND * seconds, Waits.PATIENCE);
        }
    }

    /** Fault of one additional target; {@code NONE} if there is no such target. */
    private enum Dead {
        NONE,
        REFUSES,
        NEVER_ANSWERS;

        Map<String, String> option(String receiver) {
            return switch (this) {
                case NONE -> Map.of();
                case REFUSES -> Map.of("dead", address(freePort()));
                case NEVER_ANSWERS -> Map.of("dead", receiver + Receiver.SILENT);
            };
        }
    }

    private static Rig rig(Trial trial, int targets, Dead dead) {
        int port = freePort();
        String receiver = address(port);
        Map<String, String> options = new LinkedHashMap<>(dead.option(receiver));
        options.put("receiver", receiver);
        options.put("targets", Integer.toString(targets));
        return trial.rig(RedisStore.single(), List.of(options, Map.of("receive", Integer.toString(port))));
    }

    private static String address(int port) {
        return "http://127.0.0.1:" + port;
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
