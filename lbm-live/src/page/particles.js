// Particle trails: each particle leaves a line behind it that fades.
//
// The lines stay on a canvas of their own. A new frame fades what is there and adds one piece to each trail,
// so that the work does not grow with the length of the trails. When the view moves, the trails begin anew.
// A particle has the same index in every frame; one that jumps has left the plane and begins again
// elsewhere.

/** What a frame leaves of the trails before it. */
const LEFT = 0.86;

/** A step from frame to frame longer than this share of the region is a jump. */
const JUMP = 0.08;

/** Frames farther apart than this in time have nothing in common; milliseconds. */
const GAP = 1500;

/** White is seen on all of the maps but at their very lightest. */
const TRAIL = "rgb(255 255 255 / 0.6)";
const HEAD = "rgb(255 255 255 / 0.9)";

export class Particles {
    constructor() {
        this.canvas = document.createElement("canvas");
        // Many short lines are faster on the processor than on a graphics card.
        this.trails = this.canvas.getContext("2d", { willReadFrequently: true });
        this.seen = "";
        this.clear();
    }

    /** How many particles the newest frame has. */
    get count() {
        return this.now === null ? 0 : this.now.places.length / 2;
    }

    /** Forgets all particles. */
    clear() {
        this.now = null;
        this.drawn = null;
        this.trails.clearRect(0, 0, this.canvas.width, this.canvas.height);
    }

    /** Takes the places of a frame. */
    push(frame, arrived = performance.now()) {
        this.now = { ...frame, arrived };
    }

    /** Draws trails, and a dot where each particle is. */
    paint(context, view) {
        if (this.now === null) {
            return;
        }
        this.follow(view);
        const size = Math.max(1.5, view.width / 700);
        const { places } = this.now;
        context.setTransform(1, 0, 0, 1, 0, 0);
        context.drawImage(this.canvas, 0, 0);
        context.fillStyle = HEAD;
        for (let i = 0; i < places.length; i += 2) {
            const [x, y] = this.toCanvas(view, places, i);
            context.fillRect(x - size / 2, y - size / 2, size, size);
        }
    }

    /** The place of particle `i / 2` on the canvas. */
    toCanvas({ region, scale }, places, i) {
        return [(places[i] - region[0]) * scale, (region[3] - places[i + 1]) * scale];
    }

    /** Begins trails anew where the view has moved; else adds the pieces of a new frame. */
    follow(view) {
        const { canvas, trails } = this;
        const seen = `${view.width} ${view.height} ${view.region}`;
        if (seen !== this.seen) {
            this.seen = seen;
            canvas.width = view.width;
            canvas.height = view.height;
            this.drawn = null;
        }
        if (this.drawn === this.now || this.drawn?.step === this.now.step) {
            return;
        }
        if (this.drawn !== null && this.joins(this.drawn, this.now)) {
            this.fade();
            this.add(view, this.drawn.places, this.now.places);
        } else {
            trails.clearRect(0, 0, canvas.width, canvas.height);
        }
        this.drawn = this.now;
    }

    /** Whether trails go on from a frame to a later one. */
    joins(from, to) {
        return (
            from.places.length === to.places.length && from.step < to.step && to.arrived - from.arrived < GAP
        );
    }

    fade() {
        const { canvas, trails } = this;
        trails.globalCompositeOperation = "destination-out";
        trails.fillStyle = `rgb(0 0 0 / ${1 - LEFT})`;
        trails.fillRect(0, 0, canvas.width, canvas.height);
        trails.globalCompositeOperation = "source-over";
    }

    /** Joins the places of all particles that did not jump. */
    add(view, from, to) {
        const { trails } = this;
        const [x0, y0, x1, y1] = this.now.region;
        const far = JUMP * Math.max(x1 - x0, y1 - y0);
        trails.beginPath();
        for (let i = 0; i < to.length; i += 2) {
            if (Math.abs(to[i] - from[i]) < far && Math.abs(to[i + 1] - from[i + 1]) < far) {
                trails.moveTo(...this.toCanvas(view, from, i));
                trails.lineTo(...this.toCanvas(view, to, i));
            }
        }
        trails.lineWidth = Math.max(1, view.width / 900);
        trails.strokeStyle = TRAIL;
        trails.stroke();
    }
}
