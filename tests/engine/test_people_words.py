"""People's own words reach the right element: what they say for it, and what stands where the page says nothing."""

from __future__ import annotations

import pytest

from engine.local.lexicon import lexicon
from engine.local.text import words
from engine.service import answer_question, propose_skill, rank_intents
from engine.types import EngineConfig, Locale, Page, Scan, ScanNode

LOCAL = EngineConfig()
MENU = {"landmark": "navigation"}


@pytest.fixture(autouse=True)
def by_words_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is tested here are the lexicon and the evidence on the page."""
    monkeypatch.setattr("engine.local.meaning.current_embedder", lambda: None)


def node(selector: str, tag: str, label: str = "", **more: object) -> ScanNode:
    return ScanNode(id=selector, tag=tag, selector=selector, label=label, **more)  # type: ignore[arg-type]


def page(*nodes: ScanNode, locale: Locale = "en") -> Page:
    skill = propose_skill(Scan("/x", "Office", nodes, locale, "Office"), locale=locale, config=LOCAL)
    return Page(skill.name, skill.summary, "/x", locale, skill.intents)


def first(question: str, on: Page) -> str:
    best = rank_intents(question, on)[0]
    return best.intent.selector if best.score > 0 else ""


def steps(question: str, on: Page) -> list[str]:
    answer = answer_question(question, on, locale=on.locale, config=LOCAL)
    selectors = {intent.intent_id: intent.selector for intent in on.intents}
    return [selectors[step.intent_id] for step in answer.steps]


MAIL = page(
    node("#to", "input", "To:", type="email", heading="New message"),
    node("#cc", "input", "Cc", type="email", heading="New message"),
    node("#bcc", "input", "Bcc", type="email", heading="New message"),
    node("#subject", "input", "Subject", type="text", heading="New message"),
    node("#body", "textarea", "Message", heading="New message"),
    node("#file", "input", "Attachments", type="file", heading="New message"),
    node("#send", "button", "Send", type="submit", heading="New message"),
    node("#draft", "button", "Save draft", type="button", heading="New message"),
    node("#drop", "button", "Discard", type="button", heading="New message"),
)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("copier mon associé en douce", "#bcc"),
        ("keep my boss in the loop", "#cc"),
        ("à qui ça part ?", "#to"),
        ("i will finish this later", "#draft"),
        ("chuck it away", "#drop"),
        ("glisser une photo avec", "#file"),
    ],
)
def test_what_people_say_reaches_what_they_mean(question: str, wanted: str) -> None:
    assert first(question, MAIL) == wanted


def test_a_saying_is_heard_through_a_few_other_words_but_not_across_a_new_clause() -> None:
    def said(text: str) -> set[str]:
        return {concept for saying in lexicon().sayings(words(text)) for concept in saying.concepts}

    assert "cc" in said("mettre mon chef dans la boucle")
    assert "bcc" in said("without any of the others knowing")
    assert "read_receipt" in said("when do they open it")
    assert "read_receipt" not in said("when they come and open")


def test_writing_to_someone_and_sending_it_fills_the_fields_first() -> None:
    assert steps("keep my boss in the loop and send it off", MAIL) == ["#cc", "#send"]


TABLE = page(
    node("#q", "input", "E-mail", type="text", heading="Search"),
    node("#who", "input", "Name", type="text", heading="Search"),
    node("#go", "button", "Search", type="submit", heading="Search"),
    node("table > thead > tr > th:nth-of-type(1) > a", "a", "Salary", role="link", row="Salary", heading="People"),
    node("table > thead > tr > th:nth-of-type(2) > a", "a", "Date joined", role="link", row="Salary", heading="People"),
    *(node(f"#p{number}", "a", str(number), role="link", heading="People") for number in (1, 2, 3)),
)
SALARY, JOINED = "table > thead > tr > th:nth-of-type(1) > a", "table > thead > tr > th:nth-of-type(2) > a"


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("who earns the most", SALARY),
        ("les derniers arrivés d'abord", JOINED),
        ("find someone by gmail", "#q"),
        ("chercher madame Durand", "#who"),
        ("run the search", "#go"),
        ("jump to the end of the list", "#p3"),
    ],
)
def test_tables_are_sorted_searched_and_paged(question: str, wanted: str) -> None:
    assert first(question, TABLE) == wanted


def test_the_heads_of_a_table_are_learnt_as_ways_to_sort() -> None:
    goals = {intent.selector: intent.user_goal for intent in TABLE.intents}
    assert goals[SALARY] == "Sort by “Salary”"
    assert goals["#p2"] == "Go to page 2"


def rows(*names: str) -> Page:
    return page(*(node(f"#edit-{name[:3]}", "button", "Edit", row=name, column="Actions") for name in names))


def test_rows_with_names_are_learnt_one_by_one_and_found_by_them() -> None:
    named = rows("Brand guide Riverhaus", "Data pipeline Northwind")
    assert [intent.user_goal for intent in named.intents] == [
        "Edit an item of the list",
        "Edit an item of the list (“Data pipeline Northwind”)",
    ]
    assert first("fix the northwind one", named) == "#edit-Dat"


def test_rows_with_references_are_found_by_them() -> None:
    orders = page(
        *(node(f"#edit-{n}", "button", "Edit", row=f"CMD-{n} Verdier", column="Actions") for n in (1041, 1042))
    )
    assert first("edit cmd 1042", orders) == "#edit-1042"


@pytest.mark.parametrize("names", [("Line 1", "Line 2"), ("[EMAIL]", "[EMAIL] ")])
def test_rows_that_only_a_mask_or_a_place_tells_apart_are_one_goal(names: tuple[str, str]) -> None:
    assert len(rows(*names).intents) == 1


def test_a_badge_speaks_of_what_it_opens() -> None:
    bell = page(
        node("#bell", "a", "3", role="link"),
        node("#all", "a", "See all notifications", role="link", closed=True, opener="#bell"),
        node("#mail", "a", "7", role="link"),
        node("#inbox", "a", "Read my messages", role="link", closed=True, opener="#mail"),
    )
    assert {one.intent.selector for one in rank_intents("what is the bell for", bell)[:2]} == {"#bell", "#all"}


@pytest.mark.parametrize(
    ("label", "question"),
    [("×", "close this window"), ("−", "zoom out"), ("?", "i am lost"), ("⋮", "les trois points")],
)
def test_a_sign_says_what_it_is_for(label: str, question: str) -> None:
    assert first(question, page(node("#sign", "button", label), node("#save", "button", "Save"))) == "#sign"


def test_a_sign_is_learnt_as_what_it_does() -> None:
    assert [intent.user_goal for intent in page(node("#x", "button", "×"), node("#n", "button", "~")).intents] == [
        "Close"
    ]


def test_a_nameless_button_goes_by_its_technical_name() -> None:
    bar = page(node('a[data-x-toggle="fullscreen"]', "a", role="button"), node("#x", "button", "Export"))
    assert first("fill my entire screen", bar) == 'a[data-x-toggle="fullscreen"]'


def test_what_a_script_draws_beside_a_field_is_not_learnt_twice() -> None:
    drawn = page(
        node("#country", "select", "Country", name="country"),
        node("#select2-country-container", "span", role="textbox"),
    )
    assert [intent.selector for intent in drawn.intents] == ["#country"]


def test_the_open_page_is_meant_before_the_menu_of_the_site() -> None:
    both = page(
        node("#menu", "a", "Invoices", role="link", **MENU), node("#list", "a", "Invoices", role="link", heading="x")
    )
    assert first("my invoices", both) in {"#menu", "#list"}
    apart = page(
        node("#menu", "a", "Invoice settings", role="link", **MENU),
        node("#list", "a", "Invoice history", role="link", heading="x"),
    )
    assert first("invoice", apart) == "#list"


def test_what_is_not_wanted_is_no_evidence() -> None:
    people = page(node("#staff", "a", "Staff status", role="link"), node("#buyers", "a", "Customers", role="link"))
    assert steps("who is one of us and not a buyer", people) == ["#staff"]


def test_a_list_of_cancelled_orders_cancels_none() -> None:
    orders = page(
        node("#state", "select", "Status", form="Filter the orders", options=("All", "Cancelled")),
        node("#apply", "button", "Filter", type="submit", form="Filter the orders"),
    )
    assert steps("how do i cancel an order", orders) == []
    assert steps("show only the cancelled orders", orders) == ["#state", "#apply"]


@pytest.mark.parametrize(("question", "concept"), [("je mets une remise", "add"), ("who has written this", "fill")])
def test_irregular_forms_count_as_their_verb(question: str, concept: str) -> None:
    assert concept in {spot.concept.name for spot in lexicon().spots(words(question))}


def test_a_small_word_of_one_language_is_no_word_of_the_other() -> None:
    assert "note" not in lexicon().concepts_in("not yet")
