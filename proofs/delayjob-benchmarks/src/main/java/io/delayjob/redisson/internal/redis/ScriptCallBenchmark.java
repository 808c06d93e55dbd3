package io.delayjob.redisson.internal.redis;

import io.delayjob.engine.ledger.Claimed;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullMarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Cost per job of the calls of a full batch, apart from Redisson and Redis: packing arguments and reading answers. */
@NullMarked
@State(Scope.Thread)
public class ScriptCallBenchmark {

    private static final int JOBS = 500;
    private static final String ID = "oeML5SvcRquyrrtx2iFR";

    private final List<Object> answer = answer();
    private final PackedArgs completion = completion();

    /** An answer in the format of claim.lua, see there. */
    private static List<Object> answer() {
        List<Object> answer = new ArrayList<>(List.of(1_766_000_000_000L, "BUSY", 0L, "1:random", 1L, 1L, 0L));
        for (int i = 0; i < JOBS; i++) {
            answer.add(ID + i);
            answer.add("{\"v\":1,\"at\":1766000000000,\"job\":\"close-order\",\"param\":{}}");
            answer.add("1766000000000");
        }
        return answer;
    }

    /** Arguments of a completion in the format that is sent: ids, tokens, lengths and results of jobs. */
    private static PackedArgs completion() {
        List<Object> args = new ArrayList<>(List.of(1L, 0L, 0));
        for (int i = 0; i < JOBS; i++) {
            args.addAll(List.of(ID + i, "1:random", 180, ""));
        }
        return new PackedArgs(args);
    }

    /** The answer of a claim, from what Redisson has decoded. */
    @Benchmark
    @OperationsPerInvocation(JOBS)
    public Claimed readClaim() {
        return Answers.claimed(answer);
    }

    /** The arguments of a completion, to the bytes that are sent. */
    @Benchmark
    @OperationsPerInvocation(JOBS)
    public int packCompletion() throws IOException {
        ByteBuf packed = PackedArgs.CODEC.getValueEncoder().encode(completion);
        int bytes = packed.readableBytes();
        packed.release();
        return bytes;
    }
}
