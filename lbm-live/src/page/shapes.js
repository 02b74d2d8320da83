// Shapes: from where a person began and ended to what is sent, and outlines of them on the canvas.
//
// All lengths are in nodes, angles in degrees. The outline is a preview: which nodes become solid is decided
// where the flow is.

/** The most points of a stroke in a message. */
export const MOST_POINTS = 256;

/** The most pixels of a mask: as bits in base64 they fit in a message of 1 MiB. */
const MOST_MASK_PIXELS = 6_000_000;

/** A drag that is shorter than this, in pixels of the screen, is a click. */
export const CLICK = 5;

const radians = (degrees) => (degrees * Math.PI) / 180;
const rounded = (value) => Math.round(value * 100) / 100;
const place = ([x, y]) => [rounded(x), rounded(y)];
const distance = ([ax, ay], [bx, by]) => Math.hypot(bx - ax, by - ay);

/** Half the thickness of NACA 0012 at a share of the chord, as a share of the chord. */
function halfThickness(x) {
    const powers = 0.2969 * Math.sqrt(x) - 0.126 * x - 0.3516 * x ** 2 + 0.2843 * x ** 3 - 0.1015 * x ** 4;
    return 0.6 * powers;
}

/** The end of a drag, held to steps of 15 degrees. */
function snapped(from, to) {
    const length = distance(from, to);
    const step = Math.PI / 12;
    const angle = Math.round(Math.atan2(to[1] - from[1], to[0] - from[0]) / step) * step;
    return [from[0] + length * Math.cos(angle), from[1] + length * Math.sin(angle)];
}

/** The box of a mask: dragged, or of its own size (at most half of the plane) about the place of a click. */
function boxOfMask(from, to, clicked, stamp, plane) {
    const shape = stamp.height / stamp.width;
    let width = Math.abs(to[0] - from[0]);
    if (clicked) {
        width = Math.min(stamp.width, plane[0] / 2, plane[1] / 2 / shape);
    }
    width = Math.min(Math.max(1, width), Math.sqrt(MOST_MASK_PIXELS / shape));
    const size = [Math.max(1, Math.round(width)), Math.max(1, Math.round(width * shape))];
    const left = clicked ? from[0] - size[0] / 2 : to[0] < from[0] ? from[0] - size[0] : from[0];
    const bottom = clicked ? from[1] - size[1] / 2 : to[1] < from[1] ? from[1] - size[1] : from[1];
    return { low: [Math.round(left), Math.round(bottom)], width: size[0], height: size[1] };
}

/**
 * The shape of a drag with a tool.
 *
 * `drag` has `from`, `to`, `points` (the stroke), `clicked` (too short for a drag) and `straight` (Shift);
 * `size` and `angle` are those of the sliders. A click draws a shape of the size of the slider.
 */
export function shapeOf(tool, drag, { size, angle, stamp, plane }) {
    const { from, clicked, straight } = drag;
    const to = straight && tool !== "mask" ? snapped(from, drag.to) : drag.to;
    switch (tool) {
        case "brush":
            return { kind: "brush", points: drag.points.map(place), radius: rounded(size / 2) };
        case "line":
            return { kind: "line", from: place(from), to: place(clicked ? from : to), width: rounded(size) };
        case "circle":
            return {
                kind: "circle",
                centre: place(from),
                radius: rounded(clicked ? size / 2 : distance(from, to)),
            };
        case "rectangle": {
            const [a, b] = clicked
                ? [from.map((x) => x - size / 2), from.map((x) => x + size / 2)]
                : [from, drag.to];
            return {
                kind: "rectangle",
                low: place([Math.min(a[0], b[0]), Math.min(a[1], b[1])]),
                high: place([Math.max(a[0], b[0]), Math.max(a[1], b[1])]),
                angle,
            };
        }
        case "aerofoil": {
            const direction = (Math.atan2(from[1] - to[1], to[0] - from[0]) * 180) / Math.PI;
            return {
                kind: "aerofoil",
                nose: place(from),
                chord: rounded(clicked ? 3 * size : distance(from, to)),
                angle: straight && !clicked ? Math.round(direction) : angle,
            };
        }
        default:
            return { kind: "mask", ...boxOfMask(from, drag.to, clicked, stamp, plane) };
    }
}

/** Turns the context by an angle about a point: positive is counter-clockwise, since y is up. */
function turn(context, [x, y], degrees) {
    context.translate(x, y);
    context.rotate(radians(degrees));
    context.translate(-x, -y);
}

/** Adds the outline of a shape to the path of a context in node coordinates. */
export function trace(context, shape) {
    switch (shape.kind) {
        case "circle":
            context.arc(...shape.centre, Math.max(shape.radius, 0.1), 0, 2 * Math.PI);
            break;
        case "rectangle": {
            const [low, high] = [shape.low, shape.high];
            turn(context, [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2], shape.angle);
            context.rect(low[0], low[1], high[0] - low[0], high[1] - low[1]);
            break;
        }
        case "aerofoil": {
            // The nose goes up where the tail goes down: clockwise about the nose.
            turn(context, shape.nose, -shape.angle);
            const [x, y] = shape.nose;
            const shares = Array.from({ length: 33 }, (_, i) => (1 - Math.cos((Math.PI * i) / 32)) / 2);
            const at = (share, side) =>
                context.lineTo(x + share * shape.chord, y + side * halfThickness(share) * shape.chord);
            shares.forEach((share) => at(share, 1));
            shares.reverse().forEach((share) => at(share, -1));
            context.closePath();
            break;
        }
        case "mask":
            context.rect(...shape.low, shape.width, shape.height);
            break;
        default: {
            const points = shape.kind === "line" ? [shape.from, shape.to] : shape.points;
            points.forEach((point) => context.lineTo(...point));
            if (points.every((point) => distance(point, points[0]) === 0)) {
                context.lineTo(points[0][0] + 1e-3, points[0][1]);
            }
        }
    }
}

/** The width of the pen of shapes that are strokes, not areas; else null. */
export function penOf(shape) {
    return { brush: 2 * shape.radius, line: shape.width }[shape.kind] ?? null;
}

/** Bits in base64, most significant first. */
function base64(bytes) {
    let text = "";
    for (let i = 0; i < bytes.length; i += 8192) {
        text += String.fromCharCode(...bytes.subarray(i, i + 8192));
    }
    return btoa(text);
}

/**
 * The bits of an image at a size in nodes. An image with transparent parts is solid where it is opaque; any other
 * is solid where it is dark. `inverted` swaps solid and fluid.
 */
export function bitsOf(image, width, height, inverted) {
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = height;
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.drawImage(image, 0, 0, width, height);
    const { data } = context.getImageData(0, 0, width, height);
    let opaque = true;
    for (let i = 3; i < data.length && opaque; i += 4) {
        opaque = data[i] >= 128;
    }
    const row = Math.ceil(width / 8);
    const bytes = new Uint8Array(row * height);
    for (let j = 0; j < height; j++) {
        for (let i = 0; i < width; i++) {
            const at = 4 * (j * width + i);
            const luma = 0.2126 * data[at] + 0.7152 * data[at + 1] + 0.0722 * data[at + 2];
            const solid = opaque ? luma < 128 : data[at + 3] >= 128;
            if (solid !== inverted) {
                bytes[j * row + (i >> 3)] |= 128 >> (i & 7);
            }
        }
    }
    return base64(bytes);
}
