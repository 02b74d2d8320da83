use lbm::prelude::*;

boundary! {
    pub All(density = 1) on_node {
        for i in directions {
            f[i] = density * w[i];
        }
    }
}

fn main() {}
