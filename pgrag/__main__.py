"""`python -m pgrag`."""

from pgrag.cli import main

if __name__ == "__main__":
    main()
