package io.delayjob.server.app;

import java.util.List;
import org.springframework.boot.ExitCodeGenerator;

/** Settings that the program cannot do without are not set. */
final class MissingSettingsException extends RuntimeException implements ExitCodeGenerator {

    private static final long serialVersionUID = 1L;

    /** Of sysexits.h: EX_CONFIG. */
    static final int EXIT_CODE = 78;

    MissingSettingsException(List<String> missing) {
        super(String.join(System.lineSeparator(), missing));
    }

    @Override
    public int getExitCode() {
        return EXIT_CODE;
    }
}
