package io.delayjob.demo.web;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** From now to the due time, as a client gave it. */
record Delay(long amount, TimeUnit unit) {

    private static final Instant END = Instant.parse("9999-12-31T00:00:00Z");
    private static final long DEFAULT_AMOUNT = 30;

    static Delay of(SubmitForm form) {
        Delay delay = new Delay(
                Parameters.number("delay", form.delay(), Long.MAX_VALUE).orElse(DEFAULT_AMOUNT),
                Parameters.unit("unit", form.unit()).orElse(TimeUnit.SECONDS));
        if (!delay.endsInTime()) {
            throw Problems.badValue("delay", delay.toString(), "a delay that ends before the year 10000");
        }
        return delay;
    }

    private boolean endsInTime() {
        try {
            return fromNow().isBefore(END);
        } catch (DateTimeException | ArithmeticException e) {
            return false;
        }
    }

    Instant fromNow() {
        return Instant.now().plus(amount, unit.toChronoUnit());
    }

    @Override
    public String toString() {
        return amount + " " + unit.name().toLowerCase(Locale.ROOT);
    }
}
