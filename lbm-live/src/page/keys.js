// Keys that act on the whole page, and the help that lists them.
//
// A key does what the control of the same name does: it presses it. So a control that is disabled has no key.

import { TOOLS } from "./draw.js";

const find = (id) => document.getElementById(id);

/** Fields in which letters are typed. */
const TYPED = 'input:not([type="range"], [type="checkbox"]), select, textarea';

/** Presses a button or a check box, where it is enabled and shown. */
function press(id) {
    const control = find(id);
    if (!control.matches(":disabled") && !control.hidden) {
        control.click();
    }
}

/** Moves a slider by a number of its steps. */
function nudge(id, steps) {
    const slider = find(id);
    if (!slider.matches(":disabled")) {
        slider.value = String(Number(slider.value) + steps);
        slider.dispatchEvent(new Event("input", { bubbles: true }));
    }
}

export class Keys {
    constructor({ controls }) {
        this.help = find("help");
        this.on = true;
        this.actions = {
            " ": () => press("pause"),
            n: () => press("step"),
            R: () => press("reset"),
            u: () => press("undo"),
            x: () => press("erase"),
            p: () => press("particles"),
            s: () => press("streaks"),
            t: () => press("steer"),
            f: () => controls.next("field"),
            c: () => controls.next("colours"),
            "[": () => nudge("size", -25),
            "]": () => nudge("size", 25),
            ",": () => nudge("angle", -1),
            ".": () => nudge("angle", 1),
            "+": () => press("zoom-in"),
            "=": () => press("zoom-in"),
            "-": () => press("zoom-out"),
            0: () => press("zoom-fit"),
        };
        TOOLS.forEach((tool, i) => {
            this.actions[i + 1] = () => press(`tool-${tool}`);
        });
        find("help-open").addEventListener("click", () => this.toggleHelp());
        find("help-close").addEventListener("click", () => this.help.close());
        this.help.addEventListener("click", (event) => {
            // Only the ground around the box has the dialog itself as its target.
            if (event.target === this.help && !this.covers(event)) {
                this.help.close();
            }
        });
        find("keys-on").addEventListener("change", (event) => {
            this.on = event.target.checked;
        });
        find("draw-set").addEventListener("keydown", (event) => this.moveAmongTools(event));
        addEventListener("keydown", (event) => this.key(event));
    }

    /** Whether a click lies on the box of the help. */
    covers({ clientX, clientY }) {
        const box = this.help.getBoundingClientRect();
        return clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom;
    }

    toggleHelp() {
        if (this.help.open) {
            this.help.close();
        } else {
            this.help.showModal();
        }
    }

    key(event) {
        if (event.defaultPrevented || event.altKey || event.metaKey || event.target.matches(TYPED)) {
            return;
        }
        if (event.ctrlKey) {
            if (event.key === "z") {
                event.preventDefault();
                press("undo");
            }
            return;
        }
        if (event.key === "?") {
            event.preventDefault();
            this.toggleHelp();
            return;
        }
        if (!this.on || this.help.open) {
            return;
        }
        // The space bar presses the button that has the focus; only elsewhere does it pause.
        if (event.key === " " && event.target.matches("button, input, a, label")) {
            return;
        }
        const action = this.actions[event.key] ?? this.actions[event.shiftKey ? "" : event.key.toLowerCase()];
        if (action !== undefined) {
            event.preventDefault();
            action();
        }
    }

    /** Arrow keys go from tool to tool, as in every group of radio buttons. */
    moveAmongTools(event) {
        const at = TOOLS.findIndex((tool) => event.target.id === `tool-${tool}`);
        const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
        if (at < 0 || by === undefined) {
            return;
        }
        event.preventDefault();
        const next = find(`tool-${TOOLS[(at + by + TOOLS.length) % TOOLS.length]}`);
        next.focus();
        next.click();
    }
}
