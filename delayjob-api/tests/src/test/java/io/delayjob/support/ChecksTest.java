package io.delayjob.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayjob.Unchecked;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChecksTest {

    private static final Instant FIRST_OF_YEAR_10000 = Instant.parse("+10000-01-01T00:00:00Z");

    @Test
    void namesAValueThatIsNull() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.notNull(null, "jobClass"))
                .withMessage("jobClass must not be null");
        assertThat(Checks.notNull("value", "jobClass")).isEqualTo("value");
    }

    @Test
    void refusesAnIdWithHalfACharacterAndTakesAWholeOne() {
        assertThat(Checks.id("\uD83D\uDE00")).isEqualTo("\uD83D\uDE00");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.id("a\uD83D"))
                .withMessage("id must not contain half a character (a lone surrogate): 'a\\ud83d'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "default", "Orders-2026.v1_x", "0", "...", ".a", "-", "_"})
    void takesAQueueOfTheAllowedCharacters(String queue) {
        assertThat(Checks.queue(queue)).isEqualTo(queue);
    }

    @Test
    void takesAQueueOf64CharactersAndNoLonger() {
        assertThat(Checks.queue("q".repeat(64))).hasSize(64);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.queue("q".repeat(65)))
                .withMessageContaining("queue must be 1 to 64")
                .withMessageContaining("q".repeat(65));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", "a b", "{orders}", "orders}", "or{ders", "a:b", "a/b", "ördèrs", "订单", "a\n", "*", "a,b"
            })
    void refusesAQueueWithAnyOtherCharacter(String queue) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.queue(queue))
                .withMessageContaining("queue must be 1 to 64 of the characters A-Z a-z 0-9 . _ -")
                .withMessageContaining(": '" + queue.replace("\n", "\\u000a") + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {".", ".."})
    void refusesAQueueThatNoAddressCanName(String queue) {
        assertThat(Checks.isQueue(queue)).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.queue(queue))
                .withMessage("queue must not be '" + queue + "': no address can name it; choose another name");
    }

    @Test
    void saysWhyABraceIsNoQueueCharacter() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.queue("{x}"))
                .withMessageContaining("a brace would break the Redis hash tag")
                .withMessageContaining("'{x}'");
    }

    @Test
    void refusesANullQueue() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.queue(null))
                .withMessageStartingWith("queue must be")
                .withMessageEndingWith(": null");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "close-42", "with space", "with {brace}", "订单-1", "😀", "a:b/c?d"})
    void takesAnIdOfAnyPrintableCharacters(String id) {
        assertThat(Checks.id(id)).isEqualTo(id);
    }

    @Test
    void takesAnIdOf128CharactersAndNoLonger() {
        assertThat(Checks.id("i".repeat(128))).hasSize(128);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.id("i".repeat(129)))
                .withMessageContaining("id must have 1 to 128 characters")
                .withMessageContaining("… (129 characters)");
    }

    @Test
    void refusesAnIdThatIsNullOrEmpty() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.id(null))
                .withMessage("id must have 1 to 128 characters: null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.id(""))
                .withMessage("id must have 1 to 128 characters: ''");
    }

    @ParameterizedTest
    @ValueSource(chars = {'\0', '\t', '\n', '\r', '\u001b', '\u007f', '\u0085', '\u009f'})
    void refusesAnIdWithAControlCharacterAndPrintsItEscaped(char control) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.id("a" + control + "b"))
                .withMessage("id must not contain control characters: 'a\\u%04x".formatted((int) control) + "b'");
    }

    @Test
    void takesAJobNameOf1To256Characters() {
        assertThat(Checks.jobName("n".repeat(256))).hasSize(256);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.jobName("n".repeat(257)))
                .withMessageContaining("job name must have 1 to 256 characters")
                .withMessageContaining("(257 characters)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.jobName(" "))
                .withMessageContaining("job name must have 1 to 256 characters: ' '");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.jobName(null))
                .withMessageEndingWith(": null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.jobName("a\nb"))
                .withMessage("job name must not contain control characters: 'a\\u000ab'");
    }

    @Test
    void takesHeadersUpToTheirBoundsAndNoLonger() {
        String name = "n".repeat(256);
        String value = "v".repeat(8192);
        assertThat(Checks.headers(Map.of(name, value))).containsEntry(name, value);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.headers(Map.of("trace", value + "v")))
                .withMessage("header 'trace' must have at most 8192 characters: 8193");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.headers(Map.of(name + "n", "value")))
                .withMessageStartingWith("the name of a header must have at most 256 characters: 'nnn")
                .withMessageEndingWith("… (257 characters)'");
    }

    @Test
    void takesAHundredHeadersAndNoMore() {
        assertThat(Checks.headers(headers(100, 1))).hasSize(100);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.headers(headers(101, 1)))
                .withMessage("there must be at most 100 headers: 101");
    }

    @Test
    void takesSoManyCharactersInAllHeadersAndNoMore() {
        Map<String, String> most = headers(8, 8192 - 3);
        most.put("8", "8".repeat(15));
        assertThat(Checks.headers(most)).hasSize(9);
        most.put("8", "8".repeat(16));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.headers(most))
                .withMessage("headers must have at most 65536 characters in all names and values together: 65537");
    }

    @Test
    void knowsWhetherThereIsRoomForOneHeaderMore() {
        assertThat(Checks.fitsHeader(headers(99, 1), "trace", "1")).isTrue();
        assertThat(Checks.fitsHeader(headers(100, 1), "trace", "1")).isFalse();
        assertThat(Checks.fitsHeader(Map.of(), "n".repeat(257), "1")).isFalse();
        assertThat(Checks.fitsHeader(Map.of(), "trace", "v".repeat(8193))).isFalse();
        assertThat(Checks.fitsHeader(Map.of(), "trace", "cut in half \ud83d")).isFalse();
        assertThat(Checks.fitsHeader(headers(8, 8000), "trace", "v".repeat(2000)))
                .isFalse();
    }

    /** Names of one to three characters. */
    private static Map<String, String> headers(int count, int valueLength) {
        Map<String, String> headers = new HashMap<>();
        for (int i = 0; i < count; i++) {
            headers.put("" + i, "v".repeat(valueLength));
        }
        return headers;
    }

    @Test
    void refusesAHeaderWithoutANameOrValue() {
        Map<String, String> noValue = new HashMap<>();
        noValue.put("trace", Unchecked.nullInsteadOf("abc"));
        Map<String, String> noName = new HashMap<>();
        noName.put(Unchecked.nullInsteadOf("trace"), "abc");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.headers(noValue))
                .withMessage("a header needs a name and a value: 'trace'=null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.headers(noName))
                .withMessage("a header needs a name and a value: null='abc'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.headers(Map.of(" ", "abc")))
                .withMessage("a header needs a name and a value: ' '='abc'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.headers(null))
                .withMessage("headers must not be null");
    }

    @Test
    void copiesHeaders() {
        Map<String, String> mine = new HashMap<>(Map.of("a", "1"));
        Map<String, String> copy = Checks.headers(mine);
        mine.put("b", "2");
        assertThat(copy).containsExactly(Map.entry("a", "1")).isUnmodifiable();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void refusesANumberUnderOne(int value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.atLeastOne(value, "maxAttempts"))
                .withMessage("maxAttempts must be at least 1: " + value);
    }

    @Test
    void takesADurationFromOneMillisecondOn() {
        assertThat(Checks.positive(Duration.ofMillis(1), "lease")).isEqualTo(Duration.ofMillis(1));
        for (String bad : new String[] {"PT0S", "PT-1S", "PT0.000999999S"}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Checks.positive(Duration.parse(bad), "lease"))
                    .withMessageStartingWith("lease must be")
                    .withMessageContaining("1 ms")
                    .withMessageEndingWith(": " + bad);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.positive(null, "lease"))
                .withMessageEndingWith(": null");
    }

    @Test
    void takesZeroAndMoreWhereADurationMayBeZero() {
        assertThat(Checks.notNegative(Duration.ZERO, "shutdownTimeout")).isZero();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.notNegative(Duration.ofNanos(-1), "shutdownTimeout"))
                .withMessageStartingWith("shutdownTimeout must be zero or more")
                .withMessageEndingWith(": PT-0.000000001S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.notNegative(null, "shutdownTimeout"))
                .withMessageEndingWith(": null");
    }

    @Test
    void saysOfADurationThatIsTooLongWhatIsTheLongest() {
        Duration tooLong = Duration.ofSeconds(Long.MAX_VALUE);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.positive(tooLong, "lease"))
                .withMessageContaining("at most 8000 years: " + tooLong);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.notNegative(tooLong, "shutdownTimeout"))
                .withMessageContaining("at most 8000 years: " + tooLong);
    }

    @ParameterizedTest
    @EnumSource
    void refusesANegativeDelayInEveryUnit(TimeUnit unit) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.delay(-1, unit))
                .withMessage("delay must not be negative: -1 " + unit);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.delay(Long.MIN_VALUE, unit))
                .withMessage("delay must not be negative: " + Long.MIN_VALUE + " " + unit);
    }

    @ParameterizedTest
    @EnumSource
    void takesNoDelayAndAShortOneInEveryUnit(TimeUnit unit) {
        assertThat(Checks.delay(0, unit)).isZero();
        assertThat(Checks.delay(7, unit)).isEqualTo(Duration.of(7, unit.toChronoUnit()));
    }

    @ParameterizedTest
    @EnumSource(names = {"DAYS", "HOURS", "MINUTES", "SECONDS", "MILLISECONDS", "MICROSECONDS"})
    void refusesTheLongestDelayOfEveryUnitThatPassesTheYear9999(TimeUnit unit) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.delay(Long.MAX_VALUE, unit))
                .withMessageContaining("delay must not pass the end of the year 9999: ");
    }

    @Test
    void namesADelayThatOverflowsAsItWasGiven() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.delay(Long.MAX_VALUE, TimeUnit.DAYS))
                .withMessage("delay must not pass the end of the year 9999: " + Long.MAX_VALUE + " DAYS")
                .withCauseInstanceOf(ArithmeticException.class);
    }

    @Test
    void takesTheLongestDelayInNanoseconds() {
        assertThat(Checks.delay(Long.MAX_VALUE, TimeUnit.NANOSECONDS)).isEqualTo(Duration.ofNanos(Long.MAX_VALUE));
    }

    @Test
    void refusesADelayPastTheYear9999AndTakesOneJustBefore() {
        Duration toTheEnd = Duration.between(Instant.now(), Checks.LATEST_DUE);
        Duration minuteTooLong = toTheEnd.plusMinutes(1);
        assertThat(Checks.delay(toTheEnd.minusMinutes(1))).isEqualTo(toTheEnd.minusMinutes(1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.delay(minuteTooLong))
                .withMessage("delay must not pass the end of the year 9999: " + minuteTooLong);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.delay(Duration.ofSeconds(Long.MAX_VALUE)))
                .withMessageContaining("year 9999");
    }

    @Test
    void refusesANullDelayUnitOrTime() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.delay(1, null))
                .withMessage("unit must not be null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.delay(null))
                .withMessage("delay must not be null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.dueAt(null))
                .withMessage("dueAt must not be null");
    }

    @Test
    void refusesANegativeDuration() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.delay(Duration.ofNanos(-1)))
                .withMessage("delay must not be negative: PT-0.000000001S");
    }

    @Test
    void takesADueTimeFrom1970ToTheEndOfTheYear9999() {
        assertThat(Checks.dueAt(Instant.EPOCH)).isEqualTo(Instant.EPOCH);
        assertThat(Checks.dueAt(Checks.LATEST_DUE)).isEqualTo(Checks.LATEST_DUE);
        for (Instant bad : new Instant[] {Instant.EPOCH.minusNanos(1), FIRST_OF_YEAR_10000, Instant.MIN, Instant.MAX}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Checks.dueAt(bad))
                    .withMessage("dueAt must lie between 1970 and the end of the year 9999: " + bad);
        }
    }

    @Test
    void refusesHalfACharacterInAHeader() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.headers(Map.of("tenant\uD83D", "blue")))
                .withMessage(
                        "the name of a header must not contain half a character (a lone surrogate): 'tenant\\ud83d'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Checks.headers(Map.of("tenant", "secret\uDE00")))
                .withMessage("the value of header 'tenant' must not contain half a character (a lone surrogate)");
        assertThat(Checks.headers(Map.of("tenant\uD83D\uDE00", "\uD83D\uDE00"))).hasSize(1);
    }
}
