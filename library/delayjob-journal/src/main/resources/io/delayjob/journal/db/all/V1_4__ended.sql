-- The jobs of a queue that have ended, the last ones first.
CREATE INDEX delayjob_job_ended ON delayjob_job (queue, finished_at DESC, seq DESC)${where_finished};
