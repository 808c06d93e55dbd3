package io.delayjob.engine.internal.records;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobIndexTest {

    private static final JobIndex INDEX =
            new JobIndex(List.of("orderId", "customer.id", "customer.address.city", "tag"));

    private static String marks(String... wordsAndValues) {
        return Stream.of(wordsAndValues)
                .map(pair -> JobIndex.mark(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1)))
                .reduce("", String::concat);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
                    {"orderId":"A-1"}                                    | orderId=A-1
                    {"orderId":4711}                                     | orderId=4711
                    {"orderId":1.50}                                     | orderId=1.50
                    {"orderId":true}                                     | orderId=true
                    {"orderId":"ä \\"b\\""}                              | orderId=ä "b"
                    {"orderId":""}                                       | orderId=
                    {"customer":{"id":7,"name":"n"}}                     | customer.id=7
                    {"customer":{"address":{"city":"Bonn"}}}             | customer.address.city=Bonn
                    {"orderId":null}                                     | -
                    {"orderId":{"orderId":1}}                            | -
                    {"orderId":["a"]}                                    | -
                    {"other":{"orderId":1},"list":[{"orderId":2}]}       | -
                    {"customer":"id"}                                    | -
                    {"customer":[{"id":1}]}                              | -
                    {"tag":"a"}                                          | -
                    {}                                                   | -
                    "orderId"                                            | -
                    [{"orderId":1}]                                      | -
                    null                                                 | -
                    """)
    void marksTheFieldsOfItsWords(String param, String field) {
        assertThat(INDEX.marks(param, List.of())).isEqualTo(field == null ? "" : marks(field));
    }

    @Test
    void marksTagsAndFieldsEachOnce() {
        String param = "{\"customer\":{\"address\":{\"city\":\"Bonn\"},\"id\":7},\"orderId\":1,\"orderId\":1}";
        assertThat(INDEX.marks(param, List.of("vip", "eu")))
                .isEqualTo(marks("tag=vip", "tag=eu", "customer.address.city=Bonn", "customer.id=7", "orderId=1"));
        assertThat(new JobIndex(List.of("orderId")).marks(param, List.of("vip")))
                .isEqualTo(marks("orderId=1"));
    }

    @Test
    void aMarkIsTheSameForEver() {
        assertThat(JobIndex.mark("orderId", "A-1")).isEqualTo("frEIk4JKZ95");
        assertThat(Stream.of("A-2", "A-1 ", "a-1").map(value -> JobIndex.mark("orderId", value)))
                .doesNotContain(JobIndex.mark("orderId", "A-1"));
    }
}
