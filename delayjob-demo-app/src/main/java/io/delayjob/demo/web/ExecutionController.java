package io.delayjob.demo.web;

import io.delayjob.demo.job.Attempt;
import io.delayjob.demo.job.ExecutionLog;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Lists what ran in this process, newest first. */
@RestController
final class ExecutionController {

    private final ExecutionLog executions;

    ExecutionController(ExecutionLog executions) {
        this.executions = executions;
    }

    @GetMapping("/api/delayJob/executions")
    List<Attempt> latest(@RequestParam(required = false) @Nullable String limit) {
        long most = ExecutionLog.CAPACITY;
        return executions.latest(
                Parameters.number("limit", limit, 1, most).orElse(most).intValue());
    }
}
