"""Documents and hands at random, step by step: nothing is ever out of step, and order leaves no trace."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test
from support.corpora import World
from support.machines import AnythingGoes, DocumentsComeAndGo, HandsAtWork

MACHINES = (DocumentsComeAndGo, HandsAtWork, AnythingGoes)
some = settings(
    max_examples=6,
    stateful_step_count=30,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
many = settings(some, max_examples=100, stateful_step_count=50, derandomize=False)


@pytest.fixture
def world(url: str) -> Iterator[World]:
    made = World(url)
    yield made
    deadlocks = made.deadlocks()
    made.close()
    assert deadlocks == 0


@pytest.mark.parametrize("machine", MACHINES)
def test_nothing_is_ever_out_of_step(world: World, machine: type[RuleBasedStateMachine]) -> None:
    run_state_machine_as_test(lambda: machine(world), settings=some)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("machine", MACHINES)
def test_nothing_is_ever_out_of_step_in_long_runs(world: World, machine: type[RuleBasedStateMachine]) -> None:
    run_state_machine_as_test(lambda: machine(world), settings=many)
