package io.delayjob.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.testing.RealRedis;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** An order is closed unless it is paid in time. */
@RealRedis
@ExtendWith(OutputCaptureExtension.class)
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
final class OrderFlowIT extends RunningDemo {

    @Test
    void closesAnOrderThatIsNotPaidAfterAReminder(CapturedOutput log) {
        Reply order = demo.order("?secondsToPay=10");
        assertThat(order.status()).isEqualTo(200);
        assertThat(order.text("status")).isEqualTo("OPEN");
        String id = order.text("id");

        Waits.soon().until(() -> demo.orderOf(id).text("status").equals("CLOSED"));

        // A job beside the one that closes the order.
        Waits.soon()
                .untilAsserted(
                        () -> assertThat(log).contains("order " + id + " is still unpaid: its customer is reminded"));
        assertThat(demo.pay(id)).matches(answer -> answer.isProblem(409), "is a problem with status 409");
    }

    @Test
    void leavesAPaidOrderAloneAndMailsItsReceipt(CapturedOutput log) {
        Reply order = demo.order("?secondsToPay=3600");
        String id = order.text("id");
        assertThat(demo.explanation(order.text("closingJob")).text("reason")).isEqualTo("NOT_DUE");

        Reply paid = demo.pay(id);

        assertThat(paid.text("status")).isEqualTo("PAID");
        assertThat(demo.job(paid.text("closingJob")).status()).isEqualTo(404);
        assertThat(demo.explanation(paid.text("closingJob")).text("reason")).isEqualTo("NO_SUCH_JOB");
        // The mail service is busy at first: the listener asks for another attempt.
        Waits.soon().until(() -> log.getOut().contains("order " + id + ": its receipt was mailed in attempt 2"));
        assertThat(log).doesNotContain("order " + id + " is still unpaid");
    }

    @Test
    void countsTheOrdersAtInstantsAndWhenAsked() {
        demo.order("?secondsToPay=3600");
        Waits.soon().until(() -> demo.countNow().status() == 200);
        Waits.soon()
                .until(() -> demo.summary().body().path("orders").path("OPEN").asInt() > 0);
        assertThat(Instant.parse(demo.summary().text("nextAt"))).isAfter(Instant.parse("2020-01-01T00:00:00Z"));
        assertThat(Instant.parse(demo.summary().text("lastAt")))
                .isBefore(Instant.now().plusSeconds(60));
    }

    @Test
    void answersABadRequestWithItsRemedy() {
        assertThat(demo.order("?secondsToPay=soon").isProblem(400)).isTrue();
        assertThat(demo.orderOf("none").isProblem(404)).isTrue();
        assertThat(demo.pay("none").isProblem(404)).isTrue();
    }
}
