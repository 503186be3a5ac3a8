"""The picture, looked at in a real browser: what it draws, what it answers, how fast, and that it reaches nowhere."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from acceptance.chromium import Chromium, PageError, find_chromium

from pgrag.picture import GraphPicture, PictureEdge, PictureNode, render_page

pytestmark = pytest.mark.skipif(
    find_chromium() is None, reason="no Chromium or Chrome on this machine (Debian: apt-get install chromium)"
)

HOSTILE = (
    "</script><script>window.intruder = 1</script>",
    '"><img src=x onerror="window.intruder = 1">',
    "<b>bold</b> & 'quotes' \"too\"",
    "聖誕頌歌 🎄👨‍👩‍👧",
    "שלום \u202eright to left\u202c עולם",
    "Café Crème",
    "x" * 10_000,
)
LAST_FRAMES = 90
FRAME_BUDGET_MS = 1000 / 60
Open = Callable[..., Chromium]


@pytest.fixture(scope="module")
def browser() -> Iterator[Chromium]:
    with Chromium(str(find_chromium())) as chromium:
        yield chromium


@pytest.fixture
def show(browser: Chromium, tmp_path: Path) -> Iterator[Open]:
    """Opens the page of a graph and waits until it is at rest; afterwards nothing may have gone wrong in it."""
    page = tmp_path / "graph.html"

    def opened(graph: GraphPicture, fragment: str = "", **window: Any) -> Chromium:
        browser.set_window(**{"width": 1200, "height": 800, **window})
        page.write_text(render_page(graph), encoding="utf-8")
        browser.open(page, fragment)
        rest(browser)
        return browser

    yield opened
    rest(browser)
    assert browser.errors == []
    assert {url.partition("#")[0] for url in browser.requests if not url.startswith("data:")} == {page.as_uri()}


def rest(browser: Chromium) -> None:
    browser.wait_until("window.pgragPicture?.isAtRest()", timeout=40)


def place_of(browser: Chromium, name: str) -> tuple[float, float]:
    place = browser.evaluate(f"pgragPicture.placeOf({name!r})")
    return place["x"], place["y"]


def click_on(browser: Chromium, name: str) -> None:
    rest(browser)
    browser.click(*place_of(browser, name))


def text_of(browser: Chromium, selector: str) -> Any:
    return browser.evaluate(f"document.querySelector({selector!r})?.textContent ?? null")


def texts_of(browser: Chromium, selector: str) -> Any:
    return browser.evaluate(f"[...document.querySelectorAll({selector!r})].map((found) => found.textContent)")


def carol() -> GraphPicture:
    """Six entities of four types: Scrooge knows three of them, Fezziwig stands alone."""
    people = [
        PictureNode(1, "Scrooge", "PERSON", "A miser.<SEP>A kind man.\n\nUncle of Fred.", 3),
        PictureNode(2, "Bob Cratchit", "person", "The clerk.", 2),
        PictureNode(3, "Marley's Ghost", "CREATURE", "Dead as a door-nail.", 1),
        PictureNode(4, "London", "LOCATION", "A city of fog.", 40),
        PictureNode(5, "Christmas", "EVENT", "", 1),
        PictureNode(6, "Fezziwig", "PERSON", "", 0),
    ]
    edges = (
        PictureEdge(1, 2, ("work", "money"), "Scrooge employs Bob.<SEP>Badly paid.", 3.0),
        PictureEdge(3, 1, (), "Marley warns Scrooge.", 9.0),
        PictureEdge(1, 4, (), "", 1.0),
        PictureEdge(2, 5, ("feast",), "Bob keeps Christmas.", 1.0),
    )
    return GraphPicture("A Christmas Carol", tuple(people), edges, 6, 40)


def thousand() -> GraphPicture:
    """1,000 entities in 14 circles of acquaintances, 3,000 relations, most of them inside a circle."""
    chance = random.Random(5)
    pairs: set[tuple[int, int]] = set()
    while len(pairs) < 3000:
        one = int(chance.triangular(0, 999, 0))
        other = chance.randrange(1000) if chance.random() < 0.1 else (one + 14 * chance.randrange(70)) % 1000
        if one != other:
            pairs.add((min(one, other), max(one, other)))
    degree = [0] * 1000
    for pair in pairs:
        for end in pair:
            degree[end] += 1
    nodes = tuple(PictureNode(n, f"Entity {n}", f"Type {n % 14}", "Known.", degree[n]) for n in range(1000))
    edges = tuple(PictureEdge(a, b, (), "They meet.", 1.0) for a, b in sorted(pairs))
    return GraphPicture("Thousand", nodes, edges, 48_211, 90_000)


def hostile() -> GraphPicture:
    nodes = tuple(PictureNode(n, text, text[:200], text, 1) for n, text in enumerate(HOSTILE))
    edges = tuple(PictureEdge(0, n, (HOSTILE[n],), HOSTILE[n], 1.0) for n in range(1, len(HOSTILE)))
    return GraphPicture(HOSTILE[0], nodes, edges, len(nodes), len(edges))


def test_everything_is_drawn_and_counted(show: Open) -> None:
    browser = show(carol())
    assert browser.evaluate("pgragPicture.drawn()") == {"nodes": 6, "edges": 4}
    assert text_of(browser, "h1") == "A Christmas Carol"
    assert text_of(browser, ".counts") == "6 of 6 entities, 4 of 40 relations"
    assert texts_of(browser, "#legend li") == ["Person3", "Creature1", "Event1", "Location1"]


def test_the_canvas_shows_each_type_in_its_colour(show: Open) -> None:
    browser = show(carol())
    for name, slot in (("Scrooge", 0), ("London", 2), ("Christmas", 3), ("Marley's Ghost", 5)):
        assert pixel_at(browser, name) == style_colour(browser, f"--type-{slot}"), name


def pixel_at(browser: Chromium, name: str) -> Any:
    x, y = place_of(browser, name)
    return browser.evaluate(
        "(() => { const dot = new OffscreenCanvas(1, 1).getContext('2d');"
        f" dot.drawImage(document.getElementById('canvas'), -{x} * devicePixelRatio, -{y} * devicePixelRatio);"
        " return [...dot.getImageData(0, 0, 1, 1).data].slice(0, 3); })()"
    )


def style_colour(browser: Chromium, name: str) -> list[int]:
    code = browser.evaluate(f"getComputedStyle(document.documentElement).getPropertyValue({name!r})").strip()
    return [int(code[at : at + 2], 16) for at in (1, 3, 5)]


def test_at_night_the_colours_are_those_of_the_night(show: Open) -> None:
    browser = show(carol(), is_dark=True, ratio=2)
    assert pixel_at(browser, "Scrooge") == style_colour(browser, "--type-0")
    night = style_colour(browser, "--paper")
    browser.set_window(1200, 800, ratio=2)
    assert style_colour(browser, "--paper") != night
    browser.evaluate("new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(frame)))")
    assert pixel_at(browser, "Scrooge") == style_colour(browser, "--type-0")


def test_more_relations_make_a_larger_node(show: Open) -> None:
    browser = show(carol())
    assert extent(browser, "London") > extent(browser, "Scrooge") > extent(browser, "Fezziwig")


def extent(browser: Chromium, name: str) -> int:
    """How far right of its middle a node can still be clicked."""
    x, y = place_of(browser, name)
    reached = 0
    for step in range(0, 60, 2):
        browser.click(x + step, y)
        if browser.evaluate("pgragPicture.selected()") != name:
            break
        reached = step
    return reached


def test_a_click_on_a_node_opens_what_is_known_of_it(show: Open) -> None:
    browser = show(carol())
    click_on(browser, "Scrooge")
    assert text_of(browser, "#panel-name") == "Scrooge"
    assert text_of(browser, ".facts") == "Person3 relations"
    assert texts_of(browser, ".description") == ["A miser.", "A kind man.", "Uncle of Fred."]
    assert texts_of(browser, ".relations .other") == ["Marley's Ghost", "Bob Cratchit", "London"]
    assert texts_of(browser, ".relations .keywords") == ["work · money"]
    assert texts_of(browser, ".relations .summary") == ["Marley warns Scrooge.", "Scrooge employs Bob. Badly paid."]
    assert browser.evaluate("location.hash") == "#entity-1"


def test_a_click_on_the_ground_closes_the_panel(show: Open) -> None:
    browser = show(carol(), "#entity-1")
    browser.click(600, 10)
    assert browser.evaluate("[pgragPicture.selected(), document.getElementById('panel').hidden]") == [None, True]


def test_relations_that_are_not_drawn_are_told_of(show: Open) -> None:
    browser = show(carol(), "#entity-4")
    assert text_of(browser, ".facts .apart") == "40 relations, 1 drawn"
    assert text_of(show(carol(), "#entity-6"), ".absent") == "No description."


def test_one_travels_along_relations_and_back(show: Open) -> None:
    browser = show(carol(), "#entity-1")
    browser.evaluate("document.querySelectorAll('.relations button')[1].click()")
    assert browser.evaluate("pgragPicture.selected()") == "Bob Cratchit"
    browser.evaluate("history.back()")
    browser.wait_until("pgragPicture.selected() === 'Scrooge'")


def test_under_the_pointer_a_node_lights_its_neighbours(show: Open) -> None:
    browser = show(carol())
    browser.move(*place_of(browser, "Bob Cratchit"))
    assert set(browser.evaluate("pgragPicture.lit()")) == {"Bob Cratchit", "Scrooge", "Christmas"}
    browser.move(600, 10)
    assert browser.evaluate("pgragPicture.lit()") == []


def test_the_search_filters_as_one_types(show: Open) -> None:
    browser = show(carol())
    browser.press("/")
    browser.type("ma")
    assert texts_of(browser, "#results .name") == ["Marley's Ghost", "Christmas", "Scrooge"]
    browser.type("r")
    assert texts_of(browser, "#results .name") == ["Marley's Ghost"]
    assert browser.evaluate("pgragPicture.lit()") == ["Marley's Ghost"]
    assert text_of(browser, "#found") == "1 found"
    browser.type("zzz")
    assert (texts_of(browser, "#results .name"), text_of(browser, "#found")) == ([], "None found")


def test_the_search_chooses_by_keyboard_alone(show: Open) -> None:
    browser = show(carol())
    for key in ("/", "c", "h", "r"):
        browser.press(key)
    assert texts_of(browser, "#results .name") == ["Christmas"]
    browser.press("Enter")
    assert browser.evaluate("[pgragPicture.selected(), document.activeElement.id]") == ["Christmas", "panel-name"]
    rest(browser)
    x, y = place_of(browser, "Christmas")
    assert 312 < x < 1200 - 408, "it flew to a place that no panel covers"
    assert 0 < y < 800
    browser.press("Escape")
    assert browser.evaluate("[pgragPicture.selected(), document.activeElement.id]") == [None, "search"]


def test_arrows_move_in_the_list_and_escape_leaves_it(show: Open) -> None:
    browser = show(carol())
    browser.press("/")
    browser.type("o")
    found = texts_of(browser, "#results .name")
    browser.press("ArrowDown")
    browser.press("ArrowDown")
    browser.press("ArrowUp")
    assert text_of(browser, "#results [aria-selected='true'] .name") == found[1]
    assert browser.evaluate("document.getElementById('search').getAttribute('aria-activedescendant')") == "result-1"
    browser.press("Escape")
    assert browser.evaluate("[document.getElementById('results').hidden, pgragPicture.lit().length]") == [True, 0]


def test_accents_and_case_do_not_matter_to_the_search(show: Open) -> None:
    browser = show(hostile())
    browser.press("/")
    browser.type("CAFE creme")
    browser.press("Enter")
    assert browser.evaluate("pgragPicture.selected()") == "Café Crème"


def test_a_type_can_be_left_out_and_comes_back_when_it_is_needed(show: Open) -> None:
    browser = show(carol())
    browser.evaluate("document.querySelector('#legend button').click()")
    rest(browser)
    assert browser.evaluate("pgragPicture.drawn()") == {"nodes": 3, "edges": 0}
    click_on(browser, "Scrooge")
    assert browser.evaluate("pgragPicture.selected()") is None
    browser.press("/")
    browser.type("scrooge")
    browser.press("Enter")
    rest(browser)
    assert browser.evaluate("document.querySelector('#legend button').ariaPressed") == "true"
    assert browser.evaluate("pgragPicture.selected()") == "Scrooge"


def test_moving_zooming_and_fitting(show: Open) -> None:
    browser = show(carol())
    home = place_of(browser, "London")
    browser.wheel(*home, -400)
    browser.wait_until("pgragPicture.isAtRest()")
    assert browser.evaluate("pgragPicture.scale()") > 1
    assert place_of(browser, "London") == pytest.approx(home, abs=1), "what is under the pointer stays there"
    x, y = place_of(browser, "London")
    browser.drag((600, 10), (650, 40))
    rest(browser)
    assert place_of(browser, "London") == pytest.approx((x + 50, y + 30), abs=0.5)
    browser.evaluate("document.getElementById('fit').click()")
    rest(browser)
    assert place_of(browser, "London") == pytest.approx(home, abs=2)


def test_a_dragged_node_stays_where_it_is_put(show: Open) -> None:
    browser = show(carol())
    x, y = place_of(browser, "Fezziwig")
    browser.drag((x, y), (x + 60, y - 30))
    rest(browser)
    assert place_of(browser, "Fezziwig") == pytest.approx((x + 60, y - 30), abs=1)
    assert browser.evaluate("pgragPicture.selected()") is None, "a drag is not a click"


def test_fingers_choose_and_pinch(show: Open) -> None:
    browser = show(carol(), width=400, height=800, ratio=2, is_touch=True)
    before = browser.evaluate("pgragPicture.scale()")
    browser.touch("Start", (150, 500), (250, 500))
    browser.touch("Move", (100, 500), (300, 500))
    browser.touch("End")
    rest(browser)
    assert browser.evaluate("pgragPicture.scale()") == pytest.approx(before * 2, rel=0.15)
    browser.evaluate("document.getElementById('fit').click()")
    rest(browser)
    browser.touch("Start", place_of(browser, "Scrooge"))
    browser.touch("End")
    rest(browser)
    assert browser.evaluate("pgragPicture.selected()") == "Scrooge"
    assert place_of(browser, "Scrooge")[1] < 800 * 0.48, "above the panel that came up from below"


def test_the_graph_follows_the_window(show: Open) -> None:
    browser = show(carol())
    browser.set_window(700, 500)
    browser.wait_until("document.getElementById('canvas').width === 700")
    rest(browser)
    for node in carol().nodes:
        x, y = place_of(browser, node.name)
        assert 0 < x < 700
        assert 0 < y < 500


def test_hostile_texts_are_only_text(show: Open) -> None:
    for number, text in enumerate(HOSTILE):
        browser = show(hostile(), f"#entity-{number}")
        assert text_of(browser, "#panel-name") == text
        assert "".join(texts_of(browser, ".description")) == text
    browser = show(hostile(), "#entity-0")
    assert browser.evaluate("window.intruder ?? null") is None
    assert browser.evaluate("[document.scripts.length, document.images.length]") == [2, 0]
    assert text_of(browser, "h1") == text_of(browser, "title") == HOSTILE[0]
    assert browser.evaluate("document.documentElement.scrollWidth") == 1200, "nothing is pushed out of the window"


def test_the_page_could_not_reach_a_network_nor_run_a_strange_script(browser: Chromium, tmp_path: Path) -> None:
    page = tmp_path / "graph.html"
    page.write_text(render_page(carol()), encoding="utf-8")
    browser.open(page)
    with pytest.raises(PageError, match="Failed to fetch"):
        browser.evaluate("fetch('data:text/plain,hello')")
    browser.evaluate("document.body.append(Object.assign(document.createElement('script'), {text: 'intruder = 1'}))")
    assert browser.evaluate("window.intruder ?? null") is None
    assert any("Content Security Policy" in error for error in browser.errors)


@pytest.mark.parametrize("size", [0, 1])
def test_hardly_anything_is_a_picture_too(show: Open, size: int) -> None:
    graph = GraphPicture("Small", carol().nodes[5 : 5 + size], (), size, 0)
    assert show(graph).evaluate("pgragPicture.drawn()") == {"nodes": size, "edges": 0}


def test_a_thousand_nodes_are_laid_out_apart_and_the_same_each_time(show: Open) -> None:
    places = "JSON.stringify(Array.from({length: 1000}, (_, n) => pgragPicture.placeOf(`Entity ${n}`)))"
    first = show(thousand()).evaluate(places)
    browser = show(thousand())
    assert browser.evaluate(places) == first
    assert browser.evaluate("pgragPicture.drawn()") == {"nodes": 1000, "edges": 3000}
    assert browser.evaluate(f"new Set({places}.match(/-?[0-9.]+,/g)).size") > 990


def test_names_on_the_canvas_cover_no_other_name(show: Open) -> None:
    boxes = show(thousand()).evaluate("pgragPicture.labels()")
    assert len(boxes) >= 10
    for rank, one in enumerate(boxes):
        for other in boxes[rank + 1 :]:
            across = one["left"] < other["right"] and other["left"] < one["right"]
            assert not (across and one["top"] < other["bottom"] and other["top"] < one["bottom"]), (one, other)


def test_a_thousand_nodes_move_within_the_time_of_a_frame(show: Open) -> None:
    """The quick half of the frames counts: a busy machine makes slow frames, not quick ones."""
    browser = show(thousand())
    browser.evaluate("pgragPicture.stir(0.02)")
    rest(browser)
    work = sorted(frame["work"] for frame in browser.evaluate("pgragPicture.frames()")[-LAST_FRAMES:])
    assert len(work) == LAST_FRAMES
    assert work[len(work) // 4] < FRAME_BUDGET_MS


@pytest.mark.parametrize(("opening", "tolerance"), [("0", 1e-4), ("0.81", 0.05)])
def test_the_quadtree_pushes_as_all_pairs_would(show: Open, opening: str, tolerance: float) -> None:
    """Barnes and Hut's tree against the plain sum over all pairs: as good as exact when every cell is opened, near
    it with the shortcut as used. The points lie in clumps, two of them on one spot."""
    source = files("pgrag.picture").joinpath("script/quadtree.js").read_text(encoding="utf-8")
    assert "OPENING_SQUARED = 0.81;" in source
    source = source.replace("OPENING_SQUARED = 0.81;", f"OPENING_SQUARED = {opening};")
    assert show(carol()).evaluate(f"(() => {{ {source} {COMPARE} }})()") < tolerance


COMPARE = """
const n = 400, x = new Float64Array(n), y = new Float64Array(n), mass = new Float64Array(n).fill(2);
for (let i = 0; i < n; i++) {
  x[i] = 300 * Math.cos(i % 7) + 80 * Math.sin(i * i);
  y[i] = 300 * Math.sin(i % 7) + 80 * Math.cos(3 * i);
}
x[9] = x[2]; y[9] = y[2];
const tree = new Quadtree(n);
tree.build(x, y, mass);
let off = 0, all = 0;
for (let i = 0; i < n; i++) {
  let pushX = 0, pushY = 0;
  for (let j = 0; j < n; j++) {
    if (i === j || (x[i] === x[j] && y[i] === y[j])) continue;
    const dx = x[i] - x[j], dy = y[i] - y[j], squared = Math.max(dx * dx + dy * dy, NEAREST_SQUARED);
    pushX += dx * mass[j] / squared;
    pushY += dy * mass[j] / squared;
  }
  const push = tree.pushOn(i);
  off += Math.hypot(push.x - pushX, push.y - pushY);
  all += Math.hypot(pushX, pushY);
}
return off / all;
"""
