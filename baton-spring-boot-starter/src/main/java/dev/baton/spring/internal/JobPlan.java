package dev.baton.spring.internal;

import dev.baton.Baton;
import dev.baton.Job;
import dev.baton.JobOptions;
import dev.baton.Schedule;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;

/**
 * A method that is a job, and what its annotation says. Immutable.
 *
 * @param name of the job
 * @param client the name of the bean that has the job; empty for the primary one
 * @param options of the job
 * @param schedule its fire times
 * @param bean whose method it is; a proxy, if it has one
 * @param method of the class of the bean
 * @param source bean and method, for messages
 */
record JobPlan(
        String name, String client, JobOptions options, Schedule schedule, Object bean, Method method, String source) {
    /** Returns by what an application tells its jobs apart. */
    String key() {
        return client.isEmpty() ? name : name + " of " + client;
    }

    /**
     * Returns the client that has the job.
     *
     * @throws IllegalStateException if there is none, or are several
     */
    Baton baton(BeanFactory beans) {
        try {
            return client.isEmpty() ? beans.getBean(Baton.class) : beans.getBean(client, Baton.class);
        } catch (NoSuchBeanDefinitionException missing) {
            throw new IllegalStateException(
                    "@ClusterScheduled on " + source + " has no client: name the bean in baton, or mark one of several"
                            + " @Primary",
                    missing);
        }
    }

    /** Calls the method for one fire time. */
    void run(Job.Run run) throws Exception {
        Object result;
        try {
            result = method.getParameterCount() == 0 ? method.invoke(bean) : method.invoke(bean, run);
        } catch (InvocationTargetException thrown) {
            throw failure(thrown);
        }
        if (result != null && Ends.isHiddenLater(method, result)) {
            throw new IllegalStateException("@ClusterScheduled on " + source + " has returned a "
                    + result.getClass().getSimpleName()
                    + ", which goes on after its run: wait for its end in the method");
        }
    }

    private static Exception failure(InvocationTargetException thrown) {
        Throwable cause = thrown.getTargetException();
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof Exception exception ? exception : thrown;
    }
}
