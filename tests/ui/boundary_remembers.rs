use lbm::prelude::*;

boundary! {
    pub NotSaid on_link remembers(pressure) {
        f[back] = sent[toward] + pressure;
    }
}

boundary! {
    pub Twice on_link remembers(pressure) {
        remember(pressure, pressure + 1);
        remember(pressure, 2);
        f[back] = sent[toward];
    }
}

boundary! {
    pub Other on_link remembers(pressure) {
        remember(presure, 1);
        f[back] = sent[toward];
    }
}

boundary! {
    pub Nothing on_link {
        remember(pressure, 1);
        f[back] = sent[toward];
    }
}

boundary! {
    pub Unnamed on_link remembers {
        f[back] = sent[toward];
    }
}

boundary! {
    pub Ranged on_link remembers(pressure in 0..) {
        f[back] = sent[toward];
    }
}

boundary! {
    pub Pointing on_link remembers(course[dimensions] = 1) {
        f[back] = sent[toward];
    }
}

boundary! {
    pub Short on_link remembers(course[dimensions]) {
        remember(course, 1);
        f[back] = sent[toward];
    }
}

boundary! {
    pub Both(pressure = 1) on_link remembers(pressure) {
        remember(pressure, 1);
        f[back] = sent[toward];
    }
}

collision! {
    pub Collides {
        remember(pressure, 1);
        for i in directions {
            f[i] = f[i];
        }
    }
}

fn main() {}
