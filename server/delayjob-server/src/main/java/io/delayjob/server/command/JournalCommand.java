package io.delayjob.server.command;

import io.delayjob.JobRestore;
import io.delayjob.JobStep;
import io.delayjob.JournalDiff;
import io.delayjob.JournalScope;
import io.delayjob.RestoreReport;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Commands of the command line for a journal. */
enum JournalCommand {
    /** Compares it with Redis. */
    DIFF("id", "due-from", "due-to", "overdue") {
        @Override
        Task prepare(Options options) {
            JournalScope scope = scope(options);
            return (journal, out) -> print(journal.diff(scope), out);
        }
    },
    /** Puts back what Redis has lost. */
    RESTORE("id", "due-from", "due-to", "overdue", "per-second", "finished", "yes") {
        @Override
        Task prepare(Options options) {
            boolean yes = options.flag("yes", false);
            JobRestore restore =
                    new JobRestore(scope(options), !yes, options.number("per-second"), options.flag("finished", false));
            return (journal, out) -> print(journal.restore(restore), yes, out);
        }
    },
    /** Removes all unfinished jobs of a queue. */
    CLEAR("for-good", "yes") {
        @Override
        Task prepare(Options options) {
            JournalScope scope = JournalScope.of(options.required("queue"));
            boolean forGood = options.flag("for-good", false);
            return options.flag("yes", false)
                    ? (journal, out) -> clear(journal, scope, forGood, out)
                    : (journal, out) -> count(journal, scope, forGood, out);
        }
    },
    /** Tells what happened to a job. */
    HISTORY("id", "limit") {
        @Override
        Task prepare(Options options) {
            String queue = options.required("queue");
            String id = options.required("id");
            Integer limit = options.number("limit");
            return (journal, out) ->
                    print(journal.history(queue, id, limit == null ? DEFAULT_LIMIT : limit), queue, id, out);
        }
    };

    /** How many steps are printed. */
    private static final int DEFAULT_LIMIT = 100;

    private final Set<String> options;

    JournalCommand(String... own) {
        this.options = Stream.concat(Stream.of("queue", "url", "token"), Arrays.stream(own))
                .collect(Collectors.toSet());
    }

    /** Action on a journal; returns the exit code. */
    interface Task {

        int run(JournalAccess journal, PrintStream out);
    }

    /** The command of a name. */
    static JournalCommand named(@Nullable String name) {
        return Arrays.stream(values())
                .filter(command -> command.word().equals(name))
                .findFirst()
                .orElseThrow(() -> new BadCommandException((name == null
                                ? "journal needs to be told what to do"
                                : "journal cannot '" + name + "'")
                        + "; it can "
                        + Arrays.stream(values()).map(JournalCommand::word).collect(Collectors.joining(", "))));
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Creates the task that the options ask for.
     *
     * @throws BadCommandException if they cannot be understood
     * @throws IllegalArgumentException if a value is out of its range; the message names it
     */
    Task task(Options given) {
        given.allow("journal " + word(), new TreeSet<>(options));
        return prepare(given);
    }

    abstract Task prepare(Options options);

    private static JournalScope scope(Options options) {
        return new JournalScope(
                options.text("queue"),
                options.text("id"),
                options.time("due-from"),
                options.time("due-to"),
                options.flag("overdue", true));
    }

    private static int print(JournalDiff diff, PrintStream out) {
        out.printf("%d compared, %d journaled%n", diff.compared(), diff.journaled());
        out.printf(
                "%d missing in Redis, %d missing in the journal, %d different%n",
                diff.missingInRedis(), diff.missingInJournal(), diff.different());
        diff.samples()
                .forEach(one -> out.printf(
                        "%s %s: journal %s | Redis %s%n",
                        one.queue(), one.id(), orNothing(one.journal()), orNothing(one.redis())));
        return diff.isEmpty() ? Commands.DONE : Commands.DIFFERENT;
    }

    private static String orNothing(@Nullable String one) {
        return one == null ? "nothing" : one;
    }

    private static int print(RestoreReport report, boolean done, PrintStream out) {
        out.printf(
                "%d examined: %d %s, %d present, %d finished, %d journaled, %d skipped%n",
                report.examined(),
                report.restored(),
                done ? "restored" : "to be restored",
                report.present(),
                report.finished(),
                report.journaled(),
                report.skipped());
        return done ? Commands.DONE : notDone(out);
    }

    private static int notDone(PrintStream out) {
        out.println("nothing was changed; add --yes to do it");
        return Commands.DONE;
    }

    private static int clear(JournalAccess journal, JournalScope scope, boolean forGood, PrintStream out) {
        long cleared = journal.clear(Objects.requireNonNull(scope.queue()), forGood);
        out.printf("%d jobs %s%n", cleared, forGood ? "cancelled" : "removed from Redis; restore puts them back");
        return Commands.DONE;
    }

    private static int count(JournalAccess journal, JournalScope scope, boolean forGood, PrintStream out) {
        long unfinished = journal.restore(JobRestore.of(scope).asDryRun()).examined();
        out.printf("%d jobs to be %s%n", unfinished, forGood ? "cancelled" : "removed from Redis");
        return notDone(out);
    }

    private static int print(Iterable<JobStep> steps, String queue, String id, PrintStream out) {
        if (!steps.iterator().hasNext()) {
            out.printf("the journal knows no step of job '%s' of queue '%s'%n", id, queue);
        }
        steps.forEach(step -> out.println(line(step)));
        return Commands.DONE;
    }

    private static String line(JobStep step) {
        StringBuilder line = new StringBuilder(step.at() + " " + step.kind());
        add(line, "state", step.state());
        add(line, "attempt", step.attempt() == 0 ? null : step.attempt());
        add(line, "due", step.dueAt());
        add(line, "node", step.node());
        add(line, "text", step.text());
        return line.toString();
    }

    private static void add(StringBuilder line, String name, @Nullable Object value) {
        if (value != null) {
            line.append(", ").append(name).append(' ').append(value);
        }
    }
}
