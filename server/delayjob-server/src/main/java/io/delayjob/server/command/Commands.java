package io.delayjob.server.command;

import io.delayjob.DelayJobException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.DefaultApplicationArguments;

/** The commands of the program. What they answer is on the standard output, everything else on the standard error. */
public final class Commands {

    /** It was done. */
    static final int DONE = 0;

    /** It was done, and journal and Redis differ. */
    static final int DIFFERENT = 1;

    /** The command line cannot be understood, or names what there is not. */
    static final int BAD = 2;

    /** It could not be done. */
    static final int FAILED = 3;

    private static final String HELP = "help";

    private Commands() {}

    /** Whether arguments are a command; else they are a server's. */
    public static boolean areIn(String... args) {
        ApplicationArguments arguments = new DefaultApplicationArguments(args);
        return !arguments.getNonOptionArgs().isEmpty() || arguments.containsOption(HELP);
    }

    /**
     * Does what a command says.
     *
     * @return the exit code
     */
    public static int run(String... args) {
        PrintStream out = System.out;
        // Standard output is for the answer alone: the log goes to standard error.
        System.setOut(System.err);
        try {
            return run(new DefaultApplicationArguments(args), out);
        } catch (BadCommandException | IllegalArgumentException e) {
            return say(e.getMessage() + System.lineSeparator() + "see --help", BAD);
        } catch (DelayJobException | IllegalStateException e) {
            return say(e.getMessage(), FAILED);
        } catch (RuntimeException e) {
            return say(e.toString(), FAILED);
        }
    }

    private static int say(@Nullable String message, int code) {
        System.err.println(message);
        return code;
    }

    private static int run(ApplicationArguments arguments, PrintStream out) {
        List<String> words = arguments.getNonOptionArgs();
        if (arguments.containsOption(HELP) || words.get(0).equals(HELP)) {
            out.print(help());
            return DONE;
        }
        if (!words.get(0).equals("journal")) {
            throw new BadCommandException("there is no command '" + words.get(0) + "'; there are journal and help");
        }
        if (words.size() > 2) {
            throw new BadCommandException("'" + words.get(2) + "' is too much; options begin with --");
        }
        return journal(JournalCommand.named(words.size() < 2 ? null : words.get(1)), Options.of(arguments), out);
    }

    private static int journal(JournalCommand command, Options options, PrintStream out) {
        JournalCommand.Task task = command.task(options);
        String url = options.text("url");
        if (url != null) {
            return task.run(new RemoteJournal(url, token(options)), out);
        }
        if (options.has("token")) {
            throw new BadCommandException("--token is for a server, which --url=… names");
        }
        try (CommandNode node = CommandNode.start(options.properties())) {
            return task.run(JournalAccess.to(node.journal()), out);
        }
    }

    private static String token(Options options) {
        String given = options.text("token");
        String token = given == null ? System.getenv("DELAYJOB_TOKEN") : given;
        if (token == null || token.isEmpty()) {
            throw new BadCommandException("the server needs a token: --token=…, or DELAYJOB_TOKEN in the environment");
        }
        return token;
    }

    private static String help() {
        try (InputStream help = Objects.requireNonNull(Commands.class.getResourceAsStream("help.txt"))) {
            return new String(help.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
