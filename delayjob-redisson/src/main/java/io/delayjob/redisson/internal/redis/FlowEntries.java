package io.delayjob.redisson.internal.redis;

import io.delayjob.engine.ledger.Fence;
import io.delayjob.engine.ledger.Flow;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** Reads the answers of the scripts of the flow log. */
final class FlowEntries {

    /** How many elements of a page come before its entries. */
    private static final int HEAD = 6;

    private FlowEntries() {}

    static Flow.Page page(List<Object> answer) {
        List<Flow.Step> steps = new ArrayList<>();
        int place = HEAD;
        while (place < answer.size()) {
            String position = (String) answer.get(place);
            int length = ((Long) answer.get(place + 1)).intValue();
            int begin = place + 2;
            steps.addAll(new FlowEntry(position).read(answer.subList(begin, begin + length)));
            place = begin + length;
        }
        return new Flow.Page(
                (Long) answer.get(0) == 1,
                steps,
                (String) answer.get(1),
                (String) answer.get(2),
                (Long) answer.get(3),
                (Long) answer.get(4),
                Fence.of((String) answer.get(5)));
    }

    static Flow.Missing missing(List<Object> answer) {
        HashSet<String> ids = new HashSet<>();
        answer.subList(1, answer.size()).forEach(id -> ids.add((String) id));
        return new Flow.Missing(ids, (String) answer.get(0));
    }
}
