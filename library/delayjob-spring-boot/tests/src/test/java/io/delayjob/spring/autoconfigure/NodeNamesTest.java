package io.delayjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NodeNamesTest {

    @Test
    void makesValidNamesThatDifferFromStartToStart() {
        assertThat(Stream.generate(NodeNames::random).limit(20))
                .allMatch(NodeNames::valid)
                .allMatch(name -> name.contains(":" + ProcessHandle.current().pid() + ":"))
                .satisfies(
                        names -> assertThat(names.stream().distinct().count()).isGreaterThan(15));
    }

    @Test
    void takesWhatFitsIntoRedisAndLogs() {
        assertThat(Stream.of("a", "host-1.example:42:x_y", "n".repeat(128))).allMatch(NodeNames::valid);
        assertThat(Stream.of("", " ", "a b", "a|b", "a\n", "{a}", "n".repeat(129)))
                .noneMatch(NodeNames::valid);
    }
}
