"""`python -m tierce.cli`."""

from tierce.cli import main

if __name__ == "__main__":
    main()
