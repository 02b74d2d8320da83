use lbm::prelude::*;

collision! {
    pub Halfway {
        for (i, j) in pairs {
            f[i] = f[j];
        }
    }
}

fn main() {}
