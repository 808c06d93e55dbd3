package io.delayjob.server.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Command lines that cannot be understood, and what is said of them. */
class CommandsTest {

    private final PrintStream out = System.out;
    private final PrintStream err = System.err;
    private final ByteArrayOutputStream answer = new ByteArrayOutputStream();
    private final ByteArrayOutputStream complaint = new ByteArrayOutputStream();

    @BeforeEach
    void capture() {
        System.setOut(new PrintStream(answer, true, UTF_8));
        System.setErr(new PrintStream(complaint, true, UTF_8));
    }

    @AfterEach
    void release() {
        System.setOut(out);
        System.setErr(err);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            serve                                              | there is no command 'serve'
            journal                                            | it can diff, restore, clear, history
            journal dif                                        | journal cannot 'dif'
            journal diff orders                                | 'orders' is too much
            journal diff --queu=orders                         | journal diff has no option --queu
            journal diff --yes                                 | journal diff has no option --yes
            journal diff --queue                               | --queue needs a value
            journal diff --queue=a --queue=b                   | --queue is given 2 times
            journal diff --queue=no/queue                      | no/queue
            journal diff --id=a                                | state the queue of 'a'
            journal diff --due-from=today                      | 'today'
            journal diff --due-from=2030-01-01T00:00:00Z --due-to=2029-01-01T00:00:00Z | dueFrom must be before dueTo
            journal diff --overdue=perhaps                     | --overdue is true or false: 'perhaps'
            journal restore --per-second=0                     | perSecond
            journal restore --per-second=many                  | --per-second is a whole number: 'many'
            journal restore --finished                         | finished jobs are restored one by one
            journal clear --yes                                | --queue=… is missing
            journal history --queue=q                          | --id=… is missing
            journal diff --url=localhost --token=x             | --url is the address of a server
            journal diff --url=http://localhost:1              | needs a token
            journal diff --token=x                             | --token is for a server
            """)
    void aCommandLineThatCannotBeUnderstoodIsNamed(String line, String message) {
        assertThat(Commands.run(line.split(" ", -1))).isEqualTo(Commands.BAD);
        assertThat(complaint.toString(UTF_8)).contains(message, "see --help");
        assertThat(answer.toString(UTF_8)).isEmpty();
    }

    @Test
    void aServerThatDoesNotAnswerIsNamed() {
        assertThat(Commands.run("journal", "diff", "--url=http://localhost:1", "--token=x"))
                .isEqualTo(Commands.FAILED);
        assertThat(complaint.toString(UTF_8)).contains("no server answers at http://localhost:1");
    }

    @Test
    void helpNamesEveryCommand() {
        assertThat(Commands.run("--help")).isEqualTo(Commands.DONE);
        for (JournalCommand command : JournalCommand.values()) {
            assertThat(answer.toString(UTF_8)).contains("journal " + command.word());
        }
    }

    @Test
    void propertiesAloneAreAServers() {
        assertThat(Commands.areIn("--server.port=0")).isFalse();
        assertThat(Commands.areIn("journal", "diff")).isTrue();
        assertThat(Commands.areIn("--help")).isTrue();
    }
}
