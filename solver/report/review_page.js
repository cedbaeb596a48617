// Steps through the hands of the page. A hand is seen before its card number `play` (the number of cards: at its end);
// `trial` is a card tried in place of the one that was played. All values come with the page: nothing is reckoned here
// but what follows from them by adding. Where the hand is stands in the address: #deal=2&play=13&try=H9.
//
// Two kinds of deals: those of three hands, where each seat is sure of tricks (`sure` and `options` have a number a
// seat), and those of four bid for a contract (`contract`), where all numbers are the tricks of its declarers (one).

const THREE = "DEM";
const FOUR = "NESW";
const PLACES = {
  three: { D: "Dealer", E: "Eldest", M: "Middle" },
  four: { N: "North", E: "East", S: "South", W: "West" },
};
const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const SUITS = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
const RANKS = {
  A: "ace",
  K: "king",
  Q: "queen",
  J: "jack",
  T: "ten",
  9: "nine",
  8: "eight",
  7: "seven",
  6: "six",
  5: "five",
  4: "four",
  3: "three",
  2: "two",
};
const MARKS = { safe: "●", open: "◐", lost: "○" };

const deals = JSON.parse(document.getElementById("review-data").textContent);

// ---- small things ---------------------------------------------------------------------------------------------------

function make(name, attributes, ...inside) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (key === "onclick") element.addEventListener("click", value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value);
  }
  element.append(...inside);
  return element;
}

const spoken = (card) => `${RANKS[card[1]]} of ${SUITS[card[0]]}`;
const red = (suit) => (suit === "H" || suit === "D" ? " red" : "");

const classes = (...names) => names.filter(Boolean).join(" ");

/** Text with the names of cards as signs. */
function signs(text) {
  return text
    .split(/\b([SHDC][2-9TJQKA])\b/)
    .map((part, at) => (at % 2 ? make("span", { class: `cards${red(part[0])}` }, SIGNS[part[0]] + part[1]) : part));
}

const plural = (number) => `${number} trick${number === 1 ? "" : "s"}`;
const change = (number) => (number > 0 ? `+${number}` : number ? `\u2212${-number}` : "as played");

// ---- what is known of a deal ----------------------------------------------------------------------------------------

const lettersOf = (deal) => (deal.contract ? FOUR : THREE);
const placesOf = (deal) => (deal.contract ? PLACES.four : PLACES.three);
const declares = (deal, seat) => deal.contract.declarers.includes(seat);

/** Where a seat's number stands among those of `sure`. */
const numberOf = (deal, seat) => (deal.contract ? 0 : THREE.indexOf(seat));

/** The cards of a hand before a play, as names. */
function handAt(deal, seat, play) {
  const gone = new Set(deal.cards.filter((_, at) => at < play && deal.seats[at] === seat));
  return deal.hands[lettersOf(deal).indexOf(seat)]
    .split(".")
    .flatMap((ranks, at) => [...ranks].map((rank) => "SHDC"[at] + rank).filter((card) => !gone.has(card)));
}

/** What the seats are sure of before a play, or after a trial; null where it is not known. */
function sureAt(deal, play, trial) {
  if (play < deal.first) return null;
  return trial ? deal.options[play - deal.first][trial] : deal.sure[play - deal.first];
}

function takenAt(deal, play) {
  const letters = lettersOf(deal);
  const won = deal.winners.slice(0, Math.floor(play / letters.length));
  return [...letters].map((seat, at) => [...won].filter((each) => each === seat).length + (at ? 0 : deal.kitty));
}

function statusAt(deal, sure, taken, at) {
  const quota = deal.quotas[at];
  if (deal.few) return sure[at] <= quota ? "safe" : taken[at] > quota ? "lost" : "open";
  const surplus = deal.total + deal.kitty - sure[0] - sure[1] - sure[2];
  return sure[at] >= quota ? "safe" : sure[at] + surplus < quota ? "lost" : "open";
}

/** Is the contract made with so many tricks of its declarers? */
function makes(deal, worth) {
  return deal.few ? worth === 0 : worth >= deal.contract.needs;
}

