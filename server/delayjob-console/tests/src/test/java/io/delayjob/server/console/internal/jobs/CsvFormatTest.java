package io.delayjob.server.console.internal.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvFormatTest {

    @ParameterizedTest
    @ValueSource(strings = {"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "＝1"})
    void noCellIsAFormula(String text) {
        assertThat(CsvFormat.cell(text)).doesNotStartWith(text.substring(0, 1)).contains(text);
    }

    @Test
    void cellsWithSeparatorsAreQuoted() {
        assertThat(CsvFormat.cell("a,b")).isEqualTo("\"a,b\"");
        assertThat(CsvFormat.cell("say \"hi\"\nthere")).isEqualTo("\"say \"\"hi\"\"\nthere\"");
        assertThat(CsvFormat.cell("plain")).isEqualTo("plain");
    }

    @Test
    void theLastLineSaysWhatIsMissing() {
        CsvFormat csv = new CsvFormat(new Redaction(List.of("password")));
        assertThat(csv.end(3, 9, null))
                .startsWith("\"# 3 jobs, 9 looked at; complete")
                .endsWith("\r\n");
        assertThat(csv.end(3, 9, "cut off: narrow the search")).contains("cut off: narrow the search");
    }
}
