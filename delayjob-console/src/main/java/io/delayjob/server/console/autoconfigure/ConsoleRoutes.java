package io.delayjob.server.console.autoconfigure;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.DelayJobJournal;
import io.delayjob.engine.DelayJobEngine;
import io.delayjob.redisson.events.EventStream;
import io.delayjob.server.console.internal.access.ConsoleFilter;
import io.delayjob.server.console.internal.access.LoginController;
import io.delayjob.server.console.internal.access.Sessions;
import io.delayjob.server.console.internal.audit.Audit;
import io.delayjob.server.console.internal.audit.AuditController;
import io.delayjob.server.console.internal.audit.AuditFilter;
import io.delayjob.server.console.internal.bulk.RunStore;
import io.delayjob.server.console.internal.bulk.Runner;
import io.delayjob.server.console.internal.bulk.RunsController;
import io.delayjob.server.console.internal.jobs.ErrorsController;
import io.delayjob.server.console.internal.jobs.JobController;
import io.delayjob.server.console.internal.jobs.QueueController;
import io.delayjob.server.console.internal.jobs.Redaction;
import io.delayjob.server.console.internal.jobs.SearchController;
import io.delayjob.server.console.internal.journal.JournalPages;
import io.delayjob.server.console.internal.look.Looker;
import io.delayjob.server.console.internal.look.OverviewController;
import io.delayjob.server.console.internal.pages.Assets;
import io.delayjob.server.console.internal.pages.AssetsController;
import io.delayjob.server.console.internal.pages.PageProblems;
import io.delayjob.server.console.internal.pages.Pages;
import io.delayjob.server.internal.jobs.ActionsController;
import io.delayjob.server.internal.web.ServerRedis;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The pages of the console and what they need. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(DelayJobConsoleProperties.class)
@Import({
    AssetsController.class,
    LoginController.class,
    OverviewController.class,
    QueueController.class,
    JobController.class,
    SearchController.class,
    ErrorsController.class,
    RunsController.class,
    AuditController.class,
    PageProblems.class
})
class ConsoleRoutes {

    private static final int EVENTS_KEPT = 10_000;

    @Bean
    static Assets delayJobConsoleAssets() {
        return new Assets();
    }

    @Bean
    static Pages delayJobConsolePages(
            DelayJobConsoleProperties properties, ObjectProvider<DelayJobJournal> journal, Assets assets) {
        return new Pages(properties.path(), properties.readOnly(), journal.getIfAvailable() != null, assets);
    }

    @Bean
    static Sessions delayJobConsoleSessions(ServerRedis redis, DelayJobConsoleProperties properties) {
        return new Sessions(redis, properties.session());
    }

    @Bean
    static ConsoleFilter delayJobConsoleFilter(Pages pages, Sessions sessions, DelayJobConsoleProperties properties) {
        return new ConsoleFilter(pages, sessions, properties.readOnly());
    }

    @Bean
    static Redaction delayJobConsoleRedaction(DelayJobConsoleProperties properties) {
        return new Redaction(properties.redact());
    }

    @Bean
    static Audit delayJobConsoleAudit(ServerRedis redis, DelayJobConsoleProperties properties) {
        return new Audit(redis, properties.auditKept());
    }

    @Bean
    static AuditFilter delayJobConsoleAuditFilter(Audit audit) {
        return new AuditFilter(audit);
    }

    @Bean
    static RunStore delayJobConsoleRuns(ServerRedis redis) {
        return new RunStore(redis);
    }

    @Bean
    static Runner delayJobConsoleRunner(
            AsyncDelayJobAdmin admin, ActionsController actions, RunStore runs, Audit audit) {
        return new Runner(admin, actions, runs, audit);
    }

    /** Where there is a journal. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(DelayJobJournal.class)
    @Import(JournalPages.class)
    static class Journal {}

    @Bean
    static Looker delayJobConsoleLooker(
            AsyncDelayJobAdmin admin, DelayJobEngine engine, EventStream stream, ServerRedis redis) {
        return new Looker(admin, engine, stream, EVENTS_KEPT, redis);
    }
}
