package io.delayjob.demo.web;

import io.delayjob.demo.order.OrderSummaries;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Shows the job that counts orders, and runs it now. */
@RestController
@RequestMapping("/api/orders/summary")
final class SummaryController {

    private final OrderSummaries summaries;

    SummaryController(OrderSummaries summaries) {
        this.summaries = summaries;
    }

    @GetMapping
    SummaryView show() {
        return SummaryView.of(
                summaries.schedule().orElse(null), summaries.last().orElse(null));
    }

    @PostMapping
    SummaryView trigger() {
        if (summaries.trigger().isEmpty()) {
            throw Problems.of(
                    HttpStatus.CONFLICT,
                    "No schedule yet",
                    "the schedule 'order-summary' is stored just after the start: ask again in a second",
                    "order-summary");
        }
        return show();
    }
}
