-- What is to be brought to Redis next, however many jobs have the same time.
CREATE INDEX delayjob_job_due ON delayjob_job (queue, shard, relay_at, seq)${where_relay};
DROP INDEX delayjob_job_relay${of_job};
