// Streaklines: a line through all that one source has let go, as smoke shows it. They come whole with each frame,
// so that nothing is kept here from frame to frame.

/** White is seen on all of the maps but at their very lightest. */
const LINE = "rgb(255 255 255 / 0.85)";

export class Streaks {
    constructor() {
        this.clear();
    }

    /** How many lines the newest frame has. */
    get count() {
        return this.now === null ? 0 : this.now.lines.length;
    }

    /** Forgets all lines. */
    clear() {
        this.now = null;
    }

    /** Takes the lines of a frame. */
    push(frame) {
        this.now = frame;
    }

    /** Draws the lines. */
    paint(context, { width, scale, region }) {
        if (this.now === null) {
            return;
        }
        context.setTransform(1, 0, 0, 1, 0, 0);
        context.beginPath();
        for (const places of this.now.lines) {
            for (let i = 0; i < places.length; i += 2) {
                const [x, y] = [(places[i] - region[0]) * scale, (region[3] - places[i + 1]) * scale];
                if (i === 0) {
                    context.moveTo(x, y);
                } else {
                    context.lineTo(x, y);
                }
            }
        }
        context.lineWidth = Math.max(1, width / 800);
        context.lineJoin = "round";
        context.strokeStyle = LINE;
        context.stroke();
    }
}
