// Shapes of the public HTTP API and of the page's own state, for the type check only; not served.

export type Box = [number, number, number, number];

export interface Alternative {
  tile: string;
  probability: number;
}

export interface SeenTile {
  tile: string;
  box: Box;
  confidence: number;
  alternatives: Alternative[];
  row: number;
  corners?: [number, number][] | null;
  /** What the tile is taken for: standing, winning, bonus, set or outside. */
  role?: string;
}

export interface Doubt {
  code: string;
  detail: string;
  tiles: number[];
  /** What it may be instead: a tile, or words such as `claimed`, and the hand that it would make. */
  candidates?: { value: string; probability: number; hand: string; score?: Brief | null }[];
  /** False where no candidate changes the score. */
  matters?: boolean | null;
}

/** A score in brief. */
export interface Brief {
  is_win: boolean;
  legal: boolean;
  total: number;
  range?: { low: number; high: number } | null;
}

/** A hand that the photo may show, or that the rules suggest. */
export interface OtherReading {
  hand: string;
  probability?: number;
  changes?: Change[];
  score?: Brief | null;
}

/** A tile that is otherwise than it was seen: another name, or another role. */
export interface Change {
  tile: number;
  seen: string;
  instead: string;
}

export interface Reading {
  photo: string | null;
  width: number;
  height: number;
  tiles: SeenTile[];
  hand: string;
  doubts: Doubt[];
  model: { name: string; version: string; sha256: string };
  readings?: OtherReading[];
  suggestions?: OtherReading[];
  sets?: { meld: string | null; concealed: boolean; tiles: number[] }[];
  winning?: number | null;
  /** What is wrong with the photo, and where. */
  quality?: { code: string; box: Box; advice: Names }[];
}

export interface Names {
  en: string;
  zh: string;
}

export interface Fan {
  id: string;
  name: Names;
  points: number;
  times: number;
  tiles: string[];
}

export interface Dropped {
  id: string;
  because: string;
  rule: string;
  times: number;
}

export interface Settlement {
  payments: Record<string, number>;
  lines: { from: string; to: string | null; amount: number; why: string }[];
}

export interface ScoreAnswer {
  rules: string;
  options: Record<string, OptionValue>;
  is_win: boolean;
  legal: boolean;
  minimum: number;
  toward_minimum: number;
  uncapped: number;
  total: number;
  fans: Fan[];
  dropped: Dropped[];
  sets: string[];
  range: { low: number; high: number; decides: string[]; legal_depends: boolean } | null;
  problems: { code: string; detail: string }[];
  ties: { sets: string[]; fans: Fan[] }[];
  settlement: Settlement | null;
}

export interface HandAnswer {
  reading: Reading;
  scored_hand: string;
  score: ScoreAnswer;
  timings: { read_ms: number; score_ms: number };
}

export type OptionValue = boolean | number | string | null;

export interface Option {
  id: string;
  type: string;
  default: OptionValue;
  value: OptionValue;
  choices?: OptionValue[];
  minimum?: number;
  maximum?: number;
  nullable: boolean;
  description: string;
}

export interface Ruleset {
  id: string;
  name: Names;
  minimum: number;
  cap: number | null;
  options: Option[];
  fans: { id: string; name: Names; points: number; number: number | null; source: string }[];
  sources: string[];
}

/** One tile on the page: `seen` is its place in the reading, null for one that was added by hand. */
export interface Token {
  id: number;
  code: string;
  seen: number | null;
}

export interface MeldGroup {
  tokens: Token[];
  concealed: boolean;
}

export interface PageHand {
  standing: Token[];
  melds: MeldGroup[];
  bonus: Token[];
  aside: Token[];
  winning: number | null;
}

/** Where a token lies: a named group, or the place of a set. */
export type Place = "standing" | "bonus" | "aside" | `meld:${number}`;

export interface Context {
  win: "discard" | "self_draw" | "rob_kong" | null;
  seat: string | null;
  round: string | null;
  flags: string[];
}

export interface Table {
  discarder: string | null;
  unit: number;
}

export interface State {
  photo: { width: number; height: number; bitmap: HTMLCanvasElement } | null;
  /** The photo as it was sent to be read. */
  sent: Blob | null;
  reading: Reading | null;
  /** The hand as it was seen, before any change by hand. */
  seen: PageHand | null;
  hand: PageHand;
  past: PageHand[];
  future: PageHand[];
  /** A referee has locked hand, context and claim. */
  locked: boolean;
  rules: string;
  options: Record<string, Record<string, OptionValue>>;
  /** House rules kept under a name, by rule set and name. */
  profiles: Record<string, Record<string, Record<string, OptionValue>>>;
  /** Named house rules that came with a link and are not kept. */
  lent: { name: string; options: Record<string, OptionValue> } | null;
  context: Context;
  table: Table;
  answer: ScoreAnswer | null;
  problem: Problem | null;
  busy: "reading" | "scoring" | null;
  /** Token that is looked at. */
  focus: number | null;
  whatIfs: { hand: string; from: Token; to: string; answer: ScoreAnswer }[];
}

