"""A hand that works on a page as people do: it hesitates, strays, mistypes, corrects itself, and takes its time."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from playwright.sync_api import ElementHandle, Page, TimeoutError

from bench.segmenter.truth import Deed

# The browser, or the recorder, takes two clicks at shorter intervals for one act.
APART_MS = 320
LOOK_MS, MOST_LOOKS = 30, 40
LONG_PAUSE_MS = (5_200, 14_000)


@dataclass(frozen=True)
class Item:
    """Something on the page that can be acted on."""

    number: int
    tag: str
    type: str
    group: str
    text: str
    kind: str
    checked: bool
    options: list[str]
    chosen: int
    size: int
    isFree: bool  # noqa: N815 - as the page's script says it

    @property
    def is_box(self) -> bool:
        return self.type in ("checkbox", "radio")


class OutOfReachError(Exception):
    """What was to be pressed is not to be seen, or something lies over it: nobody can go on there."""


class Hand:
    """Acts on one page, and writes down what it meant. `others` are the items that it may stray to."""

    def __init__(self, page: Page, chance: Random) -> None:
        self._page = page
        self._chance = chance
        self._last_pressed = 0
        self._last_spot: tuple[int, int] | None = None
        self.meant: list[Deed] = []

    def survey(self, selector: str) -> list[Item]:
        """What can be acted on inside of `selector` now."""
        return [Item(**found) for found in self._ask("survey", selector)]

    def number_of(self, selector: str, at: int = 0) -> int:
        """The number of the visible element at a place among those of a selector; 0 where there is none."""
        number: int = self._ask("numberOf", selector, at)
        return number

    def press(self, number: int, *, by_key: bool = False) -> None:
        """Click on an element, or press it with the keyboard."""
        self._think()
        if self._chance.random() < 0.08:
            self._slip_off(number)
        if by_key:
            self._wait_since(number)
            self._ask("focus", number)
            self._page.keyboard.press(self._chance.choice(["Enter", "Space"]))
        else:
            self._click(number)
        self.meant.append(Deed("click", number, 1))

    def fill(self, item: Item, value: str, keys: str, others: list[Item]) -> None:
        """Write `keys` into a field, which makes its value `value`."""
        self._think()
        if others and self._chance.random() < 0.12:
            self._click(self._chance.choice(others).number)
            self._pause(300, 1_500)
        self._enter(item)
        is_text = keys == value
        if is_text:
            self._page.keyboard.press("Control+A")
            if self._chance.random() < 0.15:
                self._page.keyboard.type(value[::-1] + "x")
                self._pause(200, 3_000)
                self._page.keyboard.press("Control+A")
        half = len(keys) // 2
        self._page.keyboard.type(keys[:half])
        self._falter(item, is_text=is_text and half > 0)
        self._page.keyboard.type(keys[half:])
        self.meant.append(Deed("fill", item.number, None if item.type == "password" else value))

    def choose(self, item: Item, option: int) -> None:
        """Choose an option of a list with the arrow keys, as people do who do not let go of the keyboard."""
        self._think()
        self._ask("focus", item.number)
        goal, place = option, max(item.chosen, 0 if item.size <= 1 else -1)
        if self._chance.random() < 0.2 and 0 < option < len(item.options) - 1:
            goal += 1 if option > place else -1
        self._arrow(goal - place)
        if goal != option:
            self._pause(400, 2_000)
            self._arrow(option - goal)
        self.meant.append(Deed("select", item.number, item.options[option]))

    def tick(self, item: Item, others: list[Item]) -> None:
        """Tick a box or choose a radio button; sometimes another one first, which is taken back."""
        self._think()
        if others and self._chance.random() < 0.12:
            wrong = self._chance.choice(others)
            self._click(wrong.number)
            self._pause(300, 1_800)
            if wrong.type == "checkbox":
                self._click(wrong.number)
        elif item.type == "checkbox" and self._chance.random() < 0.06:
            self._click(item.number)
            self._click(item.number)
        if self._chance.random() < 0.2:
            self._ask("focus", item.number)
            self._page.keyboard.press("Space")
        else:
            self._click(item.number, by_label=self._chance.random() < 0.5)
        self.meant.append(Deed("check", item.number, not item.checked or item.type == "radio"))

    def pick(self, field: Item, typed: str, selector: str) -> bool:
        """Type the beginning of what is meant and pick it from the list that the page draws; whether there was one."""
        self._think()
        self._enter(field)
        self._page.keyboard.type(typed)
        try:
            self._page.wait_for_selector(f"{selector} >> visible=true", timeout=1_500)
        except TimeoutError:
            # The page offers nothing for these letters.
            return False
        self._pause(300, 2_500)
        self._click_offered(field.number, selector)
        return True

    def draw_out(self, opener: str, selector: str) -> None:
        """Open a list that the page draws, and pick one of its items."""
        self._think()
        number = self.number_of(opener)
        self._click(number)
        self._page.wait_for_selector(f"{selector} >> visible=true")
        self._pause(300, 2_500)
        self._click_offered(number, selector)

    def _click_offered(self, field: int, selector: str) -> None:
        offered = [(at, text) for at, one in enumerate(self._visible(selector)) if (text := one.inner_text().strip())]
        at, text = self._chance.choice(offered)
        self._click(self.number_of(selector, at))
        self.meant.append(Deed("select", field, text))

    def _visible(self, selector: str) -> list[ElementHandle]:
        return [one for one in self._page.query_selector_all(selector) if one.is_visible()]

    def _enter(self, item: Item) -> None:
        way = self._chance.random()
        if way < 0.25:
            self._ask("focus", item.number)
        else:
            self._click(item.number)
        if item.type in ("date", "time"):
            # The click lands in any of its parts.
            for _ in range(3):
                self._page.keyboard.press("ArrowLeft")
        if way > 0.9 and item.type in ("text", "password"):
            place = self._place(item.number)
            if place is not None:
                self._page.mouse.dblclick(place["x"] + place["w"] / 2, place["y"] + place["h"] / 2)

    def _falter(self, item: Item, *, is_text: bool) -> None:
        """What happens in the middle of a word."""
        way = self._chance.random()
        if way < 0.1:
            self._pause(*LONG_PAUSE_MS)
        elif way < 0.2 and is_text:
            self._page.keyboard.type("q")
            self._page.keyboard.press("Backspace")
        elif way < 0.28 and is_text:
            self._nowhere()
            self._click(item.number)
            self._page.keyboard.press("End")
        elif way < 0.34:
            self._page.mouse.wheel(0, 20)

    def _think(self) -> None:
        """What people do between two steps, and what means nothing."""
        way = self._chance.random()
        self._pause(*(LONG_PAUSE_MS if way < 0.05 else (250, 2_600)))
        if way > 0.85:
            self._page.mouse.move(self._chance.randrange(10, 160), self._chance.randrange(10, 200), steps=2)
        elif way > 0.75:
            self._page.mouse.wheel(0, self._chance.choice([-40, 40]))
        elif way > 0.68:
            self._nowhere()

    def _nowhere(self) -> None:
        """A click on nothing: the text that says what the task is."""
        self._page.mouse.click(4, 4)
        self._last_pressed = 0

    def _slip_off(self, number: int) -> None:
        """Press on something, and let go elsewhere: no click comes of it."""
        place = self._place(number)
        if place is not None:
            self._page.mouse.move(place["x"] + place["w"] / 2, place["y"] + place["h"] / 2)
            self._page.mouse.down()
            self._page.mouse.move(300, 300)
            self._page.mouse.up()

    def _click(self, number: int, *, by_label: bool = False) -> None:
        place = self._settled(number, by_label=by_label)
        spot = (round(place["x"]), round(place["y"]))
        self._wait_since(number, spot)
        x, y = (self._chance.uniform(0.3, 0.7) * place[side] for side in ("w", "h"))
        # Some lists take the item that the pointer came over last, and some move under it.
        self._page.mouse.move(place["x"] + x - 2, place["y"] + y, steps=2)
        place = self._place(number, by_label=by_label) or place
        self._page.mouse.click(place["x"] + x, place["y"] + y)

    def _settled(self, number: int, *, by_label: bool) -> dict[str, float]:
        """Where an element is once it moves no more."""
        place = self._place(number, by_label=by_label)
        for _ in range(MOST_LOOKS):
            if place is None:
                raise OutOfReachError
            self._page.wait_for_timeout(LOOK_MS)
            before, place = place, self._place(number, by_label=by_label)
            if place == before:
                return before
        raise OutOfReachError

    def _wait_since(self, number: int, spot: tuple[int, int] | None = None) -> None:
        """Nobody presses one thing twice at once, unless for a double click; nor what was drawn anew in its place."""
        if self._last_pressed == number or (spot is not None and spot == self._last_spot):
            self._page.wait_for_timeout(APART_MS)
        self._last_pressed, self._last_spot = number, spot

    def _arrow(self, count: int) -> None:
        for _ in range(abs(count)):
            self._page.keyboard.press("ArrowDown" if count > 0 else "ArrowUp")

    def _pause(self, least: int, most: int) -> None:
        self._ask("wait", self._chance.randrange(least, most))

    def _place(self, number: int, *, by_label: bool = False) -> dict[str, float] | None:
        place: dict[str, float] | None = self._ask("placeOf", number, by_label)
        return place

    def _ask(self, function: str, *arguments: Any) -> Any:
        return self._page.evaluate(f"given => CircuyWatch.{function}(...given)", list(arguments))
