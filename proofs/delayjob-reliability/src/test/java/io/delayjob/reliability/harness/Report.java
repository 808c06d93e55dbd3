package io.delayjob.reliability.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.opentest4j.TestAbortedException;

/**
 * Results of a run as a table: printed, written to {@code target/reliability}, and with the system property
 * {@code reliability.publish=true} put into {@code docs/reliability.md}, between the markers of its name.
 */
public final class Report {

    private static final Path FOLDER = Path.of("target", "reliability");
    private static final Path DOCUMENT = Path.of("../..", "docs", "reliability.md");

    private Report() {}

    /** Gives out a table under its name. */
    public static void give(String name, String table) throws IOException {
        System.out.print(table);
        Files.createDirectories(FOLDER);
        Files.writeString(FOLDER.resolve(name + ".md"), table);
        if (Boolean.getBoolean("reliability.publish")) {
            publish(name, table);
        }
    }

    /** Writes lines to {@code target/reliability} alone. */
    static void keep(String name, List<String> lines) throws IOException {
        Files.createDirectories(FOLDER);
        Files.write(FOLDER.resolve(name + ".txt"), lines);
    }

    private static void publish(String name, String table) throws IOException {
        String mark = "<!-- %s -->\n";
        Pattern place = Pattern.compile(
                Pattern.quote(mark.formatted(name)) + ".*?" + Pattern.quote(mark.formatted("/" + name)),
                Pattern.DOTALL);
        String filled = mark.formatted(name) + table + mark.formatted("/" + name);
        String text = Files.readString(DOCUMENT);
        Files.writeString(DOCUMENT, place.matcher(text).replaceFirst(Matcher.quoteReplacement(filled)));
    }

    /** Whether the test has failed; one that gave itself up, because something for it is not there, has not. */
    public static boolean hasFailed(ExtensionContext context) {
        return context.getExecutionException()
                .filter(end -> !(end instanceof TestAbortedException))
                .isPresent();
    }

    /** A test's name as words: {@code killedInAJob} is "killed in a job". */
    public static String title(ExtensionContext context) {
        return context.getRequiredTestMethod()
                .getName()
                .replaceAll("(?<=[a-z])(?=[A-Z])|(?<=A)(?=[A-Z][a-z])", " ")
                .toLowerCase(Locale.ROOT);
    }
}
