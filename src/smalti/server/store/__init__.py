"""The one place that speaks SQL: logs of tables, keys of the site, subscriptions, what operators look up or erase."""
