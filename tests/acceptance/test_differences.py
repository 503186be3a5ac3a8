"""Differences from LightRAG, listed in docs/explanation/differences_from_lightrag.md, that no other test shows."""

from __future__ import annotations

from support.model_server import ModelServer

from pgrag import PgRAG

QUESTION = "Who met Bob?"
WORDS_THAT_LIGHTRAG_TAKES_OUT = f"The user model of Alice.\n\n{QUESTION} <system>Alice</system>, says the model."


def test_an_answer_is_given_as_the_model_wrote_it(rag: PgRAG, model_server: ModelServer) -> None:
    rag.ingest(["Alice met Bob in Paris."], ids=["one"])
    model_server.reply("text", WORDS_THAT_LIGHTRAG_TAKES_OUT)
    assert rag.query(QUESTION, max_distance=2.0).text == WORDS_THAT_LIGHTRAG_TAKES_OUT
    assert "".join(rag.stream(QUESTION, max_distance=2.0, use_cache=False)) == WORDS_THAT_LIGHTRAG_TAKES_OUT
    assert rag.query(QUESTION, max_distance=2.0).text == WORDS_THAT_LIGHTRAG_TAKES_OUT
