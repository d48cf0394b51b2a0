"""What the operator of a site sees: logs, with secrets redacted, and metrics."""
