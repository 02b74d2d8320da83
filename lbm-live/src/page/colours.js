// Colour maps: from a value to a colour whose lightness grows evenly, so that steps look equally large.
//
// Each map is a few control points of equal distance, in sRGB; colours between two of them are mixed. All of
// them can be read without telling red from green. Viridis is by van der Walt and Smith (CC0), cividis by
// Nunez, Anderton and Renslow. The diverging map is ours: dark at zero, blue below, orange above, with the
// same lightness (in OKLab) at equal distance of zero.

/** The colours of a map in a table: one for each of the 256 values of a picture. */
export const LEVELS = 256;

const MAPS = {
    viridis: {
        label: "Viridis",
        points:
            "440154 48186a 472d7b 424086 3b528b 33638d 2c728e 26828e 21918c 1fa088 28ae80 3fbc73 5ec962 84d44b " +
            "addc30 d8e219 fde725",
    },
    cividis: {
        label: "Cividis",
        points:
            "00224e 002e6a 1a386f 32436d 434e6c 535a6d 61656f 6f7073 7d7c78 8c8878 9b9476 aba072 bcae6c cdbb63 " +
            "dec958 f0d846 fee838",
    },
    diverging: {
        label: "Blue to orange",
        points:
            "b4e2fe 78c9fb 5eace1 4b8fc2 3d73a1 32597e 28405b 1d2938 141414 35241a 553621 764a29 966133 b57a41 " +
            "d19554 ebb270 fed29c",
        diverging: true,
    },
    gray: { label: "Gray", points: "101010 f4f4f4" },
};

/** The map of a field until a person picks another one. */
const OF_FIELDS = { speed: "viridis", vorticity: "diverging", density: "cividis", dye: "cividis" };

/** What the numbers of a field mean, as the colour bar says it. */
const UNITS = {
    speed: "nodes per step",
    vorticity: "1 / step",
    density: "of the mean",
    dye: "share of dye",
    pressure: "lattice units",
};

/** The names and labels of all maps, in the order of the list. */
export function mapNames() {
    return Object.entries(MAPS).map(([name, map]) => ({ name, label: map.label }));
}

/** The map that fits a field. */
export function mapOfField(field) {
    return OF_FIELDS[field] ?? "viridis";
}

/** The unit of a field. */
export function unitOfField(field) {
    return UNITS[field] ?? "lattice units";
}

/** A name of a field as a person reads it. */
export function labelOf(name) {
    const text = name.replaceAll("_", " ");
    return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The control points of a map as numbers: [[red, green, blue], ..]. */
function controlPoints(name) {
    const map = MAPS[name] ?? MAPS.viridis;
    map.numbers ??= map.points.split(" ").map((hex) => {
        const bits = Number.parseInt(hex, 16);
        return [bits >> 16, (bits >> 8) & 255, bits & 255];
    });
    return map.numbers;
}

/** Where a value lies on a map, 0 to 1. Zero is the middle of a diverging map, whatever the range is. */
function position(value, low, high, diverging) {
    if (diverging && low < 0 && high > 0) {
        return 0.5 + (0.5 * value) / Math.max(-low, high);
    }
    return (value - low) / (high - low || 1);
}

/** The colour at a position of 0 to 1. */
function colourAt(points, at) {
    const place = Math.min(1, Math.max(0, at)) * (points.length - 1);
    const first = Math.min(Math.floor(place), points.length - 2);
    const share = place - first;
    return [0, 1, 2].map((i) => points[first][i] * (1 - share) + points[first + 1][i] * share);
}

/**
 * The table of a map for pictures of values `low` to `high`: 256 colours of red, green, blue, opaque.
 * Shader, 2D canvas and colour bar all take their colours from here.
 */
export function table(name, low, high) {
    const points = controlPoints(name);
    const diverging = MAPS[name]?.diverging ?? false;
    const colours = new Uint8Array(LEVELS * 4);
    for (let level = 0; level < LEVELS; level++) {
        const value = low + (level / (LEVELS - 1)) * (high - low);
        const [red, green, blue] = colourAt(points, position(value, low, high, diverging));
        colours.set([Math.round(red), Math.round(green), Math.round(blue), 255], level * 4);
    }
    return colours;
}

/** Draws a table as a colour bar, low at the left, over the whole of a canvas. */
export function paintBar(canvas, colours) {
    const context = canvas.getContext("2d");
    if (canvas.width !== LEVELS) {
        canvas.width = LEVELS;
        canvas.height = 1;
    }
    const row = new ImageData(new Uint8ClampedArray(colours), LEVELS, 1);
    context.putImageData(row, 0, 0);
}

/** A number as a person reads it: four digits, powers of ten where it is very large or small. */
export function readable(value) {
    if (value === null || value === undefined || !Number.isFinite(value)) {
        return "–";
    }
    const size = Math.abs(value);
    if (size === 0) {
        return "0";
    }
    if (size >= 1e6 || size < 1e-3) {
        const [digits, power] = value.toExponential(2).split("e");
        return `${digits}·10${raised(Number(power))}`;
    }
    return size >= 1000 ? Math.round(value).toLocaleString("en-GB") : String(Number(value.toPrecision(4)));
}

/** A power in raised digits. */
function raised(power) {
    const digits = "⁰¹²³⁴⁵⁶⁷⁸⁹";
    const text = [...String(Math.abs(power))].map((digit) => digits[Number(digit)]).join("");
    return power < 0 ? `⁻${text}` : text;
}
