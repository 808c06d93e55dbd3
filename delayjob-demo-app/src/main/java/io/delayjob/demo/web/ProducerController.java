package io.delayjob.demo.web;

import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;

/** Submits jobs. GET is there so that a browser's address bar can do it. */
@RestController
@RequestMapping("/api/delayJob/producer")
final class ProducerController {

    private final Jobs jobs;

    ProducerController(Jobs jobs) {
        this.jobs = jobs;
    }

    @RequestMapping(method = {RequestMethod.GET, RequestMethod.POST})
    Submitted submit(@ModelAttribute SubmitForm form) {
        return jobs.submit(Submission.of(form));
    }

    @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
    Submitted submitJson(@RequestBody SubmitForm form) {
        return jobs.submit(Submission.of(form));
    }
}
