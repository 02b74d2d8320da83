// Drawing: the tools, the shape that is being dragged, and what waits to be seen in the flow.
//
// Nothing here knows mouse, touch or keys: `pointer.js` calls `begin`, `extend`, `finish` and `cancel` with
// node coordinates. A shape is one message when it is finished, so that one undo takes all of it back.

import { CLICK, MOST_POINTS, bitsOf, penOf, shapeOf, trace } from "./shapes.js";

/** The tools, in the order of the keys 1 to 6. */
export const TOOLS = ["brush", "line", "circle", "rectangle", "aerofoil", "mask"];

/** How long the preview of a shape stays after it was sent, unless the solids arrive earlier; milliseconds. */
const PATIENCE = 1200;

const SOLID = { fill: "rgb(126 190 255 / 0.45)", edge: "rgb(255 255 255 / 0.95)", dash: [] };
const ERASED = { fill: "rgb(255 160 60 / 0.30)", edge: "rgb(255 190 110 / 1)", dash: [6, 4] };
const HOVER = { fill: "rgb(255 255 255 / 0.10)", edge: "rgb(255 255 255 / 0.65)", dash: [] };

export class Draw {
    /** `on` has `send(message)`, which returns why not or null, `changed()` and `say(text)`. */
    constructor({ view, on }) {
        this.view = view;
        this.on = on;
        this.tool = "brush";
        this.size = 10;
        this.angles = { rectangle: 0, aerofoil: 8 };
        this.erasing = false;
        this.inverted = false;
        this.stamp = null;
        this.drag = null;
        this.hover = null;
        this.ghosts = [];
    }

    /** Whether the tool can be turned. */
    get turns() {
        return this.tool in this.angles;
    }

    /** The angle of the tool, degrees. */
    get angle() {
        return this.angles[this.tool] ?? 0;
    }

    set angle(degrees) {
        if (this.turns) {
            this.angles[this.tool] = Math.max(-90, Math.min(90, degrees));
            this.on.changed();
        }
    }

    /** Picks a tool. */
    pick(tool) {
        this.cancel();
        this.tool = tool;
        if (tool === "mask" && this.stamp === null) {
            this.on.say("Choose an image, or drop one on the picture; then click where it shall be.");
        }
        this.on.changed();
    }

    /** Takes an image as the mask of the tool. */
    stampWith(image, name) {
        this.stamp = { image, name, width: image.width, height: image.height };
        this.tool = "mask";
        this.on.changed();
    }

    shape(drag) {
        return shapeOf(this.tool, drag, {
            size: this.size,
            angle: this.angle,
            stamp: this.stamp,
            plane: this.view.plane,
        });
    }

    /** Begins a shape at a node; `erase` removes solids. */
    begin(node, erase) {
        if (this.tool === "mask" && this.stamp === null) {
            this.on.say("There is no image yet: choose one, or drop one on the picture.");
            return;
        }
        this.drag = {
            from: node,
            to: node,
            points: [node],
            clicked: true,
            straight: false,
            solid: !erase,
        };
        this.hover = null;
        this.on.changed();
    }

    /** Goes on to a node; `straight` holds lines to steps of 15 degrees. */
    extend(node, straight) {
        const { drag, view } = this;
        if (drag === null) {
            return;
        }
        const far = ([ax, ay], [bx, by]) => Math.hypot(ax - bx, ay - by);
        const pixel = (view.region[2] - view.region[0]) / view.frame.clientWidth;
        drag.to = node;
        drag.straight = straight;
        drag.clicked &&= far(node, drag.from) < CLICK * pixel;
        if (this.tool === "brush") {
            const apart = Math.max(0.5, pixel, 0.2 * this.size);
            if (far(node, drag.points.at(-1)) >= apart) {
                drag.points.push(node);
            }
            if (drag.points.length >= MOST_POINTS) {
                // A message is full: send it and begin the next one where it ends.
                this.deliver(drag);
                drag.points = [drag.points.at(-1)];
            }
        }
        this.on.changed();
    }

