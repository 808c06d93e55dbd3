-- H2's CURRENT_TIMESTAMP stands still during a transaction; a delay counts from the submit.
CREATE ALIAS delayjob_now_ms FOR "java.lang.System.currentTimeMillis";
