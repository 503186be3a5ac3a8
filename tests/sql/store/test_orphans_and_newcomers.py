"""What one transaction is about to drop for want of evidence, another may just have found evidence for."""

from __future__ import annotations

import threading

import psycopg
import pytest
from support.documents import Publisher, entity, relation


@pytest.mark.parametrize("drop", ["replace", "delete"])
def test_an_entity_that_gains_evidence_meanwhile_is_not_dropped(url: str, drop: str) -> None:
    with psycopg.connect(url, autocommit=True) as mine, psycopg.connect(url) as theirs:
        publish = Publisher(mine)
        said = [entity(0, "Ada", "person", "first")], [relation(0, "Ada", "Bob", ["k"], "they met")]
        publish("one", ["text"], *said)
        job = publish.claim("one", "other text") if drop == "replace" else None

        Publisher(theirs)("two", ["more"], *said)
        dropping = threading.Thread(
            target=lambda: (
                publish.publish(job, ["other text"], [], [])
                if job
                else mine.execute("SELECT pgrag.delete_document('w', 'one')")
            )
        )
        dropping.start()
        dropping.join(0.5)
        theirs.commit()
        dropping.join(20)
        assert not dropping.is_alive()

        found = mine.execute(
            "SELECT e.name, (SELECT count(*) FROM pgrag.entity_evidence v WHERE v.entity_id = e.id), e.degree"
            " FROM pgrag.entity e ORDER BY 1"
        ).fetchall()
        assert found == [("Ada", 1, 1), ("Bob", 1, 1)]
        assert mine.execute("SELECT count(*) FROM pgrag.relation_evidence").fetchone() == (1,)
        assert (
            mine.execute("SELECT * FROM pgrag.check_installation() WHERE problem NOT LIKE '%embedding%'").fetchall()
            == []
        )
