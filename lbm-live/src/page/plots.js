// Running plots: drag, lift and speed of the run over the last steps.
//
// The axis is that of steps, so a paused flow adds nothing. The range of values leaves out the few largest:
// the jump when an obstacle is drawn would flatten all that follows.

import { readable } from "./colours.js";

/** The most points of a plot; where they are reached, the oldest part goes. */
const MOST_POINTS = 1200;
const DROPPED = 200;

/** Pixels: a place for the numbers of the axis, a plot too narrow for two steps, room around the line. */
const LEFT = 52;
const NARROW = 190;
const EDGE = 6;
const BELOW = 16;

const KINDS = [
    { name: "drag", colour: "#56b4e9" },
    { name: "lift", colour: "#e69f00" },
    { name: "mlups", colour: "#3fc49b", fromZero: true },
];

/** The range that holds all but the outermost two of a hundred values on either side. */
function rangeOf(values, fromZero) {
    const sorted = values.filter((value) => value !== null).sort((a, b) => a - b);
    if (sorted.length === 0) {
        return null;
    }
    const at = (share) => sorted[Math.round(share * (sorted.length - 1))];
    let [low, high] = [fromZero ? 0 : at(0.02), fromZero ? at(1) : at(0.98)];
    const room = 0.12 * (high - low) || 0.1 * Math.abs(high) || 1;
    low = fromZero ? 0 : low - room;
    high += room;
    return [low, high];
}

export class Plots {
    constructor() {
        this.steps = [];
        this.stale = true;
        this.plots = KINDS.map((kind) => {
            const canvas = document.getElementById(`plot-${kind.name}`);
            new ResizeObserver(() => {
                this.stale = true;
            }).observe(canvas);
            return {
                ...kind,
                canvas,
                values: [],
                output: document.getElementById(`plot-${kind.name}-value`),
            };
        });
    }

    /** Forgets all points. */
    clear() {
        this.steps = [];
        for (const plot of this.plots) {
            plot.values = [];
        }
        this.stale = true;
    }

    /** Takes the values of a status. */
    push(status) {
        if (this.steps.length > 0 && status.step < this.steps.at(-1)) {
            this.clear();
        }
        for (const { name, output } of this.plots) {
            output.value = readable(status[name]);
        }
        if (status.step === this.steps.at(-1)) {
            return;
        }
        this.steps.push(status.step);
        for (const plot of this.plots) {
            plot.values.push(Number.isFinite(status[plot.name]) ? status[plot.name] : null);
        }
        if (this.steps.length > MOST_POINTS) {
            this.steps.splice(0, DROPPED);
            this.plots.forEach((plot) => plot.values.splice(0, DROPPED));
        }
        this.stale = true;
    }

    /** Draws what has changed. */
    paint() {
        if (!this.stale) {
            return;
        }
        this.stale = false;
        for (const plot of this.plots) {
            this.paintOne(plot);
        }
    }

    paintOne({ name, canvas, values, colour, fromZero }) {
        const density = Math.min(globalThis.devicePixelRatio || 1, 2);
        const [width, height] = [canvas.clientWidth, canvas.clientHeight];
        const context = canvas.getContext("2d");
        // A new size also clears the canvas.
        canvas.width = Math.round(width * density);
        canvas.height = Math.round(height * density);
        context.setTransform(density, 0, 0, density, 0, 0);
        context.font = '11px system-ui, "DejaVu Sans", sans-serif';
        context.textBaseline = "middle";
        const range = rangeOf(values, fromZero);
        if (range === null || width < LEFT || height < 30) {
            const why = { drag: "No obstacle was drawn.", lift: "No obstacle was drawn." }[name];
            context.fillStyle = "#7b8797";
            context.textAlign = "center";
            context.fillText(why ?? "", width / 2, height / 2);
            return;
        }
        const [low, high] = range;
        const [first, last] = [this.steps[0], this.steps.at(-1)];
        const x = (step) => LEFT + ((step - first) / (last - first || 1)) * (width - LEFT - EDGE);
        const y = (value) => height - BELOW - ((value - low) / (high - low)) * (height - BELOW - EDGE);
        this.axes(context, { low, high, x, y, width, first, last, height });
        context.save();
        context.beginPath();
        context.rect(LEFT, 0, width - LEFT, height - BELOW + 1);
        context.clip();
        context.beginPath();
        let pen = false;
        values.forEach((value, i) => {
            if (value === null) {
                pen = false;
                return;
            }
            const method = pen ? "lineTo" : "moveTo";
            context[method](x(this.steps[i]), y(value));
            pen = true;
        });
        context.lineWidth = 1.6;
        context.lineJoin = "round";
        context.strokeStyle = colour;
        context.stroke();
        context.restore();
        const [least, most] = [readable(low), readable(high)];
        canvas.setAttribute(
            "aria-label",
            `${name}: axis from ${least} to ${most}, steps ${first} to ${last}`,
        );
    }

    /** Lines and numbers of the axes: three values, the first and the last step. */
    axes(context, { low, high, x, y, width, first, last, height }) {
        context.strokeStyle = "#2b3440";
        context.fillStyle = "#94a1b2";
        context.lineWidth = 1;
        context.textAlign = "right";
        for (const share of [0, 0.5, 1]) {
            const value = low + share * (high - low);
            const at = Math.round(y(value)) + 0.5;
            context.beginPath();
            context.moveTo(LEFT, at);
            context.lineTo(width - EDGE, at);
            context.stroke();
            const digits = Math.max(0, Math.min(8, 1 - Math.floor(Math.log10(high - low))));
            const text = Math.abs(value) >= 1e6 ? readable(value) : value.toFixed(digits);
            context.fillText(text, LEFT - 6, Math.max(6, at));
        }
        context.fillText(`step ${last.toLocaleString("en-GB")}`, width - EDGE, height - 6);
        context.textAlign = "left";
        if (last > first && width > NARROW) {
            context.fillText(first.toLocaleString("en-GB"), LEFT, height - 6);
        }
    }
}
