-- The step that finds the end of an upload writes it; what it found is not kept beside it any more. An upload whose end
-- was found and not yet written is tried again: a push replaces the whole menu, a task is asked about again.
alter table menu_upload drop column verdict;