function statusWords(deal, status) {
  if (deal.few) return { safe: "safe", open: "not safe", lost: "exceeded" }[status];
  return { safe: "safe", open: "open", lost: "out of reach unless another errs" }[status];
}

// ---- the table ------------------------------------------------------------------------------------------------------

class HandReview extends HTMLElement {
  connectedCallback() {
    this.deal = deals[Number(this.dataset.deal)];
    this.steps = make("div", { class: "steps", role: "group", "aria-label": "Steps" });
    const button = (label, text, go) =>
      make(
        "button",
        {
          type: "button",
          "aria-label": label,
          title: label,
          onclick: (event) => event.currentTarget.getAttribute("aria-disabled") !== "true" && go(),
        },
        text,
      );
    this.buttons = {
      first: button("First card (Home)", "|◀\uFE0E", () => this.go(0)),
      back: button("Card before (left arrow)", "◀\uFE0E", () => this.step(-1)),
      next: button("Next card (right arrow)", "▶\uFE0E", () => this.step(1)),
      last: button("End of the hand (End)", "▶\uFE0E|", () => this.go(this.deal.cards.length)),
      loss: button("Next card that cost a trick", "next loss", () => this.go(this.nextLoss())),
      leave: button("Back to the card that was played (Escape)", "leave what-if", () => this.go(this.play)),
    };
    this.where = make("span", { class: "where" });
    this.steps.append(...Object.values(this.buttons), this.where);
    this.said = make("p", { class: "said", "aria-live": "polite", "aria-atomic": "true" });
    this.round = make("div", { class: classes("round", this.deal.contract && "four") });
    this.key = make(
      "p",
      { class: "key" },
      `Below each card that may be played: ${this.numbers()}, round and ` +
        "filled if no card is better, square and broken if it costs something. ▼ is the card that was played; " +
        "choose another to see what it would have left. Arrow keys, Home and End step through the hand.",
    );
    this.replaceChildren(this.steps, this.said, this.round, this.key);
    this.show(0, null);
  }

  /** What the numbers below the cards are. */
  numbers() {
    const { contract, few } = this.deal;
    if (contract) return few ? "1 if the declarer must then take a trick, 0 if not" : "the declarers' tricks then";
    return `the tricks its player ${few ? "can then be made to take" : "is then sure of"}`;
  }

  // -- moving about

  go(play, trial = null) {
    const number = Math.max(0, Math.min(this.deal.cards.length, play));
    address(this.closest("article").dataset.key, number, trial);
    this.show(number, trial);
  }

  step(by) {
    if (this.trial) this.go(this.play);
    else this.go(this.play + by);
  }

  nextLoss() {
    const at = this.deal.lost.findIndex((lost, number) => lost > 0 && number + this.deal.first > this.play);
    return at < 0 ? this.play : at + this.deal.first;
  }

  choose(card) {
    if (card === this.deal.cards[this.play]) this.go(this.play + 1);
    else this.go(this.play, card === this.trial ? null : card);
  }

  // -- showing

  show(play, trial) {
    const forward = play === this.play + 1;
    const hadFocus = this.round.contains(document.activeElement) || document.activeElement === this.buttons.leave;
    this.play = Math.max(0, Math.min(this.deal.cards.length, play));
    const options = this.options();
    this.trial = options && trial in options && trial !== this.deal.cards[this.play] ? trial : null;
    this.showSteps();
    this.said.replaceChildren(...signs(this.text()));
    this.said.classList.toggle("trial", this.trial !== null);
    const order = this.deal.contract ? "NWES" : "EMD";
    this.round.replaceChildren(...[...order].map((seat) => this.seat(seat)), this.trick(forward));
    if (hadFocus) (this.round.querySelector(".tried, .played") ?? this.buttons.back).focus({ preventScroll: true });
    this.mark();
  }

  options() {
    return this.deal.options[this.play - this.deal.first] ?? null;
  }

