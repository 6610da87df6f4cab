"""The page in Chinese is in Chinese: nothing of it is left in English but what is marked as such."""

from __future__ import annotations

import re
from typing import Any

import pytest

from scorer import RULESETS
from tests.page.conftest import DESKTOP, Visit, Visiting
from tests.page.test_browser import HAND, TABLE, file_of, shown
from tests.page.test_files import text_of, words

#: What has no other name in Chinese: types of files, devices, organisations, the name of a language.
ALLOWED = {"JPEG", "PNG", "WebP", "HEIC", "iPhone", "MIL", "EMA", "TVB", "English", "CSV"}
#: Every text in the tree, without what is marked as another language, and what is said to screen readers.
TEXTS = """() => {
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const holder = walk.currentNode.parentElement;
    if (!holder.closest("[lang=en], script, noscript, svg")) found.push(walk.currentNode.data);
  }
  for (const one of document.querySelectorAll("[aria-label], [title], [placeholder], [alt]")) {
    if (one.closest("[lang=en]")) continue;
    for (const name of one.getAttributeNames()) {
      if (["aria-label", "title", "placeholder", "alt"].includes(name)) found.push(one.getAttribute(name));
    }
  }
  return found;
}"""


def latin(page: Any) -> list[str]:
    """Texts with a word in Latin letters that is not allowed; tiles in notation are no words."""
    return sorted(
        {
            text.strip()
            for text in page.evaluate(TEXTS)
            for word in re.findall(
                r"[A-Za-z]{2,}", re.sub(r"[0-9]+[mpszfa]\b|\b[1-9xX][mpszfax]\b", "", text)
            )
            if word not in ALLOWED
        }
    )


def open_all(one: Visit) -> None:
    one.page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")


@pytest.mark.parametrize("locale", ["zh-HK", "zh-CN"])
def test_nothing_is_left_in_english(visit: Visiting, locale: str) -> None:
    one = visit(DESKTOP, locale=locale)
    assert latin(one.page) == []
    one.photograph(str(HAND))
    open_all(one)
    assert latin(one.page) == []
    one.page.locator("#board .tile").first.click()
    assert latin(one.page) == []
    one.does(lambda: one.page.click("#sheet .picker [data-code='9p']"))
    assert latin(one.page) == []
    one.photograph(file_of("note.jpg", b"dear diary"))
    assert latin(one.page) == []


@pytest.mark.parametrize("rules", sorted(RULESETS))
def test_answers_and_house_rules_are_in_chinese(visit: Visiting, rules: str) -> None:
    one = shown(visit(DESKTOP, locale="zh-HK"), TABLE.replace("rules=hk", f"rules={rules}"))
    one.page.wait_for_selector("#answer .payments, #answer .verdict")
    one.page.wait_for_timeout(500)  # the table of the rule set, which names what does not count
    open_all(one)
    assert latin(one.page) == []
    one.page.click(".house")
    one.page.wait_for_selector("#house-list .option")
    assert latin(one.page) == []


def test_test_would_find_english(visit: Visiting) -> None:
    one = visit(DESKTOP, locale="zh-HK")
    one.page.evaluate("document.querySelector('#hero').textContent = 'Photograph the hand 123m'")
    assert latin(one.page) == ["Photograph the hand 123m"]


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("win=discard&seat=2z&discarder=4z", ["北付南", "放銃", "半辣上"]),
        ("win=self_draw&seat=1z", ["南付東", "自摸，各家付"]),
    ],
)
def test_who_pays_and_why_is_told_in_chinese(visit: Visiting, told: str, said: list[str]) -> None:
    hand = "#hand=[123m] (5555z) 345m 6799m %2B8m | 2f&rules=hk&round=1z&"
    one = shown(visit(DESKTOP, locale="zh-HK"), hand + told)
    lines = one.page.inner_text("#answer .lines")
    assert [text for text in said if text not in lines] == []


def test_parts_of_chinese_official_payments(visit: Visiting) -> None:
    one = shown(visit(DESKTOP, locale="zh-CN"), TABLE.replace("rules=hk", "rules=mcr").replace("| 2f", ""))
    lines = one.page.inner_text("#answer .lines").splitlines()
    assert len([line for line in lines if "只付底分" in line]) == 2
    assert len([line for line in lines if "放铳" in line]) == 1


def test_every_reason_and_choice_of_the_rules_is_translated() -> None:
    known = words()
    missing = []
    for rules in RULESETS.values():
        table = rules.describe()
        for fan in table["fans"]:
            missing += [
                f"rule.{one['rule']}" for one in fan["excludes"] if f"rule.{one['rule']}" not in known
            ]
        for option in table["options"]:
            choices = [one for one in option.get("choices") or () if isinstance(one, str)]
            missing += [f"choice.{one}" for one in choices if f"choice.{one}" not in known]
    assert sorted(set(missing)) == []


def test_signs_of_the_page_have_their_simple_form() -> None:
    """Signs that are written otherwise on the mainland, of those that the page uses."""
    table = "".join(re.findall(r'"([^"]+)"', text_of("hans.js")))
    table += "".join(re.findall(r'Array\.from\("([^"]+)"', text_of("referee_words.js")))
    used = set("".join(chinese for _, chinese in words().values()) + text_of("options.js"))
    common = set(
        "會來個為們這時說對開關錄儲刪賠註稱單雙門風東無漢國學長見車馬魚鳥龍齊黃點電話語讀寫書畫網紅綠線組結給總號碼"
    )
    assert sorted((used & common) - set(table[::2])) == []
