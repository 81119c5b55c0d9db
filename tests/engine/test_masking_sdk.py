"""The SDK's masking and the server's give the same answer, on labelled, agreed and generated texts."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from engine import masking
from engine.masking import compile_extra, mask_counted

ROOT = Path(__file__).parents[2]
ESBUILD = ROOT / "sdk/node_modules/.bin/esbuild"
VECTORS = Path(masking.__file__).with_name("vectors.json")
LABELLED = ROOT / "bench/mask/labelled.jsonl"
EXTRA = ["CLI-####", "Dossier ??*", "été", "Ärzte*", r"\#\?#####", "zéphyr-*/?####"]

ANSWERS = """
import { mask } from '%(core)s/masking';
import { compileExtra } from '%(core)s/masking/extra';
let input = '';
for await (const chunk of process.stdin) input += chunk;
const { texts, patterns } = JSON.parse(input);
const extra = compileExtra(patterns);
const answer = ({ text, hidden }) => [text, hidden];
console.log(JSON.stringify(texts.map((text) => [answer(mask(text)), answer(mask(text, extra))])));
"""

PIECES = [
    *"0123456789 .-/,:()[]#@+_*'\"&=%€$|\n\t\u00a0\u202f\u2011\u200b\u00b7٣६９𝟘😀联é",
    *[
        "a",
        "A",
        "fe",
        "0x",
        "FR",
        "Tél",
        "né le ",
        "Née à Lyon le ",
        "born ",
        "SIREN ",
        "RCS ",
        " RCS",
        "TVA",
        "IBAN",
        "v",
    ],
    *[
        "Mme ",
        "Alice Martin ",
        "Mobile",
        "CMD-",
        "%40",
        "(at)",
        ".com",
        ".fr",
        "@2x.png",
        "xn--p1ai",
        "::",
        "::1",
        "fe80",
    ],
    *[
        "12",
        "2026",
        "1985",
        "06",
        "33",
        "0033",
        "+33",
        "mars ",
        "March ",
        "1er ",
        " € ",
        "CLI-",
        "Dossier ab",
        "ÉTÉ",
        "ärzte1",
    ],
    *["4111111111111111", "4111 1111 1111 1111", "FR7630006000011234567890189", "06 12 34 56 78", "alice@example.com"],
    *["732 829 320", "185057800608491", "192.168.10.200", "2001:db8::8a2e:370:7334", "12/03/1985", "[EMAIL]"],
    *["[SENSITIVE_NUMERIC]", "1748503543012", "FR 40 303 265 045", "DE123456789", "(415) 555-2671", "\ufe0f", "\ue000"],
    *[
        "Né(e) le ",
        "1 mai 87",
        " naissance",
        "DOB … ",
        "12 05 87",
        "06-12-34",
        "05/02/26",
        " 56 78",
        "33612345678",
        "0470/",
    ],
    *[
        " @",
        "@ ",
        "jean.dupont",
        "jean&marie",
        '"jean dupont"',
        "محمد",
        "张伟",
        "𠮷",
        "𝗷",
        ".公司.中国",
        "acme.fr",
        "/users/",
        "?to=",
    ],
    *["415 555-", "02/123.45.67", "section ", "écrire à ", "l'", "=", " .fr", "1250", ":30", " - ", "²", "ก", "।"],
    *["ſ", "K", "İ", "ß", "ǅ", "Ÿ", "µ", "¹", "①", "\ud83d", "\x85", "\u2028"],
]


def generated_texts(count: int) -> list[str]:
    chance = random.Random(20_261_130)  # noqa: S311 (the same texts each time, no secret)
    return ["".join(chance.choices(PIECES, k=chance.randint(1, 14))) for _ in range(count)]


@pytest.fixture(scope="module")
def sdk_answers(tmp_path_factory):
    if not ESBUILD.exists() or not shutil.which("node"):
        pytest.skip("the SDK's packages are not installed")
    folder = tmp_path_factory.mktemp("masking")
    (folder / "answers.ts").write_text(ANSWERS % {"core": (ROOT / "sdk/src/core").as_posix()}, encoding="utf-8")
    build = [ESBUILD, "answers.ts", "--bundle", "--format=esm", "--outfile=answers.mjs", "--log-level=error"]
    subprocess.run(build, cwd=folder, check=True)

    def answers(texts):
        given = json.dumps({"texts": texts, "patterns": EXTRA})
        command = ["node", folder / "answers.mjs"]
        done = subprocess.run(command, input=given, capture_output=True, text=True, encoding="utf-8", check=True)
        return json.loads(done.stdout)

    return answers


def assert_same(texts, answers):
    extra = compile_extra(EXTRA)
    for text, (plain, with_extra) in zip(texts, answers, strict=True):
        assert [*mask_counted(text)] == plain, text
        assert [*mask_counted(text, extra)] == with_extra, text


def test_labelled_and_agreed_texts_are_masked_alike(sdk_answers):
    texts = [json.loads(line)["text"] for line in LABELLED.read_text(encoding="utf-8").splitlines()]
    texts += [vector["input"] for vector in json.loads(VECTORS.read_text(encoding="utf-8"))]
    assert_same(texts, sdk_answers(texts))


def test_generated_texts_are_masked_alike(sdk_answers):
    texts = generated_texts(5_000)
    assert_same(texts, sdk_answers(texts))


def test_masking_generated_texts_twice_changes_nothing():
    extra = compile_extra(EXTRA)
    for text in generated_texts(5_000):
        once = mask_counted(text, extra)[0]
        assert mask_counted(once, extra) == (once, 0), text