  showSteps() {
    const off = (name, is) => this.buttons[name].setAttribute("aria-disabled", String(is));
    const count = this.deal.cards.length;
    off("first", this.play === 0);
    off("back", this.play === 0);
    off("next", this.play === count);
    off("last", this.play === count);
    off("loss", this.nextLoss() === this.play);
    this.buttons.leave.hidden = !this.trial;
    this.buttons.loss.hidden = this.trial !== null;
    this.where.textContent = this.play === count ? `all ${count} cards` : `card ${this.play + 1} of ${count}`;
  }

  text() {
    const { deal, play } = this;
    const n = lettersOf(deal).length;
    const trick = Math.floor(play / n) + 1;
    const won = play && play % n === 0 ? `${deal.winners[trick - 2]} won trick ${trick - 1}. ` : "";
    if (play === deal.cards.length) return won + this.ending();
    if (this.trial) return this.trialText();
    const at = play - deal.first;
    const mover = deal.seats[play];
    if (at < 0) return `${won}Trick ${trick}: ${mover} played ${deal.cards[play]}, which was not judged.`;
    return `${won}Trick ${trick}: ${deal.says[at]}`;
  }

  ending() {
    const { deal } = this;
    if (deal.contract) return this.contractEnding();
    const sure = deal.sure
      .at(-1)
      .map((each, at) => `${THREE[at]} ${each}`)
      .join(", ");
    if (deal.cards.length === 3 * deal.total) return `The hand is over: ${sure}.`;
    return `Here the cards end. ${deal.few ? "Caps" : "Sure of tricks"}: ${sure}.`;
  }

  contractEnding() {
    const { deal } = this;
    if (deal.made === null) return `Here the cards end. ${this.standing(deal.sure.at(-1)[0])}.`;
    const how = deal.claim ? "The rest was claimed" : "The hand is over";
    return `${how}: ${deal.contract.title} was ${deal.made ? "made" : "beaten"}.`;
  }

  /** How a contract stands with so many tricks of its declarers. */
  standing(worth) {
    const { deal } = this;
    const tricks = deal.few ? "" : `, with ${plural(worth)}`;
    return `${deal.contract.title} is ${makes(deal, worth) ? "made" : "beaten"}${tricks} if all play best`;
  }

  trialText() {
    const { deal, play, trial } = this;
    if (deal.contract) return this.contractTrial();
    const [then, real] = [sureAt(deal, play, trial), deal.sure[play - deal.first + 1]];
    const seats = [deal.seats[play], ...[...THREE].filter((seat) => seat !== deal.seats[play])];
    const told = seats
      .filter((seat) => then[THREE.indexOf(seat)] !== null)
      .map((seat) => {
        const at = THREE.indexOf(seat);
        return `${seat} ${then[at]} (${change(then[at] - real[at])})`;
      });
    const what = deal.few ? "caps of" : "floors of";
    return (
      `What if ${deal.seats[play]} had played ${trial} instead of ${deal.cards[play]}? It would have left ${what} ` +
      `${told.join(", ")}.`
    );
  }

  contractTrial() {
    const { deal, play, trial } = this;
    const then = sureAt(deal, play, trial)[0];
    const real = deal.sure[play - deal.first + 1][0];
    const compared = deal.few ? "" : ` (${change(then - real)})`;
    return (
      `What if ${deal.seats[play]} had played ${trial} instead of ${deal.cards[play]}? ` +
      `${this.standing(then)}${compared}.`
    );
  }

  seat(seat) {
    const { deal, play } = this;
    const at = lettersOf(deal).indexOf(seat);
    const place = placesOf(deal)[seat];
    const moves = deal.seats[play] === seat;
    const name = make("span", { class: "name", title: deal.names[at] }, deal.names[at]);
    const head = make("h3", {}, `${place} (${seat})${moves ? " to play" : ""}`, name);
    const hand = handAt(deal, seat, play);
    const suits = [..."SHDC"].map((suit) =>
      this.suit(
        suit,
        hand.filter((card) => card[0] === suit),
        moves,
      ),
    );
    return make(
      "section",
      { class: `seat seat-${seat}${moves ? " moves" : ""}`, "aria-label": `${place}, ${deal.names[at]}` },
      head,
      deal.contract ? this.contractStand(seat) : this.stand(at),
      ...suits,
    );
  }

