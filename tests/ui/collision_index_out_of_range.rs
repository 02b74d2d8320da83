use lbm::prelude::*;

collision! {
    pub Outside {
        let speed = u[0] * u[0] + u[3] * u[3];
        for i in directions {
            f[i] = w[i] * speed;
        }
    }
}

collision! {
    pub NoSuchDirection {
        for i in directions {
            f[i + 1] = f[i];
        }
    }
}

fn main() {}
