"""Writers of documents that share entities queue; none of them has to be undone because two wait for each other."""

from __future__ import annotations

import threading

import psycopg
from support.documents import Publisher, entity, relation


def test_who_spells_a_name_anew_does_not_wait_for_its_neighbours(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as mine, psycopg.connect(url) as theirs:
        publish = Publisher(mine)
        publish("one", ["text"], [entity(0, "Ada", "t", "a")], [relation(0, "Ada", "Bob", ["k"], "they met")])
        job = publish.claim("two", "more")
        job_of_theirs = publish.claim("three", "most")

        # As far as publishing document three comes before another writer, of document two, has Ada.
        theirs.execute("SELECT FROM pgrag.entity e WHERE e.name = 'Bob' FOR NO KEY UPDATE")
        failures: list[BaseException] = []
        other = threading.Thread(target=lambda: _publish_both(publish, job, failures))
        other.start()
        other.join(0.5)
        assert other.is_alive(), "it was to wait for Bob"
        spelled = [entity(index, "BOB", "t", "b") for index in range(3)]
        Publisher(theirs).publish(job_of_theirs, ["x", "y", "z"], spelled, [])
        theirs.commit()
        other.join(20)

        assert failures == []
        assert mine.execute("SELECT e.name FROM pgrag.entity e ORDER BY 1").fetchall() == [("Ada",), ("BOB",)]


def _publish_both(publish: Publisher, job: int, failures: list[BaseException]) -> None:
    try:
        publish.publish(job, ["more"], [entity(0, "Ada", "t", "a"), entity(0, "Bob", "t", "b")], [])
    except psycopg.Error as error:
        failures.append(error)
