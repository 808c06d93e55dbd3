package io.delayjob.reliability.node;

import io.delayjob.DelayJobProducer;
import io.delayjob.engine.extension.Transactions;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Additional beans of a node with a journal: a trap in its database; with {@code node.orders}, orders that it places; and with
 * {@code node.leaves-relay}, commits after which it does not bring its jobs to Redis, as if it had died then.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("spring.datasource.url")
class NodeDatabase {

    @Bean
    static BeanPostProcessor trapsInTheDatabase(ObjectProvider<Trap> trap) {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                return bean instanceof DataSource database ? new TrappedDatabase(database, trap.getObject()) : bean;
            }
        };
    }

    @Bean
    @ConditionalOnProperty("node.orders")
    Orders orders(
            Journal journal,
            DelayJobProducer producer,
            JdbcTemplate jdbc,
            TransactionTemplate transaction,
            @Value("${delayjob.node}") String node,
            @Value("${node.orders}") int count) {
        return new Orders(journal, producer, jdbc, transaction, node, count);
    }

    @Bean
    @ConditionalOnProperty("node.leaves-relay")
    Transactions transactionsThatSendNothing() {
        return submit -> true;
    }
}
