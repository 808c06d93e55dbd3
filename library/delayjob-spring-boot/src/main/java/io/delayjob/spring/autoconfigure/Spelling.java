package io.delayjob.spring.autoconfigure;

import java.util.Arrays;

/** How much two words differ. */
final class Spelling {

    private Spelling() {}

    /** The least number of letters to be added, removed or replaced until one word is the other (Levenshtein). */
    static int edits(String from, String to) {
        int[] row = new int[to.length() + 1];
        Arrays.setAll(row, column -> column);
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j - 1], row[j]));
            }
        }
        return row[to.length()];
    }
}
