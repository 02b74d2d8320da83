// What a person keeps: the flow (a checkpoint), the picture as PNG, a video; and what they bring: a
// checkpoint, an image that becomes an obstacle.
//
// Pictures and videos show the canvas with a line below it: field, colours, range, step.

import { labelOf, readable, unitOfField } from "./colours.js";
import { address } from "./wire.js";

/** The height of the line below a picture, as a share of the width; and its least, in pixels. */
const CAPTION = 0.032;
const LEAST_CAPTION = 26;

/** A video ends by itself after so many seconds. */
const LONGEST_VIDEO = 60;

/** Kinds of videos, the best first. */
const VIDEOS = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"];

/** Images larger than this on a side are made smaller when they are read. */
const LARGEST_IMAGE = 4096;

const find = (id) => document.getElementById(id);

/** Gives the browser a file to save. */
function download(blob, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export class Files {
    /** `on` has `say(kind, text)`, `over(kind)` and `mayLoad()`, which returns why not or null. */
    constructor({ picture, controls, draw, frame, on }) {
        Object.assign(this, { picture, controls, draw, frame, on });
        this.recorder = null;
        /** What the server knows this viewer by. */
        this.key = "";
        this.page = document.createElement("canvas");
        find("save-png").addEventListener("click", () => this.savePicture());
        find("record").addEventListener("click", () => this.record());
        find("save-checkpoint").addEventListener("click", () => this.saveFlow());
        find("load-checkpoint").addEventListener("click", () => find("checkpoint-file").click());
        this.chosen("checkpoint-file", (file) => this.loadFlow(file));
        this.chosen("mask-file", (file) => this.readImage(file));
        find("mask-invert").addEventListener("change", (event) => {
            draw.inverted = event.target.checked;
        });
        this.listenToDrops();
    }

    /** Calls with the file that was chosen; the same one can be chosen again. */
    chosen(id, work) {
        find(id).addEventListener("change", ({ target }) => {
            const [file] = target.files;
            target.value = "";
            if (file !== undefined) {
                work(file);
            }
        });
    }

    listenToDrops() {
        const sign = find("drop-sign");
        addEventListener("dragover", (event) => {
            event.preventDefault();
            sign.hidden = !this.frame.contains(event.target);
        });
        addEventListener("dragleave", (event) => {
            sign.hidden = sign.hidden || event.relatedTarget === null;
        });
        addEventListener("drop", (event) => {
            event.preventDefault();
            sign.hidden = true;
            const [file] = event.dataTransfer?.files ?? [];
            if (file !== undefined && this.frame.contains(event.target)) {
                this.readImage(file, this.draw.view.toNode(event.clientX, event.clientY));
            }
        });
    }

    /** Reads an image as a mask; where it was dropped at a node, it is drawn there. */
    async readImage(file, node) {
        let image;
        try {
            image = await createImageBitmap(file);
            const scale = LARGEST_IMAGE / Math.max(image.width, image.height);
            if (scale < 1) {
                const resizeWidth = Math.max(1, Math.round(image.width * scale));
                image = await createImageBitmap(image, { resizeWidth, resizeQuality: "high" });
            }
        } catch {
            this.on.say("refused", `${file.name} is not an image that this browser reads; use a PNG.`);
            return;
        }
        this.draw.stampWith(image, file.name);
        if (node === undefined) {
            this.on.say("hint", `${file.name} is ready: click where it shall be, or drag its width.`);
            return;
        }
        const refusal = this.controls.whyNotDraw();
        if (refusal !== null) {
            this.on.say("refused", refusal);
            return;
        }
        this.draw.begin(node, this.draw.erasing);
        this.draw.finish();
    }

    /** A name for a file of the present step. */
    nameOf(end) {
        const flow = (this.controls.about?.case ?? "flow").replace(/[^\w-]+/g, "-").slice(0, 60);
        const step = this.picture.frame?.step ?? this.controls.status?.step ?? 0;
        return `${flow}-${step}.${end}`;
    }

    /** Draws the picture with its line below. */
    compose() {
        const { page, picture } = this;
        const context = page.getContext("2d");
        const caption = this.captionHeight(page.width);
        const height = page.height - caption;
        context.fillStyle = "#0e1116";
        context.fillRect(0, 0, page.width, page.height);
        picture.copyTo(context, 0, 0, page.width, height);
        if (picture.frame === null) {
            return;
        }
        const size = Math.round(caption * 0.5);
        const field = picture.fieldName();
        const { low, high, step } = picture.frame;
        context.font = `${size}px system-ui, "DejaVu Sans", sans-serif`;
        context.textBaseline = "middle";
        context.fillStyle = "#dbe2ea";
        const middle = height + caption / 2;
        const left = `${labelOf(field)}  ${readable(low)}`;
        context.textAlign = "left";
        context.fillText(left, size, middle);
        const bar = [2 * size + context.measureText(left).width, Math.round(page.width * 0.22)];
        context.drawImage(find("bar"), bar[0], middle - size / 2, bar[1], size);
        context.fillText(`${readable(high)}  ${unitOfField(field)}`, bar[0] + bar[1] + size, middle);
        context.textAlign = "right";
        const reynolds = readable(this.controls.status?.reynolds);
        context.fillText(`Re ${reynolds}   step ${step.toLocaleString("en-GB")}`, page.width - size, middle);
    }

    captionHeight(width) {
        return Math.max(LEAST_CAPTION, 2 * Math.round((CAPTION * width) / 2));
    }

    /** Sets the size of what is composed; even numbers, as videos need. */
    measure() {
        const { view } = this.draw;
        this.page.width = 2 * Math.ceil(view.width / 2);
        this.page.height = 2 * Math.ceil(view.height / 2) + this.captionHeight(this.page.width);
    }

    savePicture() {
        if (this.recorder === null) {
            this.measure();
        }
        this.picture.paint();
        this.compose();
        this.page.toBlob((blob) => download(blob, this.nameOf("png")), "image/png");
    }

    /** Begins a video, or ends it. */
    record() {
        if (this.recorder !== null) {
            this.recorder.stop();
            return;
        }
        const type = VIDEOS.find((kind) => globalThis.MediaRecorder?.isTypeSupported(kind));
        if (type === undefined) {
            this.on.say("refused", "This browser records no video; save pictures instead.");
            return;
        }
        this.measure();
        this.compose();
        const recorder = new MediaRecorder(this.page.captureStream(30), {
            mimeType: type,
            videoBitsPerSecond: 8_000_000,
        });
        const parts = [];
        const began = performance.now();
        const label = () => {
            const seconds = Math.floor((performance.now() - began) / 1000);
            find("record").textContent = `Stop (${seconds} s)`;
            if (seconds >= LONGEST_VIDEO) {
                recorder.stop();
            }
        };
        const clock = setInterval(label, 500);
        recorder.ondataavailable = ({ data }) => parts.push(data);
        recorder.onerror = () => this.on.say("refused", "The browser stopped the recording.");
        recorder.onstop = () => {
            clearInterval(clock);
            this.recorder = null;
            find("record").textContent = "Record video";
            find("record").setAttribute("aria-pressed", "false");
            const kind = type.split(";")[0];
            download(new Blob(parts, { type: kind }), this.nameOf(kind === "video/mp4" ? "mp4" : "webm"));
        };
        this.recorder = recorder;
        recorder.start(1000);
        find("record").setAttribute("aria-pressed", "true");
        label();
    }

    /** A picture was painted: it belongs to the video. */
    painted() {
        if (this.recorder !== null) {
            this.compose();
        }
    }

    async saveFlow() {
        this.on.say("hint", "Saving the flow …");
        try {
            const reply = await fetch(address("checkpoint"));
            if (!reply.ok) {
                throw new Error(await reply.text());
            }
            download(await reply.blob(), this.nameOf("lbm"));
            this.on.over("hint");
        } catch (error) {
            this.on.over("hint");
            this.on.say("refused", `The flow was not saved: ${error.message}`);
        }
    }

    async loadFlow(file) {
        const refusal = this.on.mayLoad();
        if (refusal !== null) {
            this.on.say("refused", refusal);
            return;
        }
        this.on.say("hint", `Loading ${file.name} …`);
        try {
            const headers = { "x-lbm-key": this.key };
            const reply = await fetch(address("checkpoint"), { method: "POST", headers, body: file });
            if (!reply.ok) {
                throw new Error(await reply.text());
            }
            this.on.over("fault");
            this.on.say("hint", `${file.name} is loaded.`);
        } catch (error) {
            this.on.over("hint");
            this.on.say("refused", `${file.name} was not loaded: ${error.message}`);
        }
    }
}
