package io.delayjob.journal.internal.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.journal.database.TestDatabase;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;

class InsertTest {

    private final HikariDataSource database = TestDatabase.H2_MEMORY.fresh();
    private final JdbcTemplate jdbc = new JdbcTemplate(database);
    private final Insert.Shape<String> shape =
            new Insert.Shape<>("words (word)", "(?)", (to, word) -> to.text(word), String::length);

    @BeforeEach
    void open() {
        jdbc.execute("CREATE TABLE words (word VARCHAR(1000000) PRIMARY KEY)");
    }

    @AfterEach
    void close() {
        database.close();
    }

    private static List<String> words(int from, int to) {
        return IntStream.range(from, to).mapToObj(Integer::toString).toList();
    }

    @Test
    void insertsAllRowsHoweverMany() {
        assertThat(Insert.of(jdbc, shape).add(List.of())).isZero();
        assertThat(Insert.of(jdbc, shape).add(words(0, 1000))).isEqualTo(1000);
        assertThat(jdbc.queryForList("SELECT word FROM words", String.class))
                .containsExactlyInAnyOrderElementsOf(words(0, 1000));
    }

    @Test
    void leavesOutTheRowsWhoseKeyIsTaken() {
        Insert<String> insert = Insert.leavingOut(jdbc, Dialect.H2, shape);
        insert.add(words(100, 120));
        assertThat(insert.add(words(0, 600))).isEqualTo(580);
        assertThat(insert.add(words(0, 600))).isZero();
        assertThat(jdbc.queryForObject("SELECT COUNT(*) FROM words", Integer.class))
                .isEqualTo(600);
    }

    @Test
    void failsIfAKeyIsTakenAndNoRowIsToBeLeftOut() {
        Insert<String> insert = Insert.of(jdbc, shape);
        insert.add(words(3, 4));
        assertThatThrownBy(() -> insert.add(words(0, 10))).isInstanceOf(DuplicateKeyException.class);
    }

    @Test
    void aStatementHasOnlySoManyCharactersButAtLeastOneRow() {
        String large = "x".repeat(Insert.MOST_CHARACTERS + 1);
        assertThat(Insert.of(jdbc, shape).add(List.of("a", large, "b"))).isEqualTo(3);
    }
}
