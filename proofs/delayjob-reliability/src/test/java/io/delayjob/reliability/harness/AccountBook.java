package io.delayjob.reliability.harness;

import java.io.IOException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** All accounts of a run: printed as they come, and written as tables at the end, with the names of what ran twice. Thread-safe. */
final class AccountBook implements AutoCloseable {

    private final long seed;
    private final Map<String, Account> accounts = new TreeMap<>();
    private final Map<String, Account> journaled = new TreeMap<>();
    private final List<String> repeats = new ArrayList<>();

    AccountBook(long seed) {
        this.seed = seed;
    }

    /**
     * Takes an account.
     *
     * @param hasJournal whether the jobs were journaled
     */
    synchronized void enter(String title, Account account, boolean hasJournal) {
        (hasJournal ? journaled : accounts).put(title, account);
        account.repeats().forEach(repeat -> repeats.add(title + ": " + repeat));
        System.out.printf(Locale.ROOT, "%s: %s%n", title, account);
    }

    @Override
    public synchronized void close() throws IOException {
        if (!accounts.isEmpty()) {
            Report.give("accounts", table());
        }
        if (!journaled.isEmpty()) {
            Report.give("journal-accounts", journalTable());
        }
        Report.keep("repeats", repeats);
    }

    private String table() {
        StringBuilder table = new StringBuilder();
        table.append(
                "| fault | submitted | refused | finished | dead | lost | retries | given back | duplicates, lease ended |"
                        + " lost by Redis / repeated for it | early | latest, ms | recovery, ms |\n");
        table.append("|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
        accounts.forEach((title, account) -> table.append(row(title, account)));
        return table.append(end(accounts.size())).toString();
    }

    private String end(int count) {
        return "\n%d accounts, seed %d, Java %s, %s\n"
                .formatted(count, seed, Runtime.version().feature(), LocalDate.now(ZoneOffset.UTC));
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

    private String journalTable() {
        StringBuilder table = new StringBuilder();
        table.append(
                "| fault | committed | rolled back | finished | lost | ran without a commit | retries | duplicates, lease ended |"
                        + " repeated, Redis lost it | early | latest, ms |\n");
        table.append("|---|---|---|---|---|---|---|---|---|---|---|\n");
        journaled.forEach((title, account) -> table.append(journalRow(title, account)));
        return table.append(end(journaled.size())).toString();
    }

    private static String journalRow(String title, Account account) {
        return "| %s | %d | %d | %d | %d | 0 | %d | %d | %d | %d | %d |%n"
                .formatted(
                        title,
                        account.submitted(),
                        account.refused(),
                        account.finished() + account.dead(),
                        account.lostByRedis(),
                        account.retries(),
                        account.duplicates(),
                        account.repeatedByLoss(),
                        account.early(),
                        account.latestMillis());
    }
}
