// Controls of the flow and of the view: sliders, pause, one step, reset, field, range, slice, who steers.
//
// What the server says about the flow fills the controls; what a person does with them becomes messages.

import { labelOf, mapNames, readable } from "./colours.js";
import { axesOfPlane } from "./view.js";
import { paced } from "./wire.js";

/** So long after a change by hand, what the server said before it counts for less; milliseconds. */
const OWN = 800;

const find = (id) => document.getElementById(id);

/** A slider of 0 to 1000 over a range, linear or logarithmic. */
export function scaleOf({ low, high, logarithmic }) {
    const powers = logarithmic && low > 0;
    return {
        value: (at) => (powers ? low * (high / low) ** (at / 1000) : low + (at / 1000) * (high - low)),
        at: (value) =>
            1000 * (powers ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low)),
    };
}

export class Controls {
    /**
     * `on` has `send(message)`, which returns whether it was sent, `say(kind, text)`, `over(kind)` and
     * `changed()`, which asks for a picture to be painted.
     */
    constructor({ view, picture, on }) {
        Object.assign(this, { view, picture, on });
        this.about = null;
        this.status = null;
        this.connected = false;
        this.drewAt = -OWN;
        this.sliders = new Map();
        this.ranges = {};
        this.axis = 2;
        this.field = "speed";
        this.sendView = paced(() => this.wish());
        picture.fieldName = () => this.about?.fields[picture.frame?.field] ?? this.field;
        this.listen();
    }

    listen() {
        const click = (id, work) => find(id).addEventListener("click", work);
        const change = (id, work) => find(id).addEventListener("change", work);
        click("pause", () => this.on.send({ type: "pause", paused: !this.paused }));
        click("step", () => this.on.send({ type: "step" }));
        click("reset", () => this.on.send({ type: "reset" }) && this.on.over("fault"));
        click("undo", () => this.on.send({ type: "undo" }));
        click("steer", () => this.on.send({ type: "steer" }));
        click("zoom-in", () => this.view.zoom(1.5));
        click("zoom-out", () => this.view.zoom(1 / 1.5));
        click("zoom-fit", () => this.view.fit());
        change("field", () => this.pickField(find("field").value));
        change("colours", () => {
            this.picture.chooseMap(find("colours").value);
            this.on.changed();
        });
        change("range-auto", () => this.rangeByHand());
        change("range-low", () => this.rangeByHand());
        change("range-high", () => this.rangeByHand());
        for (const [id, layer] of [
            ["particles", this.picture.particles],
            ["streaks", this.picture.streaks],
        ]) {
            change(id, () => {
                layer.clear();
                this.on.changed();
                this.sendView();
            });
        }
        change("slice-axis", () => this.pickAxis(Number(find("slice-axis").value), true));
        find("slice").addEventListener("input", () => {
            this.labelSlice();
            this.sendView();
        });
        for (const { name, label } of mapNames()) {
            find("colours").append(new Option(label, name));
        }
    }

    get paused() {
        return this.status?.paused ?? false;
    }

    get steering() {
        return this.connected && (this.status?.steering ?? false);
    }

    get volume() {
        return (this.about?.size[2] ?? 1) > 1;
    }

    /** The connection is there, or is lost; who steers is known again with the next status. */
    connect(connected) {
        this.connected = connected;
        if (this.status !== null) {
            this.status.steering = false;
        }
        this.enable();
    }

    /** Something was drawn: it can be undone at once, before a status counts it. */
    drew() {
        this.drewAt = performance.now();
        this.enable();
    }

    /** Why this viewer cannot draw now, or null. */
    whyNotDraw() {
        if (!this.connected || this.about === null) {
            return "There is no connection to the flow.";
        }
        if (!this.steering) {
            return "Another viewer steers this flow. Take over to draw.";
        }
        return this.about.can_draw === true ? null : String(this.about.can_draw);
    }

    /** The flow says what it is. */
    takeAbout(about) {
        const first = this.about === null;
        this.about = about;
        find("title").textContent = about.title;
        document.title = `${about.title} – lbm live`;
        find("case").textContent = [
            about.case,
            about.size.filter((n, i) => i < 2 || n > 1).join(" × "),
            about.device,
        ]
            .filter(Boolean)
            .join(" · ");
        find("field").replaceChildren(...about.fields.map((name) => new Option(labelOf(name), name)));
        if (!about.fields.includes(this.field)) {
            this.field = about.fields[0];
        }
        find("field").value = this.field;
        find("slice-set").hidden = !this.volume;
        this.pickAxis(this.axis, first);
        this.buildSliders(about.sliders);
        this.enable();
        this.wish();
    }

    buildSliders(sliders) {
        this.sliders.clear();
        const rows = sliders.map((slider) => {
            const id = `slider-${slider.name}`;
            const input = Object.assign(document.createElement("input"), {
                id,
                type: "range",
                max: 1000,
                step: "any",
            });
            const label = Object.assign(document.createElement("label"), {
                htmlFor: id,
                textContent: slider.label,
            });
            const output = Object.assign(document.createElement("output"), {
                id: `${id}-value`,
                htmlFor: id,
            });
            const entry = { input, output, scale: scaleOf(slider), touched: -OWN };
            const send = paced(() =>
                this.on.send({
                    type: "set",
                    name: slider.name,
                    value: entry.scale.value(Number(input.value)),
                }),
            );
            input.addEventListener("input", () => {
                entry.touched = performance.now();
                this.label(entry, entry.scale.value(Number(input.value)));
                send();
            });
            this.sliders.set(slider.name, entry);
            input.value = entry.scale.at(slider.value);
            this.label(entry, slider.value);
            const row = Object.assign(document.createElement("div"), { className: "field" });
            row.append(label, input, output);
            return row;
        });
        find("sliders").replaceChildren(...rows);
        find("flow-set").hidden = rows.length === 0;
    }

