"""Plans as PostgreSQL explains them: of a prepared statement, and of the statements that functions run inside."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import psycopg

Plan = dict[str, Any]
MODES = ("force_generic_plan", "force_custom_plan")
BIG_TABLES = {
    *(f"{kind}_embedding" for kind in ("chunk", "entity", "relation")),
    *("chunk", "entity", "relation", "entity_evidence", "relation_evidence"),
}


def nodes(plan: Plan) -> Iterator[Plan]:
    """Every node of a plan."""
    yield plan
    for child in plan.get("Plans", ()):
        yield from nodes(child)


def plan_of(connection: psycopg.Connection, mode: str, types: str, query: str, arguments: str) -> list[Plan]:
    """The nodes of the plan that `query` gets as a prepared statement."""
    connection.execute(f"SET plan_cache_mode = {mode}")
    connection.execute(f"PREPARE asked ({types}) AS {query}")
    row = connection.execute(f"EXPLAIN (FORMAT JSON) EXECUTE asked ({arguments})").fetchone()
    connection.execute("DEALLOCATE asked")
    assert row is not None
    return list(nodes(row[0][0]["Plan"]))


def plans_inside(connection: psycopg.Connection, query: str, arguments: tuple[object, ...]) -> list[Plan]:
    """The nodes of the plans of all statements that functions of the query run, as auto_explain reports them."""
    heard: list[str] = []

    def hear(said: psycopg.errors.Diagnostic) -> None:
        heard.append(str(said.message_primary))

    connection.execute("LOAD 'auto_explain'")
    for setting, value in {
        "auto_explain.log_min_duration": "0", "auto_explain.log_nested_statements": "on",
        "auto_explain.log_format": "json", "auto_explain.log_analyze": "on", "client_min_messages": "log",
    }.items():  # fmt: skip
        connection.execute("SELECT set_config(%s, %s, true)", (setting, value))
    connection.add_notice_handler(hear)
    connection.execute(query, arguments)
    connection.remove_notice_handler(hear)
    plans = [json.loads(text[text.index("{") :]) for text in heard if "plan:" in text]
    return [node for plan in plans for node in nodes(plan["Plan"])]


def executed(plan: list[Plan]) -> list[Plan]:
    """Of what plans_inside() reports, the nodes that were not passed over."""
    return [node for node in plan if node["Actual Loops"] > 0]


def indexes(plan: list[Plan]) -> set[str]:
    """The indexes that are read."""
    return {node["Index Name"] for node in plan if "Index Name" in node}


def scanned(plan: list[Plan]) -> set[str]:
    """The big tables that are read from end to end."""
    return {node["Relation Name"] for node in plan if node["Node Type"] == "Seq Scan"} & BIG_TABLES
