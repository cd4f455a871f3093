-- Apart from what made the index in its place: a statement that takes a further lock of the table, beside those that write to
-- it, would wait for itself.
DROP INDEX workflow.run_trigger_name_queued_at_idx;
