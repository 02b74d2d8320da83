use lbm::prelude::*;

boundary! {
    pub Copied on_node {
        for i in missing {
            f[i] = f[i];
        }
    }
}

fn main() {}
