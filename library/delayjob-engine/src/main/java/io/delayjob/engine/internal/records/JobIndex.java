package io.delayjob.engine.internal.records;

import io.delayjob.support.Checks;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * The index of a queue: the words that its jobs are found by. A word is the name of a field of the param, whose own fields follow after dots, or
 * {@link #TAG}. A word and a value make a mark, which is a hash: Redis keeps neither fields nor values in the index.
 */
public final class JobIndex {

    /** The word for the tags of jobs. */
    public static final String TAG = "tag";

    /** The characters of a mark: 66 bits, so that two of ten million values have the same one with a probability below 1 in a million. */
    static final int MARK_LENGTH = 11;

    private final Set<String> words;

    /** The words that have fields of their own which are words. */
    private final Set<String> parents = new HashSet<>();

    /** An index of these words, see {@link Checks#indexWords}. */
    public JobIndex(List<String> words) {
        this.words = new LinkedHashSet<>(words);
        for (String word : words) {
            for (int dot = word.indexOf('.'); dot >= 0; dot = word.indexOf('.', dot + 1)) {
                parents.add(word.substring(0, dot));
            }
        }
    }

    /** The mark of a word and a value. */
    public static String mark(String word, String value) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest((word + ":" + value).getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().encodeToString(hash).substring(0, MARK_LENGTH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** The marks of a job, one after the other; a field that is missing, null, an object or an array has none. */
    public String marks(String paramJson, List<String> tags) {
        Set<String> marks = new LinkedHashSet<>();
        if (words.contains(TAG)) {
            tags.forEach(tag -> marks.add(mark(TAG, tag)));
        }
        try (JsonParser json = RecordCodec.parser(paramJson)) {
            if (json.nextToken() == JsonToken.START_OBJECT) {
                addFields(json, "", marks);
            }
        }
        return String.join("", marks);
    }

    private void addFields(JsonParser json, String prefix, Set<String> marks) {
        for (String name = json.nextName(); name != null; name = json.nextName()) {
            String word = prefix + name;
            JsonToken value = json.nextToken();
            if (value == JsonToken.START_OBJECT && parents.contains(word)) {
                addFields(json, word + ".", marks);
            } else if (value.isScalarValue() && value != JsonToken.VALUE_NULL && isField(word)) {
                marks.add(mark(word, json.getString()));
            } else {
                json.skipChildren();
            }
        }
    }

    private boolean isField(String word) {
        return words.contains(word) && !word.equals(TAG);
    }
}
