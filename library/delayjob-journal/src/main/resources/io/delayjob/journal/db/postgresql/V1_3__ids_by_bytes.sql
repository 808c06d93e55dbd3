-- Ids are compared by their bytes, as in Redis and in the other databases, so that an index finds them by their beginning.
ALTER TABLE delayjob_job ALTER COLUMN id TYPE VARCHAR(128) COLLATE "C";
