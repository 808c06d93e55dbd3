package io.delayjob.demo.delivery;

import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.delivery.Binding;
import io.delayjob.delivery.DelayJobTargets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Submits jobs that leave. */
@Component
class Deliveries {

    private static final Duration DELAY = Duration.ofSeconds(10);

    private final DelayJobProducer producer;
    private final DelayJobTargets targets;
    private final Registry registry;
    private final WebhookSecret secret;
    private final DeliveryLog log;
    private final Environment environment;

    Deliveries(
            DelayJobProducer producer,
            DelayJobTargets targets,
            Registry registry,
            WebhookSecret secret,
            DeliveryLog log,
            Environment environment) {
        this.producer = producer;
        this.targets = targets;
        this.registry = registry;
        this.secret = secret;
        this.log = log;
        this.environment = environment;
    }

    /** Binds the topics to receivers in this process, and submits a job to each, due in ten seconds. */
    List<Delivery> submit() {
        registry.start();
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        return Stream.of(Way.values()).map(way -> submit(way, bind(way), now)).toList();
    }

    private String bind(Way way) {
        String target = target(way);
        Binding binding = Binding.of(way.topic(), target);
        targets.bind(way == Way.WEBHOOK ? binding.withSecrets(secret.value()) : binding);
        return target;
    }

    private String target(Way way) {
        return switch (way) {
            case WEBHOOK -> "http://127.0.0.1:%s/webhook".formatted(environment.getProperty("local.server.port"));
            case SERVICE -> "lb://" + Registry.SERVICE + Registry.PATH;
            case MESSAGE -> "jms:" + Inbox.QUEUE;
        };
    }

    private Delivery submit(Way way, String target, Instant now) {
        Instant dueAt = now.plus(DELAY);
        DelayJobRequest<Notice> request = DelayJobRequest.toTopic(way.topic(), new Notice("an order was paid"));
        Delivery delivery = new Delivery(producer.submit(request, dueAt).id(), way, target, now, dueAt, null);
        log.submitted(delivery);
        return delivery;
    }
}
