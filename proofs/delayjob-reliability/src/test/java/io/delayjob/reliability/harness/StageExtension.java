package io.delayjob.reliability.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.springframework.util.FileSystemUtils;

/** Gives each test a {@link Stage} of its own, and keeps the accounts. */
final class StageExtension implements ParameterResolver, AfterEachCallback {

    private static final Namespace OURS = Namespace.create(StageExtension.class);
    private static final long SEED = Long.getLong("reliability.seed", 1);

    /** A stage and its folder, which is kept if the test failed. */
    private record Played(Stage stage, Path folder) {}

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Stage.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getStore(OURS)
                .computeIfAbsent("stage", key -> played(context), Played.class)
                .stage();
    }

    private static Played played(ExtensionContext context) {
        try {
            Path folder = Files.createTempDirectory("delayjob-reliability-");
            return new Played(
                    new Stage(
                            folder,
                            SEED + context.getRequiredTestMethod().getName().hashCode()),
                    folder);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Override
    public void afterEach(ExtensionContext context) throws IOException {
        Played played = context.getStore(OURS).get("stage", Played.class);
        if (played == null) {
            return;
        }
        played.stage().close();
        if (Report.hasFailed(context)) {
            System.out.printf(Locale.ROOT, "FAILED %s, seed %d: see %s%n", title(context), SEED, played.folder());
            return;
        }
        FileSystemUtils.deleteRecursively(played.folder());
        played.stage()
                .drawnUp()
                .ifPresent(account -> book(context)
                        .enter(title(context), account, played.stage().isJournaled()));
    }

    private static AccountBook book(ExtensionContext context) {
        return context.getRoot()
                .getStore(OURS)
                .computeIfAbsent("book", key -> new AccountBook(SEED), AccountBook.class);
    }

    /** The test's name as words, and its arguments. */
    private static String title(ExtensionContext context) {
        String title = Report.title(context);
        String invocation = context.getDisplayName();
        return invocation.startsWith("[") ? title + ": " + invocation.replaceAll("^\\[\\d+] ", "") : title;
    }
}
