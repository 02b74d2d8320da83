// Painters of the field: a picture of gray levels, coloured by a table, in the part of the plane that is
// seen.
//
// WebGL2 colours in a shader. Where there is none, or where the browser takes it away, a 2D canvas does the
// same on the processor. Both have `show(bitmap)`, `colour(table)` and `paint(region, held, width, height)`.

import { LEVELS } from "./colours.js";

/** Beyond the picture: the background of the page. */
const BACKGROUND = [14 / 255, 17 / 255, 22 / 255];

const VERTICES = `#version 300 es
out vec2 at;
void main() {
    // One triangle that covers the canvas.
    at = vec2(float((gl_VertexID << 1) & 2), float(gl_VertexID & 2));
    gl_Position = vec4(at * 2.0 - 1.0, 0.0, 1.0);
}`;

const FRAGMENTS = `#version 300 es
precision highp float;
in vec2 at;
uniform sampler2D picture;
uniform sampler2D colours;
uniform vec4 wanted;
uniform vec4 held;
uniform vec3 background;
out vec4 colour;
void main() {
    vec2 node = mix(wanted.xy, wanted.zw, at);
    vec2 place = (node - held.xy) / (held.zw - held.xy);
    float level = texture(picture, vec2(place.x, 1.0 - place.y)).r;
    vec4 mapped = texture(colours, vec2((level * 255.0 + 0.5) / 256.0, 0.5));
    bool covered = all(greaterThanEqual(place, vec2(-0.001))) && all(lessThanEqual(place, vec2(1.001)));
    colour = vec4(covered ? mapped.rgb : background, 1.0);
}`;

function compiled(gl, kind, text) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    return shader;
}

/** A texture of 8 bits a channel, mixed between its points, that does not repeat. */
function textureOn(gl, unit) {
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    for (const [name, value] of [
        [gl.TEXTURE_MIN_FILTER, gl.LINEAR],
        [gl.TEXTURE_MAG_FILTER, gl.LINEAR],
        [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE],
        [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE],
    ]) {
        gl.texParameteri(gl.TEXTURE_2D, name, value);
    }
}

class WebGlField {
    constructor(canvas, gl) {
        this.name = "webgl2";
        this.canvas = canvas;
        this.gl = gl;
        const program = gl.createProgram();
        gl.attachShader(program, compiled(gl, gl.VERTEX_SHADER, VERTICES));
        gl.attachShader(program, compiled(gl, gl.FRAGMENT_SHADER, FRAGMENTS));
        gl.linkProgram(program);
        if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
            throw new Error(`WebGL refuses the shader: ${gl.getProgramInfoLog(program)}`);
        }
        gl.useProgram(program);
        gl.bindVertexArray(gl.createVertexArray());
        const uniform = (name) => gl.getUniformLocation(program, name);
        this.wanted = uniform("wanted");
        this.held = uniform("held");
        gl.uniform1i(uniform("picture"), 0);
        gl.uniform1i(uniform("colours"), 1);
        gl.uniform3fv(uniform("background"), BACKGROUND);
        gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
        gl.pixelStorei(gl.UNPACK_COLORSPACE_CONVERSION_WEBGL, gl.NONE);
        textureOn(gl, 0);
        textureOn(gl, 1);
    }

    /** Takes a picture; its red channel has the levels. */
    show(bitmap) {
        const gl = this.gl;
        gl.activeTexture(gl.TEXTURE0);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.R8, gl.RED, gl.UNSIGNED_BYTE, bitmap);
    }

    /** Takes the colours of all levels. */
    colour(table) {
        const gl = this.gl;
        gl.activeTexture(gl.TEXTURE1);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, LEVELS, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, table);
    }

    /** Draws the region; the picture covers the region `held`. */
    paint(region, held, width, height) {
        const gl = this.gl;
        if (this.canvas.width !== width || this.canvas.height !== height) {
            this.canvas.width = width;
            this.canvas.height = height;
        }
        gl.viewport(0, 0, width, height);
        gl.uniform4fv(this.wanted, region);
        gl.uniform4fv(this.held, held);
        gl.drawArrays(gl.TRIANGLES, 0, 3);
    }
}

class CanvasField {
    constructor(canvas) {
        this.name = "2d";
        this.canvas = canvas;
        this.context = canvas.getContext("2d", { alpha: false });
        this.levels = document.createElement("canvas");
        this.reader = this.levels.getContext("2d", { willReadFrequently: true });
        this.coloured = document.createElement("canvas");
        this.table = new Uint32Array(LEVELS);
        this.gray = null;
        this.stale = false;
    }

    show(bitmap) {
        const { width, height } = bitmap;
        for (const canvas of [this.levels, this.coloured]) {
            if (canvas.width !== width || canvas.height !== height) {
                canvas.width = width;
                canvas.height = height;
            }
        }
        this.reader.drawImage(bitmap, 0, 0);
        this.gray = this.reader.getImageData(0, 0, width, height);
        this.stale = true;
    }

    colour(table) {
        this.table = new Uint32Array(table.slice().buffer);
        this.stale = true;
    }

    /** Colours the levels of the picture, once for each picture and table. */
    map() {
        const mapped = new ImageData(this.gray.width, this.gray.height);
        const from = this.gray.data;
        const to = new Uint32Array(mapped.data.buffer);
        for (let i = 0; i < to.length; i++) {
            to[i] = this.table[from[4 * i]];
        }
        this.coloured.getContext("2d").putImageData(mapped, 0, 0);
        this.stale = false;
    }

    paint(region, held, width, height) {
        if (this.canvas.width !== width || this.canvas.height !== height) {
            this.canvas.width = width;
            this.canvas.height = height;
        }
        if (this.gray === null) {
            return;
        }
        if (this.stale) {
            this.map();
        }
        const across = width / (region[2] - region[0]);
        const up = height / (region[3] - region[1]);
        this.context.fillStyle = `rgb(${BACKGROUND.map((part) => Math.round(part * 255)).join(" ")})`;
        this.context.fillRect(0, 0, width, height);
        this.context.drawImage(
            this.coloured,
            (held[0] - region[0]) * across,
            (region[3] - held[3]) * up,
            (held[2] - held[0]) * across,
            (held[3] - held[1]) * up,
        );
    }
}

/**
 * The painter of a canvas: WebGL2, or the 2D canvas where there is none or `plain` asks for it.
 * A canvas has one kind of context only: where WebGL is lost, another canvas takes the place of the first,
 * and `replaced(painter)` is called.
 */
export function painterOf(canvas, plain, replaced) {
    const options = { alpha: false, antialias: false, depth: false, stencil: false };
    const gl = plain ? null : canvas.getContext("webgl2", options);
    if (gl === null) {
        return new CanvasField(canvas);
    }
    const fallBack = () => {
        const other = canvas.cloneNode(false);
        canvas.replaceWith(other);
        return new CanvasField(other);
    };
    try {
        const painter = new WebGlField(canvas, gl);
        canvas.addEventListener("webglcontextlost", () => replaced(fallBack()), { once: true });
        return painter;
    } catch {
        return fallBack();
    }
}
