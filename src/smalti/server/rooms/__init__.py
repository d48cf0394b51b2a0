"""Everything that is live: tables with the pages that look at them, who is present, what each is shown."""
