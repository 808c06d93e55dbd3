package io.delayjob.journal.internal.tables;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import org.jspecify.annotations.Nullable;

/** Sets the parameters of a statement, one after the other. */
final class Values {

    private final PreparedStatement to;
    private int last;

    Values(PreparedStatement to) {
        this.to = to;
    }

    Values number(long value) throws SQLException {
        to.setLong(++last, value);
        return this;
    }

    Values number(@Nullable Long value) throws SQLException {
        if (value == null) {
            to.setNull(++last, Types.BIGINT);
            return this;
        }
        return number(value.longValue());
    }

    Values text(@Nullable String value) throws SQLException {
        if (value == null) {
            to.setNull(++last, Types.VARCHAR);
        } else {
            to.setString(++last, value);
        }
        return this;
    }

    /** The name of a constant. */
    Values name(@Nullable Enum<?> value) throws SQLException {
        return text(value == null ? null : value.name());
    }

    /** 1 or 0. */
    Values flag(boolean value) throws SQLException {
        return number(value ? 1L : 0L);
    }
}
