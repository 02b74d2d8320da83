// What the page says in words and numbers: the line of messages, the colour bar, the value at the pointer.
//
// The line has refusals, faults of the flow, a lost connection, hints; never a window that blocks. Each kind
// has one place. What matters most is shown: a lost connection before a fault, a fault before a refusal, a
// refusal before a hint. Refusals and hints go by themselves.

import { labelOf, paintBar, readable, unitOfField } from "./colours.js";

/** Kinds from the one that matters most, with their sign and how long they stay (null: until they are over). */
const KINDS = {
    lost: { sign: "⟳", stays: null },
    fault: { sign: "✖", stays: null },
    refused: { sign: "⚠", stays: 9000 },
    hint: { sign: "ℹ", stays: 5000 },
};

/** A text longer than this is cut. */
const LONGEST = 400;

/** Over so many milliseconds pictures are counted. */
const COUNTED = 2000;

const find = (id) => document.getElementById(id);

export class Notice {
    constructor() {
        this.box = find("message");
        this.sign = find("message-sign");
        this.text = find("message-text");
        this.said = {};
        this.timers = {};
        this.shown = null;
        find("message-close").addEventListener("click", () => this.over(this.shown));
    }

    /** Shows a text of a kind in the place of the last one of this kind. */
    say(kind, text) {
        clearTimeout(this.timers[kind]);
        const line = String(text);
        this.said[kind] = line.length > LONGEST ? `${line.slice(0, LONGEST)} …` : line;
        const { stays } = KINDS[kind];
        if (stays !== null) {
            this.timers[kind] = setTimeout(() => this.over(kind), stays);
        }
        this.show();
    }

    /** A message of this kind is over. */
    over(kind) {
        if (kind !== null && this.said[kind] !== undefined) {
            clearTimeout(this.timers[kind]);
            delete this.said[kind];
            this.show();
        }
    }

    /** Shows what matters most. */
    show() {
        this.shown = Object.keys(KINDS).find((kind) => this.said[kind] !== undefined) ?? null;
        this.box.hidden = this.shown === null;
        if (this.shown === null) {
            return;
        }
        this.box.dataset.kind = this.shown;
        this.sign.textContent = KINDS[this.shown].sign;
        const text = this.said[this.shown];
        if (this.text.textContent !== text) {
            this.text.textContent = text;
        }
    }
}

/** Numbers about the picture. */
export class Readings {
    constructor(picture) {
        this.picture = picture;
        this.shownAt = [];
        this.node = null;
    }

    /** Counts a picture. */
    count() {
        this.shownAt.push(performance.now());
    }

    /** How many pictures a second were there lately. */
    rate() {
        const now = performance.now();
        while (this.shownAt.length > 0 && now - this.shownAt[0] > COUNTED) {
            this.shownAt.shift();
        }
        find("stat-rate").textContent = String(Math.round((1000 * this.shownAt.length) / COUNTED));
        this.at(this.node);
    }

    /** The value at a node, in a corner of the picture; null: nothing. */
    at(node) {
        this.node = node;
        const value = node === null ? null : this.picture.value(...node);
        const name = labelOf(this.picture.fieldName());
        const place = node?.map((x) => x.toFixed(1)).join(", ");
        const what = node !== null && this.picture.solid(...node) ? "solid" : `${name} ${readable(value)}`;
        find("readout").textContent = value === null ? "" : `x, y = ${place} · ${what}`;
    }

    /** The colour bar, with the range and the unit of the field. */
    bar() {
        const field = this.picture.fieldName();
        const [least, most] = [this.picture.frame.low, this.picture.frame.high].map(readable);
        const unit = unitOfField(field);
        paintBar(find("bar"), this.picture.colours);
        find("bar-name").textContent = labelOf(field);
        find("bar-low").textContent = least;
        find("bar-high").textContent = most;
        find("bar-unit").textContent = unit;
        find("bar-set").setAttribute("aria-label", `Colours of ${field} from ${least} to ${most} ${unit}`);
        find("colours").value = this.picture.map;
    }
}
