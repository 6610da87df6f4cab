// The hand on the page: groups of tiles, each tile remembering where in the photo it was seen. Every change makes a
// new hand, so that what was seen stays beside what it was changed into.

import { BACK, isBonus, orderOf, rankOf, suitOf } from "./tiles.js";

/** @typedef {import("./types.d.ts").PageHand} PageHand */
/** @typedef {import("./types.d.ts").Token} Token */
/** @typedef {import("./types.d.ts").Place} Place */
/** @typedef {import("./types.d.ts").Reading} Reading */
/** @typedef {import("./types.d.ts").MeldGroup} MeldGroup */

let last = 0;

/** @param {string} code @param {number | null} [seen] @returns {Token} */
export function token(code, seen = null) {
  last += 1;
  return { id: last, code, seen };
}

/** @returns {PageHand} */
export function emptyHand() {
  return { standing: [], melds: [], bonus: [], aside: [], winning: null };
}

/** Tiles of a run of notation such as `123m5z`. @param {string} text */
export function tilesIn(text) {
  const found = [];
  for (const [, digits, suit] of text.matchAll(/([0-9]+)([mpszfax])/g)) {
    for (const digit of digits) found.push(digit + suit);
  }
  return found;
}

/**
 * Notation taken apart.
 * @param {string} text such as `[123m] (1111p) 23455s +6s | 1f`
 */
export function parse(text) {
  const [held, bonus = ""] = text.split("|");
  /** @type {{tiles: string[], concealed: boolean}[]} */
  const melds = [];
  const rest = held.replace(/\[([^\]]*)\]|\(([^)]*)\)/g, (_, claimed, hidden) => {
    melds.push({ tiles: tilesIn(claimed ?? hidden), concealed: claimed === undefined });
    return " ";
  });
  const [standing, won = ""] = rest.split("+");
  const [winning = null, ...more] = tilesIn(won);
  return { melds, standing: [...tilesIn(standing), ...more], winning, bonus: tilesIn(bonus) };
}

/** A hand typed or shared: no photo behind it. @param {string} text @returns {PageHand} */
export function handFrom(text) {
  const parts = parse(text);
  const standing = parts.standing.map((code) => token(code));
  const won = parts.winning ? token(parts.winning) : null;
  return {
    standing: (won ? [...standing, won] : standing).sort((a, b) => orderOf(a.code) - orderOf(b.code)),
    melds: parts.melds.map((meld) => ({ tokens: meld.tiles.map((code) => token(code)), concealed: meld.concealed })),
    bonus: parts.bonus.map((code) => token(code)),
    aside: [],
    winning: won ? won.id : null,
  };
}

/**
 * The hand of a reading, each tile tied to its box. The reading says in notation what the tiles make, and in its
 * doubts which tiles were taken for a set or left out.
 * @param {Reading} reading
 * @param {string} [text] another hand over the same tiles
 * @param {import("./types.d.ts").Change[]} [otherwise] what in that hand is otherwise than it was seen
 * @returns {PageHand}
 */
