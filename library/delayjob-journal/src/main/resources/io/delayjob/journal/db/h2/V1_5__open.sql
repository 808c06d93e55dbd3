-- H2 looks up each id of a list only by an index that begins with the id, and that does not have the column of an IS NULL.
DROP INDEX delayjob_job_open;
CREATE INDEX delayjob_job_open ON delayjob_job (id, queue);
