package io.delayjob.test.shop;

import io.delayjob.DelayJobListener;
import org.springframework.stereotype.Component;

@Component
class Receipts {

    private final Mails mails;

    Receipts(Mails mails) {
        this.mails = mails;
    }

    @DelayJobListener(topic = "send-receipt", queue = "mails")
    void send(String orderId) {
        mails.send("receipt of order " + orderId);
    }
}
