package io.delayjob.journal.internal.tables;

import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.function.ToIntFunction;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Inserts many rows by few statements, because a database takes much longer for a statement of each. How many rows a statement has is a power of
 * two, so that there are few statements to prepare.
 */
final class Insert<T> {

    /** The most rows of a statement. */
    static final int MOST_ROWS = 256;

    /** The most characters of a statement, unless one row has more: databases bound what they take at once. */
    static final int MOST_CHARACTERS = 256 * 1024;

    private final JdbcTemplate jdbc;
    private final String head;
    private final String row;
    private final String tail;
    private final boolean leavingOut;
    private final Setter<T> setter;
    private final ToIntFunction<T> characters;

    /** Sets the parameters of one row. */
    @FunctionalInterface
    interface Setter<T> {
        void set(Values to, T row) throws SQLException;
    }

    /**
     * The rows to insert.
     *
     * @param into the table and its columns, {@code table (one, other)}
     * @param row the values of a row, {@code (?, ?)}
     * @param characters how long the texts of a row are, about
     */
    record Shape<T>(String into, String row, Setter<T> setter, ToIntFunction<T> characters) {}

    private Insert(JdbcTemplate jdbc, String head, String tail, boolean leavingOut, Shape<T> shape) {
        this.jdbc = jdbc;
        this.head = head;
        this.row = shape.row();
        this.tail = tail;
        this.leavingOut = leavingOut;
        this.setter = shape.setter();
        this.characters = shape.characters();
    }

    /** Fails if a key is taken. */
    static <T> Insert<T> of(JdbcTemplate jdbc, Shape<T> shape) {
        return new Insert<>(jdbc, "INSERT INTO " + shape.into() + " VALUES ", "", false, shape);
    }

    /** Leaves out the rows whose key is taken. */
    static <T> Insert<T> leavingOut(JdbcTemplate jdbc, Dialect dialect, Shape<T> shape) {
        String[] around =
                dialect.leavingOut("INSERT INTO " + shape.into() + " VALUES |").split("\\|", -1);
        return new Insert<>(jdbc, around[0], around[1], true, shape);
    }

    /** Answers how many rows were inserted. */
    int add(List<T> rows) {
        int added = 0;
        List<T> left = rows;
        while (!left.isEmpty()) {
            int next = fitting(left);
            added += addAtOnce(left.subList(0, next));
            left = left.subList(next, left.size());
        }
        return added;
    }

    private int fitting(List<T> rows) {
        int most = Math.min(rows.size(), MOST_ROWS);
        int fitting = 0;
        long sum = 0;
        while (fitting < most) {
            sum += characters.applyAsInt(rows.get(fitting));
            if (sum > MOST_CHARACTERS) {
                break;
            }
            fitting++;
        }
        return Math.max(1, Integer.highestOneBit(fitting));
    }

    private int addAtOnce(List<T> rows) {
        String sql = head + String.join(", ", Collections.nCopies(rows.size(), row)) + tail;
        try {
            return jdbc.update(sql, statement -> {
                Values values = new Values(statement);
                for (T one : rows) {
                    setter.set(values, one);
                }
            });
        } catch (DuplicateKeyException e) {
            return withoutTaken(rows, e);
        }
    }

    /** Only a database that cannot leave rows out by itself comes here; its statement has inserted nothing. */
    private int withoutTaken(List<T> rows, DuplicateKeyException failure) {
        if (!leavingOut) {
            throw failure;
        }
        return rows.size() == 1
                ? 0
                : rows.stream().mapToInt(one -> addAtOnce(List.of(one))).sum();
    }
}
