-- PostgreSQL keeps the log in partitions from this step on. SQLite has none.
SELECT 1;
