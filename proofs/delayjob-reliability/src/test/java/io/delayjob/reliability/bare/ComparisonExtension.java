package io.delayjob.reliability.bare;

import io.delayjob.reliability.harness.Report;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.springframework.util.FileSystemUtils;

/** Gives each test a {@link Comparison} of its own, and keeps the table. */
final class ComparisonExtension implements ParameterResolver, AfterEachCallback {

    private static final Namespace OURS = Namespace.create(ComparisonExtension.class);

    /** A comparison and its folder, which is kept if the test failed. */
    private record Played(Comparison comparison, Path folder) {}

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Comparison.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getStore(OURS)
                .computeIfAbsent("comparison", key -> played(), Played.class)
                .comparison();
    }

    private static Played played() {
        try {
            Path folder = Files.createTempDirectory("delayjob-bare-");
            return new Played(new Comparison(folder), folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void afterEach(ExtensionContext context) throws IOException {
        Played played = context.getStore(OURS).get("comparison", Played.class);
        if (played == null) {
            return;
        }
        played.comparison().close();
        if (Report.hasFailed(context)) {
            System.out.printf(Locale.ROOT, "FAILED %s: see %s%n", Report.title(context), played.folder());
            return;
        }
        FileSystemUtils.deleteRecursively(played.folder());
        if (context.getExecutionException().isEmpty()) {
            enter(context, played.comparison().row());
        }
    }

    private static void enter(ExtensionContext context, Comparison.@Nullable Row row) {
        if (row == null) {
            throw new IllegalStateException("nothing told of " + Report.title(context));
        }
        table(context).enter(Report.title(context), row);
    }

    private static FaultTable table(ExtensionContext context) {
        return context.getRoot().getStore(OURS).computeIfAbsent("table", key -> new FaultTable(), FaultTable.class);
    }
}
