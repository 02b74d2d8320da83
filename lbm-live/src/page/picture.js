// The picture: field, solids, particle trails, streaklines and what is being drawn, one above the other.
//
// Two canvases lie on each other: the field, coloured by WebGL or in 2D, and an overlay for all the rest.
// Frames are decoded one after another, always the newest; what is old by then is never shown.

import { mapOfField, table } from "./colours.js";
import { painterOf } from "./field.js";
import { Particles } from "./particles.js";
import { Streaks } from "./streaks.js";
import { Newest, inflate } from "./wire.js";

/** Solids are of a light gray that no map of colours has; a dark line is where they meet fluid. */
const FILL = [196, 204, 214, 255];
const EDGE = "rgb(10 13 17 / 0.9)";
const EDGE_WIDTH = 1.3;

/** Decodes a gray picture as it was sent: no colour profile changes a level. */
function decoded(frame) {
    const blob = new Blob([frame.jpeg], { type: "image/jpeg" });
    return createImageBitmap(blob, { colorSpaceConversion: "none", premultiplyAlpha: "none" });
}

/** One byte for each pixel of a mask, 1 where it is solid, from a bit for each. */
function bytesOf(bits, width, height) {
    const row = Math.ceil(width / 8);
    const bytes = new Uint8Array(width * height);
    for (let j = 0, at = 0; j < height; j++) {
        for (let i = 0; i < width; i++, at++) {
            bytes[at] = (bits[j * row + (i >> 3)] >> (7 - (i & 7))) & 1;
        }
    }
    return bytes;
}

/** An image of the solids of a mask. */
function imageOf({ solid, width, height }) {
    const image = new ImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    const [fill] = new Uint32Array(new Uint8Array(FILL).buffer);
    for (let at = 0; at < pixels.length; at++) {
        pixels[at] = solid[at] * fill;
    }
    return image;
}

/** Where solids of a mask meet fluid, as lines in node units. */
function edgesOf({ solid, width, height, region: [x0, y0, x1, y1] }) {
    const path = new Path2D();
    const [across, down] = [(x1 - x0) / width, (y1 - y0) / height];
    const runs = (lines, length, differs, draw) => {
        for (let line = 1; line < lines; line++) {
            let begin = -1;
            for (let i = 0; i <= length; i++) {
                const edge = i < length && differs(line, i);
                if (edge && begin < 0) {
                    begin = i;
                } else if (!edge && begin >= 0) {
                    draw(line, begin, i);
                    begin = -1;
                }
            }
        }
    };
    const below = (j, i) => solid[j * width + i] !== solid[(j - 1) * width + i];
    const beside = (i, j) => solid[j * width + i] !== solid[j * width + i - 1];
    runs(height, width, below, (j, from, to) => {
        path.moveTo(x0 + from * across, y1 - j * down);
        path.lineTo(x0 + to * across, y1 - j * down);
    });
    runs(width, height, beside, (i, from, to) => {
        path.moveTo(x0 + i * across, y1 - from * down);
        path.lineTo(x0 + i * across, y1 - to * down);
    });
    return path;
}

export class Picture {
    /** `on` has `shown(frame)`, called when a picture is there to be painted, and `unreadable(error)`. */
    constructor({ flow, overlay, view, plain, on }) {
        this.view = view;
        this.on = on;
        this.overlay = overlay;
        this.context = overlay.getContext("2d", { willReadFrequently: true });
        this.field = painterOf(flow, plain, (painter) => this.replace(painter));
        this.bitmap = null;
        this.frame = null;
        this.mask = null;
        this.solids = document.createElement("canvas");
        this.particles = new Particles();
        this.streaks = new Streaks();
        this.frames = 0;
        this.chosen = {};
        this.fieldName = () => "speed";
        this.coloured = "";
        this.colours = table("viridis", 0, 1);
        this.stale = true;
        this.previews = [];
        this.probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
        this.probe.canvas.width = this.probe.canvas.height = 1;
        this.pictures = new Newest((frame) => this.take(frame), on.unreadable);
        this.masks = new Newest((frame) => this.takeMask(frame), on.unreadable);
    }

    /** Another painter takes over: it gets what the first had. */
    replace(painter) {
        this.field = painter;
        this.coloured = "";
        if (this.bitmap !== null) {
            painter.show(this.bitmap);
        }
        this.stale = true;
    }

    async take(frame) {
        // What no longer comes with pictures is old.
        for (const layer of [this.particles, this.streaks]) {
            if (layer.now !== null && layer.now.step < (this.frame?.step ?? 0)) {
                layer.clear();
            }
        }
        const bitmap = await decoded(frame);
        this.bitmap?.close();
        this.bitmap = bitmap;
        this.frame = frame;
        this.frames += 1;
        this.field.show(bitmap);
        this.stale = true;
        this.on.shown(frame);
    }

