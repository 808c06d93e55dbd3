-- 0 to 9; NULL is 4.
ALTER TABLE delayjob_job ADD priority INT;
