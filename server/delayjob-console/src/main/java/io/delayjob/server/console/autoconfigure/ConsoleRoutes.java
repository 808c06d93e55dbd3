package io.delayjob.server.console.autoconfigure;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.DelayJobJournal;
import io.delayjob.delivery.DelayJobTargets;
import io.delayjob.engine.DelayJobEngine;
import io.delayjob.redisson.history.HistoryStore;
import io.delayjob.server.console.internal.access.AtOnce;
import io.delayjob.server.console.internal.access.ConsoleFilter;
import io.delayjob.server.console.internal.access.LoginController;
import io.delayjob.server.console.internal.access.RequestsAtOnce;
import io.delayjob.server.console.internal.access.Sessions;
import io.delayjob.server.console.internal.audit.Audit;
import io.delayjob.server.console.internal.audit.AuditController;
import io.delayjob.server.console.internal.audit.AuditFilter;
import io.delayjob.server.console.internal.audit.PathState;
import io.delayjob.server.console.internal.audit.QueuePathState;
import io.delayjob.server.console.internal.bulk.RunStore;
import io.delayjob.server.console.internal.bulk.Runner;
import io.delayjob.server.console.internal.bulk.RunsController;
import io.delayjob.server.console.internal.bulk.UndoStore;
import io.delayjob.server.console.internal.jobs.ErrorsController;
import io.delayjob.server.console.internal.jobs.ExportController;
import io.delayjob.server.console.internal.jobs.FaultMarks;
import io.delayjob.server.console.internal.jobs.GroupController;
import io.delayjob.server.console.internal.jobs.JobController;
import io.delayjob.server.console.internal.jobs.LimitsController;
import io.delayjob.server.console.internal.jobs.LimitsPathState;
import io.delayjob.server.console.internal.jobs.QueueController;
import io.delayjob.server.console.internal.jobs.Redaction;
import io.delayjob.server.console.internal.jobs.SearchController;
import io.delayjob.server.console.internal.jobs.SelectedController;
import io.delayjob.server.console.internal.journal.JournalConcerns;
import io.delayjob.server.console.internal.journal.JournalPages;
import io.delayjob.server.console.internal.look.Looker;
import io.delayjob.server.console.internal.look.MoreConcerns;
import io.delayjob.server.console.internal.look.OverviewController;
import io.delayjob.server.console.internal.look.PlacesController;
import io.delayjob.server.console.internal.pages.Assets;
import io.delayjob.server.console.internal.pages.AssetsController;
import io.delayjob.server.console.internal.pages.PageProblems;
import io.delayjob.server.console.internal.pages.Pages;
import io.delayjob.server.console.internal.pages.UnknownPages;
import io.delayjob.server.console.internal.recurring.RecurringPages;
import io.delayjob.server.console.internal.recurring.SchedulePathState;
import io.delayjob.server.console.internal.targets.TargetConcerns;
import io.delayjob.server.console.internal.targets.TargetPathState;
import io.delayjob.server.console.internal.targets.TargetsPages;
import io.delayjob.server.console.internal.tokens.TokenPathState;
import io.delayjob.server.console.internal.tokens.TokensPages;
import io.delayjob.server.console.internal.work.NodesController;
import io.delayjob.server.console.internal.work.ScheduleController;
import io.delayjob.server.jobs.JobActions;
import io.delayjob.server.journal.Journals;
import io.delayjob.server.queues.QueueLimits;
import io.delayjob.server.queues.Queues;
import io.delayjob.server.redis.ServerRedis;
import io.delayjob.server.schedules.Schedules;
import io.delayjob.server.targets.Targets;
import io.delayjob.server.tokens.Tokens;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
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
    PlacesController.class,
    QueueController.class,
    LimitsController.class,
    JobController.class,
    SelectedController.class,
    SearchController.class,
    ErrorsController.class,
    GroupController.class,
    RunsController.class,
    AuditController.class,
    ExportController.class,
    NodesController.class,
    RecurringPages.class,
    ScheduleController.class,
    PageProblems.class,
    UnknownPages.class
})
class ConsoleRoutes {

    private static final String PART = "delayJobConsole-";

    @Bean
    static Assets delayJobConsoleAssets() {
        return new Assets();
    }