  stand(at) {
    const { deal, play, trial } = this;
    const taken = takenAt(deal, play);
    const had = `${plural(taken[at])} taken`;
    const sure = sureAt(deal, play, trial);
    const word = deal.few ? "limit" : "quota";
    if (sure === null || sure.includes(null))
      return make("p", { class: "stand" }, `${had}, ${word} ${deal.quotas[at]}`);
    const status = statusAt(deal, sure, taken, at);
    const share = sure[at] + (deal.total + deal.kitty - sure[0] - sure[1] - sure[2]) / 3;
    const would = trial ? "would be " : "";
    const fair = deal.few ? "" : `, fair share ${Number(share.toFixed(2))}`;
    return make(
      "p",
      { class: "stand" },
      `${had}, ${deal.few ? `cap ${would}` : `${would}sure of `}`,
      make("b", {}, String(sure[at])),
      fair,
      make("br"),
      `${MARKS[status]} ${word} ${deal.quotas[at]} ${statusWords(deal, status)}`,
    );
  }

  /** What a seat of four has taken; of the declarers, how the contract stands. */
  contractStand(seat) {
    const { deal, play, trial } = this;
    const had = `${plural(takenAt(deal, play)[FOUR.indexOf(seat)])} taken`;
    if (!declares(deal, seat)) return make("p", { class: "stand" }, `${had}, defends`);
    const needs = deal.few ? "may take none" : `needs ${deal.contract.needs}`;
    const sure = sureAt(deal, play, trial);
    if (sure === null) return make("p", { class: "stand" }, `${had}, ${needs}`);
    const made = makes(deal, sure[0]);
    const worth = deal.few ? [] : [", best play ", make("b", {}, String(sure[0]))];
    const stands = `${MARKS[made ? "safe" : "lost"]} ${made ? "made" : "beaten"} if all play best`;
    return make("p", { class: "stand" }, `${had}, ${needs}`, ...worth, make("br"), stands);
  }

  suit(suit, cards, moves) {
    const sign = make("span", { class: `sign${red(suit)}`, "aria-hidden": "true" }, SIGNS[suit]);
    const said = make("span", { class: "hidden" }, `${SUITS[suit]}: `);
    const options = moves ? this.options() : null;
    const inside = cards.map((card) =>
      options && card in options ? this.card(card, options) : make("span", { class: `rank${red(suit)}` }, card[1]),
    );
    return make(
      "div",
      { class: "suit" },
      sign,
      said,
      ...(inside.length ? inside : [make("span", { class: "rank" }, "–")]),
    );
  }

  card(card, options) {
    const { deal, play } = this;
    const at = numberOf(deal, deal.seats[play]);
    const value = options[card][at];
    const best = value === deal.sure[play - deal.first][at];
    const played = card === deal.cards[play];
    const forced = Object.keys(options).length === 1;
    const about = [spoken(card), this.spokenValue(value)];
    if (forced) about.push("forced");
    else about.push(best ? "best" : `costs ${Math.abs(value - deal.sure[play - deal.first][at])}`);
    if (played) about.push("played");
    const kind = classes("card", best && !forced && "best", played && "played", card === this.trial && "tried");
    return make(
      "button",
      {
        type: "button",
        class: kind,
        "aria-label": about.join(", "),
        title: about.join(", "),
        "aria-pressed": played ? null : String(card === this.trial),
        onclick: () => this.choose(card),
      },
      make("span", { class: `rank${red(card[0])}` }, card[1]),
      make("span", { class: "badge" }, forced ? `${value}=` : String(value)),
    );
  }

  spokenValue(value) {
    const { contract, few } = this.deal;
    if (contract) return few ? (value ? "beaten" : "no trick") : `declarers ${value}`;
    return few ? `cap ${value}` : `sure of ${value}`;
  }

