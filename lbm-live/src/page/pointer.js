// Mouse, pen, fingers and arrow keys on the picture: they draw, erase, zoom and move the view.
//
// Left button draws, right button erases, the middle one moves the view, the wheel zooms. One finger draws;
// two zoom and move. Arrow keys move a cross; Enter begins and ends a shape there; Escape gives it up.

/** Zoom of one notch of a wheel, and of a key. */
const NOTCH = 1.25;

/** Milliseconds between two readings of the value at the pointer. */
const READING = 60;

export class Pointer {
    /**
     * `may` says what is allowed: `draw()` returns why not or null, `view()` whether the view is ours.
     * `on` has `say(text)`, `read(node)` (null: the pointer has left) and `changed()`.
     */
    constructor({ frame, view, draw, may, on }) {
        Object.assign(this, { frame, view, draw, may, on });
        this.fingers = new Map();
        this.pinch = null;
        this.panning = null;
        this.active = null;
        this.cross = null;
        this.lastReading = 0;
        const listen = (name, method, options) =>
            frame.addEventListener(name, (event) => this[method](event), options);
        listen("pointerdown", "down");
        listen("pointermove", "move");
        listen("pointerup", "up");
        listen("pointercancel", "lost");
        listen("pointerleave", "left");
        listen("wheel", "wheel", { passive: false });
        listen("keydown", "key");
        listen("blur", "blurred");
        frame.addEventListener("contextmenu", (event) => event.preventDefault());
        frame.addEventListener("auxclick", (event) => event.preventDefault());
    }

    node(event) {
        return this.view.toNode(event.clientX, event.clientY);
    }

    down(event) {
        this.cross = null;
        if (event.pointerType === "touch") {
            this.fingers.set(event.pointerId, event);
            if (this.fingers.size === 2) {
                this.beginPinch();
                return;
            }
            if (this.fingers.size > 2) {
                return;
            }
        } else if (this.active !== null) {
            // Another button during a drag gives it up.
            this.release();
            return;
        }
        if (event.button === 1) {
            event.preventDefault();
            this.panning = this.may.view() ? this.node(event) : null;
            this.hold(event);
            return;
        }
        this.start(this.node(event), event.button === 2 || this.draw.erasing, () => this.hold(event));
    }

    /** Begins a shape, where that is allowed. */
    start(node, erase, begun) {
        const refusal = this.may.draw();
        if (refusal !== null) {
            this.on.say(refusal);
            return;
        }
        this.draw.begin(node, erase);
        if (this.draw.drag !== null) {
            begun();
        }
    }

    /** Keeps the pointer until its button is up, also beyond the picture. */
    hold(event) {
        this.active = event.pointerId;
        this.frame.setPointerCapture(event.pointerId);
    }

    release() {
        this.active = null;
        this.panning = null;
        this.draw.cancel();
    }

    move(event) {
        if (this.fingers.has(event.pointerId)) {
            this.fingers.set(event.pointerId, event);
        }
        if (this.pinch !== null) {
            this.followPinch();
            return;
        }
        const node = this.node(event);
        if (event.timeStamp - this.lastReading > READING) {
            this.lastReading = event.timeStamp;
            this.on.read(node);
        }
        if (this.active !== event.pointerId) {
            this.cross = null;
            this.draw.point(event.pointerType === "touch" || this.may.draw() !== null ? null : node);
        } else if (this.panning !== null) {
            this.view.pan(this.panning[0] - node[0], this.panning[1] - node[1]);
        } else {
            const steps = event.getCoalescedEvents?.() ?? [];
            for (const step of steps.length > 0 ? steps : [event]) {
                this.draw.extend(this.node(step), event.shiftKey);
            }
        }
    }

    up(event) {
        this.fingers.delete(event.pointerId);
        if (this.pinch !== null) {
            this.pinch = this.fingers.size === 0 ? null : this.pinch;
            return;
        }
        if (this.active !== event.pointerId) {
            return;
        }
        this.active = null;
        if (this.panning !== null) {
            this.panning = null;
            return;
        }
        this.draw.extend(this.node(event), event.shiftKey);
        this.draw.finish();
    }

    lost(event) {
        this.fingers.delete(event.pointerId);
        if (this.fingers.size === 0) {
            this.pinch = null;
        }
        if (this.active === event.pointerId) {
            this.release();
        }
    }

    left() {
        if (this.active === null) {
            this.draw.point(null);
            this.on.read(null);
        }
    }

    /** Two fingers: what was begun with the first is given up. */
    beginPinch() {
        this.release();
        this.pinch = this.spread();
    }

    /** The middle of two fingers on the screen, and how far they are apart. */
    spread() {
        const [a, b] = [...this.fingers.values()];
        const middle = [(a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2];
        return { middle, apart: Math.max(10, Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY)) };
    }

    followPinch() {
        if (this.fingers.size < 2 || !this.may.view()) {
            return;
        }
        const now = this.spread();
        const from = this.view.toNode(...this.pinch.middle);
        const to = this.view.toNode(...now.middle);
        this.view.pan(from[0] - to[0], from[1] - to[1]);
        this.view.zoom(now.apart / this.pinch.apart, this.view.toNode(...now.middle));
        this.pinch = now;
    }

    wheel(event) {
        if (event.ctrlKey || !this.may.view()) {
            return;
        }
        event.preventDefault();
        const notches = Math.max(-2, Math.min(2, -event.deltaY / (event.deltaMode === 0 ? 100 : 3)));
        this.view.zoom(NOTCH ** notches, this.node(event));
    }

    key(event) {
        const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
        const move = moves[event.key];
        if (event.ctrlKey || event.altKey || event.metaKey) {
            return;
        }
        if (move !== undefined) {
            const step = event.shiftKey ? 1 : Math.max(1, Math.round(this.draw.size / 2));
            this.moveCross(move[0] * step, move[1] * step);
        } else if (event.key === "Enter") {
            this.enter();
        } else if (event.key === "Escape" && this.draw.drag !== null) {
            this.release();
        } else {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    }

    moveCross(right, up) {
        const [x0, y0, x1, y1] = this.view.region;
        const [x, y] = this.cross ?? this.view.centre();
        this.cross = [Math.min(x1, Math.max(x0, x + right)), Math.min(y1, Math.max(y0, y + up))];
        if (this.draw.drag === null) {
            this.draw.point(this.may.draw() === null ? this.cross : null);
        } else {
            this.draw.extend(this.cross, false);
        }
        this.on.read(this.cross);
    }

    enter() {
        this.cross ??= this.view.centre();
        if (this.draw.drag === null) {
            this.start(this.cross, this.draw.erasing, () => this.on.changed());
        } else {
            this.draw.finish();
        }
    }

    blurred() {
        this.cross = null;
        this.draw.point(null);
    }

    /** Draws the cross of the arrow keys. */
    paint(context, view) {
        if (this.cross === null) {
            return;
        }
        const [x, y] = [
            (this.cross[0] - view.region[0]) * view.scale,
            (view.region[3] - this.cross[1]) * view.scale,
        ];
        context.setTransform(1, 0, 0, 1, 0, 0);
        for (const [width, colour] of [
            [4, "rgb(0 0 0 / 0.7)"],
            [1.5, "white"],
        ]) {
            context.lineWidth = width;
            context.strokeStyle = colour;
            context.beginPath();
            context.moveTo(x - 14, y);
            context.lineTo(x + 14, y);
            context.moveTo(x, y - 14);
            context.lineTo(x, y + 14);
            context.stroke();
        }
    }
}
