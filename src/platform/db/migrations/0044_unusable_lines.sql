-- When a line with waiting changes was last found without an integration that can be called. What is kept for such a
-- time, such as the end of an `until`, is not given up for its age at the first call that fails afterwards.
alter table availability_line add column unusable_at timestamptz;