/** What went wrong, as the API says it, or found here (offline, timeout). */
export interface Problem {
  code: string;
  title: string;
  detail: string;
  retry?: boolean;
}

export type VerdictWord = "valid" | "over_claimed" | "under_claimed" | "below_minimum" | "not_winning" | "wrong_number_of_tiles" | "cannot_be_decided";

/** One part of a verdict. */
export interface VerdictLine {
  code: string;
  fan: string | null;
  name: Names | null;
  times: number;
  points: number;
  because: string;
  says: Names;
  rule: { edition: string; article: string; says: string };
  tiles: string[];
}

/** The verdict on a claim. */
export interface VerifyAnswer {
  verdict: VerdictWord;
  says: Names;
  rules: string;
  hand: string;
  minimum: number;
  stands: { total: number; uncapped: number; toward_minimum: number; reaches_minimum: boolean };
  lines: VerdictLine[];
  distance: { tiles: number; swaps: { missing: string | null; spare: string | null }[] } | null;
  depends: string[];
  look_at: {
    code: string;
    detail: string;
    tiles: number[];
    matters: boolean;
    candidates: { value: string; probability: number; verdict: VerdictWord | null }[];
  }[];
}

/** A hand was locked, or unlocked again. */
export interface Act {
  act: "locked" | "unlocked";
  by: string;
  at: string;
  reason?: string;
  hand?: string;
}

/** What can be said of a bundle. */
export interface BundleAnswer {
  intact: boolean;
  problems: { code: string; detail: string }[];
  signature: { state: string; key: string | null } | null;
  bundle: {
    made: { at: string };
    rules: string;
    hand: string;
    verdict: VerdictWord | null;
    total: number;
    confirmed: { by: string; at: string; log?: Act[] } | null;
  } | null;
  again: { otherwise: boolean | null; why: string[] } | null;
}

/** A match of the ledger in brief. */
export interface BriefMatch {
  id: string;
  number: number;
  title: string;
  rules: string;
  players: string[];
}

export interface TablePlayer {
  player: number;
  name: string;
  seat: string;
  points: number;
  wins: number;
  faults: number;
  dead_hand: boolean;
  disqualified: boolean;
  place: number | null;
  place_points: number | null;
}

export interface MatchAnswer {
  id: string;
  match: { title: string; rules: string; players: string[]; unit: number };
  offers: Offers;
  table: { hands: number; round: string; dealer: number; over: boolean; closed: boolean; players: TablePlayer[] };
}

/** What can be entered into a match beside wins and draws, by its rules. */
export interface Offers {
  of_several: "all" | "one" | "three_or_one" | null;
  liability: { fans: { id: string; name: Names }[]; others: boolean; drawn_only: boolean; asks_sets: boolean } | null;
  instants: { id: string; units: number }[];
  opening: boolean;
  faults: boolean;
  announced: boolean;
  draw_kongs: boolean;
}

/** One who wins: by a hand, or by a total that is declared. */
export interface Claim {
  winner: number;
  hand?: string;
  context?: Record<string, unknown>;
  total?: number;
  fans?: string[];
  claimed_sets?: number;
  liable?: number;
  informer?: number;
}

/** What was entered; each kind has some of these. */
export interface Entry {
  kind: string;
  reason?: string;
  of?: number;
  entry?: Entry;
  player?: number;
  discarder?: number | null;
  robbed?: boolean;
  claims?: Claim[];
  kongs?: number[];
  hand?: string;
  context?: Record<string, unknown>;
  amount?: number;
  to?: number[];
  items?: string[];
  opening?: boolean;
  points?: number[];
}

export interface LedgerEntry {
  sequence: number;
  at: string;
  by: string;
  dealer: number;
  standing: "counts" | "corrected" | "undone";
  by_entry: number | null;
  points: number[];
  entry: Entry;
  /** What counts in its place. */
  counts_as: Entry | null;
  moves: { from: number; to: number | null; amount: number; why: string }[];
  scores: { winner: number; total: number }[];
}

/** What stands in a form, by the name of its field; what is ticked holds `yes`. */
export type Draft = Record<string, string>;

/** A form in which an entry is made. */
export interface EntryForm {
  id: string;
  match: MatchAnswer;
  draft: Draft;
  /** The claim of the hand that was audited, which is not typed here. */
  audited?: (winner: number) => Claim;
  /** The win that the audited hand may be another one of, on the same tile. */
  last?: LedgerEntry | null;
  /** Who sat in the winner's seat then. */
  sat?: string;
  /** Draw its fields again. */
  again: () => void;
}
