"""Pure luck: where draws come from (`derive`), deals that tables share (`shared_deal`), how to check both (`proof`)."""
