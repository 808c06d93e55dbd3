package io.delayjob.demo.delivery;

import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Submits jobs that leave, and lists them. */
@RestController
@RequestMapping("/api/deliveries")
final class DeliveryController {

    private final Deliveries deliveries;
    private final DeliveryLog log;

    DeliveryController(Deliveries deliveries, DeliveryLog log) {
        this.deliveries = deliveries;
        this.log = log;
    }

    @PostMapping
    List<Delivery> submit() {
        return deliveries.submit();
    }

    @GetMapping
    List<Delivery> latest() {
        return log.latest();
    }
}
