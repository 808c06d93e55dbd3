package io.delayjob.demo.web;

import io.delayjob.Explanation;

/**
 * Why a job is not running, as the API shows it.
 *
 * @param reason the reason
 * @param text the reason in a sentence
 */
public record ExplanationView(Explanation.Reason reason, String text) {

    static ExplanationView of(Explanation explanation) {
        return new ExplanationView(explanation.reason(), explanation.text());
    }
}
