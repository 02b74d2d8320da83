// The wire between page and flow: one WebSocket, JSON both ways, binary frames of pictures one way.
//
// Nothing here draws. Frames are checked before anyone reads them; what cannot be read is reported, not
// thrown. Where the wire breaks, it is tried again, soon at first, then at longer intervals.

const PICTURE = 1;
const MASK = 2;
const PARTICLES = 3;
const STREAKS = 4;

const FIRST_WAIT = 500;
const LONGEST_WAIT = 8000;

/** Milliseconds between two messages of a slider or a view that moves. */
const PACE = 60;

/** The most that a message may hold, in bytes: masks, all others. */
const LONGEST_MASK = 1024 * 1024;
const LONGEST_MESSAGE = 64 * 1024;

const token = new URLSearchParams(location.search).get("token");

/** The address of a path of this server, with the token of the page. */
export function address(path) {
    const url = new URL(path, location.href);
    if (token !== null) {
        url.searchParams.set("token", token);
    }
    return url;
}

/** Region of four numbers [x0, y0, x1, y1], in node units. */
function regionAt(data, offset) {
    return [0, 4, 8, 12].map((step) => data.getFloat32(offset + step, true));
}

/** Refuses a frame that is shorter than what it says that it holds. */
function need(data, length, what) {
    if (data.byteLength < length) {
        throw new Error(`A frame of ${what} has ${data.byteLength} bytes, not ${length}.`);
    }
}

function pictureOf(data) {
    need(data, 41, "a picture");
    return {
        kind: "picture",
        field: data.getUint8(1),
        width: data.getUint16(2, true),
        height: data.getUint16(4, true),
        step: Number(data.getBigUint64(8, true)),
        low: data.getFloat32(16, true),
        high: data.getFloat32(20, true),
        region: regionAt(data, 24),
        jpeg: new Uint8Array(data.buffer, 40),
    };
}

function maskOf(data) {
    need(data, 33, "a mask");
    return {
        kind: "mask",
        width: data.getUint16(2, true),
        height: data.getUint16(4, true),
        step: Number(data.getBigUint64(8, true)),
        region: regionAt(data, 16),
        deflated: new Uint8Array(data.buffer, 32),
    };
}

/** Particles in node units. One at an edge of the region is beyond it: it has no place, NaN. */
function particlesOf(data) {
    need(data, 32, "particles");
    const count = data.getUint32(4, true);
    need(data, 32 + 4 * count, "particles");
    const region = regionAt(data, 16);
    const across = (region[2] - region[0]) / 65535;
    const up = (region[3] - region[1]) / 65535;
    const places = new Float32Array(2 * count);
    for (let i = 0; i < count; i++) {
        const [x, y] = [data.getUint16(32 + 4 * i, true), data.getUint16(34 + 4 * i, true)];
        const within = x > 0 && x < 65535 && y > 0 && y < 65535;
        places[2 * i] = within ? region[0] + across * x : NaN;
        places[2 * i + 1] = within ? region[1] + up * y : NaN;
    }
    return { kind: "particles", step: Number(data.getBigUint64(8, true)), region, places };
}

/** Streaklines in node units: of each line the places x, y, x, y, .. */
function streaksOf(data) {
    need(data, 32, "streaklines");
    const region = regionAt(data, 16);
    const across = (region[2] - region[0]) / 65535;
    const up = (region[3] - region[1]) / 65535;
    const lines = [];
    let at = 32;
    for (let left = data.getUint16(2, true); left > 0; left--) {
        need(data, at + 2, "streaklines");
        const count = data.getUint16(at, true);
        at += 2;
        need(data, at + 4 * count, "streaklines");
        const places = new Float32Array(2 * count);
        for (let i = 0; i < count; i++, at += 4) {
            places[2 * i] = region[0] + across * data.getUint16(at, true);
            places[2 * i + 1] = region[1] + up * data.getUint16(at + 2, true);
        }
        lines.push(places);
    }
    return { kind: "streaks", step: Number(data.getBigUint64(8, true)), region, lines };
}

/** What a binary frame holds. Throws where it is too short or of a kind that nobody knows. */
export function parseFrame(buffer) {
    const data = new DataView(buffer);
    need(data, 1, "any kind");
    switch (data.getUint8(0)) {
        case PICTURE:
            return pictureOf(data);
        case MASK:
            return maskOf(data);
        case PARTICLES:
            return particlesOf(data);
        case STREAKS:
            return streaksOf(data);
        default:
            throw new Error(`A frame has kind ${data.getUint8(0)}; this page knows 1 to 4.`);
    }
}

