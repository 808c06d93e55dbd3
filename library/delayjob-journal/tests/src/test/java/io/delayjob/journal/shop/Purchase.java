package io.delayjob.journal.shop;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** A purchase of a customer. */
@Entity
class Purchase {

    @Id
    private String id = "";

    /** For JPA. */
    protected Purchase() {}

    Purchase(String id) {
        this.id = id;
    }

    String id() {
        return id;
    }
}
