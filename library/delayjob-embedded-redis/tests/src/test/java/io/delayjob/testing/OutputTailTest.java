package io.delayjob.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class OutputTailTest {

    private final ByteArrayOutputStream passedOn = new ByteArrayOutputStream();
    private final OutputTail tail = new OutputTail(new PrintStream(passedOn, true, StandardCharsets.UTF_8), 2);

    private void print(String text) {
        byte[] octets = text.getBytes(StandardCharsets.UTF_8);
        tail.write(octets, 0, octets.length);
    }

    @Test
    void keepsTheLastLinesAndPassesAllOn() {
        print("one\ntwo\n");
        print("thr");
        print("ee\nfour\nand an unfinished li");

        assertThat(tail.text()).isEqualTo("three\nfour\nand an unfinished li");
        assertThat(passedOn.toString(StandardCharsets.UTF_8)).isEqualTo("one\ntwo\nthree\nfour\nand an unfinished li");
    }
}
