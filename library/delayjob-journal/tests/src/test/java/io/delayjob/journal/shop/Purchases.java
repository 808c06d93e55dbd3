package io.delayjob.journal.shop;

import org.springframework.data.jpa.repository.JpaRepository;

interface Purchases extends JpaRepository<Purchase, String> {}
