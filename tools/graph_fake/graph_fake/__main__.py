"""Serves the fake: `python -m graph_fake --port 8010`."""

import argparse

import uvicorn

from graph_fake.app import make_app
from graph_fake.seeding import read_seed
from graph_fake.world import World


def main() -> None:
    """Serve until the process is stopped."""
    parser = argparse.ArgumentParser(prog="python -m graph_fake", description="A stateful fake of Microsoft Graph.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8010)
    parser.add_argument("--seed", help="a file of JSON with tenants, as POST /_control/tenants takes each of them")
    options = parser.parse_args()
    world = World()
    if options.seed:
        read_seed(world, options.seed)
    uvicorn.run(make_app(world), host=options.host, port=options.port, log_level="warning")


if __name__ == "__main__":
    main()
