"""The reverse sweep: what each operation of the forward sweep becomes, and what must be saved for it."""
