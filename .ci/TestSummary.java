import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Prints, at the end of a build, how many tests ran in it, which of them failed, and which were skipped for which reason.
 *
 * <p>Arguments: the root of the build, and when it began (ISO 8601). Reads the reports of Surefire and Failsafe.
 */
final class TestSummary {

    private final Instant start;
    private final Map<String, TreeSet<String>> classesByReason = new TreeMap<>();
    private final TreeSet<String> failures = new TreeSet<>();
    private int passed;
    private int failed;
    private int skipped;

    private TestSummary(Instant start) {
        this.start = start;
    }

    public static void main(String[] arguments) throws IOException {
        TestSummary summary = new TestSummary(Instant.parse(arguments[1]));
        try (Stream<Path> files = Files.walk(Path.of(arguments[0]), 6)) {
            files.filter(summary::isReport).forEach(summary::add);
        }
        summary.print();
    }

    private boolean isReport(Path file) {
        boolean named = file.getFileName().toString().startsWith("TEST-") && file.toString().endsWith(".xml");
        try {
            return named && !Files.getLastModifiedTime(file).toInstant().isBefore(start);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void add(Path report) {
        try {
            Element suite = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(report.toFile())
                    .getDocumentElement();
            elements(suite, "testcase").forEach(this::count);
        } catch (IOException | SAXException | ParserConfigurationException e) {
            throw new IllegalStateException(report.toString(), e);
        }
    }

    /** Of a line that compares whole documents, so many characters are shown. */
    private static final int LONGEST = 400;

    private static List<Element> elements(Element in, String name) {
        NodeList found = in.getElementsByTagName(name);
        return IntStream.range(0, found.getLength())
                .mapToObj(found::item)
                .map(Element.class::cast)
                .toList();
    }

    private void count(Element test) {
        List<Element> skips = elements(test, "skipped");
        List<Element> faults = Stream.of("failure", "error")
                .flatMap(kind -> elements(test, kind).stream())
                .toList();
        String name = test.getAttribute("classname");
        String testClass = name.substring(name.lastIndexOf('.') + 1);
        if (!skips.isEmpty()) {
            skipped++;
            classesByReason
                    .computeIfAbsent(reason(skips.get(0)), none -> new TreeSet<>())
                    .add(testClass);
        } else if (!faults.isEmpty()) {
            failed++;
            failures.add(testClass + "." + test.getAttribute("name") + ": " + firstLines(faults.get(0)));
        } else {
            passed++;
        }
    }

    /** The first lines of the exception that ended a test, before its stack. */
    private static String firstLines(Element fault) {
        return fault.getTextContent()
                .lines()
                .map(String::strip)
                .takeWhile(line -> !line.startsWith("at "))
                .filter(line -> !line.isEmpty())
                .limit(5)
                .map(line -> line.length() > LONGEST ? line.substring(0, LONGEST) + " …" : line)
                .collect(Collectors.joining(" "));
    }

    /** The reason that the test gave: the message, or else the first line of the exception that ended it. */
    private static String reason(Element skip) {
        String message = skip.getAttribute("message");
        String said = message.isBlank() ? skip.getTextContent().strip().lines().findFirst().orElse("") : message;
        String reason = said.replaceFirst("^[\\w.]+Exception: ", "").replaceFirst("^Assumption failed: ", "");
        return reason.isBlank() ? "no reason is given" : reason;
    }

    private void print() {
        if (passed + failed + skipped == 0) {
            return;
        }
        System.out.printf("%nTests: %d passed, %d failed, %d skipped%n", passed, failed, skipped);
        failures.forEach(failure -> System.out.println("Failed: " + failure));
        classesByReason.forEach((reason, classes) ->
                System.out.printf("Skipped: %s: %s%n", String.join(", ", classes), reason.replaceAll("\\s*\\n\\s*", " ")));
        System.out.println();
    }
}