    /** Ends the shape and sends it. */
    finish() {
        const { drag } = this;
        this.drag = null;
        if (drag === null) {
            return;
        }
        if (this.tool === "brush" && !drag.clicked) {
            drag.points.push(drag.to);
        }
        this.deliver(drag);
        this.on.changed();
    }

    /** Gives up the shape. */
    cancel() {
        this.drag = null;
        this.on.changed();
    }

    deliver(drag) {
        const shape = this.shape(drag);
        const message = { type: "draw", shape, solid: drag.solid };
        if (shape.kind === "mask") {
            const bits = bitsOf(this.stamp.image, shape.width, shape.height, this.inverted);
            message.shape = { ...shape, bits };
        }
        const refusal = this.on.send(message);
        if (refusal !== null) {
            this.on.say(refusal);
            return;
        }
        this.ghosts.push({ shape, image: this.stamp?.image, solid: drag.solid });
        setTimeout(() => this.settle(), PATIENCE);
    }

    /** The solids have arrived: previews of what was sent go. */
    settle() {
        if (this.ghosts.length > 0) {
            this.ghosts = [];
            this.on.changed();
        }
    }

    /** Shows at a node what a click there would draw; null: nothing. */
    point(node) {
        this.hover = node;
        this.on.changed();
    }

    /** Draws previews on the overlay. */
    paint(context, view) {
        for (const ghost of this.ghosts) {
            this.outline(context, view, ghost.shape, ghost.solid ? SOLID : ERASED, ghost.image);
        }
        if (this.drag !== null) {
            const style = this.drag.solid ? SOLID : ERASED;
            this.outline(context, view, this.shape(this.drag), style, this.stamp?.image);
        } else if (this.hover !== null && !(this.tool === "mask" && this.stamp === null)) {
            const drag = { from: this.hover, to: this.hover, points: [this.hover], clicked: true };
            const style = this.erasing ? ERASED : HOVER;
            this.outline(context, view, this.shape(drag), style, this.stamp?.image);
        }
    }

    outline(context, view, shape, style, image) {
        if (shape.kind === "mask") {
            const region = [...shape.low, shape.low[0] + shape.width, shape.low[1] + shape.height];
            context.globalAlpha = 0.5;
            view.place(context, image, region);
            context.globalAlpha = 1;
        }
        const pen = penOf(shape);
        context.save();
        view.use(context);
        context.beginPath();
        trace(context, shape);
        context.restore();
        context.setTransform(1, 0, 0, 1, 0, 0);
        context.lineJoin = "round";
        context.lineCap = "round";
        if (pen !== null) {
            // A stroke: its edge first, wider, then its body in the colour of the fill.
            context.lineWidth = Math.max(1, pen * view.scale);
            context.strokeStyle = style.fill;
            context.stroke();
            this.ring(context, view, shape, pen, style);
            return;
        }
        context.fillStyle = style.fill;
        context.fill();
        context.lineWidth = 1.5;
        context.strokeStyle = style.edge;
        context.setLineDash(style.dash);
        context.stroke();
        context.setLineDash([]);
    }

    /** A ring where the pen is, and where it began. */
    ring(context, view, shape, pen, style) {
        const ends = shape.kind === "line" ? [shape.from, shape.to] : [shape.points.at(-1)];
        context.lineWidth = 1.5;
        context.strokeStyle = style.edge;
        context.setLineDash(style.dash);
        for (const [x, y] of ends) {
            context.beginPath();
            const [px, py] = [(x - view.region[0]) * view.scale, (view.region[3] - y) * view.scale];
            context.arc(px, py, Math.max(1.5, (pen / 2) * view.scale), 0, 2 * Math.PI);
            context.stroke();
        }
        context.setLineDash([]);
    }
}
