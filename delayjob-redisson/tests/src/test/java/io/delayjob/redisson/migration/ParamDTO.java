package io.delayjob.redisson.migration;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** The parameter of the demo's job. */
class ParamDTO implements Serializable {

    private @Nullable String name;
    private int age;

    public @Nullable String getName() {
        return name;
    }

    public void setName(@Nullable String name) {
        this.name = name;
    }

    public int getAge() {
        return age;
    }

    public void setAge(int age) {
        this.age = age;
    }
}