export function handOf(reading, text = reading.hand, otherwise = []) {
  const parts = parse(text);
  const names = reading.tiles.map((tile) => tile.tile);
  const roles = reading.tiles.map((tile) => tile.role ?? "");
  for (const { tile, instead } of otherwise) {
    if (/^[0-9][mpszfax]$/.test(instead)) names[tile] = instead;
    else roles[tile] = instead;
  }
  const free = new Set(names.keys());
  const outside = reading.tiles[0]?.role
    ? [...names.keys()].filter((place) => roles[place] === "outside")
    : reading.doubts.filter((doubt) => doubt.code === "other_tiles").flatMap((doubt) => doubt.tiles);
  for (const place of outside) free.delete(place);
  const hinted = [
    ...(reading.sets ?? []).map((set) => set.tiles),
    ...reading.doubts.filter((doubt) => doubt.code === "claimed_set").map((doubt) => doubt.tiles),
  ];
  /** @param {string} code */
  const take = (code) => {
    for (const place of free) {
      if (names[place] === code) {
        free.delete(place);
        return token(code, place);
      }
    }
    return token(code);
  };
  const melds = parts.melds.map((meld) => {
    const places = placesOf(meld, names, free, hinted);
    if (!places) return { tokens: meld.tiles.map(take), concealed: meld.concealed };
    for (const place of places) free.delete(place);
    return { tokens: places.map((place) => token(names[place], place)), concealed: meld.concealed };
  });
  const bonus = parts.bonus.map(take);
  const standing = [];
  // Where the photo shows the winning tile, that one; else the last one that bears its name.
  const shown = reading.winning;
  const won = parts.winning && typeof shown === "number" && names[shown] === parts.winning && free.delete(shown)
    ? token(parts.winning, shown)
    : null;
  for (const place of [...free]) {
    const at = parts.standing.indexOf(names[place]);
    if (at >= 0) {
      parts.standing.splice(at, 1);
      free.delete(place);
      standing.push(token(names[place], place));
    }
  }
  standing.push(...parts.standing.map((code) => token(code)));
  const winner = won ?? (parts.winning ? take(parts.winning) : null);
  if (winner) standing.push(winner);
  standing.sort((a, b) => (a.seen ?? 999) - (b.seen ?? 999));
  const aside = [...free, ...outside].map((place) => token(names[place], place));
  return { standing, melds, bonus, aside, winning: winner ? winner.id : null };
}

/**
 * Which tiles of the photo make a set: as the reading says, or neighbours that show it.
 * @param {{tiles: string[], concealed: boolean}} meld
 * @param {string[]} names
 * @param {Set<number>} free
 * @param {number[][]} hinted
 */
function placesOf(meld, names, free, hinted) {
  const wanted = meld.tiles.toSorted().join();
  /** @param {number[]} places */
  const fits = (places) => {
    if (places.length !== meld.tiles.length || !places.every((place) => free.has(place))) return false;
    const shown = places.map((place) => names[place]);
    if (!meld.concealed) return shown.toSorted().join() === wanted;
    return shown.includes(meld.tiles[0]) && shown.every((code) => code === meld.tiles[0] || code === BACK);
  };
  const hint = hinted.find(fits);
  if (hint) return hint;
  const order = [...free];
  for (let start = 0; start + meld.tiles.length <= order.length; start += 1) {
    const run = order.slice(start, start + meld.tiles.length);
    if (fits(run)) return run;
  }
  return null;
}

/** @param {PageHand} hand @returns {[Place, Token[]][]} */
export function places(hand) {
  return [
    ["standing", hand.standing],
    ...hand.melds.map((meld, at) => /** @type {[Place, Token[]]} */ ([`meld:${at}`, meld.tokens])),
    ["bonus", hand.bonus],
    ["aside", hand.aside],
  ];
}

/** @param {PageHand} hand @param {number} id @returns {{place: Place, token: Token} | null} */
export function find(hand, id) {
  for (const [place, tokens] of places(hand)) {
    const found = tokens.find((one) => one.id === id);
    if (found) return { place, token: found };
  }
  return null;
}

/** @param {PageHand} hand @returns {PageHand} */
function copy(hand) {
  return {
    standing: [...hand.standing],
    melds: hand.melds.map((meld) => ({ tokens: [...meld.tokens], concealed: meld.concealed })),
    bonus: [...hand.bonus],
    aside: [...hand.aside],
    winning: hand.winning,
  };
}

/** @param {PageHand} hand @returns {PageHand} */
function tidy(hand) {
  hand.melds = hand.melds.filter((meld) => meld.tokens.length);
  if (!hand.standing.some((one) => one.id === hand.winning)) hand.winning = null;
  return hand;
}

/** @param {PageHand} hand @param {Place} place */
function tokensAt(hand, place) {
  return place.startsWith("meld:") ? hand.melds[Number(place.slice(5))].tokens : hand[/** @type {"standing"} */ (place)];
}

/** @param {PageHand} hand @param {number} id */
function pull(hand, id) {
  for (const [, tokens] of places(hand)) {
    const at = tokens.findIndex((one) => one.id === id);
    if (at >= 0) return tokens.splice(at, 1)[0];
  }
  throw new Error(`no tile ${id} in the hand`);
}