/** Unpacks zlib, to exactly `length` bytes. */
export async function inflate(deflated, length) {
    const stream = new Blob([deflated]).stream().pipeThrough(new DecompressionStream("deflate"));
    const reader = stream.getReader();
    const bytes = new Uint8Array(length);
    let filled = 0;
    for (;;) {
        const { done, value } = await reader.read();
        if (done) {
            break;
        }
        if (filled + value.length > length) {
            await reader.cancel();
            throw new Error(`A mask unpacks to more than ${length} bytes.`);
        }
        bytes.set(value, filled);
        filled += value.length;
    }
    if (filled !== length) {
        throw new Error(`A mask unpacks to ${filled} bytes, not ${length}.`);
    }
    return bytes;
}

/** Calls at once, then at most once in `PACE`; the last call is never lost. */
export function paced(work) {
    let timer = null;
    let again = false;
    return function call() {
        if (timer !== null) {
            again = true;
            return;
        }
        work();
        timer = setTimeout(() => {
            timer = null;
            if (again) {
                again = false;
                call();
            }
        }, PACE);
    };
}

/** Does work on the newest of what arrives: what waits while work is done gives way to what is newer. */
export class Newest {
    constructor(work, failed) {
        this.work = work;
        this.failed = failed;
        this.next = null;
        this.busy = false;
    }

    async push(item) {
        this.next = item;
        if (this.busy) {
            return;
        }
        this.busy = true;
        while (this.next !== null) {
            const newest = this.next;
            this.next = null;
            try {
                await this.work(newest);
            } catch (error) {
                this.failed(error);
            }
        }
        this.busy = false;
    }
}

/**
 * A WebSocket that is opened again when it breaks.
 *
 * `on` has a function for each kind of message and frame (`about`, `key`, `status`, `refused`, `fault`, `picture`,
 * `mask`, `particles`, `streaks`), `unreadable(error)`, `open()` and `lost(seconds)`.
 */
export class Wire {
    constructor(on) {
        this.on = on;
        this.wait = FIRST_WAIT;
        this.timer = null;
        this.socket = null;
        this.leaving = false;
        addEventListener("online", () => this.now());
        addEventListener("pagehide", () => {
            this.leaving = true;
        });
        document.addEventListener("visibilitychange", () => document.hidden || this.now());
    }

    /** Opens the socket. */
    open() {
        this.timer = null;
        const url = address("socket");
        url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
        const socket = new WebSocket(url);
        socket.binaryType = "arraybuffer";
        socket.onopen = () => {
            this.wait = FIRST_WAIT;
            this.on.open();
        };
        socket.onmessage = ({ data }) => this.read(data);
        socket.onclose = () => this.lost();
        this.socket = socket;
    }

    /** Tries again at once, where a next attempt waits. */
    now() {
        if (this.timer !== null) {
            clearTimeout(this.timer);
            this.open();
        }
    }

    lost() {
        if (this.leaving) {
            return;
        }
        const wait = this.wait * (0.8 + 0.4 * Math.random());
        this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
        this.on.lost(wait / 1000);
        this.timer = setTimeout(() => this.open(), wait);
    }

    read(data) {
        try {
            const message = typeof data === "string" ? JSON.parse(data) : parseFrame(data);
            const kind = typeof data === "string" ? message.type : message.kind;
            const known = "about key status refused fault picture mask particles streaks".split(" ");
            if (!known.includes(kind)) {
                throw new Error(`A message has type ${JSON.stringify(kind)}, which this page does not know.`);
            }
            this.on[kind](message);
        } catch (error) {
            this.on.unreadable(error);
        }
    }

    /** Sends a message. Returns why not, or null. */
    send(message) {
        if (this.socket?.readyState !== WebSocket.OPEN) {
            return "There is no connection to the flow; try again when it is back.";
        }
        const text = JSON.stringify(message);
        const longest = message.shape?.kind === "mask" ? LONGEST_MASK : LONGEST_MESSAGE;
        if (text.length > longest) {
            const size = `${Math.ceil(text.length / 1024)} KiB`;
            return `This message has ${size}; at most ${longest / 1024} KiB can be sent. Draw something smaller.`;
        }
        this.socket.send(text);
        return null;
    }
}
