package io.delayjob.server.app;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/** Says that another server has the journal's file, which one process at a time can open. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class JournalFileInUse extends AbstractFailureAnalyzer<SQLException> {

    /** Of H2: DATABASE_ALREADY_OPEN_1. */
    private static final int ALREADY_OPEN = 90020;

    private final Environment environment;

    JournalFileInUse(Environment environment) {
        this.environment = environment;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, SQLException cause) {
        if (cause.getErrorCode() != ALREADY_OPEN) {
            return null;
        }
        return new FailureAnalysis(
                "The journal's file is open in another process, most likely in a server that runs: "
                        + environment.getProperty("spring.datasource.url"),
                "Ask that server (journal … --url=http://localhost:8080 --token=…), stop it, or give both servers a database that they"
                        + " can share: --spring.datasource.url=jdbc:postgresql://….",
                cause);
    }
}
