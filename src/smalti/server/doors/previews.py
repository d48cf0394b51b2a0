"""What other sites show of a link to a game: a title, a sentence and a picture, in the head of its page.

Every page of ours is the same file; for these addresses the server writes into its head what a preview shows, in the
language the reader asks for.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from smalti.server.archive.pictures import version
from smalti.server.built_pages import Texts
from smalti.server.table.log import Log

WIDTH, HEIGHT = 1200, 630  # of the picture


def version_of(log: Log) -> str:
    """Return what changes with the rules and with the boards."""
    return f"{log.facts.rules}-{version()}"


def last_of(log: Log) -> int:
    """Return the number of the last event."""
    return len(log.match.events)


def with_tags(page: str, tags: Mapping[str, str]) -> str:
    """Write a title and what previews show into a page."""
    if not tags:
        return page
    metas = "".join(f'<meta {"property" if ":" in name and not name.startswith("twitter") else "name"}="{name}" '
                   f'content="{escape(text)}" />' for name, text in tags.items())  # fmt: skip
    titled = page.replace("<title>Smalti</title>", f"<title>{escape(tags['og:title'])} · Smalti</title>")
    return titled.replace("</head>", f"{metas}</head>")


def preview_of(log: Log, number: int | None, site: str, language: str, texts: Mapping[str, Texts]) -> dict[str, str]:
    """Return the tags of a game, or of the position after an event."""
    last = last_of(log)
    place = number if number is not None and 0 < number < last else None
    title, sentence = words(log, place, texts[language])
    address = f"{site}/g/{log.facts.id}" + (f"/{place}" if place else "")
    return tags_of(title, sentence, address, f"{site}/g/{log.facts.id}/{place or last}.png?v={version_of(log)}")


def tags_of(title: str, sentence: str, address: str, picture: str) -> dict[str, str]:
    """Return the tags that other sites read (Open Graph, and what Twitter made of it)."""
    return {
        "og:type": "website",
        "og:site_name": "Smalti",
        "og:title": title,
        "og:description": sentence,
        "og:url": address,
        "og:image": picture,
        "og:image:type": "image/png",
        "og:image:width": str(WIDTH),
        "og:image:height": str(HEIGHT),
        "og:image:alt": sentence,
        "twitter:card": "summary_large_image",
        "twitter:title": title,
        "twitter:description": sentence,
        "twitter:image": picture,
    }


def words(log: Log, place: int | None, texts: Texts) -> tuple[str, str]:
    """Return the title and the sentence of a preview."""
    game = texts.get(f"game.{log.facts.game}.title", log.match.game.title)
    names = [named(log, seat, texts) for seat in range(log.facts.seats)]
    title = filled(texts["preview.title"], game=game, names=", ".join(names))
    if place:
        return title, filled(texts["preview.position"], n=str(place), last=str(last_of(log)))
    if not log.match.is_over:
        return title, filled(texts["preview.unfinished"], last=str(last_of(log)))
    scores = ", ".join(f"{name} {score}" for name, score in zip(names, log.match.scores, strict=True))
    return title, filled(texts["preview.result"], scores=scores)


def named(log: Log, seat: int, texts: Texts) -> str:
    """Return what somebody is called."""
    sitting = log.seats[seat]
    if sitting.bot:
        return texts.get(f"bot.{sitting.bot}", sitting.bot)
    return sitting.name or filled(texts["preview.seat"], number=str(seat + 1))


def filled(text: str, **values: str) -> str:
    """Fill values into a text; what somebody typed is not looked at for braces."""
    parts = text.replace("}", "{").split("{")
    return "".join(values.get(part, "") if place % 2 else part for place, part in enumerate(parts))


def language_of(asked: str, known: Mapping[str, object]) -> str | None:
    """Return the language a reader asks for (`Accept-Language`), as far as we have it, else English."""
    wishes = []
    for place, part in enumerate(asked[:500].split(",")):
        tag, _, weight = part.partition(";q=")
        wishes.append((-weight_of(weight), place, tag.strip()[:2].lower()))
    return next((tag for weight, _, tag in sorted(wishes) if weight < 0 and tag in known), None) or (
        "en" if "en" in known else None
    )


def weight_of(text: str) -> float:
    """Return how much a language is wanted."""
    try:
        return min(1.0, float(text)) if text else 1.0
    except ValueError:
        return 0.0
