package io.delayjob.journal.internal.writing;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A database whose connection breaks at a step: at the execution of a statement, before a commit, or after it. */
public final class FailingDatabase extends DelegatingDataSource {

    private static final Set<String> STEPS = Set.of("execute", "executeQuery", "executeUpdate", "executeBatch");

    private int stepsLeft = Integer.MAX_VALUE;
    private boolean broken;
    private volatile CountDownLatch answers = new CountDownLatch(0);

    public FailingDatabase(DataSource database) {
        super(database);
    }

    /** Breaks at the step after so many others; a commit counts for two, so that it can break before and after. */
    public synchronized void breakAfter(int steps) {
        stepsLeft = steps;
        broken = false;
    }

    /** Breaks no more; answers whether it had. */
    synchronized boolean repair() {
        boolean was = broken;
        breakAfter(Integer.MAX_VALUE);
        return was;
    }

    /** Does not answer any more until it is told to. */
    void hang() {
        answers = new CountDownLatch(1);
    }

    /** Answers again. */
    void answer() {
        answers.countDown();
    }

    @Override
    public Connection getConnection() throws SQLException {
        step();
        Connection real = super.getConnection();
        return proxy(Connection.class, (self, method, values) -> {
            if (method.getName().equals("commit")) {
                step();
                call(real, method, values);
                step();
                return null;
            }
            Object answer = call(real, method, values);
            return answer instanceof PreparedStatement statement
                    ? proxy(PreparedStatement.class, handler(statement))
                    : answer instanceof Statement statement ? proxy(Statement.class, handler(statement)) : answer;
        });
    }

    private InvocationHandler handler(Object statement) {
        return (self, method, values) -> {
            if (STEPS.contains(method.getName())) {
                step();
            }
            return call(statement, method, values);
        };
    }

    private void step() throws SQLException {
        awaitAnswers();
        breakIfItIsTime();
    }

    /** Threads of a writer come here at the same time. */
    private synchronized void breakIfItIsTime() throws SQLException {
        if (broken || stepsLeft-- <= 0) {
            broken = true;
            throw new SQLException("the connection is broken", "08006");
        }
    }

    private void awaitAnswers() throws SQLException {
        try {
            answers.await();
        } catch (InterruptedException e) {
            throw new SQLException(e);
        }
    }

    private static Object call(Object target, Method method, Object[] values) throws Throwable {
        try {
            return method.invoke(target, values);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