    label(entry, value) {
        entry.output.value = readable(value);
        entry.input.setAttribute("aria-valuetext", readable(value));
    }

    /** The flow says how it is. */
    takeStatus(status) {
        const steered = this.steering;
        this.status = status;
        find("stat-step").textContent = status.step.toLocaleString("en-GB");
        find("stat-reynolds").textContent = readable(status.reynolds);
        find("stat-mlups").textContent = readable(status.mlups);
        find("stat-viewers").textContent = String(status.viewers);
        for (const [name, value] of Object.entries(status.values ?? {})) {
            const entry = this.sliders.get(name);
            if (entry !== undefined && performance.now() - entry.touched > OWN) {
                entry.input.value = entry.scale.at(value);
                this.label(entry, value);
            }
        }
        this.enable();
        if (!steered && this.steering) {
            this.on.over("hint");
            this.wish();
        }
    }

    /** Controls act only where their messages would be accepted. */
    enable() {
        const { steering, paused, status } = this;
        const follows = this.connected && status !== null && !steering;
        const cannot = this.about !== null && this.about.can_draw !== true;
        find("draw-set").disabled = !steering || cannot;
        find("draw-note").hidden = !cannot;
        find("draw-note").textContent = cannot ? String(this.about.can_draw) : "";
        for (const id of ["run-set", "flow-set", "view-set", "zoom-set"]) {
            find(id).disabled = !steering;
        }
        find("follow-note").hidden = !follows;
        find("steer").hidden = !follows;
        find("frame").classList.toggle("follows", this.whyNotDraw() !== null);
        find("pause").textContent = paused ? "Go on" : "Pause";
        find("pause").setAttribute("aria-pressed", String(paused));
        find("step").disabled = !paused;
        find("paused-sign").hidden = !paused || !this.connected;
        find("undo").disabled = !(status?.undo > 0 || performance.now() - this.drewAt < OWN);
        find("undo").textContent = status?.undo > 0 ? `Undo (${status.undo})` : "Undo";
    }

    pickField(name) {
        this.field = name;
        find("field").value = name;
        const range = this.ranges[name] ?? null;
        find("range-auto").checked = range === null;
        this.showRange(range);
        this.sendView();
    }

    /** The next of the values of a list, by a key. */
    next(id) {
        const list = find(id);
        if (list.options.length > 0 && !list.matches(":disabled")) {
            list.selectedIndex = (list.selectedIndex + 1) % list.options.length;
            list.dispatchEvent(new Event("change"));
        }
    }

    showRange(range) {
        for (const [i, id] of ["range-low", "range-high"].entries()) {
            find(id).disabled = range === null;
            if (range !== null) {
                find(id).value = String(range[i]);
            }
        }
    }

    /** The range that was typed; of the picture where none was. */
    rangeByHand() {
        if (find("range-auto").checked) {
            delete this.ranges[this.field];
            this.showRange(null);
        } else {
            const { low = 0, high = 1 } = this.picture.frame ?? {};
            const typed = ["range-low", "range-high"].map((id) => find(id).valueAsNumber);
            const range = typed.map((value, i) => (Number.isFinite(value) ? value : [low, high][i]));
            this.showRange(range);
            if (!(range[0] < range[1])) {
                this.on.say(
                    "refused",
                    `The range ${range[0]} to ${range[1]} is empty: low must be below high.`,
                );
                return;
            }
            this.ranges[this.field] = range;
        }
        this.sendView();
    }

    /** The plane normal to an axis; `middle` moves the slice to the middle. */
    pickAxis(axis, middle) {
        this.axis = this.volume ? axis : 2;
        const { size } = this.about;
        const most = (size[this.axis] ?? 1) - 1;
        find("slice-axis").value = String(this.axis);
        find("slice").max = most;
        if (middle) {
            find("slice").value = String(Math.floor(most / 2));
        }
        this.labelSlice();
        const [across, up] = axesOfPlane(this.axis);
        this.view.setPlane(size[across], size[up]);
        this.sendView();
    }

    labelSlice() {
        find("slice-value").value = `${"xyz"[this.axis]} = ${find("slice").value}`;
    }

    /** Says what this viewer wishes to see. */
    wish() {
        if (!this.connected || this.about === null) {
            return;
        }
        this.on.send({
            type: "view",
            field: this.field,
            region: this.view.region,
            ...this.view.wanted(),
            slice: this.volume ? Number(find("slice").value) : null,
            axis: this.axis,
            range: this.ranges[this.field] ?? null,
            particles: find("particles").checked,
            streaks: find("streaks").checked,
        });
    }

    /** A picture has arrived: whoever follows sees the region and field of whoever steers. */
    takePicture(frame) {
        if (find("range-auto").checked) {
            find("range-low").value = String(Number(frame.low.toPrecision(3)));
            find("range-high").value = String(Number(frame.high.toPrecision(3)));
        }
        if (this.steering || this.about === null) {
            return;
        }
        const field = this.about.fields[frame.field];
        if (field !== undefined && find("field").value !== field) {
            this.field = field;
            find("field").value = field;
        }
        const [x0, y0, x1, y1] = frame.region;
        const shape = (x1 - x0) / (y1 - y0);
        const fits = (axis) => {
            const [across, up] = axesOfPlane(axis).map((i) => this.about.size[i]);
            return x1 <= across + 1e-3 && y1 <= up + 1e-3 && Math.abs(shape / (across / up) - 1) < 0.02;
        };
        const axis = [this.axis, 2, 1, 0].find(fits);
        if (axis !== undefined && axis !== this.axis) {
            this.pickAxis(axis, false);
        }
        this.view.follow(frame.region);
    }
}
