"""What several kinds of tests share: servers that stand in for the world outside."""
