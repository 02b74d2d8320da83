// The start of the page: makes its parts, joins them, and paints when there is something new.
//
// `?renderer=2d` in the address leaves WebGL out. `window.lbm` is what tests look at.

import { Controls, scaleOf } from "./controls.js";
import { Draw, TOOLS } from "./draw.js";
import { Files } from "./files.js";
import { Keys } from "./keys.js";
import { Picture } from "./picture.js";
import { Plots } from "./plots.js";
import { Pointer } from "./pointer.js";
import { Notice, Readings } from "./readings.js";
import { View } from "./view.js";
import { Wire } from "./wire.js";

const find = (id) => document.getElementById(id);
const frame = find("frame");
const notice = new Notice();
const plots = new Plots();

function unreadable(error) {
    notice.say("refused", `What the server sent cannot be read: ${error.message}`);
}

const view = new View(frame, () => {
    picture.stale = true;
    if (controls.steering) {
        controls.sendView();
    }
});

const picture = new Picture({
    flow: find("flow"),
    overlay: find("overlay"),
    view,
    plain: new URLSearchParams(location.search).get("renderer") === "2d",
    on: {
        unreadable,
        solids: () => draw.settle(),
        shown: (shown) => {
            find("waiting").hidden = true;
            readings.count();
            controls.takePicture(shown);
        },
    },
});

const readings = new Readings(picture);

const wire = new Wire({
    open: () => {
        controls.connect(true);
        notice.over("lost");
    },
    lost: (seconds) => {
        controls.connect(false);
        draw.cancel();
        const when = seconds < 1 ? "now" : `in ${Math.round(seconds)} s`;
        notice.say("lost", `No connection to the flow. The next attempt is ${when}.`);
    },
    about: (about) => {
        controls.takeAbout(about);
        rangeOfSize();
    },
    key: ({ key }) => {
        files.key = key;
    },
    status: (status) => {
        if (status.step < (controls.status?.step ?? 0)) {
            picture.clearOnTop();
        }
        controls.takeStatus(status);
        plots.push(status);
        readings.rate();
    },
    refused: ({ message }) => {
        draw.settle();
        notice.say("refused", message);
    },
    fault: ({ message }) => notice.say("fault", message),
    picture: (arrived) => picture.pictures.push(arrived),
    mask: (arrived) => picture.masks.push(arrived),
    particles: (arrived) => picture.takeOnTop(picture.particles, arrived),
    streaks: (arrived) => picture.takeOnTop(picture.streaks, arrived),
    unreadable,
});

/** Sends a message; says why where it cannot be sent. Returns whether it was sent. */
function send(message) {
    const refusal = wire.send(message);
    if (refusal !== null) {
        notice.say("refused", refusal);
    }
    return refusal === null;
}

const controls = new Controls({
    view,
    picture,
    on: {
        send,
        say: (kind, text) => notice.say(kind, text),
        over: (kind) => notice.over(kind),
        changed: () => {
            picture.stale = true;
        },
    },
});

const draw = new Draw({
    view,
    on: {
        send: (message) => {
            const refusal = wire.send(message);
            if (refusal === null) {
                controls.drew();
            }
            return refusal;
        },
        say: (text) => notice.say("hint", text),
        changed: () => {
            picture.stale = true;
            showTools();
        },
    },
});

const pointer = new Pointer({
    frame,
    view,
    draw,
    may: { draw: () => controls.whyNotDraw(), view: () => controls.steering },
    on: {
        say: (text) => notice.say("hint", text),
        read: (node) => readings.at(node),
        changed: () => {
            picture.stale = true;
        },
    },
});

const files = new Files({
    picture,
    controls,
    draw,
    frame,
    on: {
        say: (kind, text) => notice.say(kind, text),
        over: (kind) => notice.over(kind),
        mayLoad: () => (controls.steering ? null : "Another viewer steers this flow. Take over to load."),
    },
});

new Keys({ controls });

picture.previews = [
    (context, seen) => draw.paint(context, seen),
    (context, seen) => pointer.paint(context, seen),
];

/** The slider of the size goes from one node to half of the plane. */
let sizes = scaleOf({ low: 1, high: 100, logarithmic: true });

function rangeOfSize() {
    const [across, up] = view.plane;
    const most = Math.max(2, Math.round(Math.min(across, up) / 2));
    sizes = scaleOf({ low: 1, high: most, logarithmic: true });
    if (find("size").dataset.most !== String(most)) {
        find("size").dataset.most = String(most);
        draw.size = Math.max(1, Math.round(most / 4));
        find("size").value = String(sizes.at(draw.size));
    }
    showTools();
}

function showTools() {
    for (const tool of TOOLS) {
        const chosen = tool === draw.tool;
        find(`tool-${tool}`).setAttribute("aria-checked", String(chosen));
        find(`tool-${tool}`).tabIndex = chosen ? 0 : -1;
    }
    find("size-value").value = `${draw.size} nodes`;
    find("angle-row").hidden = !draw.turns;
    find("angle").value = String(draw.angle);
    find("angle-value").value = `${draw.angle}°`;
    find("mask-row").hidden = draw.tool !== "mask";
    find("erase").checked = draw.erasing;
}

for (const tool of TOOLS) {
    find(`tool-${tool}`).addEventListener("click", () => draw.pick(tool));
}
find("size").addEventListener("input", () => {
    draw.size = Number(sizes.value(Number(find("size").value)).toPrecision(2));
    draw.on.changed();
});
find("angle").addEventListener("input", () => {
    draw.angle = Number(find("angle").value);
});
find("erase").addEventListener("change", () => {
    draw.erasing = find("erase").checked;
    draw.on.changed();
});

function paint() {
    if (picture.stale) {
        if (picture.paint()) {
            readings.bar();
        }
        files.painted();
    }
    plots.paint();
    requestAnimationFrame(paint);
}

window.lbm = {
    /** How many pictures were decoded and handed to the painter. */
    get frames() {
        return picture.frames;
    },
    /** The step of the newest picture. */
    get step() {
        return picture.frame?.step ?? null;
    },
    /** `webgl2` or `2d`. */
    get renderer() {
        return picture.field.name;
    },
    /** The region of the newest picture, [x0, y0, x1, y1] in nodes. */
    get region() {
        return picture.frame?.region ?? null;
    },
    /** How many particles the newest frame of them has. */
    get particles() {
        return picture.particles.count;
    },
    /** How many streaklines the newest frame of them has. */
    get streaks() {
        return picture.streaks.count;
    },
    pixel: (x, y) => picture.pixel(x, y),
    value: (x, y) => picture.value(x, y),
    solid: (x, y) => picture.solid(x, y),
    /** The place on the screen of a node coordinate, for events of a mouse. */
    screen: (x, y) => view.toScreen(x, y),
};

showTools();
view.measure();
wire.open();
requestAnimationFrame(paint);