  trick(forward) {
    const { deal, play } = this;
    const n = lettersOf(deal).length;
    const past = play > 0 && play % n === 0 && !this.trial;
    const start = past ? play - n : play - (play % n);
    const number = start / n + 1;
    const winner = past ? deal.winners[number - 1] : null;
    const slots = [...(deal.contract ? "NWES" : "EDM")].map((seat) => {
      const places = Array.from({ length: n }, (_, each) => each);
      const place = places.find((each) => start + each < play && deal.seats[start + each] === seat);
      const tried = this.trial && deal.seats[play] === seat;
      const card = tried ? this.trial : place === undefined ? null : deal.cards[start + place];
      return this.slot(seat, card, { place, tried, past, winner, fresh: forward && place === (play - 1) % n });
    });
    const say = past ? `trick ${number}, won by ${winner}` : `trick ${number}`;
    return make("section", { class: "trick", "aria-label": say }, make("div", { class: "say" }, say), ...slots);
  }

  slot(seat, card, { place, tried, past, winner, fresh }) {
    if (!card) return make("div", { class: `slot slot-${seat}` }, seat);
    const kind = classes("slot full", `slot-${seat}`, past && "past", winner === seat && "winner", tried && "tried");
    const word = tried ? "tried" : winner === seat ? "won" : place === 0 ? "led" : "";
    return make(
      "div",
      { class: kind + (fresh ? " new" : "") },
      make("b", { class: red(card[0]).trim() }, SIGNS[card[0]] + card[1]),
      make("span", {}, word ? `${seat}, ${word}` : seat),
    );
  }

  /** Where this is in the list of tricks and in the curves. */
  mark() {
    const article = this.closest("article");
    for (const link of article.querySelectorAll(".tricks a")) {
      if (Number(link.dataset.play) === this.play) link.setAttribute("aria-current", "step");
      else link.removeAttribute("aria-current");
    }
    for (const line of article.querySelectorAll("svg .now")) {
      const [from, to] = [Number(line.dataset.from), Number(line.dataset.to)];
      const at = from + (this.play / (lettersOf(this.deal).length * this.deal.total)) * (to - from);
      line.setAttribute("x1", at);
      line.setAttribute("x2", at);
    }
  }
}

// ---- the page -------------------------------------------------------------------------------------------------------

const articles = [...document.querySelectorAll("article.deal")];

function address(key, play, trial) {
  const fragment = `#deal=${key}&play=${play}${trial ? `&try=${trial}` : ""}`;
  if (location.hash !== fragment) history.replaceState(null, "", fragment);
}

/** Show what the address says; the first deal where it says nothing that there is. */
function read() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const article = articles.find((each) => each.dataset.key === asked.get("deal")) ?? articles[0];
  for (const each of articles) each.hidden = each !== article;
  for (const link of document.querySelectorAll(".deals a")) {
    if (link.dataset.deal === article.dataset.deal) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const table = article.querySelector("hand-review");
  if (!table) return null; // a deal without cards
  if (asked.has("play") || asked.has("deal")) table.show(Math.trunc(Number(asked.get("play"))) || 0, asked.get("try"));
  return table;
}

function key(event) {
  if (
    event.altKey ||
    event.ctrlKey ||
    event.metaKey ||
    event.shiftKey ||
    event.target.closest?.(".scroll, input, textarea")
  )
    return;
  const table = articles.find((each) => !each.hidden).querySelector("hand-review");
  if (!table) return;
  const act = {
    ArrowLeft: () => table.step(-1),
    ArrowRight: () => table.step(1),
    Home: () => table.go(0),
    End: () => table.go(table.deal.cards.length),
    Escape: () => table.trial && table.go(table.play),
  }[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

/** A link to a card leads to the table, whoever follows it: by eye or by ear. */
function follow(event) {
  const link = event.target.closest?.('a[href^="#deal="]');
  if (!link) return;
  event.preventDefault();
  history.replaceState(null, "", link.getAttribute("href"));
  const table = read();
  if (!table || link.closest(".deals, .tricks")) return;
  table.scrollIntoView({ block: "start" });
  table.buttons.next.focus({ preventScroll: true });
}

customElements.define("hand-review", HandReview);
document.addEventListener("keydown", key);
document.addEventListener("click", follow);
window.addEventListener("hashchange", read);
read();
