// The view: which part of the plane the page shows, and where a node lies on the screen.
//
// Node coordinates have x to the right and y up; node [i, j] has its centre at (i + 0.5, j + 0.5). The
// canvas has the shape of the whole plane, and so has every region of it: zooming never distorts.

/** Never fewer nodes across than this. */
const FEWEST_NODES = 8;

/** Never more pixels on a side than this, of what is asked for and of a canvas. */
const MOST_PIXELS = 4096;

/** Which two axes span the plane that is normal to `axis`. */
export function axesOfPlane(axis) {
    return [0, 1, 2].filter((other) => other !== axis);
}

export class View {
    /** `frame` is the element that the picture fills; `changed` is called when the region or the size is another. */
    constructor(frame, changed) {
        this.frame = frame;
        this.changed = changed;
        this.plane = [2, 1];
        this.region = [0, 0, 2, 1];
        this.width = 1;
        this.height = 1;
        new ResizeObserver(() => this.measure()).observe(frame);
    }

    /** Sets the extent of the plane in nodes and shows all of it, unless it is what it was. */
    setPlane(width, height) {
        if (this.plane[0] === width && this.plane[1] === height) {
            return;
        }
        this.plane = [width, height];
        this.region = [0, 0, width, height];
        this.frame.parentElement.style.setProperty("--ratio", String(width / height));
        this.measure();
    }

    /** Reads the size of the canvas from the page, in pixels of the screen. */
    measure() {
        const { width, height } = this.frame.getBoundingClientRect();
        const density = Math.min(globalThis.devicePixelRatio || 1, 2);
        const pixels = (length) => Math.min(MOST_PIXELS, Math.max(1, Math.round(length * density)));
        this.width = pixels(width);
        this.height = pixels(height);
        this.changed();
    }

    /** Pixels of the canvas for a node. */
    get scale() {
        return this.width / (this.region[2] - this.region[0]);
    }

    /** How often the plane is magnified. */
    get magnification() {
        return this.plane[0] / (this.region[2] - this.region[0]);
    }

    /** The pixels that are worth asking for: not more than the canvas shows, nor than there are nodes. */
    wanted() {
        const [x0, y0, x1, y1] = this.region;
        const pixels = (canvas, nodes) => Math.max(1, Math.min(canvas, Math.ceil(nodes)));
        return { width: pixels(this.width, x1 - x0), height: pixels(this.height, y1 - y0) };
    }

    /** Node coordinates of a place on the screen. */
    toNode(clientX, clientY) {
        const box = this.frame.getBoundingClientRect();
        const [x0, y0, x1, y1] = this.region;
        const right = (clientX - box.left) / box.width;
        const down = (clientY - box.top) / box.height;
        return [x0 + right * (x1 - x0), y1 - down * (y1 - y0)];
    }

    /** The place on the screen of node coordinates. */
    toScreen(x, y) {
        const box = this.frame.getBoundingClientRect();
        const [x0, y0, x1, y1] = this.region;
        return [box.left + ((x - x0) / (x1 - x0)) * box.width, box.top + ((y1 - y) / (y1 - y0)) * box.height];
    }

    /** Lets a context draw in node coordinates. */
    use(context) {
        const scale = this.scale;
        context.setTransform(scale, 0, 0, -scale, -this.region[0] * scale, this.region[3] * scale);
    }

    /** Draws an image over its region. */
    place(context, image, [x0, y0, x1, y1]) {
        const scale = this.scale;
        context.setTransform(1, 0, 0, 1, 0, 0);
        context.drawImage(
            image,
            (x0 - this.region[0]) * scale,
            (this.region[3] - y1) * scale,
            (x1 - x0) * scale,
            (y1 - y0) * scale,
        );
    }

    /** Shows this region: moved and shrunk until it lies in the plane, with the shape of the plane. */
    show([x0, y0, x1, y1]) {
        const [across, up] = this.plane;
        const least = Math.min(across, Math.max(FEWEST_NODES, (FEWEST_NODES * across) / up));
        const width = Math.min(across, Math.max(least, x1 - x0));
        const height = (width * up) / across;
        const left = Math.min(across - width, Math.max(0, (x0 + x1 - width) / 2));
        const bottom = Math.min(up - height, Math.max(0, (y0 + y1 - height) / 2));
        const region = [left, bottom, left + width, bottom + height];
        if (region.some((edge, i) => edge !== this.region[i])) {
            this.region = region;
            this.changed();
        }
    }

    /** Takes a region from elsewhere, as it is. */
    follow(region) {
        if (region[2] > region[0] && region[3] > region[1]) {
            this.region = region;
        }
    }

    /** Magnifies by a factor; the node stays where it is on the screen. */
    zoom(factor, [x, y] = this.centre()) {
        const [x0, y0, x1, y1] = this.region;
        const width = Math.min(this.plane[0], (x1 - x0) / factor);
        const share = width / (x1 - x0);
        this.show([x - (x - x0) * share, y - (y - y0) * share, x + (x1 - x) * share, y + (y1 - y) * share]);
    }

    /** Moves the region by so many nodes. */
    pan(right, up) {
        const [x0, y0, x1, y1] = this.region;
        this.show([x0 + right, y0 + up, x1 + right, y1 + up]);
    }

    /** Shows the whole plane. */
    fit() {
        this.show([0, 0, this.plane[0], this.plane[1]]);
    }

    /** The node in the middle of the region. */
    centre() {
        const [x0, y0, x1, y1] = this.region;
        return [(x0 + x1) / 2, (y0 + y1) / 2];
    }
}
