"""`python -m tierce.cli`."""

from tierce.cli.main import main

if __name__ == "__main__":
    main()