    async takeMask(frame) {
        const { width, height } = frame;
        const bits = await inflate(frame.deflated, Math.ceil(width / 8) * height);
        this.mask = { solid: bytesOf(bits, width, height), width, height, region: frame.region };
        this.mask.edges = edgesOf(this.mask);
        this.solids.width = width;
        this.solids.height = height;
        this.solids.getContext("2d").putImageData(imageOf(this.mask), 0, 0);
        this.stale = true;
        this.on.solids();
    }

    /** Takes particles or streaklines. */
    takeOnTop(layer, frame) {
        layer.push(frame);
        this.stale = true;
    }

    /** Forgets particles and streaklines. */
    clearOnTop() {
        this.particles.clear();
        this.streaks.clear();
        this.stale = true;
    }

    /** The colour map of the field that is shown. */
    get map() {
        const field = this.fieldName();
        return this.chosen[field] ?? mapOfField(field);
    }

    /** Picks a colour map for the field that is shown; null: the one that fits it. */
    chooseMap(name) {
        this.chosen[this.fieldName()] = name ?? undefined;
        this.stale = true;
    }

    /** Makes the table of colours anew where map or range are others. Returns whether they are. */
    recolour() {
        const { low, high } = this.frame;
        const key = `${this.map} ${low} ${high}`;
        if (key === this.coloured) {
            return false;
        }
        this.coloured = key;
        this.colours = table(this.map, low, high);
        this.field.colour(this.colours);
        return true;
    }

    /** Paints both canvases. Returns whether the colours are others than before. */
    paint() {
        this.stale = false;
        const { view, context, overlay } = this;
        let recoloured = false;
        if (this.frame !== null) {
            recoloured = this.recolour();
            this.field.paint(view.region, this.frame.region, view.width, view.height);
        }
        if (overlay.width !== view.width || overlay.height !== view.height) {
            overlay.width = view.width;
            overlay.height = view.height;
        }
        context.setTransform(1, 0, 0, 1, 0, 0);
        context.clearRect(0, 0, overlay.width, overlay.height);
        this.particles.paint(context, view);
        this.streaks.paint(context, view);
        if (this.mask !== null) {
            this.paintSolids();
        }
        for (const preview of this.previews) {
            preview(context, view);
        }
        return recoloured;
    }

    /** Paints the solids and their edges. */
    paintSolids() {
        const { context, mask, view } = this;
        context.imageSmoothingEnabled = false;
        view.place(context, this.solids, mask.region);
        context.save();
        view.use(context);
        context.lineWidth = EDGE_WIDTH / view.scale;
        context.lineCap = "round";
        context.strokeStyle = EDGE;
        context.stroke(mask.edges);
        context.restore();
    }

    /** The level 0..255 of the picture at a node coordinate, or null beyond the picture. */
    pixel(x, y) {
        if (this.frame === null) {
            return null;
        }
        const [x0, y0, x1, y1] = this.frame.region;
        const { width, height } = this.bitmap;
        const i = Math.floor(((x - x0) / (x1 - x0)) * width);
        const j = Math.floor(((y1 - y) / (y1 - y0)) * height);
        if (!(i >= 0 && j >= 0 && i < width && j < height)) {
            return null;
        }
        this.probe.drawImage(this.bitmap, i, j, 1, 1, 0, 0, 1, 1);
        return this.probe.getImageData(0, 0, 1, 1).data[0];
    }

    /** The value of the field at a node coordinate, as exact as the picture is; null beyond the picture. */
    value(x, y) {
        const level = this.pixel(x, y);
        return level === null ? null : this.frame.low + (level / 255) * (this.frame.high - this.frame.low);
    }

    /** Whether the mask has a solid at a node coordinate; null beyond the mask. */
    solid(x, y) {
        if (this.mask === null) {
            return null;
        }
        const [x0, y0, x1, y1] = this.mask.region;
        if (!(x >= x0 && x < x1 && y > y0 && y <= y1)) {
            return null;
        }
        const i = Math.floor(((x - x0) / (x1 - x0)) * this.mask.width);
        const j = Math.floor(((y1 - y) / (y1 - y0)) * this.mask.height);
        return this.mask.solid[j * this.mask.width + i] === 1;
    }

    /** Draws both canvases, as they are now, on another one. Only in the task that painted them. */
    copyTo(context, left, top, width, height) {
        context.drawImage(this.field.canvas, left, top, width, height);
        context.drawImage(this.overlay, left, top, width, height);
    }
}
