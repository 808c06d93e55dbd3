package io.delayjob.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayjob.delivery.BindingStatus.State;
import io.delayjob.delivery.RefusedBindingException.Reason;
import io.delayjob.testing.RealRedis;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Bindings that are made and changed for others, on two nodes. */
@RealRedis
class MakersIT {

    private static final String PREFIX = DeliveryNode.prefix();
    private static DeliveryNode node;
    private static DeliveryNode other;

    @BeforeAll
    static void open() {
        node = DeliveryNode.open(PREFIX, beans -> beans.registerBean(FakeTransport.class, FakeTransport::new));
        other = DeliveryNode.open(PREFIX, beans -> beans.registerBean(FakeTransport.class, FakeTransport::new));
    }

    @AfterAll
    static void close() {
        node.close();
        other.close();
    }

    private static Maker maker(String name, int most, Predicate<String> queues) {
        return new Maker(name, queues, most, most);
    }

    /** A maker for queues that begin alike, for whom something happens the first time that it is asked whether one is its own. */
    private static DelayJobTargets whenAsked(String queues, Runnable happens) {
        AtomicBoolean asked = new AtomicBoolean();
        return node.targets().as(maker("late", 10, queue -> {
            if (asked.compareAndSet(false, true)) {
                happens.run();
            }
            return queue.startsWith(queues);
        }));
    }

    /** Each change of a binding that became another's between the look and the change is refused. */
    @Test
    void aBindingThatBecomesAnothersMeanwhileIsNotChanged() {
        List<Consumer<DelayJobTargets>> changes = List.of(
                targets -> assertThatExceptionOfType(RefusedBindingException.class)
                        .isThrownBy(() ->
                                targets.bind(Binding.of("raced", "fake:mine").withQueue("mine-2")))
                        .satisfies(refused -> assertThat(refused.reason()).isEqualTo(Reason.NOT_ITS_OWN)),
                targets -> assertThatExceptionOfType(RefusedBindingException.class)
                        .isThrownBy(() -> targets.bindNew(List.of(
                                Binding.of("raced", "fake:mine").withQueue("mine-2"),
                                Binding.of("raced-too", "fake:mine-too").withQueue("mine-3")))),
                targets -> assertThat(targets.unbind("raced")).isFalse(),
                targets -> assertThat(targets.pause("raced")).isFalse(),
                targets -> assertThat(targets.resume("raced")).isFalse(),
                targets -> assertThat(targets.unbindAll("owner")).isZero());
        for (Consumer<DelayJobTargets> change : changes) {
            DelayJobTargets owner = other.targets().as(maker("owner", 10, queue -> true));
            owner.bind(Binding.of("raced", "fake:before").withQueue("mine-1"));

            change.accept(whenAsked(
                    "mine", () -> owner.bind(Binding.of("raced", "fake:theirs").withQueue("theirs"))));

            assertThat(other.targets().find("raced")).hasValueSatisfying(status -> {
                assertThat(status.binding().target()).isEqualTo("fake:theirs");
                assertThat(status.state()).isNotIn(State.PAUSED, State.CLOSED);
                assertThat(status.maker()).isEqualTo("owner");
            });
            assertThat(other.targets().find("raced-too")).isEmpty();
            other.targets().unbind("raced");
        }
    }

    @Test
    void changesOfTwoNodesAtOnceAreBothMade() {
        node.targets().bind(Binding.of("both-1", "fake:x").withQueue("mine-b"));

        whenAsked("mine", () -> other.targets().bind(Binding.of("both-2", "fake:y")))
                .pause("both-1");

        assertThat(node.targets().find("both-1").orElseThrow().state()).isEqualTo(State.PAUSED);
        assertThat(node.targets().find("both-2")).isPresent();
        node.targets().unbind("both-1");
        node.targets().unbind("both-2");
    }

    @Test
    void aMakerSeesAndBindsWithinItsBoundsAndGivesRoomBack() {
        DelayJobTargets few = node.targets().as(maker("few", 2, queue -> queue.startsWith("few")));
        node.targets().bind(Binding.of("of-application", "fake:x"));
        few.bindNew(List.of(Binding.of("few-1", "fake:1"), Binding.of("few-2", "fake:2")));

        assertThatExceptionOfType(RefusedBindingException.class)
                .isThrownBy(() -> few.bind(Binding.of("few-3", "fake:3")))
                .withMessageContaining("few has bound 2 topics, and may bind 2")
                .satisfies(refused -> assertThat(refused.reason()).isEqualTo(Reason.TOO_MANY));
        few.bind(Binding.of("few-2", "fake:anew"));
        assertThat(few.list()).extracting(status -> status.binding().topic()).containsExactly("few-1", "few-2");
        assertThat(few.find("of-application")).isEmpty();
        assertThat(few.unbind("of-application")).isFalse();
        few.unbind("few-1");
        few.bind(Binding.of("few-3", "fake:3"));

        assertThat(node.targets().unbindAll("few")).isEqualTo(2);

        assertThat(node.targets().list())
                .extracting(status -> status.binding().topic())
                .contains("of-application")
                .noneMatch(topic -> topic.startsWith("few"));
        node.targets().unbind("of-application");
    }
}
