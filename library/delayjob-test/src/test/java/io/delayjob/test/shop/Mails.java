package io.delayjob.test.shop;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.stereotype.Component;

@Component
class Mails {

    private final List<String> sent = new CopyOnWriteArrayList<>();
    private volatile boolean down;

    void send(String text) {
        if (down) {
            throw new IllegalStateException("the mail server is down");
        }
        sent.add(text);
    }

    void down(boolean isDown) {
        down = isDown;
    }

    List<String> sent() {
        return sent;
    }
}