    @Bean
    static Pages delayJobConsolePages(DelayJobConsoleProperties properties, ListableBeanFactory beans, Assets assets) {
        Set<String> parts = Stream.of("journal", "targets", "tokens")
                .filter(part -> beans.containsBean(PART + part))
                .collect(Collectors.toSet());
        return new Pages(properties.path(), properties.readOnly(), parts, assets);
    }

    @Bean
    static Sessions delayJobConsoleSessions(ServerRedis redis, DelayJobConsoleProperties properties) {
        return new Sessions(redis, properties.session(), properties.limits().signInsPerCaller());
    }

    @Bean
    static ConsoleFilter delayJobConsoleFilter(Pages pages, Sessions sessions, DelayJobConsoleProperties properties) {
        return new ConsoleFilter(pages, sessions, properties.readOnly());
    }

    @Bean
    static RequestsAtOnce delayJobConsoleRequests(Pages pages, DelayJobConsoleProperties properties) {
        return new RequestsAtOnce(pages, properties.limits().worked());
    }

    @Bean
    static AtOnce delayJobConsoleLivePages(DelayJobConsoleProperties properties) {
        return properties.limits().followed();
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
    static AuditFilter delayJobConsoleAuditFilter(Audit audit, ObjectProvider<PathState> states) {
        return new AuditFilter(audit, states.orderedStream().toList());
    }

    @Bean
    static QueuePathState delayJobConsoleQueuePathState(AsyncDelayJobAdmin admin) {
        return new QueuePathState(admin);
    }

    @Bean
    static LimitsPathState delayJobConsoleLimitsPathState(QueueLimits limits) {
        return new LimitsPathState(limits);
    }

    @Bean
    static SchedulePathState delayJobConsoleSchedulePathState(Schedules schedules) {
        return new SchedulePathState(schedules);
    }

    @Bean
    static RunStore delayJobConsoleRuns(ServerRedis redis) {
        return new RunStore(redis);
    }

    @Bean
    static Runner delayJobConsoleRunner(
            AsyncDelayJobAdmin admin, JobActions actions, RunStore runs, UndoStore undo, Audit audit) {
        return new Runner(admin, actions, runs, undo, audit);
    }

    /** Where there is a journal. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(DelayJobJournal.class)
    static class Journal {

        @Bean(PART + "journal")
        JournalPages journal(Pages pages, Journals journals, Queues queues, Audit audit) {
            return new JournalPages(pages, journals, queues, audit);
        }

        @Bean
        JournalConcerns delayJobConsoleJournalConcerns(DelayJobJournal journal) {
            return new JournalConcerns(journal);
        }
    }

    /** Where jobs are delivered to targets. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "io.delayjob.delivery.DelayJobTargets")
    static class Delivery {

        @Configuration(proxyBeanMethods = false)
        @ConditionalOnBean(type = "io.delayjob.delivery.DelayJobTargets")
        static class Bound {

            @Bean(PART + "targets")
            TargetsPages targets(Pages pages, Targets targets, Audit audit) {
                return new TargetsPages(pages, targets, audit);
            }

            @Bean
            TargetPathState delayJobConsoleTargetPathState(Targets targets) {
                return new TargetPathState(targets);
            }

            @Bean
            TargetConcerns delayJobConsoleTargetConcerns(DelayJobTargets targets) {
                return new TargetConcerns(targets);
            }
        }
    }

    /** Where callers have tokens. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(Tokens.class)
    static class WithTokens {

        @Bean(PART + "tokens")
        TokensPages tokens(Pages pages, Tokens tokens, Audit audit) {
            return new TokensPages(pages, tokens, audit);
        }

        @Bean
        TokenPathState delayJobConsoleTokenPathState(Tokens tokens) {
            return new TokenPathState(tokens);
        }
    }

    @Bean
    static UndoStore delayJobConsoleUndo(ServerRedis redis) {
        return new UndoStore(redis);
    }

    @Bean
    static FaultMarks delayJobConsoleFaultMarks(ServerRedis redis) {
        return new FaultMarks(redis);
    }

    @Bean
    static Looker delayJobConsoleLooker(
            AsyncDelayJobAdmin admin, DelayJobEngine engine, HistoryStore history, ObjectProvider<MoreConcerns> more) {
        return new Looker(admin, engine, history, more.orderedStream().toList());
    }
}