/** The tile is another one than was thought. @param {PageHand} hand @param {number} id @param {string} code */
export function rename(hand, id, code) {
  const made = copy(hand);
  for (const [place, tokens] of places(made)) {
    const at = tokens.findIndex((one) => one.id === id);
    if (at < 0) continue;
    tokens[at] = { ...tokens[at], code };
    if (isBonus(code) && place !== "aside") made.bonus.push(...tokens.splice(at, 1));
    else if (place === "bonus" && !isBonus(code)) made.standing.push(...tokens.splice(at, 1));
    break;
  }
  return tidy(made);
}

/**
 * @param {PageHand} hand @param {number} id @param {Place | "meld:new"} place
 * @param {number | null} [before] id of the tile that it is put before
 */
export function move(hand, id, place, before = null) {
  const made = copy(hand);
  const moved = pull(made, id);
  if (place === "meld:new") made.melds.push({ tokens: [moved], concealed: false });
  else {
    const into = isBonus(moved.code) && place !== "aside" ? made.bonus : tokensAt(made, place);
    const at = into.findIndex((one) => one.id === before);
    into.splice(at < 0 ? into.length : at, 0, moved);
    if (place.startsWith("meld:")) into.sort((a, b) => orderOf(a.code) - orderOf(b.code));
  }
  return tidy(made);
}

/** @param {PageHand} hand @param {string} code */
export function add(hand, code) {
  const made = copy(hand);
  const into = isBonus(code) ? made.bonus : made.standing;
  const added = token(code);
  const at = into.findIndex((one) => one.seen === null && orderOf(one.code) > orderOf(code));
  into.splice(at < 0 ? into.length : at, 0, added);
  return made;
}

/** Taken out of the hand. What the photo shows is laid aside, so that it stays visible. @param {PageHand} hand @param {number} id */
export function remove(hand, id) {
  const made = copy(hand);
  const gone = pull(made, id);
  if (gone.seen !== null) made.aside.push(gone);
  return tidy(made);
}

/** @param {PageHand} hand @param {number | null} id */
export function win(hand, id) {
  return { ...copy(hand), winning: hand.winning === id ? null : id };
}

/** The sets that standing tiles can make with this one. @param {PageHand} hand @param {number} id @returns {MeldGroup[]} */
export function setsWith(hand, id) {
  const own = hand.standing.find((one) => one.id === id);
  if (!own || isBonus(own.code)) return [];
  const others = hand.standing.filter((one) => one.id !== id && one.id !== hand.winning);
  /** @type {MeldGroup[]} */
  const found = [];
  const [rank, suit] = [rankOf(own.code), suitOf(own.code)];
  if ("mps".includes(suit)) {
    for (const low of [rank - 2, rank - 1, rank]) {
      const tokens = [low, low + 1, low + 2].map((at) =>
        at === rank ? own : others.find((one) => one.code === `${at}${suit}`),
      );
      if (tokens.every((one) => one !== undefined)) found.push({ tokens, concealed: false });
    }
  }
  const same = [own, ...others.filter((one) => one.code === own.code)];
  if (same.length >= 3) found.push({ tokens: same.slice(0, 3), concealed: false });
  if (same.length >= 4) {
    found.push({ tokens: same.slice(0, 4), concealed: false }, { tokens: same.slice(0, 4), concealed: true });
  }
  return found;
}

/** Lay standing tiles on the table as a set. @param {PageHand} hand @param {MeldGroup} set */
export function declare(hand, set) {
  const made = copy(hand);
  const ids = new Set(set.tokens.map((one) => one.id));
  made.standing = made.standing.filter((one) => !ids.has(one.id));
  made.melds.push({ tokens: [...set.tokens], concealed: set.concealed });
  return tidy(made);
}

/** A set goes back into the hand: it was never claimed. @param {PageHand} hand @param {number} at */
export function undeclare(hand, at) {
  const made = copy(hand);
  const [set] = made.melds.splice(at, 1);
  made.standing.push(...set.tokens.filter((one) => one.code !== BACK));
  made.standing.sort((a, b) => (a.seen ?? 999) - (b.seen ?? 999));
  return tidy(made);
}

