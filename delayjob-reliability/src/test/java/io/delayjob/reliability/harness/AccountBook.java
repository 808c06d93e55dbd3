package io.delayjob.reliability.harness;

import java.io.IOException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** All accounts of a run: printed as they come, and written as a table at the end. Thread-safe. */
final class AccountBook implements AutoCloseable {

    private final long seed;
    private final Map<String, Account> accounts = new TreeMap<>();

    AccountBook(long seed) {
        this.seed = seed;
    }

    synchronized void enter(String title, Account account) {
        accounts.put(title, account);
        System.out.printf(Locale.ROOT, "%s: %s%n", title, account);
    }

    @Override
    public synchronized void close() throws IOException {
        Report.give("accounts", table());
    }

    private String table() {
        StringBuilder table = new StringBuilder();
        table.append(
                "| fault | submitted | refused | finished | dead | lost | retries | given back | duplicates, lease ended |"
                        + " lost by Redis / repeated for it | early | latest, ms | recovery, ms |\n");
        table.append("|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
        accounts.forEach((title, account) -> table.append(row(title, account)));
        return table.append("\n%d accounts, seed %d, Java %s, %s\n"
                        .formatted(accounts.size(), seed, Runtime.version().feature(), LocalDate.now(ZoneOffset.UTC)))
                .toString();
    }

    private static String row(String title, Account account) {
        return "| %s | %d | %d | %d | %d | 0 | %d | %d | %d | %d / %d | %d | %d | %s |%n"
                .formatted(
                        title,
                        account.submitted(),
                        account.refused(),
                        account.finished(),
                        account.dead(),
                        account.retries(),
                        account.givenBack(),
                        account.duplicates(),
                        account.lostByRedis(),
                        account.repeatedByLoss(),
                        account.early(),
                        account.latestMillis(),
                        account.recoveryMillis() == 0 ? "" : account.recoveryMillis());
    }
}