/** A kong is concealed, or claimed. @param {PageHand} hand @param {number} at */
export function turnKong(hand, at) {
  const made = copy(hand);
  const faceOf = made.melds[at].tokens.find((one) => one.code !== BACK)?.code ?? BACK;
  made.melds[at].concealed = !made.melds[at].concealed;
  if (!made.melds[at].concealed) {
    made.melds[at].tokens = made.melds[at].tokens.map((one) => ({ ...one, code: faceOf }));
  }
  return made;
}

/** Whether these tiles are a chow, a pung or a kong. @param {MeldGroup} meld */
export function isSet(meld) {
  const codes = meld.tokens.map((one) => one.code).filter((code) => !(meld.concealed && code === BACK));
  if (!codes.length || codes.some((code) => code === BACK || isBonus(code))) return false;
  const same = codes.every((code) => code === codes[0]);
  if (meld.concealed) return same && meld.tokens.length === 4;
  if (same) return codes.length === 3 || codes.length === 4;
  const ranks = codes.map(rankOf).sort((a, b) => a - b);
  return (
    codes.length === 3 &&
    codes.every((code) => suitOf(code) === suitOf(codes[0]) && "mps".includes(suitOf(code))) &&
    ranks[1] === ranks[0] + 1 &&
    ranks[2] === ranks[0] + 2
  );
}

/** How many standing tiles there are, and how many there should be. @param {PageHand} hand */
export function countOf(hand) {
  return { held: hand.standing.length, wanted: 14 - 3 * hand.melds.length };
}

/** @param {string[]} codes sorted, like `123m 55z` */
export function spell(codes) {
  const sorted = codes.toSorted((a, b) => orderOf(a) - orderOf(b));
  let text = "";
  sorted.forEach((code, at) => {
    text += code[0];
    if (sorted[at + 1]?.[1] !== code[1]) text += code[1];
  });
  return text;
}

/** The hand in notation, as the service takes it. @param {PageHand} hand */
export function notation(hand) {
  const parts = hand.melds.map((meld) => {
    const codes = meld.tokens.map((one) => one.code);
    if (!meld.concealed) return `[${spell(codes)}]`;
    const face = codes.find((code) => code !== BACK) ?? BACK;
    return `(${spell(codes.map(() => face))})`;
  });
  const won = hand.standing.find((one) => one.id === hand.winning);
  const rest = hand.standing.filter((one) => one !== won).map((one) => one.code);
  if (rest.length) parts.push(spell(rest));
  if (won) parts.push(`+${won.code}`);
  if (hand.bonus.length) parts.push(`| ${spell(hand.bonus.map((one) => one.code))}`);
  return parts.join(" ");
}

/**
 * What was changed by hand against what was seen.
 * @param {PageHand | null} seen @param {PageHand} hand
 * @returns {{kind: "renamed" | "added" | "moved" | "removed" | "winning", token: Token, was: string, to: string}[]}
 */
export function changes(seen, hand) {
  if (!seen) return [];
  /** @type {Map<number, {code: string, kind: string}>} */
  const before = new Map();
  /** @param {PageHand} from @param {Place} place */
  const kindOf = (from, place) =>
    place.startsWith("meld:") ? (from.melds[Number(place.slice(5))].concealed ? "kong" : "claimed") : place;
  for (const [place, tokens] of places(seen)) {
    for (const one of tokens) if (one.seen !== null) before.set(one.seen, { code: one.code, kind: kindOf(seen, place) });
  }
  /** @type {ReturnType<typeof changes>} */
  const found = [];
  for (const [place, tokens] of places(hand)) {
    for (const one of tokens) {
      const was = one.seen === null ? null : before.get(one.seen);
      const kind = kindOf(hand, place);
      if (!was) found.push({ kind: "added", token: one, was: "", to: one.code });
      else {
        if (was.code !== one.code) found.push({ kind: "renamed", token: one, was: was.code, to: one.code });
        if (was.kind !== kind) {
          const gone = kind === "aside";
          found.push({ kind: gone ? "removed" : "moved", token: one, was: was.kind, to: kind });
        }
      }
    }
  }
  if (hand.winning !== null && hand.winning !== seen.winning) {
    const won = hand.standing.find((one) => one.id === hand.winning);
    if (won) found.push({ kind: "winning", token: won, was: "", to: won.code });
  }
  return found;
}
